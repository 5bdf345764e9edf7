import { type Schema, schemaAt } from '../../blueprint/attributes/schema';
import { type Item, isMapOrList } from '../../items/item';

/** The values as a release with this schema reads them: without the map fields that the schema does not declare. */
export function asRead(schema: Schema, values: Item): Item {
  const data = parsedIn(schema, values);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, isMapOrList(value) ? data[name] : value]),
  );
}

/** The values as a schema parses them, with defaults for missing attributes; unchanged if the schema refuses them. */
export function parsedIn(schema: Schema, values: Item): Item {
  const { data = values } = schema.safeParse(values) as { readonly data?: Item };
  return data;
}

/**
 * Returns the map that replaces `former`, plus the fields of `former` that a release with this schema does not read.
 * Such a release must not lose these fields.
 */
export function withUnread(schema: Schema | null | undefined, value: unknown, former: unknown): unknown {
  if (!schema || !isMap(value) || !isMap(former)) return value;
  const { data } = schema.safeParse(former) as { readonly data?: unknown };
  if (!isMap(data)) return value;
  const unread = Object.entries(former).filter(([name]) => !Object.hasOwn(data, name));
  const read = Object.entries(value).map(([name, own]) => [
    name,
    withUnread(schemaAt(schema, [name]), own, former[name]),
  ]);
  return Object.fromEntries([...unread, ...read]);
}

function isMap(value: unknown): value is Item {
  return isMapOrList(value) && !Array.isArray(value);
}
