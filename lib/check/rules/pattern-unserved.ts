import type { TableRule } from '../finding';
import { type Cause, causeOf, causes, misfitsOf, reason, remedy } from '../misfits';
import { atWhere } from '../places';

export const patternUnserved: TableRule<'pattern-unserved', Cause> = {
  id: 'pattern-unserved',
  severity: 'error',
  why: 'No item can ever be where the pattern looks, so it always comes back empty.',
  causes,
  *check(table) {
    for (const { access, misfits, fitting } of misfitsOf(table)) {
      const [first] = misfits;
      if (fitting > 0 || first === undefined) continue;
      const message = [...new Set(misfits.map((misfit) => reason(access, misfit)))].join('; ');
      const { fix, ...about } = remedy(table, access, first);
      const entities = misfits.map(({ entity }) => entity.name);
      const attribute = first.fit.kind === 'never' ? first.fit.attribute : undefined;
      yield { ...atWhere(access, attribute, { entities, ...about }), cause: causeOf(access, first), message, fix };
    }
  },
};
