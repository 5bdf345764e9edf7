import { schemaAt } from '../blueprint/attributes/schema';
import type { EntityOutline, TableOutline } from '../blueprint/outline';
import { timeIn } from '../blueprint/times';
import {
  type ComputedAttribute,
  formerStampOf,
  isStamp,
  saidIn,
  stampOf,
  type WrittenAttributes,
  writtenBy,
  writtenNames,
} from '../blueprint/written';
import { writtenFaults } from '../blueprint/written-faults';
import type { PutPattern, UpdatePattern, Write } from '../design/pattern';
import { shownValue, valueAt } from '../design/template';
import { computedValue } from './computed';
import { type Item, ItemError, validValue } from './item';
import { itemValues } from './operands';
import { setBy, toldFrom } from './update';

/** A function such as `Date.now`, which returns milliseconds since 1970. */
export type Clock = () => number;

/** The values of a write, including the library's additions, and the version that the replaced item must have. */
export interface Stamped {
  readonly values: object;
  readonly item: object;
  /** @default - the caller passes no version */
  readonly version?: number | undefined;
}

export type Stamp = (values: object, item: object) => Stamped;

/** Returns the function that adds the library's own values to a write; undefined if it adds no values. */
export function stamper(
  table: TableOutline,
  entity: EntityOutline,
  name: string,
  step: Write,
  clock: Clock = Date.now,
  isBatch = false,
): Stamp | undefined {
  const written = writtenBy(entity.design, table.separator);
  if (written === undefined || step.op === 'require') return undefined;
  const own = saidIn(step);
  const [fault] = writtenFaults(table, entity, own, isBatch);
  if (fault !== undefined) {
    const { cause, attribute, parts } = fault;
    throw new ItemError(
      `${name} cannot maintain ${attribute} of ${entity.name} (${[cause, ...parts].join(' ')}): run the check`,
    );
  }
  const timeOf = timesOf(entity, written);
  if (own.op === 'put') return putStamp(entity, own, written, () => timeOf(clock()));
  return updateStamp(table, entity, name, step as UpdatePattern, written, () => timeOf(clock()));
}

/** Creates a function that returns the values of all timestamp attributes for a given moment. */
function timesOf({ schema, design }: EntityOutline, { created, updated }: WrittenAttributes): (now: number) => Item {
  const times = [created, updated].flatMap((name) =>
    name === undefined ? [] : [[name, timeIn(schemaAt(schema, [name]) ?? undefined, design.timestamps?.unit)] as const],
  );
  return (now) => Object.fromEntries(times.map(([name, write]) => [name, write(now)]));
}

function putStamp(
  entity: EntityOutline,
  { item: spelled, replace }: Pick<PutPattern, 'item' | 'replace'>,
  { version, created, computed, ...written }: WrittenAttributes,
  timesNow: () => Item,
): Stamp {
  const names = writtenNames({ version, created, computed, ...written });
  return (values, own) => {
    const given: Item = { ...(spelled === undefined ? own : itemValues(spelled, values)) };
    const times = timesNow();
    const read = version === undefined || !replace ? undefined : given[version];
    // An item that the caller has read includes these values. All of them are validated, but only those that a
    // replacement keeps are used.
    for (const name of [version, created, written.updated])
      if (name !== undefined && given[name] !== undefined) validValue(entity, name, given[name]);
    if (created !== undefined && replace && given[created] !== undefined) times[created] = given[created];
    const known: Item = { ...given, ...times };
    if (version !== undefined) known[version] = typeof read === 'number' ? read + 1 : 1;
    for (const one of computed) {
      const value = computedValue(one, partsIn(entity, one, known));
      // In an item that the caller has read, computed values match the item's own timestamps, not the new ones.
      const was =
        given[one.name] === undefined ? undefined : computedValue(one, partsIn(entity, one, { ...known, ...given }));
      if (given[one.name] !== was)
        throw new ItemError(
          `${entity.name}: ${one.name} is ${shownValue(given[one.name])}, but the computed value is ${shownValue(was)}; omit it`,
        );
      if (value === undefined) delete known[one.name];
      else known[one.name] = value;
    }
    if (spelled === undefined) return { values, item: known, version: read as number | undefined };
    const stamps = names.map((name) => [stampOf(name), known[name]]);
    return { values: { ...values, ...Object.fromEntries(stamps) }, item: own, version: read as number | undefined };
  };
}

/** The source attributes of a computed attribute, in their stored form. */
function partsIn(entity: EntityOutline, { parts }: ComputedAttribute, item: Item): Item {
  const heads = new Set(parts.map(({ path: [head = ''] }) => head));
  return Object.fromEntries(Array.from(heads, (head) => [head, validValue(entity, head, item[head])]));
}

function updateStamp(
  table: TableOutline,
  entity: EntityOutline,
  name: string,
  step: UpdatePattern,
  { computed }: WrittenAttributes,
  timesNow: () => Item,
): Stamp {
  const own = saidIn(step);
  const told = toldFrom(table, entity, own);
  const touched = computed.filter((one) => isStamp(step.set?.[one.name]));
  return (values, item) => {
    const stamps: Item = {};
    const before: Item = {};
    for (const { attribute, value } of told) before[attribute] = value(values);
    for (const one of computed) stamps[formerStampOf(one.name)] = computedValue(one, before);
    const times = timesNow();
    for (const [attribute, time] of Object.entries(times)) stamps[stampOf(attribute)] = time;
    if (touched.length > 0) {
      const set = { ...times, ...setBy(entity, own, values) };
      const known: Item = { ...before, ...set };
      for (const one of touched) {
        const isSet = one.parts.some(({ path: [head = ''] }) => set[head] !== undefined);
        if (!isSet && !step.upsert) continue;
        const lacking = one.parts.filter(({ path }) => (valueAt(known, path) ?? undefined) === undefined);
        if (lacking.length > 0)
          throw new ItemError(
            `${name}: ${one.name} is computed, and needs ${lacking.map((part) => part.name).join(', ')} in 'set' or in a condition`,
          );
        stamps[stampOf(one.name)] = computedValue(one, known);
      }
    }
    return { values: { ...values, ...stamps }, item };
  };
}
