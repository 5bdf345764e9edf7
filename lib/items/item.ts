import { isTransformed } from '../blueprint/attributes/contents';
import { isOpen, issueText, outcomeOf, type Schema, schemaAt } from '../blueprint/attributes/schema';
import { type EntityOutline, isOfTable, keyOf, keysIn, ownOf, type TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import { partsOf } from '../blueprint/template-parts';
import { KeyError, match, shownValue, stepsOf } from '../design/template';
import { type EntityWriter, writerOf } from './writers';

/** Attributes by name, in the format that the document client accepts and returns. */
export type Item = Record<string, unknown>;

/** Thrown if values do not match an entity, or if the design does not know an item. */
export class ItemError extends Error {
  public override readonly name = 'ItemError';
}

/** Builds an entity's item from validated attributes, with its type and all its keys. */
export function makeItem(table: TableOutline, entity: EntityOutline, values: object): Item {
  return itemMaker(table, entity)(values);
}

/** Like `makeItem`, but prepares the work once for many items. */
export function itemMaker(table: TableOutline, entity: EntityOutline): (values: object) => Item {
  const writer = writerOf(table, entity);
  return (values) => {
    try {
      return writer.quick?.(values) ?? slowItem(table, entity, writer, values);
    } catch (error) {
      if (error instanceof KeyError) throw new KeyError(error.attribute, `${entity.name}: ${error.message}`);
      throw error;
    }
  };
}

function slowItem(table: TableOutline, entity: EntityOutline, writer: EntityWriter, values: object): Item {
  let own = values as Item;
  // Values from an earlier read may also contain the type and keys, which belong to the table.
  const read: Item = {};
  for (const name in values) {
    if (entity.attributes.includes(name) || !isOfTable(table, name)) continue;
    ({ [name]: read[name], ...own } = own);
  }
  // Zod returns a copy, and reusing this copy as the item is much faster than copying it again.
  const item = validated(entity, writer, own);
  for (const { name, write } of writer.primary) item[name] = write(item);
  for (const { keys, holds } of writer.indexes) {
    if (holds(item)) for (const { name, write } of keys) item[name] = write(item);
  }
  for (const name in item) {
    const value = item[name];
    // A key cannot be null. An item without an index's key is not in that index.
    const isGone = entity.keys.has(name) ? value === null : writer.keyOnly.has(name);
    if (isGone || value === undefined) delete item[name];
  }
  if (table.typeAttribute !== undefined) item[table.typeAttribute] = entity.type;
  const stored = naming.write(entity, item);
  if (table.ttl !== undefined) refuseMilliseconds(table, entity, table.ttl, stored[table.ttl]);
  for (const name in read)
    if (read[name] !== stored[name])
      throw new ItemError(
        `${entity.name}: ${name} is ${shownValue(read[name])}, not ${shownValue(stored[name])}; omit it`,
      );
  return stored;
}

/** In seconds since 1970, this number is a time in the year 5138; in milliseconds, a time in 1973. */
const MILLISECONDS = 100_000_000_000;

/** Refuses an expiry time that can only be in milliseconds. TTL counts seconds, so the item would never expire. */
export function refuseMilliseconds({ ttl }: TableOutline, entity: EntityOutline, path: string, value: unknown): void {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (naming.path([entity], path) !== ttl || !isNumber || value < MILLISECONDS) return;
  throw new ItemError(`${entity.name}: ${path} is ${value} milliseconds; give seconds`);
}

/** Reads the values of an entity from a stored item, including values that exist only in its keys. */
export function readItem(table: TableOutline, whole: EntityOutline, raw: Item, selected?: readonly string[]): Item {
  const item = naming.read(whole, raw);
  const entity = naming.as(item, whole);
  const { schema } = entity;
  const values: Item = isOpen(schema) && selected === undefined ? others(table, entity, item) : {};
  for (const name of selected ?? entity.attributes) {
    const value = Object.hasOwn(item, name) ? item[name] : fromKeys(table, entity, item, name);
    if (value !== undefined) values[name] = value;
  }
  const read = parse(schema, values, selected);
  if (typeof read === 'string') throw new ItemError(`${entity.name} ${showKey(table, item)}: ${read}`);
  if (table.typeAttribute !== undefined) read[table.typeAttribute] = entity.type;
  return read;
}

/**
 * The values that a write needs to store an item again. They include the type only if it is one of the entity's
 * attributes.
 */
export function valuesOf(table: TableOutline, entity: EntityOutline, item: Item, read = readItem): Item {
  const values = read(table, entity, item);
  const { typeAttribute } = table;
  if (typeAttribute !== undefined && !entity.attributes.includes(typeAttribute)) delete values[typeAttribute];
  return values;
}

/** The stored attributes other than declared attributes, keys and the type. */
function others(table: TableOutline, { attributes }: EntityOutline, item: Item): Item {
  const rest = Object.entries(item).filter(([name]) => !attributes.includes(name) && !isOfTable(table, name));
  return Object.fromEntries(rest);
}

/** Finds the entity of an item by the type attribute or, if the item has no type, by the keys. */
export function entityOf<E extends EntityOutline>(
  table: TableOutline,
  item: Item,
  entities: Iterable<E>,
): E | undefined {
  const type = item[table.typeAttribute ?? ''];
  for (const entity of entities) {
    const fits = type === undefined ? hasKeysOf(table, entity, item) : type === entity.type;
    if (fits) return entity;
  }
  return undefined;
}

function hasKeysOf(table: TableOutline, entity: EntityOutline, item: Item): boolean {
  return (keysIn(entity, table.key) ?? []).every(({ attribute, template, natural }) => {
    const key = item[attribute];
    if (natural) return key !== undefined;
    return typeof key === 'string' && match(template, key, table.separator) !== undefined;
  });
}

export function showKey({ key }: TableOutline, item: Item): string {
  return keyOf(key)
    .map(({ name }) => `${name} ${typeof item[name] === 'bigint' ? item[name] : JSON.stringify(item[name])}`)
    .join(', ');
}

/** Parses a value with the schema of the attribute at a path; throws if the value is invalid. */
export function validValue(entity: EntityOutline, path: string, value: unknown): unknown {
  const schema = schemaAt(entity.schema, stepsOf(path));
  return schema ? validBy(schema, entity, path, value) : value;
}

/** Like `validValue`, but uses a given schema. */
export function validBy(schema: Schema, entity: EntityOutline, path: string, value: unknown): unknown {
  const parsed = outcomeOf(schema, value);
  if (!parsed.success) throw new ItemError(`${entity.name}: ${path}: ${issueText(parsed.error)}`);
  const dropped = droppedIn(value, parsed.data, path);
  if (dropped !== undefined && !isTransformed(schema)) throw unknownAttribute(entity, dropped);
  return parsed.data;
}

/** Converts a string to a number if the attribute accepts the number but not the string. */
export function typed(schema: Schema | undefined | null, text: string): unknown {
  const isNumber = schema?.safeParse(text).success === false && schema.safeParse(Number(text)).success;
  return isNumber ? Number(text) : text;
}

function validated(whole: EntityOutline, writer: EntityWriter, values: Item): Item {
  const entity = naming.as(values, whole);
  const { schema } = entity;
  const parsed = outcomeOf(schema, values);
  if (!parsed.success) throw new ItemError(`${entity.name}: ${issueText(parsed.error)}`);
  // Zod drops undeclared attributes, and drops `__proto__` even from an open object.
  for (const name in values) if (!Object.hasOwn(parsed.data as Item, name)) throw unknownAttribute(entity, name);
  for (const name of writer.maps) {
    const dropped = droppedIn(values[name], (parsed.data as Item)[name], name);
    // The user's own transform may drop values on purpose.
    if (dropped !== undefined && !isTransformed(schemaAt(schema, [name]) as Schema))
      throw unknownAttribute(entity, dropped);
  }
  return parsed.data as Item;
}

/** The path of an undeclared value that the schema silently dropped. */
function droppedIn(given: unknown, kept: unknown, path: string): string | undefined {
  // If zod returned the same object, the schema dropped nothing. The limit on the path's length ends the recursion in a
  // cyclic value; no path that DynamoDB stores is that long.
  if (given === kept || path.length > 4e3 || !isMapOrList(given) || !isMapOrList(kept)) return undefined;
  for (const name of Object.keys(given)) {
    const at = `${path}.${name}`;
    const dropped = Object.hasOwn(kept, name)
      ? droppedIn(given[name], kept[name], at)
      : given[name] === undefined
        ? undefined
        : at;
    if (dropped !== undefined) return dropped;
  }
  return undefined;
}

export function isMapOrList(value: unknown): value is Readonly<Item> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Array.isArray(value);
}

