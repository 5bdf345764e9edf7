import type { Schema } from '../blueprint/attributes/schema';
import { ItemError } from '../items/item';

/** What to call a value that JSON cannot hold, and what to use instead. */
const INSTEAD: readonly (readonly [(value: unknown) => boolean, string, string])[] = [
  [(value) => value instanceof Set, 'a Set', 'a list (z.array)'],
  [(value) => value instanceof Map, 'a Map', 'a map (z.record)'],
  [(value) => value instanceof Date, 'a Date', 'text (z.iso.datetime)'],
  [(value) => value instanceof Uint8Array, 'bytes', 'an attribute of their own, or text (base64)'],
  [(value) => typeof value === 'bigint', 'a bigint', 'an attribute of its own, or text'],
];

/** Where a value has something that JSON does not hold, and that: undefined where JSON gives all of it back. */
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
        // What is left out of a map is not there afterwards either; a list would have null instead.
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

/** Refuses a value that would not be read as what was written. `read` gives what is stored of it. */
export function assertReadable(name: string, schema: Schema | undefined, value: unknown, read: () => unknown): void {
  const strange = strangeIn(value, name);
  try {
    const back = schema?.safeParse(read());
    if (back?.success && isSame(back.data, value)) return;
  } catch {
    // JSON takes no bigint at all.
  }
  const [, what, instead] = INSTEAD.find(([is]) => strange !== undefined && is(strange.value)) ?? [];
  const place = strange?.path ?? name;
  throw new ItemError(
    what === undefined
      ? `${place}: its schema refuses its own result, so the item could be written but never read; transform values before writing and after reading`
      : `${place}: ${what} would not read back as it was written; use ${instead}`,
  );
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (!isMapOrList(a) || !isMapOrList(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSame(a[name], b[name]));
}

function isMapOrList(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
