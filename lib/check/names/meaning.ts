import { inWords, wordsOf } from '../../blueprint/words';

/** Guesses the meaning of a part from its name, for parts whose schema does not restrict the values. */

const TIMES: ReadonlySet<string> = new Set(
  'at on date datetime time timestamp day when since until created updated modified ts'.split(' '),
);

/** Whether a name suggests a time, such as `createdAt`, `order_date` or `timestamp`. */
export function isTimeName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return TIMES.has(last) && (words.length > 1 || last !== 'on');
}

const before = new Map<string, string | undefined>();

/**
 * Returns the kind of thing that a name identifies, such as `customer` for `customerId`. Caches the results, because
 * the same names occur in many keys.
 */
export function thingIn(name: string): string | undefined {
  if (!before.has(name)) {
    const words = inWords(name);
    if (before.size > 100_000) before.clear();
    const isId = words.length > 2 && words.endsWith('id') && wordsOf(name).includes('id');
    before.set(name, isId ? words.slice(0, -2) : undefined);
  }
  return before.get(name);
}
