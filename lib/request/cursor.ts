import type { Item } from './plan';

/** Raised for a cursor that is damaged, or of another pattern or partition. */
export class CursorError extends Error {
  public override readonly name = 'CursorError';
}

/** A key to go on from, as a string that is safe in a URL and bound to its pattern. */
export function writeCursor(pattern: string, key: Item): string {
  const text = JSON.stringify([pattern, key]);
  const bytes = new TextEncoder().encode(checksum(text) + text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
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

function decode(cursor: string): [string, Item] {
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
    const whole = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const text = whole.slice(8);
    if (whole.startsWith(checksum(text)) && whole.length > 8) return JSON.parse(text);
  } catch {
    // Whatever it was, it is none of ours: said below.
  }
  throw new CursorError('the cursor is damaged; give back the one that came with the page, unchanged');
}

/** FNV-1a: it tells damage, and guards against no forger: a forged key still has to be of the asked partition. */
function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}
