import { accepts, listedIn, memberOf, type Relation, readableValue } from '../blueprint/attributes/readable';
import { samplesOf as samplesOfSchema } from '../blueprint/attributes/samples';
import type { Schema } from '../blueprint/attributes/schema';
import { membersOf } from '../blueprint/attributes/unions';
import { type EntityOutline, type KeyBlueprint, keyOf, type TableOutline } from '../blueprint/outline';
import { naming } from '../blueprint/stored';
import { partsOf } from '../blueprint/template-parts';
import { guardsOf } from '../blueprint/unique';
import { writtenBy } from '../blueprint/written';
import { computedValue } from '../items/computed';
import { keyText } from '../items/cursor';
import { makeItem } from '../items/item';

/**
 * Generates the values of an item: the first candidate that fits the schema and can be stored. Returns undefined if
 * there is none.
 *
 * @param beside an index in which the item shares a partition with the first item; they share nothing else
 */
export function drawnItem(
  table: TableOutline,
  entity: EntityOutline,
  number: number,
  relation: Relation,
  beside?: KeyBlueprint,
): Readonly<Record<string, unknown>> | undefined {
  const members = membersOf(entity.schema);
  const turn = (number - 1) % members.length;
  // Successive items use different members of a union; a member is skipped if no valid item can be generated for it.
  const tries = [...members.slice(turn), ...members.slice(0, turn)].flatMap((member) =>
    drawnFrom(member, table, entity, number, relation, beside),
  );
  const found = [...tries, ...samplesOfSchema(entity.schema).map(({ given }) => given as object)]
    .map((values) => withComputed(table, entity, values))
    .find((values) => isStorable(table, entity, values));
  return found as Readonly<Record<string, unknown>> | undefined;
}

/** Two candidates for an item: one with all attributes of this schema, and one with only the required attributes. */
function drawnFrom(
  schema: Schema,
  table: TableOutline,
  entity: EntityOutline,
  number: number,
  relation: Relation,
  beside: KeyBlueprint | undefined,
): readonly object[] {
  const numberOf = numbersFor(table, entity, number, relation, beside);
  const drawn = entity.attributes.map((name) => {
    const member = memberOf(schema, name);
    const value =
      member &&
      readableValue(member.schema, name, numberOf(name), relation, [
        ...(naming.path([entity], name) === table.ttl ? [FUTURE + number] : []),
        ...preferredIn(entity, name, number, relation),
      ]);
    return { name, value, optional: member?.optional === true };
  });
  const known = drawn.filter(({ value }) => value !== undefined);
  const whole = known.map(({ name, value }) => [name, value] as const);
  const needed = known.filter(({ optional }) => !optional).map(({ name, value }) => [name, value] as const);
  const tries = [Object.fromEntries(whole), Object.fromEntries(needed)];
  // A stranger omits the optional attributes if possible, so that they are missing from at least one item.
  return relation === 'stranger' ? tries.reverse() : tries;
}

/** Adds the entity's computed attributes to `values`. */
function withComputed({ separator }: TableOutline, { design, schema }: EntityOutline, values: object): object {
  const all: Record<string, unknown> = { ...values };
  for (const one of writtenBy(design, separator)?.computed ?? []) {
    delete all[one.name];
    const value = attempt(() => computedValue(one, all));
    if (value !== undefined && memberOf(schema, one.name) !== undefined) all[one.name] = value;
  }
  return all;
}

/** Returns the computed value, or undefined if the attribute cannot be computed from these values. */
function attempt(make: () => unknown): unknown {
  try {
    return make();
  } catch {
    return undefined;
  }
}

/**
 * Returns the indexes in which the first of these items is alone in its partition, although another item could share
 * the partition.
 */
