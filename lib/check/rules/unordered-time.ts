import { isSortKey, type KeySource, knownParts, type TableBlueprint } from '../../blueprint/table';
import type { Part } from '../../design/template';
import type { Found, TableRule } from '../findings/finding';
import { atKey } from '../findings/place';
import { sortingParts } from '../keys/sorting-parts';
import type { TableUnderCheck } from '../table-under-check';
import { inAskedOrder } from './order-unserved';

const causes = {
  'any-zone': 'a time in a sort key may be in any time zone',
} as const;

type Cause = keyof typeof causes;

export const unorderedTime: TableRule<'unordered-time', Cause> = {
  id: 'unordered-time',
  severity: 'warning',
  why: 'Keys sort as text, so 10:00+02:00 comes after 09:00Z, although it is earlier.',
  causes,
  check: (table) =>
    table.sources
      .filter((source) => source.facts.some(isZoned) && isSortKey(table, source.attribute))
      .flatMap((source) => unordered(table, source).map((part) => found(table, source, part))),
};

function isZoned(facts: KeySource['facts'][number]): boolean {
  return facts?.zoned === true;
}

/** Returns the parts that may be in any time zone, except pieces of a time, which have no time zone. */
function unordered(table: TableBlueprint, source: KeySource): readonly Part[] {
  const sorting = sortingParts(table, source);
  return knownParts(source)
    .filter(({ part, facts }) => part.format === undefined && isZoned(facts) && sorting.includes(part))
    .map(({ part }) => part);
}

function found(table: TableUnderCheck, source: KeySource, part: Part): Found<Cause> {
  const { name, path: steps } = part;
  const fault = {
    cause: 'any-zone',
    message: `'${source.template.text}': <${name}> may be in any time zone, so its text does not sort by time`,
    fix: `store the time in UTC: ${steps.at(-1)}: z.iso.datetime({ precision: 3 })`,
    edits: [
      { path: `entities.${source.entity}.attributes.${steps.join('.')}`, code: 'z.iso.datetime({ precision: 3 })' },
    ],
  } as const;
  return { ...atKey(source, { part: name }), ...inAskedOrder(table, source, part, fault) };
}
