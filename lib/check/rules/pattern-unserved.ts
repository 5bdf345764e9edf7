import { hasKeys } from '../../blueprint/accesses';
import type { TableRule } from '../findings/finding';
import { atWhere } from '../findings/place';
import { listCode } from '../findings/values';
import {
  type Cause,
  causeOf,
  causes,
  editsOf,
  foundInstead,
  missedEntities,
  reasons,
  remedy,
} from '../reach/entities-missed';

export const patternUnserved: TableRule<'pattern-unserved', Cause> = {
  id: 'pattern-unserved',
  severity: 'error',
  why: 'No item can have the keys that the pattern reads, so the pattern never returns an item.',
  causes,
  *check(table) {
    for (const { access, missed, fitting } of missedEntities(table)) {
      const [first] = missed;
      if (fitting > 0 || first === undefined) continue;
      const message = reasons(access, missed);
      const { fix, ...about } = remedy(table, access, first);
      const entities = missed.map(({ entity }) => entity.name);
      const attribute = first.fit.kind === 'never' ? first.fit.attribute : undefined;
      const place = atWhere(access, attribute, { entities, ...about });
      const cause = causeOf(access, first);
      const others = foundInstead(table, access, first);
      if (others.length === 0) yield { ...place, cause, message, fix, ...editsOf(access, attribute, about) };
      else {
        // The other keys of a batch may find the entities that it returns.
        const instead = hasKeys(access.step)
          ? `add '${others.join("', '")}' to 'returns'`
          : `write returns: ${listCode(others)}`;
        yield { ...place, cause, message, fix: `${instead}, or ${fix}` };
      }
    }
  },
};
