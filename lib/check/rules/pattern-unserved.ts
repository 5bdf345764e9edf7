import type { Rule } from '../finding';
import { misfitsOf, placeOf, reason, remedy } from '../misfits';

export const patternUnserved: Rule = {
  id: 'pattern-unserved',
  severity: 'error',
  why: 'No item can ever be where the pattern looks, so that it always comes back empty.',
  *check(table) {
    for (const { access, misfits, fitting } of misfitsOf(table)) {
      const [first] = misfits;
      if (fitting > 0 || first === undefined) continue;
      const message = [...new Set(misfits.map((misfit) => reason(access, misfit)))].join('; ');
      yield { path: placeOf(access, first), message, fix: remedy(table, access, first) };
    }
  },
};
