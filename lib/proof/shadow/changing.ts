import type { PatternBlueprint } from '../../blueprint/outline';
import { keyOf } from '../../blueprint/outline';
import { hasParts, partsOfKey } from '../../blueprint/template-parts';
import { isInside } from '../../blueprint/updates';
import type { Assignment, Condition, DeletePattern, Operand, Test, UpdatePattern } from '../../design/pattern';
import { lonePart, match, template } from '../../design/template';
import { type Item, makeItem } from '../../items/item';
import type { Known, Logical } from './model';
import { spelled } from './reach';
import { stampsOf } from './stamps';
import { decisive, isReadable, othersLike } from './variants';

/**
 * The values to call a write with, and the attributes that the write sets. An attribute whose value is undefined is
 * removed.
 */
export interface Writing {
  readonly values: Item;
  readonly set: Item;
}

/**
 * Returns the arguments for an update of an item. Returns undefined if the item does not determine the arguments; only
 * cases can then test the update.
 */
export function updating({ design }: PatternBlueprint, item: Logical, known: Known, tag: string): Writing | undefined {
  const update = design as UpdatePattern;
  const given = asked(update, known);
  if (given === undefined) return undefined;
  const { table, entity, values } = known;
  const changed: Item = {};
  const add = (path: string, next: unknown, parameter?: string): boolean => {
    if (isInside(path) || (parameter !== undefined && Object.hasOwn(given, parameter))) return false;
    changed[path] = next;
    if (parameter !== undefined) given[parameter] = next;
    return true;
  };
  for (const [path, to] of Object.entries(update.set ?? {})) {
    const found = settingOf(to, path, item, known, tag);
    if (found === undefined || !add(path, found.next, found.parameter)) return undefined;
  }
  for (const [sign, amounts] of [
    [1, update.add],
    [-1, update.subtract],
  ] as const) {
    for (const [path, amount] of Object.entries(amounts ?? {})) {
      const parameter = typeof amount === 'string' ? lonePart(template(amount))?.name : undefined;
      const by = typeof amount === 'number' ? amount : parameter === undefined ? undefined : 1;
      const now = values[path] ?? 0;
      if (by === undefined || typeof now !== 'number' || isInside(path) || Object.hasOwn(given, parameter ?? ''))
        return undefined;
      changed[path] = now + sign * by;
      if (parameter !== undefined) given[parameter] = by;
    }
  }
  for (const path of update.remove ?? []) if (!add(path, undefined)) return undefined;
  // Changing a part of the primary key would move the item.
  const isMoving = keyOf(table.key).some(({ name }) =>
    partsOfKey(entity, name).some(({ path: [part = ''] }) => Object.hasOwn(changed, part)),
  );
  const defined = (all: Item) => Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  Object.assign(changed, stampsOf(item, known, update, defined({ ...values, ...changed })));
  const next = defined({ ...values, ...changed });
  return isMoving || !entity.schema.safeParse(next).success ? undefined : { values: given, set: changed };
}

/** Returns the arguments for a delete of an item; undefined if the item does not determine the arguments. */
export function deleting({ design }: PatternBlueprint, known: Known): Item | undefined {
  return asked(design as DeletePattern, known);
}

/**
 * Returns the values with which a write finds an item and meets its own condition. Returns undefined if the item fails
 * the condition, or if the values are unknown.
 */
function asked(
  { where, condition = {} }: UpdatePattern | DeletePattern,
  { table, entity, values }: Known,
): Item | undefined {
  const stored = makeItem(table, entity, values);
  const given: Item = {};
  for (const [name, text] of Object.entries(where)) {
    const own =
      entity.keys.get(name)?.natural === true && typeof stored[name] !== 'string'
        ? naturally(text, stored[name])
        : match(spelled(text, entity.keys.get(name)), String(stored[name]), table.separator);
    if (own === undefined) return undefined;
    for (const [slot, value] of Object.entries(own)) given[slot.split(':')[0] as string] = value;
  }
  return satisfies(condition, values, given) ? given : undefined;
}

function naturally(text: string, value: unknown): Item | undefined {
  const part = lonePart(template(text));
  return part === undefined ? undefined : { [part.name]: value };
}

/**
 * Whether the values are certain to satisfy a condition. Adds to `given` the values that the condition's parameters
 * must have.
 */
function satisfies(condition: Condition, values: Item, given: Item): boolean {
  return Object.entries(condition).every(([path, test]) => {
    if (path === 'any' || path === 'none' || isInside(path) || Array.isArray(test)) return false;
    return passes(test as Test, values[path], given);
  });
}

function passes(test: Test, value: unknown, given: Item): boolean {
  if (typeof test !== 'object' || test === null) return isEqual(test, value, given);
  if ('exists' in test) return test.exists === (value !== undefined);
  if ('in' in test) return test.in.some((operand) => isConstant(operand) && operand === value);
  if ('not' in test) return isConstant(test.not) && test.not !== value;
  return false;
}

function isEqual(operand: Operand, value: unknown, given: Item): boolean {
  if (isConstant(operand)) return operand === value;
  const parameter = typeof operand === 'string' ? lonePart(template(operand))?.name : undefined;
  if (parameter === undefined || value === undefined || (Object.hasOwn(given, parameter) && given[parameter] !== value))
    return false;
  given[parameter] = value;
  return true;
}

function isConstant(operand: Operand): boolean {
  return typeof operand === 'string' ? !hasParts(template(operand)) : typeof operand !== 'object' || operand === null;
}

/**
 * Chooses an attribute's new value: a constant, or a different value that the schema accepts. Prefers values that make
 * the item enter or leave an index.
 */
function settingOf(
  to: Assignment,
  path: string,
  item: Logical,
  known: Known,
  tag: string,
): { readonly next: unknown; readonly parameter?: string } | undefined {
  const { entity, values } = known;
  if (typeof to === 'object' && to !== null) return undefined;
  if (isConstant(to)) return { next: to };
  const part = lonePart(template(to as string));
  if (part === undefined) return undefined;
  const listed = (decisive(item).get(path) ?? []).filter(
    (value) => value !== values[path] && isReadable(item, known, path, value),
  );
  const candidates = [...listed, ...texts(values[path], tag), ...othersLike(values[path], tag), values[path]];
  const next = candidates.find(
    (value) => value !== undefined && entity.schema.safeParse({ ...values, [path]: value }).success,
  );
  return next === undefined ? undefined : { next, parameter: part.name };
}

/**
 * Returns a variant of a string; returns nothing for a timestamp or for a value of another type. The variant ends with
 * the tag of the write that stores it.
 */
function texts(value: unknown, tag: string): readonly string[] {
  return typeof value === 'string' && !/^\d{4}-\d\d-\d\dT/.test(value) ? [`${value.split(' ~')[0]} ~${tag}`] : [];
}
