import type { TableRule } from '../findings/finding';
import { atIndex } from '../findings/place';

const causes = {
  unread: 'no pattern reads the index',
} as const;

type Cause = keyof typeof causes;

export const unusedIndex: TableRule<'unused-index', Cause> = {
  id: 'unused-index',
  severity: 'warning',
  why: 'When you write an item, you also pay for a write to each index that contains the item.',
  causes,
  *check(table) {
    for (const { name } of table.indexes) {
      if (!table.accesses.some(({ index }) => index === name)) {
        yield {
          ...atIndex(name),
          cause: 'unread',
          message: 'no pattern reads this index',
          fix: 'remove the index, or add a pattern that reads it',
        };
      }
    }
  },
};
