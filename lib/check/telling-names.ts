import { inWords, wordsOf } from '../blueprint/words';

/** What the name of a part says about its values, for parts whose schema says nothing. */

const TIMES: ReadonlySet<string> = new Set(
  'at on date datetime time timestamp day when since until created updated modified ts'.split(' '),
);

/** Whether a name says that it is a time: `createdAt`, `order_date`, `timestamp`. */
export function isTimeName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  return TIMES.has(last) && (words.length > 1 || last !== 'on');
}

const FREE: ReadonlySet<string> = new Set(
  'title headline subject description text body comment message caption question answer note notes summary bio phrase sentence street address'.split(
    ' ',
  ),
);

/** Whether a name is that of free text, where people write what they like. */
export function isFreeTextName(name: string): boolean {
  return FREE.has(wordsOf(name).at(-1) ?? '');
}

/** Everything that the name of a part says about its values. */
export interface NameMeaning {
  readonly isTime: boolean;
  readonly isFreeText: boolean;
  /** What it is the id of: `customer` of `customerId`. */
  readonly thing?: string;
}

const before = new Map<string, NameMeaning>();

/** What a name says, worked out once: names are few, and every key of a table has some. */
export function meaningOf(name: string): NameMeaning {
  let meaning = before.get(name);
  if (meaning === undefined) {
    if (before.size > 100_000) before.clear();
    meaning = { isTime: isTimeName(name), isFreeText: isFreeTextName(name), thing: thingIn(name) };
    before.set(name, meaning);
  }
  return meaning;
}

function thingIn(name: string): string | undefined {
  const words = inWords(name);
  return words.length > 2 && words.endsWith('id') && wordsOf(name).includes('id') ? words.slice(0, -2) : undefined;
}
