import type { Rule } from '../finding';

export const unusedIndex: Rule = {
  id: 'unused-index',
  severity: 'warning',
  why: 'Every write pays for every index the item is in.',
  *check({ plan, accesses }) {
    for (const { name } of plan.indexes) {
      if (!accesses.some(({ index }) => index === name)) {
        yield {
          path: `indexes.${name}`,
          message: 'no pattern reads it',
          fix: 'remove it, or add the pattern it is for',
        };
      }
    }
  },
};
