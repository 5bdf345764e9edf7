import type { TableRule } from '../findings/finding';
import { atIndex } from '../findings/place';

const causes = {
  unread: 'no pattern reads the index',
} as const;

type Cause = keyof typeof causes;

export const unusedIndex: TableRule<'unused-index', Cause> = {
  id: 'unused-index',
  severity: 'warning',
  why: 'Every write pays for every index the item is in.',
  causes,
  *check(table) {
    for (const { name } of table.indexes) {
      if (!table.accesses.some(({ index }) => index === name)) {
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
