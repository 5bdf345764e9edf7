import type { TableRule } from '../findings/finding';
import { causes, openQuestions } from '../findings/open-questions';

/** Runs last, and reports what the other rules left undecided. */
export const undecided: TableRule<'undecided', keyof typeof causes> = {
  id: 'undecided',
  severity: 'warning',
  why: 'If a rule cannot finish, the check says so instead of assuming that the design is correct.',
  causes,
  check: openQuestions,
};
