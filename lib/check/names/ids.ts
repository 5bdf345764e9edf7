import { literalBefore, partsOf } from '../../blueprint/template-parts';
import { inWords, wordsOf } from '../../blueprint/words';
import type { Part, Template } from '../../design/template';
import { oncePerTable } from '../table-under-check';
import { thingIn } from './meaning';

/**
 * Returns the kind of thing that a part identifies, such as `customer` for `<customerId>`; undefined if the part's name
 * does not look like an id.
 */
export function kindIdentifiedBy({ path }: Part): string | undefined {
  return thingIn(path.at(-1) as string);
}

/** Returns the word right before a part, such as `USER` in `USER#<userId>`. */
export function wordBefore(template: Template, part: Part): string | undefined {
  // Separators are ASCII punctuation. Every character beyond ASCII is treated as a letter.
  const [word] = /[\w\u0080-\uffff-]+(?=[^\w\u0080-\uffff<>]*$)/.exec(literalBefore(template, part)) ?? [];
  return word === undefined ? undefined : inWords(word);
}

/**
 * Returns the kinds of things that have ids in a table: its entities, and each word that comes right before a matching
 * id in a key, as in `USER#<userId>`.
 */
export const kindsWithIds = oncePerTable((table): ReadonlySet<string> => {
  const things = new Set(table.entities.map(({ name }) => inWords(name)));
  for (const { template } of table.sources) {
    for (const part of partsOf(template)) {
      const thing = kindIdentifiedBy(part);
      if (thing !== undefined && wordBefore(template, part) === thing) things.add(thing);
    }
  }
  return things;
});

/** Words for one end of a relation between two things of the same kind. */
const ENDS: ReadonlySet<string> = new Set(
  `from to source target src dst sender receiver recipient parent child ancestor descendant root follower followee following
  followed friend peer partner opponent blocker blocked inviter invitee left right first second other previous next a b 1 2
  subject object referrer referred mentor mentee manager report`.split(/\s+/),
);

/** Words for people. */
const PEOPLE: ReadonlySet<string> = new Set(
  'user person people account profile member owner author creator actor admin agent contact assignee reporter'.split(
    ' ',
  ),
);

/**
 * Whether two parts are ids of the same kind of thing, like the two ends of an edge. Such parts may be swapped on
 * purpose.
 */
export function areOfAKind(a: Part, b: Part): boolean {
  const [ours = [], theirs = []] = [a, b].map(({ path }) => wordsOf(path.at(-1) as string));
  const isId = (words: readonly string[]) => words.includes('id');
  const nouns = (words: readonly string[]) => words.filter((word) => word !== 'id');
  const isEnd = (words: readonly string[]) => nouns(words).some((word) => ENDS.has(word));
  const isPerson = (words: readonly string[]) => nouns(words).some((word) => PEOPLE.has(word));
  if (nouns(ours).some((word) => theirs.includes(word)) || (isPerson(ours) && isPerson(theirs))) return true;
  return isEnd(ours) ? isEnd(theirs) || isId(theirs) : isEnd(theirs) && isId(ours);
}
