import { attributeNames, intakeAt } from '../../blueprint/attributes/facts';
import { isCopy } from '../../blueprint/index-keys';
import { type EntityBlueprint, entityNamed } from '../../blueprint/table';
import { narrow } from '../../blueprint/unions';
import type { UpdateFault } from '../../blueprint/updates';
import { updateFaults } from '../../blueprint/whole-updates';
import { writtenBy, writtenNames } from '../../blueprint/written';
import type { PutPattern, UpdatePattern } from '../../design/pattern';
import type { Found, TableRule } from '../findings/finding';
import { atAccess } from '../findings/place';
import { changeBehind, placeIn, updateCauses, updateInWords } from '../requests/update-faults';
import type { PatternAccess } from '../table-under-check';

const causes = {
  ...updateCauses,
  'incomplete-put': 'a put lacks a required attribute',
  'nothing-to-copy': 'a put copies an attribute of the item, but a new item has none to copy',
} as const;

type Cause = keyof typeof causes;

export const unwritable: TableRule<'unwritable', Cause> = {
  id: 'unwritable',
  severity: 'error',
  why: 'A write that can never succeed does not fail during the deployment, but only when the application first sends it.',
  causes,
  *check(table) {
    for (const access of table.accesses) {
      const { step, entities } = access;
      const entity = entityNamed(table, entities[0] as string);
      if (entity === undefined) continue;
      if (step.op === 'put' && step.item !== undefined) yield* inItem(access, entity, step.item);
      if (step.op !== 'update') continue;
      for (const fault of updateFaults(table, entity, step)) {
        const own = asSaid(entity, step, fault);
        const worded = own && updateInWords(table, narrow(step, entity), step, own);
        if (own && worded) yield { ...placeIn(access, own), ...worded };
      }
    }
  },
};

/**
 * A step changes a computed attribute only through its sources. If a computed attribute has a fault, returns the fault
 * for the changed source instead. Returns undefined if `unsound-written` already reports the fault.
 */
function asSaid({ design }: EntityBlueprint, step: UpdatePattern, fault: UpdateFault): UpdateFault | undefined {
  const written = writtenBy(design, '');
  const [attribute = ''] = fault.attributes;
  if (written === undefined || fault.cause === 'incomplete-item' || !writtenNames(written).includes(attribute))
    return fault;
  if (fault.cause !== 'primary-key') return undefined;
  const own = changeBehind(design, step, attribute);
  return own && { ...fault, place: own.place, attributes: [own.attribute] };
}

/** Reports required attributes that a put lacks. An optional parameter is not missing, because the caller can pass it. */
function* inItem(
  access: PatternAccess,
  { name, design }: EntityBlueprint,
  item: NonNullable<PutPattern['item']>,
): Iterable<Found<Cause>> {
  const missing = attributeNames(design.attributes).filter(
    (attribute) => !Object.hasOwn(item, attribute) && intakeAt(design.attributes, [attribute])?.required,
  );
  if (missing.length > 0) {
    const given = missing.map((attribute) => `${attribute}: '<${attribute}>'`).join(', ');
    const message = `the put lacks '${missing.join("', '")}', which every ${name} needs`;
    const place = atAccess(access, 'item', undefined, { attributes: missing });
    yield {
      ...place,
      cause: 'incomplete-put',
      message,
      fix: `add ${given}, or make '${missing.join("', '")}' optional`,
    };
  }
  for (const [attribute, operand] of Object.entries(item)) {
    if (!isCopy(operand)) continue;
    const message = 'a new item has no attribute to copy';
    const fix = `write a parameter for the value: '<${attribute}>'`;
    yield { ...atAccess(access, 'item', attribute), cause: 'nothing-to-copy', message, fix };
  }
}
