import { isWholeNumber } from '../blueprint/attributes/numbers';
import { schemaAt } from '../blueprint/attributes/schema';
import { indexKeys, isCopy, isWithin, overlaps, type Settlement, settle, toldBy } from '../blueprint/index-keys';
import { type MembershipTest, toldOfTest } from '../blueprint/membership';
import type { EntityOutline, KeySource, TableOutline } from '../blueprint/outline';
import { changeFaults } from '../blueprint/updates';
import type { Assignment, Condition, UpdatePattern } from '../design/pattern';
import type { MembershipValue } from '../design/table';
import { type Hole, stepsOf, valueAt } from '../design/template';
import { appended } from './appended';
import { type Item, ItemError, validValue } from './item';
import { operandValue } from './operands';
import { comparedValue, toldValue } from './parameters';
import { keyWriter } from './writers';

/** What an update does with the values of one call, in no cloud's words. */
export interface Change {
  /** New values by path, including the type and the index keys that change with them. */
  readonly set: ReadonlyMap<string, unknown>;
  /** Attributes that take the value of another, by path. */
  readonly copied: ReadonlyMap<string, string>;
  /** Values that depend on the stored value, by path. */
  readonly computed: ReadonlyMap<string, Computed>;
  /** Numbers to add, by path; a number to subtract is negative. */
  readonly added: ReadonlyMap<string, number | bigint>;
  readonly removed: readonly string[];
}

/** Refuses an update that no values could make right. */
export function assertPossible(table: TableOutline, entity: EntityOutline, name: string, step: UpdatePattern): void {
  const [fault] = changeFaults(table, entity, step);
  if (fault === undefined) return;
  const { cause, place, attributes } = fault;
  const at = place === '' ? name : `${name}.${place}`;
  throw new ItemError(
    `${at} can never work (${[cause, ...attributes].join(' ')}): run the check, which says why and what to write`,
  );
}

/** Prepares an update. Index keys change with the attributes that they are made from. */
export function changeMaker(
  table: TableOutline,
  entity: EntityOutline,
  name: string,
  step: UpdatePattern,
): (values: object) => Change {
  assertPossible(table, entity, name, step);
  const { add = {}, subtract = {}, remove = [], upsert = false } = step;
  const assigned = Object.entries(step.set ?? {});
  const indexes = indexKeys(table, entity);
  const implied = Array.from(toldBy(table, entity, step), ([attribute, origin]) => {
    const value =
      'operand' in origin
        ? (values: object) => {
            const given = operandValue(origin.operand, values);
            return given === undefined ? undefined : comparedValue([entity], attribute, 'equals', given);
          }
        : toldValue(entity, origin);
    return { attribute, value };
  });
  const sources = indexes.flatMap(({ keys }) => keys);
  const writers = new Map(sources.map((source) => [source.attribute, keyWriter(table, source)]));
  const tests = indexes.flatMap(({ membership }) => membership);
  const impliedFor = new Map(tests.map((test) => [test, toldOfTest(entity, step.condition ?? {}, test)]));
  return (values) => {
    const known: Item = {};
    for (const { attribute, value } of implied) put(known, attribute, value(values));
    const set = new Map<string, unknown>();
    const copied = new Map<string, string>();
    const computed = new Map<string, Computed>();
    const removed = [...remove];
    const changed = [...remove];
    for (const [path, operand] of assigned) {
      if (isCopy(operand)) {
        if ('attribute' in operand) copied.set(path, operand.attribute);
        else compute(computed, entity, path, operand, values);
        continue;
      }
      const given = operandValue(operand, values);
      if (given === undefined) continue;
      const value = validValue(entity, path, given);
      changed.push(path);
      put(known, path, value);
      const key = entity.keys.get(path);
      // A key cannot be null: an item without it is not in the index.
      if (key !== undefined && value === null) removed.push(path);
      else set.set(path, key === undefined ? value : keyWriter(table, key)({ [path]: value }));
    }
    const added = amounts(entity, 'add', add, values);
    for (const [path, amount] of amounts(entity, 'subtract', subtract, values)) added.set(path, -amount);
    const isKnown = ({ path }: Hole) => (valueAt(known, path) ?? undefined) !== undefined;
    const isChanged = (hole: Hole) => changed.some((path) => isWithin(hole.name, path));
    const unsure = [...copied.keys(), ...computed.keys(), ...added.keys()];
    const holds = (test: MembershipTest) => {
      const isIn = (paths: readonly string[]) => paths.some((path) => overlaps(path, test.name));
      if (isIn(unsure)) return undefined;
      const value = valueAt(known, test.path);
      if (value === undefined && !isIn(changed)) return impliedFor.get(test);
      return test.values.includes(value as MembershipValue);
    };
    const settled = settle(
      indexes,
      { touched: [...changed, ...unsure], isKnown, isGone: (hole) => isChanged(hole) && !isKnown(hole), holds },
      upsert,
    );
    for (const { attribute } of wholeKeys(name, settled)) set.set(attribute, writers.get(attribute)?.(known));
    if (upsert && table.typeAttribute !== undefined) set.set(table.typeAttribute, entity.type);
    removed.push(...settled.removed);
    if (set.size + copied.size + computed.size + added.size + removed.length === 0) throw nothingToChange(name, step);
    return { set, copied, computed, added, removed };
  };
}

