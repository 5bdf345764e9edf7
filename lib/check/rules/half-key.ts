import { decisiveTests } from '../../blueprint/conditions';
import { indexKeys } from '../../blueprint/index-keys';
import { type EntityBlueprint, entityNamed, type TableBlueprint } from '../../blueprint/table';
import { hasParts, partsOf } from '../../blueprint/template-parts';
import { updateFaults } from '../../blueprint/whole-updates';
import { isStamp } from '../../blueprint/written';
import type { UpdatePattern } from '../../design/pattern';
import { template } from '../../design/template';
import type { TableRule } from '../findings/finding';
import { atAccess } from '../findings/place';
import {
  halfKeyCauses as causes,
  changeBehind,
  type HalfKeyCause,
  halfKeyInWords,
  isHalfKey,
  placeIn,
  writtenBackInWords,
} from '../requests/update-faults';

export const halfKey: TableRule<'half-key', HalfKeyCause> = {
  id: 'half-key',
  severity: 'error',
  why: 'An index key is one string. An update that changes a part of the key without knowing the rest puts the item in the wrong place in the index.',
  causes,
  *check(table) {
    if (table.indexes.length === 0) return;
    for (const access of table.accesses) {
      const entity = access.action === 'update' ? entityNamed(table, access.entities[0] as string) : undefined;
      if (entity === undefined) continue;
      const step = access.step as UpdatePattern;
      for (const fault of updateFaults(table, entity, step)) {
        if (!isHalfKey(fault)) continue;
        const { place } = changeBehind(entity.design, step, fault.other?.attribute ?? '') ?? fault;
        yield { ...placeIn(access, { ...fault, place }), ...halfKeyInWords(access, entity, step, fault) };
      }
      const written = writtenBack(table, entity, step);
      if (written !== undefined) yield { ...atAccess(access, 'set'), ...writtenBackInWords(written) };
    }
  },
};

/**
 * Finds an index key of which the caller sets several parts without a condition. A caller that wants to change only one
 * part may write back stale values of the other parts, and thus overwrite concurrent changes.
 */
function writtenBack(
  table: TableBlueprint,
  entity: EntityBlueprint,
  { set = {}, condition = {}, upsert = false }: UpdatePattern,
): readonly string[] | undefined {
  if (upsert || decisiveTests(condition).some(([, test]) => typeof test === 'string' && hasParts(template(test))))
    return undefined;
  const isGiven = (name: string) => {
    const operand = set[name];
    return typeof operand === 'string' && hasParts(template(operand)) && !isStamp(operand);
  };
  return indexKeys(table, entity)
    .flatMap(({ keys }) => keys)
    .map((key) => [...new Set(partsOf(key.template).map(({ name }) => name))].filter(isGiven))
    .find((names) => names.length > 1);
}
