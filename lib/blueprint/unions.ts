import type { Operand, UpdatePattern } from '../design/pattern';
import { isOpen, type Schema, shapeOf, takesNothing } from './attributes/schema';
import {
  discriminatorsOf,
  has,
  isAlike,
  isShared,
  membersOf,
  objectOf,
  outlined,
  present,
  valuesOf,
} from './attributes/unions';
import { answerTo, UNKNOWN } from './implied';
import { isConstant } from './membership';
import type { EntityOutline } from './outline';
import type { Unions } from './union-code';
import { isAlwaysGiven, type Narrowed, touchedBy, type UpdateCause, type UpdateFault } from './updates';
import { isStamp } from './written';

/** Support for entities whose attributes are a discriminated union. */
export const unions: Unions = { ...outlined, narrow };

/** Returns the members that an item may match before an update, according to the update's key and condition. */
function membersBefore({ schema, keys }: EntityOutline, { where, condition = {} }: UpdatePattern): readonly Schema[] {
  const names = discriminatorsOf(schema);
  const asked = Object.keys(condition).filter((name) => has(schema, name));
  return membersOf(schema).filter((member) =>
    [...new Set([...names, ...asked])].every((name) => {
      if (has(member, name) ? !names.includes(name) : isOpen(member)) return true;
      const values = has(member, name) ? valuesOf(member, name) : [undefined];
      const isMet = answerTo({ path: name, candidates: values, values }, condition, comparedTo) !== false;
      return (
        isMet &&
        Object.entries(where).every(([key, text]) => {
          const own = keys.get(key)?.template.text ?? '';
          return values.some((value) => mayBeSame(own.replace(`<${name}>`, `${value}`), text));
        })
      );
    }),
  );
}

/**
 * Returns the value that a condition compares an attribute with: a constant, UNKNOWN for a parameter, or undefined if
 * the caller may omit the parameter.
 */
function comparedTo(_: string, __: string, operand: Operand): unknown {
  return isConstant(operand) ? operand : isAlwaysGiven(operand as string) ? UNKNOWN : undefined;
}

/** Whether two templates can become the same text, judging only by the text before their first values. */
function mayBeSame(one: string, other: string): boolean {
  const [a = '', b = ''] = [one, other].map((text) => text.split('<', 1)[0]);
  return a.startsWith(b) || b.startsWith(a);
}

/** Returns the members that an item may match after an update. */
function membersAfter(schema: Schema, before: readonly Schema[], { set = {} }: UpdatePattern): readonly Schema[] {
  const [given, kept] = [true, false].map((isGiven) =>
    discriminatorsOf(schema).filter((name) => Object.hasOwn(set, name) === isGiven),
  ) as [string[], string[]];
  return membersOf(schema).filter(
    (member) =>
      given.every((name) => valuesOf(member, name).includes(set[name])) &&
      before.some((former) =>
        kept.every(
          (name) =>
            has(former, name) === has(member, name) &&
            (!has(member, name) || valuesOf(former, name).some((value) => valuesOf(member, name).includes(value))),
        ),
      ),
  );
}

export function narrow(step: UpdatePattern, entity: EntityOutline): Narrowed {
  const { schema } = entity;
  const names = discriminatorsOf(schema);
  if (names.length === 0) return entity;
  const touched = touchedBy(step);
  const fault = (cause: UpdateCause, place: string, attributes: readonly string[]): readonly UpdateFault[] =>
    attributes.length === 0 ? [] : [{ cause, place, attributes }];
  const changed = touched.filter(({ field, attribute }) => field !== 'remove' && names.includes(attribute));
  const before = membersBefore(entity, step);
  const isAssigned = changed.every(({ field }) => field === 'set');
  const after = changed.length === 0 ? before : isAssigned ? membersAfter(schema, before, step) : [];
  const [target] = after;
  const [first] = changed;
  if (target === undefined || (first !== undefined && after.length > 1)) {
    // Reports no fault here if no item meets the condition, or if no member has the value, because the check has
    // separate messages for these cases.
    const isImpossible = before.length === 0 || changed.some(({ attribute }) => isNoMember(schema, attribute, step));
    const attributes = isImpossible || first === undefined ? [] : [first.attribute];
    return { ...entity, faults: fault('member-unknown', first?.place ?? '', attributes) };
  }
  const differing = touched.flatMap(({ place, field, attribute }) => {
    const [head = ''] = attribute.split(/[.[]/);
    const isUnknown = names.includes(head) || !has(schema, head);
    const isLeft = first !== undefined && field === 'remove' && !has(target, attribute);
    const isFine = isUnknown || isLeft || (isShared(after, head) && (field !== 'remove' || isAsOptional(after, head)));
    return isFine ? [] : fault('member-differs', place, [attribute]);
  });
  const { place = '' } = first ?? {};
  const changing =
    first === undefined
      ? []
      : [
          ...fault('member-incomplete', place, lackingAfter(before, target, names, step)),
          ...fault('member-leftover', place, leftAfter(before, target, step)),
        ];
  const view = objectOf(schema, after, before);
  // Omits each key with a part that the item can have neither before nor after the update. No index with such a key
  // contains the item.
  const keys = [...entity.keys].filter(([, { template }]) =>
    template.parts.every(({ path: [head = ''] }) => has(view, head) || !has(schema, head)),
  );
  return { ...entity, schema: view, keys: new Map(keys), faults: [...differing, ...changing] };
}

/** Whether the given members agree on whether an attribute may be missing. */
function isAsOptional(members: readonly Schema[], name: string): boolean {
  return new Set(members.map((member) => takesNothing(shapeOf(member)[name] as Schema))).size === 1;
}

/** Whether an update sets a discriminator to a constant that no member has. */
function isNoMember(schema: Schema, name: string, { set = {} }: UpdatePattern): boolean {
  const value = set[name];
  return (
    value !== undefined &&
    isConstant(value as Operand) &&
    !membersOf(schema).some((member) => valuesOf(member, name).includes(value))
  );
}

/**
 * Returns the attributes that an item may lack when it becomes the given member, and the attributes whose values this
 * member may reject.
 */
function lackingAfter(
  before: readonly Schema[],
  target: Schema,
  names: readonly string[],
  { set = {}, remove = [], condition = {} }: UpdatePattern,
): readonly string[] {
  return Object.entries(shapeOf(target)).flatMap(([name, own]) => {
    const isGiven = Object.hasOwn(set, name) && (isAlwaysGiven(set[name]) || isStamp(set[name]));
    const isHeld = answerTo({ path: name, candidates: [UNKNOWN, undefined] }, condition, comparedTo) === true;
    const isKept = before.every((member) => {
      const former = remove.includes(name) ? undefined : shapeOf(member)[name];
      if (former === undefined) return takesNothing(own);
      return isAlike(present(former), present(own)) && (isHeld || takesNothing(own) || !takesNothing(former));
    });
    return names.includes(name) || isGiven || isKept ? [] : [name];
  });
}

/** Returns the attributes that an item may keep from its former member, although its new member does not have them. */
function leftAfter(before: readonly Schema[], target: Schema, { remove = [] }: UpdatePattern): readonly string[] {
  const names = new Set(before.flatMap((member) => Object.keys(shapeOf(member))));
  return [...names].filter((name) => !has(target, name) && !remove.includes(name));
}
