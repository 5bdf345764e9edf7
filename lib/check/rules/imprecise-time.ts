import type { AttributeFacts } from '../../blueprint/attributes/facts';
import { isSortKey, type KeySource, knownParts } from '../../blueprint/table';
import type { Hole } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atKey } from '../places';
import { sortingParts } from '../sorting';

const causes = {
  'any-precision': 'a time in a sort key may have any number of digits after the second',
} as const;

type Cause = keyof typeof causes;

export const impreciseTime: TableRule<'imprecise-time', Cause> = {
  id: 'imprecise-time',
  severity: 'warning',
  why: 'Keys are compared as text, where 09:00:00.5Z comes before 09:00:00Z although it is later.',
  causes,
  check: ({ plan }) =>
    plan.sources
      .filter((source) => source.facts.some(isImprecise) && isSortKey(plan, source.attribute))
      .flatMap((source) => inKey(source, sortingParts(plan, source))),
};

/** A time in any zone does not sort at all, which is a finding of another rule. */
function isImprecise(facts: AttributeFacts | undefined): boolean {
  return facts?.format === 'datetime' && facts.zoned !== true && facts.precision === undefined;
}

/** A piece of a time always has the same length. */
function inKey(source: KeySource, sorting: readonly Hole[]): readonly Found<Cause>[] {
  const { template } = source;
  return knownParts(source).flatMap(({ part, facts }) => {
    const { name, path: steps, format } = part;
    return format !== undefined || !isImprecise(facts) || !sorting.includes(part)
      ? []
      : [
          {
            ...atKey(source, { part: name }),
            cause: 'any-precision',
            message: `'${template.text}': <${name}> may have any number of digits after the second, so it does not sort as text`,
            fix: `give it the same precision everywhere: ${steps.at(-1)}: z.iso.datetime({ precision: 3 })`,
          },
        ];
  });
}
