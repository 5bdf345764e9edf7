import type { Item } from './plan';

/** Raised for a cursor that is damaged, or of another pattern or partition. */
export class CursorError extends Error {
  public override readonly name = 'CursorError';
}

/** A key to go on from, as a string that is safe in a URL and bound to its pattern. */
export function writeCursor(pattern: string, key: Item): string {
  const text = JSON.stringify([pattern, ...Object.entries(key).map(([name, value]) => [name, written(value)])]);
  return encode(checksum(text) + text);
}

/** The key that a cursor of this pattern holds. */
export function readCursor(pattern: string, cursor: string): Item {
  const [owner, key] = decode(cursor);
  if (owner !== pattern)
    throw new CursorError(
      `the cursor is of '${owner}', not of '${pattern}'; give back the one that came with the page`,
    );
  return key;
}

/** Whether two key values are one. */
export function isSame(value: unknown, other: unknown): boolean {
  return JSON.stringify(written(value)) === JSON.stringify(written(other));
}

function encode(whole: string): string {
  const bytes = new TextEncoder().encode(whole);
  const base64 = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function decode(cursor: string): [string, Item] {
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const whole = new TextDecoder().decode(bytes);
    const text = whole.slice(8);
    // Encoded anew, since the same bytes can be written in more than one way.
    if (whole === checksum(text) + text && encode(whole) === cursor) {
      const [owner, ...key] = JSON.parse(text) as [string, ...[string, unknown][]];
      return [owner, Object.fromEntries(key.map(([name, value]) => [name, read(value)]))];
    }
  } catch {
    // Whatever it was, it is none of ours: said below.
  }
  throw new CursorError('the cursor is damaged; give back the one that came with the page, unchanged');
}

/** A key value as JSON has it: it may also be bytes, or a number that JSON cannot hold. */
function written(value: unknown): unknown {
  if (typeof value === 'bigint') return { number: String(value) };
  return value instanceof Uint8Array ? { bytes: Array.from(value) } : value;
}

function read(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { number, bytes } = value as { number?: string; bytes?: number[] };
  return bytes === undefined ? BigInt(number as string) : Uint8Array.from(bytes);
}

/** FNV-1a: it tells damage, and guards against no forger: a forged key still has to be of the asked partition. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
