import type { TableRule } from '../finding';
import { type Cause, causeOf, causes, misfitsOf, reason, remedy } from '../misfits';
import { atAccess } from '../places';

export const notColocated: TableRule<'not-colocated', Cause> = {
  id: 'not-colocated',
  severity: 'error',
  why: 'One request reads one range of one partition: it never returns anything from elsewhere.',
  causes,
  *check(table) {
    for (const { access, misfits, fitting } of misfitsOf(table)) {
      if (fitting === 0) continue;
      for (const misfit of misfits) {
        const { name } = misfit.entity;
        const message = `${name} is never returned: ${reason(access, misfit)}`;
        const { fix, ...about } = remedy(table, access, misfit);
        yield {
          ...atAccess(access, 'returns', undefined, { entities: [name], ...about }),
          cause: causeOf(access, misfit),
          message,
          fix: `leave ${name} out of returns, or ${fix}`,
        };
      }
    }
  },
};
