import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { isSortKey, type KeySource, knownParts } from '../../blueprint/table';
import type { Found, TableRule } from '../findings/finding';
import { atKey } from '../findings/place';
import { sortingParts } from '../keys/sorting-parts';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  'any-precision': 'a time in a sort key may have any number of digits after the second',
} as const;

type Cause = keyof typeof causes;

export const impreciseTime: TableRule<'imprecise-time', Cause> = {
  id: 'imprecise-time',
  severity: 'warning',
  why: 'Keys are compared as text, where 09:00:00.5Z comes before 09:00:00Z although it is later.',
  causes,
  *check(table) {
    // Reports each schema once, however many keys contain its attribute.
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

/** A time in an arbitrary zone does not sort at all; `unordered-time` reports that. */
function isImprecise(facts: AttributeFacts | undefined): boolean {
  return facts?.format === 'datetime' && facts.zoned !== true && facts.precision === undefined;
}

/** A piece of a time always has the same length. */
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
        message: `'${template.text}': <${name}> may have any number of digits after the second, so it does not sort as text`,
        fix: `give it the same precision everywhere: ${steps.at(-1)}: ${code}`,
        edits: [{ path: `entities.${entity}.attributes.${steps.join('.')}`, code }],
      },
    ];
  });
}
