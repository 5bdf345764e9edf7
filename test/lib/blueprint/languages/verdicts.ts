import { type Language, languageOf, text } from '../../../../lib/blueprint/languages/language';
import { type KeyRange, relate, type Verdict } from '../../../../lib/blueprint/languages/relation';

/** Strings that represent a whole language. `least` and `most` are the first and the last of them in sort order. */
export interface Strings {
  readonly all: ReadonlySet<string>;
  readonly least: string;
  readonly most: string;
}

/** No string contains a character from U+E000 to U+FFFF, so JavaScript sorts the strings by code point. */
export function strings(words: Iterable<string>): Strings {
  const all = new Set(words);
  let [least, most] = [[...all][0] ?? '', ''];
  for (const word of all) {
    if (word < least) least = word;
    if (word > most) most = word;
  }
  return { all, least, most };
}

export type Comparison = Exclude<KeyRange['kind'], 'all' | 'between'>;

type Try = (keys: Strings, bounds: Strings) => boolean;

/**
 * Two tests per comparison: does any pair satisfy it, and does any pair fail it? If the comparison depends on the sort
 * order, only the first and the last strings matter.
 */
const TRIES: Readonly<Record<Comparison, readonly [holds: Try, fails: Try]>> = {
  equals: [
    (keys, bounds) => [...keys.all].some((key) => bounds.all.has(key)),
    (keys, bounds) => keys.least !== bounds.most || keys.most !== bounds.least,
  ],
  beginsWith: [
    (keys, bounds) => [...keys.all].some((key) => beginningsOf(key).some((beginning) => bounds.all.has(beginning))),
    // If the first and the last key share a prefix, so do all keys between them.
    (keys, bounds) => [...bounds.all].some((bound) => ![keys.least, keys.most].every((key) => key.startsWith(bound))),
  ],
  atLeast: [(keys, bounds) => keys.most >= bounds.least, (keys, bounds) => keys.least < bounds.most],
  atMost: [(keys, bounds) => keys.least <= bounds.most, (keys, bounds) => keys.most > bounds.least],
  greaterThan: [(keys, bounds) => keys.most > bounds.least, (keys, bounds) => keys.least <= bounds.most],
  lessThan: [(keys, bounds) => keys.least < bounds.most, (keys, bounds) => keys.most >= bounds.least],
};

export const COMPARISONS = Object.keys(TRIES) as readonly Comparison[];

/** Compares every key with every bound, and returns the verdict. */
export function verdictOnPairs(kind: Comparison, keys: Strings, bounds: Strings): Verdict {
  const [holds, fails] = TRIES[kind];
  if (keys.all.size === 0 || bounds.all.size === 0 || !holds(keys, bounds)) return 'never';
  return fails(keys, bounds) ? 'sometimes' : 'always';
}

/** Compares every key with every pair of bounds, and returns the verdict. */
export function verdictOnRanges(keys: Strings, from: Strings, to: Strings): Verdict {
  if (from.all.size === 0 || to.all.size === 0) return 'never';
  if (![...keys.all].some((key) => from.least <= key && key <= to.most)) return 'never';
  return keys.least < from.most || keys.most > to.least ? 'sometimes' : 'always';
}

function beginningsOf(word: string): readonly string[] {
  return Array.from({ length: word.length + 1 }, (_, length) => word.slice(0, length));
}

/** Whether a language contains a key. */
export function has(keys: Language, key: string): boolean {
  return relate(keys, { kind: 'equals', at: languageOf([text(key)]) }) !== 'never';
}
