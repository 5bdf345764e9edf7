import type { KeyAttribute } from '../blueprint/outline';
import { fnv1a } from '../design/formats';
import type { Item } from './item';

/** Thrown for a cursor that is damaged, forged, or from a different pattern or partition. */
export class CursorError extends Error {
  public override readonly name = 'CursorError';
}

/**
 * The maximum length of a cursor in characters. A cursor with the four longest possible keys is shorter, even after
 * escaping and encoding.
 */
export const LONGEST_CURSOR = 65_536;

/** Encodes the key after which the next page begins, as a URL-safe string that works only for this pattern. */
export function writeCursor(pattern: string, keys: readonly KeyAttribute[], key: Readonly<Item>): string {
  const text = JSON.stringify([pattern, ...keys.map(({ name }) => written(key[name]))]);
  return toBase64Url(new TextEncoder().encode(checksum(text) + text));
}

/**
 * Reads the key in a cursor of the given pattern. The caller may have forged the cursor, so the function checks
 * everything in it.
 */
export function readCursor(pattern: string, keys: readonly KeyAttribute[], cursor: unknown): Item {
  const [owner, ...values] = decode(cursor);
  if (owner !== pattern) {
    throw new CursorError(`the cursor is not from '${pattern}'; use the previous page's cursor`);
  }
  if (values.length !== keys.length) throw damaged();
  return Object.fromEntries(keys.map(({ name, type }, i) => [name, read(type, values[i])]));
}

/** Whether two key values are the same. */
export function isSame(value: unknown, other: unknown): boolean {
  return JSON.stringify(written(value)) === JSON.stringify(written(other));
}

/**
 * Returns a string that is unique for each key. Each string value is preceded by its length, so that different keys
 * cannot yield the same string.
 */
export function keyText(key: Readonly<Item>): string {
  let text = '';
  for (const name in key) {
    const value = key[name];
    text += typeof value === 'string' ? `${value.length}'${value}` : `${JSON.stringify(written(value))},`;
  }
  return text;
}

/** Decodes base64url. Throws if the input is too long, or is not the canonical encoding of its bytes. */
export function fromBase64Url(text: unknown, longest = LONGEST_CURSOR): Uint8Array {
  if (typeof text !== 'string' || text.length > longest) throw damaged();
  const bytes = Uint8Array.from(Buffer.from(text, 'base64url'));
  if (toBase64Url(bytes) !== text) throw damaged();
  return bytes;
}

export function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

export function damaged(): CursorError {
  return new CursorError('the cursor is damaged; pass cursors unchanged');
}

function decode(cursor: unknown): readonly unknown[] {
  const whole = new TextDecoder().decode(fromBase64Url(cursor));
  const text = whole.slice(8);
  if (whole !== checksum(text) + text) throw damaged();
  try {
    const parts: unknown = JSON.parse(text);
    if (Array.isArray(parts)) return parts;
  } catch {
    // The `throw` below rejects the cursor.
  }
  throw damaged();
}

/** Converts a key value to a JSON value, because JSON has neither bytes nor bigints. */
function written(value: unknown): unknown {
  if (typeof value === 'bigint') return { number: String(value) };
  return value instanceof Uint8Array ? { bytes: toBase64Url(value) } : value;
}

/** Decodes a value of the key's type; throws for any other value. */
function read(type: KeyAttribute['type'], value: unknown): unknown {
  const { number, bytes } = Object(value) as { number?: unknown; bytes?: unknown };
  if (type === 'string' && typeof value === 'string') return value;
  if (type === 'number' && Number.isFinite(value)) return value;
  if (type === 'number' && typeof number === 'string' && /^-?\d{1,38}$/.test(number)) return BigInt(number);
  if (type === 'binary' && bytes !== undefined) return fromBase64Url(bytes);
  throw damaged();
}

/** Returns a checksum, which detects damage but not forgery. Only sealing with a secret detects forgery. */
function checksum(text: string): string {
  return fnv1a(text).toString(16).padStart(8, '0');
}
