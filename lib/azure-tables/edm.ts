import { isTransformed } from '../blueprint/attributes/contents';
import { type AttributeFacts, attributeAt } from '../blueprint/attributes/facts';
import { type Schema, schemaAt } from '../blueprint/attributes/schema';
import type { EntityOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import { type Item, ItemError } from '../items/item';
import { assertReadable, strangeIn } from './round-trip';

/** The EDM types of properties in Azure Tables. */
export type EdmType = 'String' | 'Int32' | 'Int64' | 'Double' | 'Boolean' | 'DateTime' | 'Binary' | 'Guid';

/** A property as the SDK takes and returns it: a bare value, or a value with an explicit type. */
export type Property = string | number | boolean | Uint8Array | TypedProperty;

export interface TypedProperty {
  readonly type: EdmType;
  readonly value: string;
}

/** The column that stores one attribute. Azure has no type for maps and lists, so they are stored as JSON strings. */
export interface Column {
  readonly name: string;
  readonly type: EdmType;
  readonly isJson: boolean;
  /** The numbers of fractional digits that a DateTime may have, in order of preference. */
  readonly precisions: readonly number[];
  /** The schema of the attribute; undefined for a key. */
  readonly schema?: Schema;
  /** Whether the schema may change a value. */
  readonly isTransformed?: boolean;
}

const made = new WeakMap<EntityOutline, ReadonlyMap<string, Column>>();

/** An entity's columns, keyed by stored name. Column types come from the schema and are never guessed from a value. */
export function columnsOf(entity: EntityOutline): ReadonlyMap<string, Column> {
  let columns = made.get(entity);
  if (columns === undefined) {
    columns = new Map(entity.attributes.map((name) => [naming.path([entity], name), columnOf(entity, name)]));
    made.set(entity, columns);
  }
  return columns;
}

function columnOf(entity: EntityOutline, name: string): Column {
  const schema = schemaAt(entity.schema, [name]) as Schema;
  const facts = attributeAt(entity.schema, [name]) as AttributeFacts;
  const type = typeOf(facts);
  return {
    name,
    type: type ?? 'String',
    isJson: type === undefined,
    precisions: facts.precisions ?? [facts.precision ?? 0],
    schema,
    isTransformed: isTransformed(schema),
  };
}

function typeOf({ kind, ...facts }: AttributeFacts): EdmType | undefined {
  switch (kind) {
    case 'string':
      // A DateTime would change the text of a timestamp that has no fixed format, and would drop the zone of a zoned
      // timestamp.
      return facts.format === 'datetime' && facts.zoned !== true && digitsOf(facts) <= 7 ? 'DateTime' : 'String';
    case 'number':
      return numberType(facts);
    case 'boolean':
      return 'Boolean';
    case 'binary':
      return 'Binary';
    default:
      return undefined;
  }
}

/**
 * Returns the maximum number of fractional digits of a timestamp. If the schema sets no limit, returns 8, which is more
 * than Azure keeps.
 */
function digitsOf({ precision = 8, precisions = [precision] }: Omit<AttributeFacts, 'kind'>): number {
  return Math.max(...precisions);
}

const INT32 = { least: -(2 ** 31), most: 2 ** 31 - 1 };

function numberType({ values, integer, minimum, maximum }: Omit<AttributeFacts, 'kind'>): EdmType {
  const listed = values?.map(Number);
  if (!(listed?.every(Number.isInteger) ?? integer)) return 'Double';
  const [least, most] = listed === undefined ? [minimum, maximum] : [Math.min(...listed), Math.max(...listed)];
  // Without an upper bound, later values may need more than 32 bits. The type must allow for such values from the
  // start, because a column's type can never change. A missing lower bound is treated as 0.
  return (least ?? 0) >= INT32.least && most !== undefined && most <= INT32.most ? 'Int32' : 'Int64';
}

/** The stored form of a value; undefined for null and undefined, which Azure Tables cannot store. */
export function toProperty(column: Column, value: unknown): Property | undefined {
  if (value === undefined || value === null) return undefined;
  const { name, isJson, schema, isTransformed } = column;
  if (isJson) {
    if (isTransformed || strangeIn(value, name) !== undefined)
      assertReadable(name, schema, value, () => JSON.parse(JSON.stringify(value)));
    return JSON.stringify(value);
  }
  if (isTransformed) assertReadable(name, schema, value, () => value);
  return typedProperty(column, value);
}

function typedProperty({ name, type }: Column, value: unknown): Property {
  switch (type) {
    case 'Int64':
    case 'Double':
      return { type, value: String(value) };
    case 'DateTime':
      return { type, value: value as string };
    case 'Binary':
      if (!(value instanceof Uint8Array))
        throw new ItemError(`${name}: the value must be bytes (a Uint8Array), got: ${String(value)}`);
      return value;
    case 'Int32':
      if (Number(value) < INT32.least || Number(value) > INT32.most)
        throw new ItemError(`${name}: ${value} does not fit in 32 bits; widen the bounds in the design`);
      return value as number;
    default:
      return value as string | boolean;
  }
}

/** Converts a property, in any form that the SDK returns, to the value of its attribute. */
export function fromProperty(
  entity: EntityOutline,
  { name, type, isJson, precisions }: Column,
  property: unknown,
): unknown {
  const value = valueIn(property);
  if (isJson) return typeof value === 'string' ? parseJson(name, value) : value;
  switch (type) {
    case 'DateTime':
      return value instanceof Date
        ? withPrecision(value.toISOString(), precisions)
        : withPrecision(String(value), precisions);
    case 'Int64':
      return wholeNumber(entity, name, String(value));
    case 'Int32':
    case 'Double':
      return Number(value);
    case 'Boolean':
      return typeof value === 'string' ? value === 'true' : value;
    case 'Binary':
      return typeof value === 'string' ? bytesOf(value) : value;
    default:
      return value;
  }
}

/** Returns a property's value without its type. */
export function valueIn(property: unknown): unknown {
  const isTyped = typeof property === 'object' && property !== null && 'type' in property && 'value' in property;
  return isTyped ? property.value : property;
}

/**
 * Whether a missing value is read as null: Azure Tables does not store nulls, and this schema accepts null but requires
 * a value.
 */
export function isNullWhenMissing(entity: EntityOutline, name: string): boolean {
  const schema = schemaAt(entity.schema, [name]);
  return schema?.safeParse(undefined).success === false && schema.safeParse(null).success;
}

/**
 * Restores the number of fractional digits that the design specifies for a time, because Azure keeps seven digits and
 * may drop or add zeros.
 */
function withPrecision(text: string, precisions: readonly number[]): string {
  const [, seconds, digits = ''] = /^(.*?:\d\d:\d\d)(?:\.(\d+))?Z$/.exec(text) ?? [];
  const precision = precisions.find((few) => !/[1-9]/.test(digits.slice(few)));
  // A time with more digits than the design allows stays unchanged, so that the schema refuses it.
  if (seconds === undefined || precision === undefined) return text;
  return `${seconds}${precision === 0 ? '' : `.${digits.slice(0, precision).padEnd(precision, '0')}`}Z`;
}

function wholeNumber(entity: EntityOutline, name: string, text: string): number | bigint {
  const number = Number(text);
  const isNumber = Number.isSafeInteger(number) && schemaAt(entity.schema, [name])?.safeParse(number).success;
  return isNumber ? number : BigInt(text);
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ItemError(`${name}: the stored string is not JSON: ${text.slice(0, 60)}`);
  }
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/** An entity in the form that the SDK takes, with its attributes by name. */
export type Entity = { partitionKey: string; rowKey: string } & Record<string, Property>;

/** An entity as the SDK returns it. */
export type RawEntity = Readonly<Item>;
