import { isSortKey, type KeySource } from '../../blueprint/table';
import type { Hole } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atKey } from '../places';

const causes = {
  'any-zone': 'a time in a sort key may be in any zone',
} as const;

type Cause = keyof typeof causes;

export const unorderedTime: TableRule<'unordered-time', Cause> = {
  id: 'unordered-time',
  severity: 'warning',
  why: 'Keys are compared as text, in which 10:00+02:00 comes after 09:00Z although it is earlier.',
  causes,
  check: ({ plan }) =>
    plan.sources
      .filter((source) => source.facts.some(isZoned) && isSortKey(plan, source.attribute))
      .flatMap((source) => unordered(source).map((hole) => found(source, hole))),
};

function isZoned(facts: KeySource['facts'][number]): boolean {
  return facts?.zoned === true;
}

/** A piece of a time has no zone. */
function unordered({ template, facts }: KeySource): readonly Hole[] {
  return template.holes.filter(({ format }, i) => format === undefined && isZoned(facts[i]));
}

function found(source: KeySource, { name, path: steps }: Hole): Found<Cause> {
  return {
    ...atKey(source, { part: name }),
    cause: 'any-zone',
    message: `'${source.template.text}': <${name}> may be in any zone, and then does not sort as text`,
    fix: `keep it in UTC: ${steps.at(-1)}: z.iso.datetime({ precision: 3 })`,
  };
}
