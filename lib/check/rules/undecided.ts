import type { TableRule } from '../findings/finding';
import { causes, openQuestions } from '../findings/open-questions';

/** The last rule: it reports the questions that the other rules left open. */
export const undecided: TableRule<'undecided', keyof typeof causes> = {
  id: 'undecided',
  severity: 'warning',
  why: 'If a question would take too long to decide, the check says so instead of assuming the best.',
  causes,
  check: openQuestions,
};
