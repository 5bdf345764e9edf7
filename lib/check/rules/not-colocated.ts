import type { TableRule } from '../findings/finding';
import { atAccess } from '../findings/place';
import { listCode } from '../findings/values';
import { type Cause, causeOf, causes, missedEntities, reason, remedy } from '../reach/entities-missed';

export const notColocated: TableRule<'not-colocated', Cause> = {
  id: 'not-colocated',
  severity: 'error',
  why: 'One request reads one range of one partition, and never returns items from other partitions or ranges.',
  causes,
  *check(table) {
    for (const { access, missed, fitting } of missedEntities(table)) {
      if (fitting === 0) continue;
      for (const one of missed) {
        const { name } = one.entity;
        const message = `the pattern never returns ${name}: ${reason(access, one)}`;
        const { fix, ...about } = remedy(table, access, one);
        yield {
          ...atAccess(access, 'returns', undefined, { entities: [name], ...about }),
          cause: causeOf(access, one),
          message,
          fix: `remove ${name} from 'returns', or ${fix}`,
          edits: [
            {
              path: atAccess(access, 'returns').path,
              code: listCode(access.entities.filter((other) => !missed.some(({ entity }) => entity.name === other))),
            },
          ],
        };
      }
    }
  },
};
