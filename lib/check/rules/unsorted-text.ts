import { type AttributeFacts, isAnyText } from '../../blueprint/attributes/facts';
import { canBeText } from '../../blueprint/attributes/texts';
import { type EntityBlueprint, entityNamed, isSortKey, knownParts } from '../../blueprint/table';
import { hasParts } from '../../blueprint/template-parts';
import type { Hole } from '../../design/template';
import type { Fault, TableRule } from '../finding';
import { atKey } from '../places';
import { sortingParts } from '../sorting';
import { isTimeName } from '../telling-names';

const causes = {
  'day-first': 'a date is written with the day or the month first',
  mixed: 'a time may be just a date, or a whole timestamp',
  'numeric-text': 'a string holds numbers of any length',
  ranks: 'listed values have an order of their own, which is not alphabetical',
  'any-text': 'an attribute named like a time may be any text',
} as const;

type Cause = keyof typeof causes;

export const unsortedText: TableRule<'unsorted-text', Cause> = {
  id: 'unsorted-text',
  severity: 'warning',
  why: 'A sort key is compared as text, where 31-01-2026 comes after 01-12-2026, "10" before "9", and "high" before "low".',
  causes,
  *check({ plan }) {
    for (const source of plan.sources) {
      if (!hasParts(source.template) || !isSortKey(plan, source.attribute)) continue;
      const entity = entityNamed(plan, source.entity) as EntityBlueprint;
      let sorting: readonly Hole[] | undefined;
      for (const { part: hole, facts } of knownParts(source)) {
        if (hole.format !== undefined || facts === undefined || facts.kind !== 'string') continue;
        const fault = faultOf(entity, hole, facts);
        if (fault === undefined) continue;
        sorting ??= sortingParts(plan, source);
        if (!sorting.includes(hole)) continue;
        const { message, ...rest } = fault;
        yield { ...atKey(source, { part: hole.name }), ...rest, message: `'${source.template.text}': ${message}` };
      }
    }
  },
};

const DATETIME = 'z.iso.datetime({ precision: 3 })';
const DAYS = ['31-01-2026', '31/01/2026', '31.01.2026', '01-31-2026', '01/31/2026', '1/31/2026', '31/1/2026'];

function faultOf(entity: EntityBlueprint, { name, path }: Hole, facts: AttributeFacts): Fault<Cause> | undefined {
  const own = path.at(-1) as string;
  // If it may be any text, only its name says something.
  if (isAnyText(facts) && !isTimeName(own)) return undefined;
  if (facts.values !== undefined) return ranked(name, facts.values.map(String));
  const takes = (text: string) => canBeText(entity.design.attributes, path, text) === true;
  const { format } = facts;
  if (format !== undefined && format !== 'regex') return undefined;
  // A schema that accepts any word says nothing about the form.
  if (takes('word') && takes('x-1')) {
    if (!isTimeName(own) || facts.prefix !== undefined || (facts.maximum ?? Infinity) <= 4) return undefined;
    const message = `<${name}> may be any text, and sorts by time only if it is always written the same way, the year first`;
    return { cause: 'any-text', message, fix: `write ${own}: ${DATETIME}` };
  }
  const day = DAYS.find(takes);
  if (day !== undefined && !takes('2026-01-31')) {
    const message = `<${name}> is written like ${day}, which does not sort by time`;
    return { cause: 'day-first', message, fix: `write the year first: ${own}: z.iso.date()` };
  }
  if (takes('2026-01-31') && (takes('2026-01-31T12:00:00Z') || takes('2026-01-31T12:00:00.000Z'))) {
    const message = `<${name}> may be a date or a whole timestamp, and a date sorts before every timestamp of its day`;
    return { cause: 'mixed', message, fix: `use only one of them: ${own}: ${DATETIME}` };
  }
  if (takes('9') && takes('10') && !takes('word') && !takes('a')) {
    const message = `<${name}> is a number written as text, which sorts 10 before 9`;
    return { cause: 'numeric-text', message, fix: `make it a number and pad it: ${own}: z.int().min(0), <${name}:10>` };
  }
  return undefined;
}

/** Well-known orders, each from its beginning to its end. */
const RANKS: readonly (readonly string[])[] = [
  [
    'lowest',
    'trivial',
    'minor',
    'low',
    'normal',
    'medium',
    'moderate',
    'major',
    'high',
    'higher',
    'highest',
    'urgent',
    'severe',
    'critical',
    'blocker',
  ],
  ['xxs', 'xs', 's', 'm', 'l', 'xl', 'xxl', 'xxxl'],
  ['tiny', 'small', 'medium', 'large', 'huge'],
  ['bronze', 'silver', 'gold', 'platinum', 'diamond'],
  ['free', 'basic', 'standard', 'plus', 'pro', 'premium', 'business', 'enterprise'],
  [
    'january',
    'february',
    'march',
    'april',
    'may',
    'june',
    'july',
    'august',
    'september',
    'october',
    'november',
    'december',
  ],
  ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
  ['trace', 'debug', 'info', 'notice', 'warn', 'warning', 'error', 'critical', 'alert', 'fatal', 'emergency'],
  ['beginner', 'novice', 'junior', 'intermediate', 'advanced', 'senior', 'expert', 'master'],
  ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'],
  ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
  ['p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8', 'p9', 'p10', 'p11', 'p12'],
  ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'],
];

function ranked(name: string, values: readonly string[]): Fault<Cause> | undefined {
  if (values.length < 2) return undefined;
  const words = values.map((value) => value.toLowerCase());
  const order = RANKS.find((ranks) => words.every((word) => ranks.includes(word)));
  if (order === undefined) return undefined;
  const byRank = [...values].sort((a, b) => order.indexOf(a.toLowerCase()) - order.indexOf(b.toLowerCase()));
  const byText = [...values].sort();
  const isSorted = (other: readonly string[]) => byText.every((value, i) => value === other[i]);
  if (isSorted(byRank) || isSorted([...byRank].reverse())) return undefined;
  const message = `<${name}> sorts as ${byText.slice(0, 4).join(', ')}, not by rank`;
  return {
    cause: 'ranks',
    message,
    fix: `begin each with its rank, as in '1-${byRank[0]}', or keep a number: z.int().min(1).max(9)`,
  };
}
