import { entityNamed } from '../../blueprint/table';
import { updateFaults } from '../../blueprint/whole-updates';
import type { UpdatePattern } from '../../design/pattern';
import type { Rule } from '../finding';
import { textOf } from '../update-texts';

export const halfKey: Rule = {
  id: 'half-key',
  severity: 'error',
  why: 'An index key is one text: who changes a part of it has to know the rest, or the item is found in the wrong place.',
  *check({ plan, accesses }) {
    if (plan.indexes.length === 0) return;
    for (const { action, path, step, entities } of accesses) {
      const entity = action === 'update' ? entityNamed(plan, entities[0] as string) : undefined;
      if (entity === undefined) continue;
      for (const fault of updateFaults(plan, entity, step as UpdatePattern)) {
        if (fault.cause !== 'half-key') continue;
        yield { path: `${path}.${fault.place}`, ...textOf(plan, entity, step as UpdatePattern, fault) };
      }
    }
  },
};
