import type { Rule } from '../finding';
import { misfitsOf, reason, remedy } from '../misfits';

export const notColocated: Rule = {
  id: 'not-colocated',
  severity: 'error',
  why: 'One request reads one stretch of one partition: what is elsewhere never comes along.',
  *check(table) {
    for (const { access, misfits, fitting } of misfitsOf(table)) {
      if (fitting === 0) continue;
      for (const misfit of misfits) {
        const { name } = misfit.entity;
        const message = `${name} never comes along: ${reason(access, misfit)}`;
        const fix = `leave ${name} out of returns, or ${remedy(table, access, misfit)}`;
        yield { path: `${access.path}.returns`, message, fix };
      }
    }
  },
};
