import { reasonOf } from '../../blueprint/failing';
import { shortList } from '../../design/show';
import { oncePerTable, type TableUnderCheck } from '../table-under-check';
import type { Found, Place } from './finding';
import { atTable } from './place';

export const causes = {
  patience: 'the check would take too long to go through all possible values',
  failed: 'a rule could not run, because something in the design throws an error',
} as const;

type Cause = keyof typeof causes;

const left = oncePerTable(() => new Map<string, Found<Cause>>());

/** Records a task that the check gave up on. Rules that give up on the same task in the same place share one finding. */
export function leftOpen(table: TableUnderCheck, place: Place, task: string): void {
  const message = `the check cannot ${task}: there are too many values to go through`;
  const fix = 'check this by hand, then acknowledge the finding and state your result as the reason';
  left(table).set(`${place.path} ${message}`, { ...place, cause: 'patience', message, fix });
}

/** Records that a rule failed; all rules that fail for the same reason share one finding. */
export function failed(table: TableUnderCheck, rule: string, error: unknown): void {
  const reason = reasonOf(error);
  const known = failures(table);
  known.set(reason, [...(known.get(reason) ?? []), rule]);
}

const failures = oncePerTable(() => new Map<string, string[]>());

/** Returns a finding for each question that the rules have left open so far. */
export function openQuestions(table: TableUnderCheck): Iterable<Found<Cause>> {
  const broken = Array.from(failures(table), ([reason, rules]): Found<Cause> => {
    return {
      ...atTable(table, 'entities', { value: reason }),
      cause: 'failed',
      message: `the check could not run ${shortList(rules, 3)}, because something in the design throws an error: ${reason}`,
      fix: 'fix the code that throws, such as a getter, z.lazy, or a function that a schema calls',
    };
  });
  return [...left(table).values(), ...broken];
}