export function unknownAttribute(entity: EntityOutline, name: string): ItemError {
  return new ItemError(`'${name}' is not an attribute of ${entity.name}; it has ${entity.attributes.join(', ')}`);
}

/** Reads the value of an attribute from the keys, if the attribute is not stored under its own name. */
function fromKeys(table: TableOutline, entity: EntityOutline, item: Item, attribute: string): unknown {
  const { keys, schema } = entity;
  const part = schemaAt(schema, [attribute]);
  for (const { attribute: name, template, natural } of keys.values()) {
    const key = item[name];
    if (natural || typeof key !== 'string' || !partsOf(template).some((part) => part.name === attribute)) continue;
    const values = match(template, key, table.separator);
    const value = values && ownOf(values, attribute);
    if (value !== undefined) return typeof value === 'string' ? typed(part, value) : value;
  }
  // A null key is not stored. If the schema accepts null but not undefined, a missing key therefore means null.
  const isNull =
    keys.has(naming.path([entity], attribute)) && part?.safeParse(null).success && !part.safeParse(undefined).success;
  return isNull ? null : undefined;
}

/**
 * The parsed values, or an error message. Refinements that span several attributes cannot run if only some attributes
 * are selected.
 */
function parse(schema: Schema, values: Item, selected?: readonly string[]): Item | string {
  if (selected === undefined) {
    const parsed = outcomeOf(schema, values);
    return parsed.success ? (parsed.data as Item) : issueText(parsed.error);
  }
  const read: Item = {};
  const faults: string[] = [];
  for (const name of selected) {
    const at = schemaAt(schema, [name]);
    const parsed = at ? outcomeOf(at, values[name]) : undefined;
    if (parsed?.success === false) faults.push(`${name}: ${issueText(parsed.error)}`);
    else if (parsed?.data !== undefined) read[name] = parsed.data;
  }
  return faults.join('; ') || read;
}
