import { type Schema, schemaAt } from '../../blueprint/attributes/schema';
import type { Item } from '../../items/item';

/**
 * The given values, without the map fields that a schema does not declare: the values that a release with this schema
 * reads.
 */
export function asRead(schema: Schema, values: Item): Item {
  const { data = values } = schema.safeParse(values) as { readonly data?: Item };
  const isMap = (value: unknown) => Array.isArray(value) || isPlainMap(value);
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isMap(value) ? data[name] : value]));
}

/**
 * Returns a map that replaces a former map, together with the former map's fields that a release with this schema does
 * not read. Such a release must not lose these fields.
 */
export function withUnread(schema: Schema | null | undefined, value: unknown, former: unknown): unknown {
  if (!schema || !isPlainMap(value) || !isPlainMap(former)) return value;
  const { data } = schema.safeParse(former) as { readonly data?: unknown };
  if (!isPlainMap(data)) return value;
  const unread = Object.entries(former).filter(([name]) => !Object.hasOwn(data, name));
  const read = Object.entries(value).map(([name, own]) => [
    name,
    withUnread(schemaAt(schema, [name]), own, former[name]),
  ]);
  return Object.fromEntries([...unread, ...read]);
}

function isPlainMap(value: unknown): value is Item {
  return Object.getPrototypeOf(value ?? 0) === Object.prototype;
}
