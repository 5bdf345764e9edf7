import { wordsOf } from '../blueprint/words';

/** What the name of a part says of its values, where its schema says nothing. */

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

/** Whether a name is that of free text, in which people write what they like. */
export function isFreeTextName(name: string): boolean {
  return FREE.has(wordsOf(name).at(-1) ?? '');
}
