import { createHash } from 'node:crypto';

/**
 * Serializes a value with sorted property names and without undefined properties, so that equal values produce the same
 * string.
 */
export function canonical(value: unknown): string {
  return JSON.stringify(ordered(value));
}

/** Like `canonical`, but indented for readability. */
export function canonicalFile(value: unknown): string {
  return `${JSON.stringify(ordered(value), null, 2)}\n`;
}

/** Returns a copy of a value with sorted names, because the order of names in a user's code does not matter. */
export function ordered<T>(value: T): T;
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((element) => ordered(element));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  // An attribute may be named `__proto__`: unlike `fromEntries`, an assignment would set the prototype.
  return Object.fromEntries(entries.map(([name, field]) => [name, ordered(field)]));
}

export function same(a: unknown, b: unknown): boolean {
  return a === b || canonical(a) === canonical(b);
}

/**
 * A sorted value with the hash of its contents; the hash is the same whether the value comes from code or from a
 * file.
 */
export function signed<T extends object>(value: T): T & { readonly hash: string } {
  return ordered({ ...value, hash: hashOf(value) });
}

/** Whether a value is unchanged since it was signed. */
export function isIntact({ hash, ...rest }: { readonly hash: string }): boolean {
  return hash === hashOf(rest);
}

function hashOf(value: object): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** A short hash of a piece of code. */
export function digest(code: string): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
