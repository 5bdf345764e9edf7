import { AZURE_TABLES } from '../../../blueprint/clouds';
import type { EntityOutline } from '../../../blueprint/outline';
import { type Item, ItemError } from '../../../items/item';
import { columnsOf, type Property, type RawEntity } from '../../edm';
import { propertiesIn } from '../../entity';

/**
 * The prefix of names that the protocol reserves. An attribute whose name has this prefix is stored with the maps and
 * lists.
 */
export const OWN = '_';

/**
 * The column for all values without a column of their own: maps, lists, sets, null, and long strings. It stores them as
 * JSON, split into pieces.
 */
const MORE = '_more';

/** The maximum length of a string in one property, below the service's limit to leave room for overhead. */
const PIECE = 30_000;

const INT64 = { least: -(2n ** 63n), most: 2n ** 63n - 1n };

/** The columns that store an item. */
export function columnsFor(entity: EntityOutline | undefined, item: Item): Record<string, Property> {
  const columns: Record<string, Property> = {};
  const more: Item = {};
  const types = entity && columnsOf(entity);
  for (const [name, value] of Object.entries(item)) {
    if (value === undefined) continue;
    const isPlain = isColumn(name) && isScalar(value);
    if (isPlain) columns[name] = columnOf(entity, name, value, types?.get(name)?.type === 'Double');
    else more[name] = tagged(entity, name, value);
  }
  if (Object.keys(more).length > 0) Object.assign(columns, inPieces(MORE, JSON.stringify(more)));
  return columns;
}

/** Decodes the item in a row, using the row's column types. */
export function itemIn(raw: RawEntity): Item {
  const item: Item = {};
  for (const [name, property] of propertiesIn(raw)) if (!name.startsWith(OWN)) item[name] = valueIn(property);
  const more = fromPieces(MORE, raw);
  if (more !== '')
    for (const [name, value] of Object.entries(JSON.parse(more) as Item)) defined(item, name, untagged(value));
  return item;
}

/** Splits a string into properties that are short enough. */
export function inPieces(name: string, text: string): Record<string, string> {
  const pieces: Record<string, string> = {};
  for (let i = 0; i * PIECE < text.length; i++) pieces[`${name}${i}`] = text.slice(i * PIECE, (i + 1) * PIECE);
  return pieces;
}

/** Joins a string that was stored in pieces; returns an empty string if there are no pieces. */
export function fromPieces(name: string, raw: RawEntity): string {
  let text = '';
  for (let i = 0; Object.hasOwn(raw, `${name}${i}`); i++) text += String(valueIn(raw[`${name}${i}`]));
  return text;
}

function isColumn(name: string): boolean {
  const reserved: readonly string[] = AZURE_TABLES.reservedNames;
  return AZURE_TABLES.propertyName.test(name) && !name.startsWith(OWN) && !reserved.includes(name);
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= PIECE;
  if (value instanceof Uint8Array) return value.length <= AZURE_TABLES.propertyBytes;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
}

function columnOf(entity: EntityOutline | undefined, name: string, value: unknown, isDouble: boolean): Property {
  if (typeof value !== 'number' && typeof value !== 'bigint') return value as Property;
  const number = exact(entity, name, value);
  return { type: isDouble || !Number.isInteger(Number(number)) ? 'Double' : 'Int64', value: String(number) };
}

/** Refuses whole numbers that do not fit in 64 bits, and numbers that are not finite. */
function exact(entity: EntityOutline | undefined, name: string, value: number | bigint): number | bigint {
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  const fits = isWhole ? BigInt(value) >= INT64.least && BigInt(value) <= INT64.most : Number.isFinite(value);
  if (fits) return isWhole && Number.isSafeInteger(Number(value)) ? Number(value) : isWhole ? BigInt(value) : value;
  throw new ItemError(
    `${entity?.name ?? 'item'}: ${name} is ${value}, but Azure Tables stores only doubles and 64-bit whole numbers; store it as a string`,
  );
}

/** Returns a property's value, converted according to its type. */
export function valueIn(property: unknown): unknown {
  if (typeof property !== 'object' || property === null || property instanceof Uint8Array) return property;
  const { type, value } = property as { readonly type: string; readonly value: unknown };
  switch (type) {
    case 'Int32':
    case 'Int64':
      return wholeNumber(String(value));
    case 'Double':
      return Number(value);
    case 'Boolean':
      return String(value) === 'true';
    case 'Binary':
      return typeof value === 'string' ? bytesOf(value) : value;
    default:
      return value;
  }
}

function wholeNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

/**
 * Converts a value to JSON. A value whose type JSON lacks becomes a map with a single key that begins with `$`. A map
 * that has a key beginning with `$` is wrapped in a `$m` map.
 */
export function tagged(entity: EntityOutline | undefined, name: string, value: unknown): unknown {
  const inner = (part: unknown) => tagged(entity, name, part);
  if (typeof value === 'number') {
    exact(entity, name, value);
    return value;
  }
  if (typeof value === 'bigint') return { $n: String(exact(entity, name, value)) };
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return { $b: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')) };
  if (value instanceof Set) return { $s: Array.from(value, inner) };
  if (Array.isArray(value)) return value.filter((part) => part !== undefined).map(inner);
  const map: Item = {};
  for (const [key, part] of Object.entries(value)) if (part !== undefined) defined(map, key, inner(part));
  return Object.keys(map).some((key) => key.startsWith('$')) ? { $m: map } : map;
}

export function untagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(untagged);
  const { $n, $b, $s, $m } = value as { $n?: string; $b?: string; $s?: readonly unknown[]; $m?: object };
  if ($n !== undefined) return wholeNumber($n);
  if ($b !== undefined) return bytesOf($b);
  if ($s !== undefined) return new Set($s.map(untagged));
  const map: Item = {};
  for (const [key, part] of Object.entries($m ?? value)) defined(map, key, untagged(part));
  return map;
}

/** Defines an own property, because assigning `__proto__` would change the prototype. */
function defined(at: Item, name: string, value: unknown): void {
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true });
}
