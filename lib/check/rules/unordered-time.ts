import { isSortKey, type KeySource, knownParts, type TableBlueprint } from '../../blueprint/table';
import type { Hole } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atKey } from '../places';
import { sortingParts } from '../sorting';

const causes = {
  'any-zone': 'a time in a sort key may be in any time zone',
} as const;

type Cause = keyof typeof causes;

export const unorderedTime: TableRule<'unordered-time', Cause> = {
  id: 'unordered-time',
  severity: 'warning',
  why: 'Keys are compared as text, where 10:00+02:00 comes after 09:00Z although it is earlier.',
  causes,
  check: ({ plan }) =>
    plan.sources
      .filter((source) => source.facts.some(isZoned) && isSortKey(plan, source.attribute))
      .flatMap((source) => unordered(plan, source).map((hole) => found(source, hole))),
};

function isZoned(facts: KeySource['facts'][number]): boolean {
  return facts?.zoned === true;
}

/** The parts that may be in any time zone; a piece of a time has none. */
function unordered(plan: TableBlueprint, source: KeySource): readonly Hole[] {
  const sorting = sortingParts(plan, source);
  return knownParts(source)
    .filter(({ part, facts }) => part.format === undefined && isZoned(facts) && sorting.includes(part))
    .map(({ part }) => part);
}

function found(source: KeySource, { name, path: steps }: Hole): Found<Cause> {
  return {
    ...atKey(source, { part: name }),
    cause: 'any-zone',
    message: `'${source.template.text}': <${name}> may be in any time zone, so it does not sort as text`,
    fix: `keep it in UTC: ${steps.at(-1)}: z.iso.datetime({ precision: 3 })`,
  };
}
