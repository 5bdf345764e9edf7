import type { TableRule } from '../finding';
import { atAccess } from '../places';

const causes = {
  table: 'a pattern reads the whole table',
  index: 'a pattern reads a whole index',
} as const;

type Cause = keyof typeof causes;

export const wholeScan: TableRule<'whole-scan', Cause> = {
  id: 'whole-scan',
  severity: 'warning',
  why: 'A scan reads and pays for everything, costs more as the table grows, and lets its caller read everything.',
  causes,
  *check({ accesses }) {
    for (const access of accesses) {
      const { action, index, pattern } = access;
      if (action !== 'scan') continue;
      const what = index === undefined ? 'the table' : `index ${index}`;
      yield {
        ...atAccess(access, 'op', undefined, { index }),
        cause: index === undefined ? 'table' : 'index',
        message: `every call reads all of ${what}, however little it returns`,
        fix: `if it serves requests, query by a key; if it is for maintenance, say so: acknowledge: { 'whole-scan': { 'patterns.${pattern}.op': '…' } }`,
      };
    }
  },
};
