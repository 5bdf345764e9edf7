import type { Schema } from '../blueprint/attributes/schema';
import { ItemError, isMapOrList } from '../items/item';

/**
 * For each kind of value that JSON cannot represent: a test for it, its name in messages, and the recommended
 * replacement.
 */
const INSTEAD: readonly (readonly [(value: unknown) => boolean, string, string])[] = [
  [(value) => value instanceof Set, 'a Set', 'a list (z.array)'],
  [(value) => value instanceof Map, 'a Map', 'a map (z.record)'],
  [(value) => value instanceof Date, 'a Date', 'a string (z.iso.datetime)'],
  [(value) => value instanceof Uint8Array, 'bytes', 'a separate attribute, or a string (base64)'],
  [(value) => typeof value === 'bigint', 'a bigint', 'a separate attribute, or a string'],
];

/**
 * Finds the first part of a value that JSON cannot represent, and its path; returns undefined if JSON can represent the
 * whole value.
 */
export function strangeIn(value: unknown, path: string): { path: string; value: unknown } | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return undefined;
    case 'number':
      return Number.isFinite(value) ? undefined : { path, value };
    case 'object': {
      if (value === null) return undefined;
      if (!isMapOrList(value)) return { path, value };
      const isList = Array.isArray(value);
      for (const [name, part] of Object.entries(value)) {
        // JSON drops undefined from a map, which is harmless, but turns undefined in a list into null.
        if (part === undefined && !isList) continue;
        const strange = strangeIn(part, `${path}.${name}`);
        if (strange !== undefined) return strange;
      }
      return undefined;
    }
    default:
      return { path, value };
  }
}

/**
 * Refuses a value that would not survive a round trip. `read` must return what a later read of the item would return.
 */
export function assertReadable(name: string, schema: Schema | undefined, value: unknown, read: () => unknown): void {
  const strange = strangeIn(value, name);
  try {
    const back = schema?.safeParse(read());
    if (back?.success && isSame(back.data, value)) return;
  } catch {
    // JSON.stringify throws an error for a bigint.
  }
  const [, what, instead] = INSTEAD.find(([is]) => strange !== undefined && is(strange.value)) ?? [];
  const place = strange?.path ?? name;
  throw new ItemError(
    what === undefined
      ? `${place}: the schema refuses its own output, so the item could be written but never read; transform values before writing and after reading`
      : `${place}: ${what} would not survive a round trip; use ${instead}`,
  );
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (!isMapOrList(a) || !isMapOrList(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
}
