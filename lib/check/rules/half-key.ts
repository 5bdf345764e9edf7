import { entityNamed } from '../../blueprint/table';
import { updateFaults } from '../../blueprint/whole-updates';
import type { UpdatePattern } from '../../design/pattern';
import type { TableRule } from '../finding';
import { halfKeyCauses as causes, type HalfKeyCause, halfKeyInWords, placeIn } from '../update-texts';

export const halfKey: TableRule<'half-key', HalfKeyCause> = {
  id: 'half-key',
  severity: 'error',
  why: 'An index key is one string: to change a part of it you must know the rest, or the item ends up in the wrong place.',
  causes,
  *check({ plan, accesses }) {
    if (plan.indexes.length === 0) return;
    for (const access of accesses) {
      const entity = access.action === 'update' ? entityNamed(plan, access.entities[0] as string) : undefined;
      if (entity === undefined) continue;
      const step = access.step as UpdatePattern;
      for (const fault of updateFaults(plan, entity, step)) {
        if (fault.cause === 'half-key' || fault.cause === 'undecided')
          yield { ...placeIn(access, fault), ...halfKeyInWords(entity.name, step, fault) };
      }
    }
  },
};
