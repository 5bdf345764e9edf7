import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { isSortKey, type KeySource, knownParts } from '../../blueprint/table';
import type { Found, TableRule } from '../findings/finding';
import { atKey } from '../findings/place';
import { sortingParts } from '../keys/sorting-parts';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  'any-precision': 'a time in a sort key may have any number of fractional digits',
} as const;

type Cause = keyof typeof causes;

export const impreciseTime: TableRule<'imprecise-time', Cause> = {
  id: 'imprecise-time',
  severity: 'warning',
  why: 'Keys sort as text, so 09:00:00.5Z comes before 09:00:00Z, although it is later.',
  causes,
  *check(table) {
    // Reports each attribute once, even if several keys contain it.
    const seen = new Set<string>();
    for (const source of table.sources) {
      if (!source.facts.some(isImprecise) || !isSortKey(table, source.attribute)) continue;
      for (const found of inKey(table, source)) {
        const attribute = `${source.entity} ${found.subject.part}`;
        if (!seen.has(attribute)) yield found;
        seen.add(attribute);
      }
    }
  },
};

/** Skips times in arbitrary time zones, because `unordered-time` reports them. */
function isImprecise(facts: AttributeFacts | undefined): boolean {
  return facts?.format === 'datetime' && facts.zoned !== true && facts.precision === undefined;
}

/** Skips pieces of a time, because a piece always has the same length. */
function inKey(table: TableUnderCheck, source: KeySource): readonly Found<Cause>[] {
  const { template, entity } = source;
  const sorting = sortingParts(table, source);
  return knownParts(source).flatMap(({ part, facts }) => {
    const { name, path: steps, format } = part;
    if (format !== undefined || !isImprecise(facts) || !sorting.includes(part)) return [];
    const code = 'z.iso.datetime({ precision: 3 })';
    return [
      {
        ...atKey(source, { part: name }),
        cause: 'any-precision',
        message: `'${template.text}': <${name}> may have any number of fractional digits, so its text does not sort by time`,
        fix: `give <${name}> a fixed precision: ${steps.at(-1)}: ${code}`,
        edits: [{ path: `entities.${entity}.attributes.${steps.join('.')}`, code }],
      },
    ];
  });
}
