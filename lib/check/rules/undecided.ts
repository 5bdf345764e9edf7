import type { TableRule } from '../finding';
import { causes, openQuestions } from '../undecided';

/** The last of the rules: it tells what those before it left open. */
export const undecided: TableRule<'undecided', keyof typeof causes> = {
  id: 'undecided',
  severity: 'warning',
  why: 'What would take too long to decide is not silently assumed to be right.',
  causes,
  check: openQuestions,
};
