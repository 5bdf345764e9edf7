import { keysIn, membershipIn } from '../../blueprint/table';
import type { TableRule } from '../findings/finding';
import { atAccess } from '../findings/place';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  table: 'a pattern reads the whole table',
  index: 'a pattern reads a whole index that contains every item',
} as const;

type Cause = keyof typeof causes;

export const wholeScan: TableRule<'whole-scan', Cause> = {
  id: 'whole-scan',
  severity: 'warning',
  why: 'A scan reads every item, costs more as the table grows, and lets its caller read everything.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      const { action, index, pattern } = access;
      if (action !== 'scan' || isSparse(table, index)) continue;
      const what = index === undefined ? 'the table' : `index ${index}`;
      yield {
        ...atAccess(access, 'op', undefined, { index }),
        cause: index === undefined ? 'table' : 'index',
        message: `every call reads all of ${what}, even if it returns few items`,
        fix: `query by a key, or acknowledge a scan that is only for maintenance: acknowledge: { 'whole-scan': { 'patterns.${pattern}.op': '…' } }`,
      };
    }
  },
};

/** Whether an index is sparse. A scan of a whole sparse index is probably intentional. */
function isSparse({ entities, indexes }: TableUnderCheck, index: string | undefined): boolean {
  const key = indexes.find(({ name }) => name === index);
  if (key === undefined) return false;
  return entities.some((entity) => {
    const sources = keysIn(entity, key);
    return sources === undefined || sources.some(({ optional }) => optional) || membershipIn(entity, key).length > 0;
  });
}
