import { attributeNames, intakeAt } from '../../blueprint/attributes/facts';
import { type EntityBlueprint, entityNamed } from '../../blueprint/table';
import { isCopy, type UpdateCause } from '../../blueprint/updates';
import { updateFaults } from '../../blueprint/whole-updates';
import type { PutPattern } from '../../design/pattern';
import type { Found, Rule } from '../finding';
import { textOf } from '../update-texts';

export const unwritable: Rule = {
  id: 'unwritable',
  severity: 'error',
  why: 'A write that can never be right is refused every time, and only when it is made.',
  *check({ plan, accesses }) {
    for (const { step, path, entities } of accesses) {
      const entity = entityNamed(plan, entities[0] as string);
      if (entity === undefined) continue;
      if (step.op === 'put' && step.item !== undefined) yield* inItem(path, entity, step.item);
      if (step.op !== 'update') continue;
      for (const fault of updateFaults(plan, entity, step)) {
        if (TOLD_ELSEWHERE.has(fault.cause)) continue;
        const at = fault.place === '' ? path : `${path}.${fault.place}`;
        yield { path: at, ...textOf(plan, entity, step, fault) };
      }
    }
  },
};

/** Causes that have a rule of their own. */
const TOLD_ELSEWHERE: ReadonlySet<UpdateCause> = new Set(['unknown-attribute', 'half-key']);

/** A new item has all that its entity must have; an optional parameter may fail to give it, and is the caller's affair. */
function* inItem(
  path: string,
  { name, design }: EntityBlueprint,
  item: NonNullable<PutPattern['item']>,
): Iterable<Found> {
  const missing = attributeNames(design.attributes).filter(
    (attribute) => !Object.hasOwn(item, attribute) && intakeAt(design.attributes, [attribute])?.required,
  );
  if (missing.length > 0) {
    const given = missing.map((attribute) => `${attribute}: '<${attribute}>'`).join(', ');
    const message = `every ${name} has ${missing.join(', ')}, and this one is written without`;
    yield { path: `${path}.item`, message, fix: `add ${given}, or make it optional` };
  }
  for (const [attribute, operand] of Object.entries(item)) {
    if (!isCopy(operand)) continue;
    const message = 'a new item has no attribute to copy';
    yield { path: `${path}.item.${attribute}`, message, fix: `give the value: '<${attribute}>'` };
  }
}
