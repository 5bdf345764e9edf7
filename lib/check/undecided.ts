import type { Found, Place } from './finding';
import type { TableUnderCheck } from './subject';

export const causes = {
  patience: 'it would take too long to go through all the values',
  failed: 'a rule failed on this design',
} as const;

type Cause = keyof typeof causes;

const left = new WeakMap<TableUnderCheck, Map<string, Found<Cause>>>();

/** Says of a question that it was left open: it is reported once, whoever asks it. */
export function leftOpen(table: TableUnderCheck, place: Place, question: string): void {
  add(table, {
    ...place,
    cause: 'patience',
    message: `it was not decided ${question}: there are too many values to go through`,
    fix: 'look at it yourself, and acknowledge it with what you found',
  });
}

/** Says that a rule could not be asked. */
export function failed(table: TableUnderCheck, rule: string, place: Place, error: unknown): void {
  add(table, {
    ...place,
    cause: 'failed',
    message: `${rule} was not decided: ${reasonOf(error)}`,
    fix: 'mend what fails there, such as a getter or a function that a schema calls',
  });
}

/** What was left open so far. */
export function openQuestions(table: TableUnderCheck): Iterable<Found<Cause>> {
  return [...(left.get(table)?.values() ?? [])];
}

function add(table: TableUnderCheck, found: Found<Cause>): void {
  const known = left.get(table) ?? new Map<string, Found<Cause>>();
  left.set(table, known);
  known.set(`${found.path} ${found.message}`, found);
}

/** Whatever was thrown, in one line. */
export function reasonOf(error: unknown): string {
  try {
    const [line = ''] = String(error instanceof Error ? error.message : error).split('\n');
    return line.slice(0, 120);
  } catch {
    return 'something was thrown that cannot be shown';
  }
}
