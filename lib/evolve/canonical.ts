import { createHash } from 'node:crypto';

/** The one text of a value: names in order, nothing that is undefined. What is the same has the same text. */
export function canonical(value: unknown): string {
  return JSON.stringify(ordered(value));
}

/** The same for people, with lines. */
export function canonicalFile(value: unknown): string {
  return `${JSON.stringify(ordered(value), null, 2)}\n`;
}

/** The same with names in order, so that nothing depends on the order in which somebody wrote them. */
export function ordered<T>(value: T): T;
export function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => ordered(one));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  // An attribute may be named `__proto__`, which only this makes a name like any other.
  return Object.fromEntries(entries.map(([name, one]) => [name, ordered(one)]));
}

export function same(a: unknown, b: unknown): boolean {
  return a === b || canonical(a) === canonical(b);
}

/** In order, with the hash of all that is in it: made in code, it is what is read back from its file. */
export function signed<T extends object>(value: T): T & { readonly hash: string } {
  return ordered({ ...value, hash: hashOf(value) });
}

/** Whether nothing was changed since it was signed. */
export function isIntact({ hash, ...rest }: { readonly hash: string }): boolean {
  return hash === hashOf(rest);
}

function hashOf(value: object): string {
  return createHash('sha256').update(canonical(value)).digest('hex');
}

/** What tells one piece of code from another. */
export function digest(code: string): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}
