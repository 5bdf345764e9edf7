import { type ListForm, listForm } from '../blueprint/attributes/lists';
import { mayLack, schemaAt } from '../blueprint/attributes/schema';
import type { EntityOutline } from '../blueprint/outline';
import type { Addend, Condition } from '../design/pattern';
import { shownValue, stepsOf } from '../design/template';
import { ItemError, validBy, validValue } from './item';
import { operandValue } from './operands';
import type { Computed } from './update';

/** Validates each new element. Only the database knows the length of the whole list, so a condition checks it. */
export function appended(entity: EntityOutline, how: 'append' | 'prepend', path: string, added: unknown): Computed {
  if (!Array.isArray(added))
    throw new ItemError(`${entity.name}: ${path}: expected a list to ${how}, got: ${shownValue(added)}`);
  const schema = schemaAt(entity.schema, stepsOf(path));
  const form = schema ? listForm(schema) : undefined;
  if (form === undefined) return { how, value: validValue(entity, path, added) };
  const fits = roomFor(entity, path, form, added.length);
  return { how, value: validElements(entity, path, form, added), ...(Object.keys(fits).length === 0 ? {} : { fits }) };
}

/**
 * Returns the elements that an update adds to a set or removes from it; undefined if the attribute is not a set. If the
 * caller passes no elements, the result's `value` is undefined. A required set must keep at least one element, because
 * DynamoDB deletes a set that loses its last element.
 */
export function elements(
  entity: EntityOutline,
  how: 'add' | 'subtract',
  path: string,
  operand: Addend,
  values: object,
): Computed | undefined {
  const schema = schemaAt(entity.schema, [path]);
  const form = schema ? listForm(schema, 'set') : undefined;
  if (form === undefined) return undefined;
  const value = new Set(validElements(entity, path, form, given(entity, how, path, operand, values)));
  if (value.size === 0) return { how, value: undefined };
  const isKept = !mayLack(entity.schema, [path]);
  const least = isKept ? Math.max(1, form.least) : form.least;
  const fits =
    how === 'add'
      ? roomFor(entity, path, form, value.size)
      : {
          ...(least > (isKept ? 0 : 1) ? { none: [{ [path]: { size: { lessThan: least + value.size } } }] } : {}),
          ...(isKept ? { [path]: { exists: true } } : {}),
        };
  return { how, value, ...(Object.keys(fits).length === 0 ? {} : { fits }) };
}

function given(
  entity: EntityOutline,
  how: 'add' | 'subtract',
  path: string,
  operand: Addend,
  values: object,
): readonly unknown[] {
  if (typeof operand === 'object')
    return operand.map((one) => operandValue(one, values)).filter((one) => one !== undefined);
  const whole = operandValue(operand, values);
  if (whole === undefined) return [];
  if (whole instanceof Set && whole.size > 0) return [...whole];
  throw new ItemError(
    `${entity.name}: ${path}: expected a Set with at least one element to ${how}, got: ${shownValue(whole)}; DynamoDB refuses empty sets`,
  );
}

/**
 * Returns the condition under which a list or set has room for the new elements. If the new elements alone do not reach
 * the minimum length, the list or set must already exist.
 */
function roomFor({ name }: EntityOutline, path: string, { least, most }: ListForm, count: number): Condition {
  if (count > most) throw new ItemError(`${name}: ${path}: at most ${most} elements are allowed, got ${count}`);
  return {
    ...(most === Infinity ? {} : { none: [{ [path]: { size: { greaterThan: most - count } } }] }),
    // If the item has no list yet, the new elements alone would form the list, and there would be too few of them.
    ...(count < least ? { [path]: { exists: true } } : {}),
  };
}

function validElements(entity: EntityOutline, path: string, { element }: ListForm, added: readonly unknown[]) {
  // Unlike `map`, `Array.from` also visits the holes in a sparse array.
  return Array.from(added, (one, i) => validBy(element, entity, `${path}.${i}`, one));
}