/** A value to set if there is none, or elements to add to a list. */
export interface Computed {
  readonly how: 'ifMissing' | 'append' | 'prepend';
  readonly value: unknown;
  /** The condition on which the outcome fits the schema. @default - it always does */
  readonly fits?: Condition;
}

function compute(
  computed: Map<string, Computed>,
  entity: EntityOutline,
  path: string,
  operand: Exclude<Extract<Assignment, object>, { readonly attribute: string }>,
  values: object,
): void {
  const [how, text] = Object.entries(operand)[0] as [Computed['how'], string];
  const given = operandValue(text, values);
  if (given === undefined) return;
  if (how === 'ifMissing') {
    computed.set(path, { how, value: validValue(entity, path, given) });
    return;
  }
  if (!Array.isArray(given))
    throw new ItemError(`${entity.name}: ${path}: expected a list to ${how}, got: ${JSON.stringify(given)}`);
  computed.set(path, { how, ...appended(entity, path, given) });
}

function amounts(
  entity: EntityOutline,
  field: 'add' | 'subtract',
  operands: NonNullable<UpdatePattern['add']>,
  values: object,
): Map<string, number | bigint> {
  const added = new Map<string, number | bigint>();
  for (const [path, operand] of Object.entries(operands)) {
    const amount = operandValue(operand, values);
    if (amount === undefined) continue;
    const isNumber = typeof amount === 'bigint' || Number.isFinite(amount);
    const schema = Number.isInteger(amount) ? undefined : schemaAt(entity.schema, path.split('.'));
    // With a fraction, no read would accept the item.
    const isRefused = typeof amount === 'number' && schema && isWholeNumber(schema);
    if (!isNumber || isRefused) {
      const got = typeof amount === 'number' ? amount : JSON.stringify(amount);
      const kind = isNumber ? 'whole number' : 'number';
      throw new ItemError(`${entity.name}: ${path}: expected a ${kind} to ${field}, got: ${got}`);
    }
    added.set(path, amount as number | bigint);
  }
  return added;
}

/** The index keys to write; throws rather than leave a key half right. */
function wholeKeys(pattern: string, { rewritten, half, undecided }: Settlement): readonly KeySource[] {
  if (undecided !== undefined) {
    const { index, missing } = undecided;
    const names = missing.join(', ');
    throw new ItemError(
      `${pattern}: ${names} is unknown, but decides whether the item is in ${index.name}; give ${names}, in set or in a condition`,
    );
  }
  if (half === undefined) return rewritten;
  const { key, missing } = half;
  const names = missing.map((hole) => hole.name);
  const unknown = names.map((attribute) => `<${attribute}>`).join(', ');
  throw new ItemError(
    `${pattern}: it changes part of ${key.attribute} '${key.template.text}' without knowing ${unknown}; give ${names.join(', ')}`,
  );
}

function nothingToChange(name: string, { set = {}, add = {}, subtract = {} }: UpdatePattern): ItemError {
  const paths = [set, add, subtract].flatMap(Object.keys).join(', ');
  return new ItemError(`${name}: there is nothing to change; give at least one of ${paths}`);
}

function put(values: Item, path: string, value: unknown): void {
  const steps = [...stepsOf(path)];
  const last = steps.pop() as string;
  let at = values;
  for (const step of steps) {
    if (!Object.hasOwn(at, step) || typeof at[step] !== 'object' || at[step] === null) define(at, step, {});
    at = at[step] as Item;
  }
  define(at, last, value);
}

/** Defines an own property: assigning `__proto__` would change the prototype instead. */
function define(at: Item, name: string, value: unknown): void {
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true });
}
