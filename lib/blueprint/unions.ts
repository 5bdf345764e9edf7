import type { UpdatePattern } from '../design/pattern';
import { defOf, type Schema, shapeOf, takesNothing } from './attributes/schema';
import { membersOf, objectOf, outlined, sharedBy, valuesOf } from './attributes/unions';
import { answerTo, UNKNOWN } from './implied';
import { isConstant } from './membership';
import type { EntityOutline } from './outline';
import type { Unions } from './union-code';
import { isAlwaysGiven, type Narrowed, touchedBy, type UpdateCause, type UpdateFault } from './updates';

/** The code for entities whose attributes are a discriminated union. */
export const unions: Unions = { ...outlined, narrow };

/** The members that an item can be before an update, as far as the update's condition shows. */
function membersBefore(schema: Schema, discriminator: string, { condition = {} }: UpdatePattern): readonly Schema[] {
  return membersOf(schema).filter((member) => {
    const values = valuesOf(member, discriminator);
    const asked = { path: discriminator, candidates: values, values };
    return answerTo(asked, condition, (_, __, operand) => (isConstant(operand) ? operand : UNKNOWN)) !== false;
  });
}

export function narrow(step: UpdatePattern, entity: EntityOutline): Narrowed {
  const { schema } = entity;
  const { discriminator } = defOf(schema);
  if (discriminator === undefined) return entity;
  const before = membersBefore(schema, discriminator, step);
  const assigned = step.set?.[discriminator];
  const after =
    assigned === undefined
      ? before
      : membersOf(schema).filter((member) => valuesOf(member, discriminator).includes(assigned));
  const fault = (cause: UpdateCause, place: string, attributes: readonly string[]): readonly UpdateFault[] =>
    attributes.length === 0 ? [] : [{ cause, place, attributes }];
  const place = `set.${discriminator}`;
  const [target, ...others] = after;
  if (target === undefined || (assigned !== undefined && others.length > 0)) {
    const faults = assigned === undefined ? [] : fault('member-unknown', place, [discriminator]);
    return { ...entity, faults };
  }
  const differing = touchedBy(step).flatMap(({ place, field, attribute }) => {
    const [head = ''] = attribute.split(/[.[]/);
    const isUnknown = head === discriminator || !Object.hasOwn(shapeOf(schema), head);
    const isLeft = assigned !== undefined && field === 'remove' && !Object.hasOwn(shapeOf(target), attribute);
    const isFine = isUnknown || isLeft || sharedBy(after, head) !== undefined;
    return isFine ? [] : fault('member-differs', place, [attribute]);
  });
  const changed =
    assigned === undefined
      ? []
      : [
          ...fault('member-incomplete', place, lackingAfter(before, target, discriminator, step)),
          ...fault('member-leftover', place, leftAfter(before, target, step)),
        ];
  return { ...entity, schema: objectOf(schema, after, before), faults: [...differing, ...changed] };
}

/**
 * The attributes that an item may lack when it becomes this member, or that it may have in a form that the member
 * rejects.
 */
function lackingAfter(
  before: readonly Schema[],
  target: Schema,
  discriminator: string,
  { set = {}, remove = [] }: UpdatePattern,
): readonly string[] {
  return Object.entries(shapeOf(target)).flatMap(([name, own]) => {
    const isGone = remove.includes(name) || before.every((member) => !Object.hasOwn(shapeOf(member), name));
    const isFine =
      name === discriminator ||
      sharedBy([target, ...before], name) !== undefined ||
      (Object.hasOwn(set, name) && isAlwaysGiven(set[name])) ||
      (isGone && takesNothing(own));
    return isFine ? [] : [name];
  });
}

/** The attributes of the possible earlier members that the new member does not have. */
function leftAfter(before: readonly Schema[], target: Schema, { remove = [] }: UpdatePattern): readonly string[] {
  const names = new Set(before.flatMap((member) => Object.keys(shapeOf(member))));
  return [...names].filter((name) => !Object.hasOwn(shapeOf(target), name) && !remove.includes(name));
}
