import { reasonOf } from '../../blueprint/failing';
import { shortList } from '../../design/show';
import type { TableUnderCheck } from '../table-under-check';
import type { Found, Place } from './finding';
import { atTable } from './place';

export const causes = {
  patience: 'it would take too long to go through all the values',
  failed: 'a rule failed on this design',
} as const;

type Cause = keyof typeof causes;

const left = new WeakMap<TableUnderCheck, Map<string, Found<Cause>>>();

/** Records a question that was left open; it is reported once, however many rules ask it. */
export function leftOpen(table: TableUnderCheck, place: Place, question: string): void {
  add(table, {
    ...place,
    cause: 'patience',
    message: `it is undecided ${question}: there are too many values to go through`,
    fix: 'look at it yourself, and acknowledge it with what you found',
  });
}

/** Records that a rule failed; all that fail in the same way are one finding. */
export function failed(table: TableUnderCheck, rule: string, error: unknown): void {
  const reason = reasonOf(error);
  const known = failures.get(table) ?? new Map<string, string[]>();
  failures.set(table, known);
  known.set(reason, [...(known.get(reason) ?? []), rule]);
}

const failures = new WeakMap<TableUnderCheck, Map<string, string[]>>();

/** What the rules have left open so far. */
export function openQuestions(table: TableUnderCheck): Iterable<Found<Cause>> {
  const broken = Array.from(failures.get(table) ?? [], ([reason, rules]): Found<Cause> => {
    return {
      ...atTable(table, 'entities', { value: reason }),
      cause: 'failed',
      message: `${shortList(rules, 3)}: undecided, since something in the design throws an error: ${reason}`,
      fix: 'fix what throws, such as a getter, z.lazy, or a function that a schema calls',
    };
  });
  return [...(left.get(table)?.values() ?? []), ...broken];
}

function add(table: TableUnderCheck, found: Found<Cause>): void {
  const known = left.get(table) ?? new Map<string, Found<Cause>>();
  left.set(table, known);
  known.set(`${found.path} ${found.message}`, found);
}
