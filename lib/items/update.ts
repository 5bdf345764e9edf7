import { isWholeNumber, schemaAt } from '../blueprint/attributes/schema';
import { isAttribute } from '../blueprint/conditions';
import { answerTo, type Question, questionsAbout, UNKNOWN } from '../blueprint/implied';
import { indexKeys, isCopy, type Settlement, settle, toldBy } from '../blueprint/index-keys';
import type { MembershipTest } from '../blueprint/membership';
import type { EntityOutline, KeySource, TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import { changeFaults, touchedBy } from '../blueprint/updates';
import type { Condition, UpdatePattern } from '../design/pattern';
import type { MembershipValue } from '../design/table';
import { overlaps, type Part, shownValue, stepsOf, valueAt } from '../design/template';
import type { appended, elements } from './appended';
import { type Item, ItemError, isMapOrList, refuseMilliseconds, validValue } from './item';
import { operandValue } from './operands';
import { comparedValue, isExact, toldValue } from './parameters';
import { keyWriter } from './writers';

/** The changes that one call of an update makes, in a form that does not depend on the cloud. */
export interface Change {
  /** New values by path, including the type attribute and the index keys that change. */
  readonly set: ReadonlyMap<string, unknown>;
  /** Attributes that receive the value of another attribute, by path. */
  readonly copied: ReadonlyMap<string, string>;
  /** Values that depend on the stored value, by path. */
  readonly computed: ReadonlyMap<string, Computed>;
  /** Numbers to add, by path. A number to subtract is negative. */
  readonly added: ReadonlyMap<string, number | bigint>;
  readonly removed: readonly string[];
}

/** Refuses an update that is wrong regardless of its values. */
export function assertPossible(table: TableOutline, entity: EntityOutline, name: string, step: UpdatePattern): void {
  const [fault] = changeFaults(table, entity, step);
  if (fault === undefined) return;
  const { cause, place, attributes } = fault;
  throw new ItemError(
    `${name}.${place} can never work (${[cause, ...attributes].join(' ')}): run the check, which says why`,
  );
}

/**
 * The attributes whose values follow from the key and the condition of a write, each with a function that returns the
 * value.
 */
export function toldFrom(table: TableOutline, entity: EntityOutline, step: UpdatePattern): readonly Known[] {
  return Array.from(toldBy(table, entity, step), ([attribute, origin]) => {
    const value =
      'operand' in origin
        ? (values: object) => {
            const given = operandValue(origin.operand, values);
            return given === undefined ? undefined : comparedValue([entity], attribute, 'equals', given);
          }
        : toldValue(entity, origin);
    const isKept = origin.source?.natural === false && !entity.design.keyOnly?.includes(attribute);
    return { attribute, value, isKept };
  });
}

/** An attribute whose value is known when the write is built. */
interface Known {
  readonly attribute: string;
  /** Whether the attribute is part of the primary key, but is also stored under its own name. */
  readonly isKept: boolean;
  value(values: object): unknown;
}

/**
 * Returns the values that an update sets, by path. Leaves out copies of other attributes, and values that the caller
 * omits.
 */
export function setBy(entity: EntityOutline, { set = {} }: Pick<UpdatePattern, 'set'>, values: object): Item {
  const given: Item = {};
  for (const [path, operand] of Object.entries(set)) {
    const value = isCopy(operand) ? undefined : operandValue(operand, values);
    if (value !== undefined) given[path] = validValue(entity, path, value);
  }
  return given;
}

/** The code that changes the elements of lists and sets. Only some designs need this code. */
export interface Elements {
  readonly appended: typeof appended;
  readonly elements: typeof elements;
}

/** Prepares an update. Index keys change together with the attributes that they contain. */
export function changeMaker(
  table: TableOutline,
  whole: EntityOutline,
  name: string,
  step: UpdatePattern,
  lists?: Elements,
): (values: object) => Change {
  const entity = naming.narrow(step, whole);
  assertPossible(table, entity, name, step);
  const { add = {}, subtract = {}, remove = [], upsert = false } = step;
  const assigned = Object.entries(step.set ?? {});
  const indexes = indexKeys(table, entity);
  const implied = toldFrom(table, entity, step);
  const sources = indexes.flatMap(({ keys }) => keys);
  const writers = new Map(sources.map((source) => [source.attribute, keyWriter(table, entity, source)]));
  const condition = step.condition ?? {};
  const asked = questionsAbout(entity.schema, indexes);
  return (values) => {
    const told: Item = {};
    const known: Item = {};
    const set = new Map<string, unknown>();
    for (const { attribute, value, isKept } of implied) {
      const given = value(values);
      put(told, attribute, given);
      put(known, attribute, given);
      // A new item also stores the attributes that its key contains.
      if (upsert && isKept) set.set(attribute, given);
    }
    const copied = new Map<string, string>();
    const computed = new Map<string, Computed>();
    const removed = [...remove];
    const changed = [...remove];
    for (const [path, operand] of assigned) {
      const [how, source] = isCopy(operand) ? (Object.entries(operand)[0] as [How, string]) : [undefined, operand];
      if (how === 'attribute') {
        copied.set(path, source as string);
        continue;
      }
      const given = operandValue(source, values);
      if (given === undefined) continue;
      if (how && how !== 'ifMissing') {
        if (lists) computed.set(path, lists.appended(entity, how, path, given));
        continue;
      }
      const value = validValue(entity, path, given);
      refuseMilliseconds(table, entity, path, value);
      if (how) {
        computed.set(path, { how, value });
        continue;
      }
      changed.push(path);
      put(known, path, value);
      const key = entity.keys.get(naming.path([entity], path));
      // A key cannot be null. An item without an index's key is not in that index.
      if (key !== undefined && value === null) removed.push(path);
      else set.set(path, key === undefined ? value : keyWriter(table, entity, key)({ [path]: value }));
    }
    const added = amounts(computed, entity, 'add', add, values, lists);
    for (const [path, amount] of added) refuseMilliseconds(table, entity, path, amount);
    for (const [path, amount] of amounts(computed, entity, 'subtract', subtract, values, lists))
      added.set(path, -amount);
    const unsure = [...copied.keys(), ...computed.keys(), ...added.keys()];
    const answer = (about: Part | MembershipTest) =>
      // A condition compares its operand with the stored form of an attribute.
      answerTo(asked.get(about) as Question, condition, (path, comparison, operand) => {
        if (isAttribute(operand)) return UNKNOWN;
        const value = operandValue(operand, values);
        return value !== undefined && isExact(comparison) ? comparedValue([entity], path, comparison, value) : value;
      });
    const isIn = (paths: readonly string[], { name }: Part | MembershipTest) =>
      paths.some((path) => overlaps(path, name));
    const isPresent = (item: Item, { path }: Part) => (valueAt(item, path) ?? undefined) !== undefined;
    const settled = settle(
      indexes,
      {
        touched: [...changed, ...unsure],
        isKnown: (part) => isPresent(known, part),
        has: (part, isAfter) => {
          if (isAfter && isIn(changed, part)) return isPresent(known, part);
          return isPresent(told, part) || (isAfter && isIn(unsure, part)) || answer(part);
        },
        holds: (test, isAfter) => {
          if (isAfter && isIn(unsure, test)) return undefined;
          const isSet = isAfter && isIn(changed, test);
          const value = valueAt(isSet ? known : told, test.path);
          return isSet || value !== undefined ? test.values.includes(value as MembershipValue) : answer(test);
        },
      },
      upsert,
    );
    for (const { attribute } of wholeKeys(name, settled)) set.set(attribute, writers.get(attribute)?.(known));
    if (upsert && table.typeAttribute !== undefined) set.set(table.typeAttribute, entity.type);
    removed.push(...settled.removed);
    if (set.size + copied.size + computed.size + added.size + removed.length === 0) {
      const paths = touchedBy(step).map(({ attribute }) => attribute);
      throw new ItemError(`${name}: nothing to change; give at least one of ${paths.join(', ')}`);
    }
    return { set, copied, computed, added, removed };
  };
}

/** A value to set if the attribute is missing, elements to add to a list or a set, or elements to remove from a set. */
export interface Computed {
  readonly how: 'ifMissing' | 'append' | 'prepend' | 'add' | 'subtract';
  readonly value: unknown;
  /** The condition under which the result matches the schema. @default - the result always matches */
  readonly fits?: Condition;
}

/** The ways in which an assignment depends on the stored item. */
type How = 'attribute' | 'ifMissing' | 'append' | 'prepend';

/** Returns the numbers to add or subtract, and puts set elements into `computed`. */
function amounts(
  computed: Map<string, Computed>,
  entity: EntityOutline,
  field: 'add' | 'subtract',
  operands: NonNullable<UpdatePattern['add']>,
  values: object,
  lists: Elements | undefined,
): Map<string, number | bigint> {
  const added = new Map<string, number | bigint>();
  for (const [path, operand] of Object.entries(operands)) {
    const more = lists?.elements(entity, field, path, operand, values);
    if (more?.value) computed.set(path, more);
    const amount = more ? undefined : operandValue(operand as string, values);
    if (amount === undefined) continue;
    if (amount instanceof Set)
      throw new ItemError(`${entity.name}: ${path} needs the option { lists } from 'tablewright/dynamodb'`);
    const isNumber = typeof amount === 'bigint' || Number.isFinite(amount);
    const schema = Number.isInteger(amount) ? undefined : schemaAt(entity.schema, path.split('.'));
    // A fraction in a whole-number attribute would make every read of the item fail.
    const isRefused = typeof amount === 'number' && schema && isWholeNumber(schema);
    if (!isNumber || isRefused) {
      const kind = isNumber ? 'whole number' : 'number';
      throw new ItemError(`${entity.name}: ${path}: expected a ${kind} to ${field}, got: ${shownValue(amount)}`);
    }
    added.set(path, amount as number | bigint);
  }
  return added;
}

/** Returns the index keys to write. Throws if the update would leave a key partly stale. */
function wholeKeys(pattern: string, { rewritten, half, undecided }: Settlement): readonly KeySource[] {
  const fault = half ?? undecided;
  if (fault === undefined) return rewritten;
  const names = fault.missing.map(({ name }) => name).join(', ');
  throw new ItemError(
    half
      ? `${pattern}: it changes part of ${half.key.attribute} '${half.key.template.text}'; give ${names} too`
      : `${pattern}: ${names} decides if ${fault.index.name} has the item; give it in 'set' or 'condition'`,
  );
}

function put(values: Item, path: string, value: unknown): void {
  const steps = [...stepsOf(path)];
  const last = steps.pop() as string;
  let at = values;
  for (const step of steps) {
    if (!Object.hasOwn(at, step) || !isMapOrList(at[step])) define(at, step, {});
    at = at[step] as Item;
  }
  define(at, last, value);
}

/** Defines an own property, because assigning to `__proto__` would change the prototype instead. */
function define(at: Item, name: string, value: unknown): void {
  Object.defineProperty(at, name, { value, enumerable: true, configurable: true, writable: true });
}
