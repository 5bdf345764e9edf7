import type { TableRule } from '../finding';
import { atIndex } from '../places';

const causes = {
  unread: 'no pattern reads the index',
} as const;

type Cause = keyof typeof causes;

export const unusedIndex: TableRule<'unused-index', Cause> = {
  id: 'unused-index',
  severity: 'warning',
  why: 'Every write pays for every index the item is in.',
  causes,
  *check({ plan, accesses }) {
    for (const { name } of plan.indexes) {
      if (!accesses.some(({ index }) => index === name)) {
        yield {
          ...atIndex(name),
          cause: 'unread',
          message: 'no pattern reads it',
          fix: 'remove it, or add the pattern it is for',
        };
      }
    }
  },
};