export function lonelyIn(
  table: TableOutline,
  entity: EntityOutline,
  samples: readonly Readonly<Record<string, unknown>>[],
): readonly KeyBlueprint[] {
  const [first, ...others] = samples.map((values) => makeItem(table, entity, values));
  return table.indexes.filter(({ partitionBy, sortBy }) => {
    const isThere = partitionBy.every(({ name }) => first?.[name] !== undefined);
    const held = new Set(partsIn(entity, partitionBy));
    // If the partition key contains the id, every partition has exactly one item.
    if (partsIn(entity, sortBy).every((name) => held.has(name))) return false;
    // Another item in the partition would need the same unique value.
    if (guardsOf(table, entity).some(({ guards }) => guards.values.every((value) => held.has(value)))) return false;
    return isThere && !others.some((other) => partitionBy.every(({ name }) => other[name] === first?.[name]));
  });
}

/** An item's primary key as a string. */
export function keyTextOf(table: TableOutline, entity: EntityOutline, values: object): string {
  const item = makeItem(table, entity, values);
  return keyText(Object.fromEntries(keyOf(table.key).map(({ name }) => [name, item[name]])));
}

function isStorable(table: TableOutline, entity: EntityOutline, values: object): boolean {
  if (!accepts(entity.schema, values)) return false;
  try {
    makeItem(table, entity, values);
    return true;
  } catch {
    return false;
  }
}

/**
 * Chooses the number that each attribute's value contains. Neighbors share the values in their partition keys, but
 * never values that distinguish items or must be unique.
 */
function numbersFor(
  table: TableOutline,
  entity: EntityOutline,
  number: number,
  relation: Relation,
  beside: KeyBlueprint | undefined,
) {
  if (relation === 'stranger') return () => number;
  const namesIn = (key: KeyBlueprint['sortBy']) => partsIn(entity, key);
  const kept = beside && new Set(namesIn(beside.partitionBy));
  if (kept !== undefined) return (name: string) => (kept.has(name) ? 1 : number);
  const sorting = namesIn(table.key.sortBy);
  // Items in separate partitions differ in the last part of the key, and share the earlier parts, such as the tenant.
  const own = sorting.length > 0 ? sorting : namesIn(table.key.partitionBy).slice(-1);
  const unique = guardsOf(table, entity).flatMap(({ guards }) => guards.values);
  const varied = new Set([...own, ...unique]);
  const shared = new Set(
    [table.key, ...table.indexes]
      .flatMap(({ partitionBy }) => namesIn(partitionBy))
      .filter((name) => !varied.has(name)),
  );
  return (name: string) => (shared.has(name) ? 1 : number);
}

/** The attributes in a partition or sort key, and the attributes from which its computed attributes are derived. */
function partsIn({ keys, design }: EntityOutline, key: readonly { readonly name: string }[]): readonly string[] {
  const computed = writtenBy(design, '')?.computed ?? [];
  return key.flatMap(({ name }) => {
    const source = keys.get(name);
    const names = source === undefined ? [] : partsOf(source.template).map(({ path }) => path[0] as string);
    const from = computed.filter((one) => names.includes(one.name)).flatMap(({ parts }) => parts);
    return [...names, ...from.map(({ path }) => path[0] as string)];
  });
}

/** A time far in the future, in epoch seconds, because reads might leave out expired items. */
const FUTURE = 4_102_444_800;

/** The number of an item that shares only an index partition with the first item. */
export const BESIDE = 7;

/** The number of the first stranger. */
export const STRANGER = 3;

/**
 * Returns the preferred value of an attribute. A neighbor gets the value that puts it into its index; strangers cycle
 * through the other values.
 */
function preferredIn(
  { design, schema }: EntityOutline,
  name: string,
  number: number,
  relation: Relation,
): readonly unknown[] {
  const tests = Object.values(design.indexes ?? {}).flatMap((index) => Object.entries(index.while));
  const [first] = tests.flatMap(([path, values]) => (path === name ? values : []));
  if (relation === 'neighbor' || first === undefined) return first === undefined ? [] : [first];
  const others = listedIn(schema, name).filter((value) => value !== first);
  return others.length === 0 ? [] : [others[(number - STRANGER) % others.length]];
}
