import { isDeepStrictEqual } from 'node:util';
import { isOpen, schemaAt } from '../../blueprint/attributes/schema';
import { type EntityOutline, keyOf, type TableOutline } from '../../blueprint/outline';
import { naming, storedName } from '../../blueprint/stored';
import { partsOf } from '../../blueprint/template-parts';
import { GUARD_OWNER, guardsOf } from '../../blueprint/unique';
import { writtenBy } from '../../blueprint/written';
import { isObject, show } from '../../design/show';
import { KeyError, valueAt } from '../../design/template';
import { computedValue } from '../../items/computed';
import { type Item, ItemError, makeItem, readItem, valuesOf } from '../../items/item';
import { guardItem } from '../../items/writers';
import { storedRenames } from '../diff/pairs';
import type { EntityName, ItemChange } from '../plan/plan';
import type { Outcome, Update } from './outcome';
import type { Split } from './split';

/** A deployed entity, and the entity that its items become. */
export interface Form {
  readonly from: EntityName;
  readonly before: TableOutline;
  readonly was: EntityOutline;
  /** @default - the entity's items are deleted */
  readonly to?: { readonly table: TableOutline; readonly entity: EntityOutline };
  /** What the plan does to the entity's items. @default - the items stay unchanged */
  readonly change?: ItemChange;
  /** The user's function that supplies the values that cannot be derived. */
  readonly up?: (item: Item) => unknown;
  /**
   * Functions that convert new values back to old values, keyed by attribute; only for values that the running release
   * would reject.
   * @default - the running release accepts all new values
   */
  readonly downs?: Downs;
  /** The entities that the deployed entity is split into. @default - the entity is not split */
  readonly splits?: readonly Split[];
  readonly read?: typeof readItem;
  /** Whether the cloud stores null; if not, null attributes are left out. */
  readonly storesNull: boolean;
}

export type Downs = ReadonlyMap<string, (value: unknown) => unknown>;

/** Returns the attributes of the old form and of the new form: keys, the type, and the entity's own attributes. */
export function namesIn({ before, was, to }: Form): readonly string[] {
  const sides = to === undefined ? [{ table: before, entity: was }] : [{ table: before, entity: was }, to];
  return sides.flatMap(({ table, entity }) => [
    ...entity.keys.keys(),
    ...(table.typeAttribute === undefined ? [] : [table.typeAttribute]),
    ...storedNames(entity),
  ]);
}

/** The names under which the table stores an entity's attributes. */
function storedNames({ attributes, design }: EntityOutline): readonly string[] {
  return design.stored === undefined ? attributes : attributes.map((name) => storedName(design, name));
}

/**
 * For each attribute that moves into a map: the attribute's old stored name, the stored name of the map, and the field
 * in the map.
 */
function nestedNames({ was, to, change }: Form): readonly (readonly [old: string, map: string, field: string])[] {
  return Object.entries(change?.nested ?? {}).map(([old, [map, field]]) => [
    storedName(was.design, old),
    storedName(to?.entity.design ?? {}, map),
    field,
  ]);
}

/**
 * Returns the item if it has the new form. If not, returns what is wrong with it: its type, an attribute or its primary
 * key.
 */
function newForm(form: Form | undefined, table: TableOutline, entity: EntityOutline, item: Item): Item | string {
  const { typeAttribute } = table;
  if (typeAttribute !== undefined && item[typeAttribute] !== entity.type)
    return `${typeAttribute} is not '${entity.type}'`;
  for (const [old, now] of Object.entries(storedRenames(form?.change))) {
    if (Object.hasOwn(item, old) && !Object.hasOwn(item, now)) return `it has '${old}' instead of '${now}'`;
  }
  for (const [old, ...path] of form === undefined ? [] : nestedNames(form)) {
    if (Object.hasOwn(item, old) && valueAt(item, path) === undefined)
      return `it has '${old}' instead of '${path.join('.')}'`;
  }
  const made = attempt(() => makeItem(table, entity, valuesOf(table, entity, item, form?.read)));
  if (typeof made === 'string') return made;
  const values = naming.read(entity, made);
  const wrong = Object.entries(computedOf(table, entity, values)).find(
    ([name, value]) => !isDeepStrictEqual(values[name], value),
  );
  if (wrong !== undefined) return `its ${wrong[0]} should be ${JSON.stringify(wrong[1])}`;
  // The values alone may fit both forms (1767225600 may be seconds or milliseconds). A changed index key decides.
  const told = form === undefined ? [] : keysTelling(form, entity);
  const other = [...keyOf(table.key).map(({ name }) => name), ...told].find(
    (name) => !isDeepStrictEqual(made[name], item[name]),
  );
  return other === undefined ? made : `its ${other} should be ${JSON.stringify(made[other])}`;
}

/** Returns the keys that exist only in the new form and contain an attribute that is now rendered differently. */
function keysTelling({ was, downs }: Form, { keys }: EntityOutline): readonly string[] {
  if (downs === undefined) return [];
  return [...keys.values()].flatMap(({ attribute, template }) =>
    !was.keys.has(attribute) && partsOf(template).some(({ path: [name = ''] }) => downs.has(name)) ? [attribute] : [],
  );
}

export function isNew(form: Form | undefined, table: TableOutline, entity: EntityOutline, item: Item): boolean {
  return typeof newForm(form, table, entity, item) !== 'string';
}

/** Returns the outcome that gives an item the new form. */
export function fillOf(form: Form, table: string, item: Item, phase: 'fill' | 'clean'): Outcome {
  const { to, change, was, before } = form;
  const entity = to?.entity.name ?? was.name;
  if (to === undefined) return { kind: 'unchanged', entity };
  const isThere = to.table.name === table;
  const made = isThere ? newForm(form, to.table, to.entity, item) : `it should be in ${to.table.name}`;
  if (typeof made !== 'string') {
    // Until the contract step, every release writes the attribute under its old name. If the value under the new name
    // differs, the value under the old name is newer.
    const latest = phase === 'fill' ? latestIn(form, item) : {};
    const isLatest = Object.keys(latest).length === 0;
    const agreed = isLatest ? made : newForm(form, to.table, to.entity, { ...item, ...latest });
    if (typeof agreed === 'string') return { kind: 'failed', entity, why: agreed };
    return updated(form, item, agreed, fillable(form));
  }
  // The plan does not change this item, so any fault in it predates the plan.
  if (change === undefined) return { kind: 'unknown', why: `${entity}: ${made}` };
  const values = attempt(() => oldValues(form, item));
  if (typeof values === 'string')
    return { kind: 'failed', entity, why: `it fits neither the new form (${made}) nor the old one (${values})` };
  const kept = keptIn(form, item);
  const next = attempt(() => makeItem(to.table, to.entity, { ...newValues(form, values), ...kept }));
  if (typeof next === 'string') return { kind: 'failed', entity, why: `${next}${adviceFor(form.up, change.needsUp)}` };
  const misguarded = misguardedIn(form, values, naming.read(to.entity, next));
  if (misguarded !== undefined)
    return {
      kind: 'failed',
      entity,
      why: `${form.up === undefined ? 'its new form' : `'up' of ${entity}`} changes ${misguarded} or the key, but the guard would keep the old value; return these values unchanged, and change them with the application`,
    };
  const primary = keyOf(to.table.key).map(({ name }) => name);
  const other = primary.find((name) => !isDeepStrictEqual(next[name], item[name]));
  if (isThere && other === undefined)
    return updated(form, item, next, form.up === undefined ? fillable(form) : undefined);
  if (isThere && !change.moves)
    return {
      kind: 'failed',
      entity,
      why: `${form.up === undefined ? 'its new form' : `'up' of ${entity}`} changes ${other} from ${show(item[other as string])} to ${show(next[other as string])}, but the plan moves no item of ${entity}; return the values in its key unchanged`,
    };
  const isDropped = (name: string) =>
    lacks(form, next, name) ||
    keyOf(before.key).some((key) => key.name === name) ||
    (!isThere && (before.keyAttributes.some((key) => key.name === name) || change.removed.includes(name)));
  const carried = Object.entries(item).filter(([name]) => !isDropped(name));
  return { kind: 'move', entity, table: to.table.name, item: { ...Object.fromEntries(carried), ...next } };
}

/**
 * Returns the item's values for attributes that only the new design has. A release of the new design added these values
 * to an item that otherwise has the old form, so neither the old values nor `up` can supply them.
 */
function keptIn({ to, was, change, read = readItem }: Form, item: Item): Item {
  if (to === undefined || change?.merged) return {};
  const { table, entity } = to;
  const { renamed = {}, nested = {} } = change ?? {};
  const derived = [
    ...was.attributes,
    ...Object.values(renamed),
    ...Object.values(nested).map(([map]) => map),
    ...Object.keys(entity.design.computed ?? {}),
  ];
  const own = entity.attributes.filter(
    (name) => Object.hasOwn(item, storedName(entity.design, name)) && !derived.includes(name),
  );
  const values = own.flatMap((name) => {
    const found = attempt(() => read(table, entity, item, [name]));
    return typeof found === 'string' ? [] : [[name, found[name]] as const];
  });
  return Object.fromEntries(values);
}

/**
 * Returns the unique attributes whose value changes although the stored guard keeps the old value: another item could
 * take the new value, and the old value would stay reserved. A plan creates guards only for values that become unique.
 */
function misguardedIn({ before, was, to, change }: Form, old: Item, now: Item): string | undefined {
  if (to === undefined || was.uniques === undefined) return undefined;
  const former = new Map(guardsOf(before, was).map((guard) => [guard.guards.unique, guard]));
  const other = guardsOf(to.table, to.entity).find((guard) => {
    const { unique } = guard.guards;
    const stored = change?.guards?.includes(unique) ? undefined : former.get(unique);
    return stored !== undefined && !isDeepStrictEqual(claimOf(before, stored, old), claimOf(to.table, guard, now));
  });
  return other?.guards.values.join(', ');
}

/** Returns a guard's owner and key; undefined if the item has no value for the guard. */
function claimOf(
  table: TableOutline,
  guard: Parameters<typeof guardItem>[1],
  values: Item,
): readonly unknown[] | undefined {
  try {
    const item = guardItem(table, guard, values);
    return [GUARD_OWNER, ...keyOf(table.key).map(({ name }) => name)].map((name) => item[name]);
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}

/**
 * Returns the outcome for the contract step, which also removes the items and attributes that only the old form has.
 */
export function withoutOld(form: Form, table: string, item: Item, filled: Outcome): Outcome {
  const { change, to, was, before } = form;
  if (to === undefined)
    return before.name === table && change !== undefined ? { kind: 'delete', entity: was.name } : filled;
  if (filled.kind !== 'unchanged' && filled.kind !== 'update' && filled.kind !== 'move') return filled;
  const gone = goneIn(form);
  if (filled.kind === 'move') {
    return { ...filled, item: Object.fromEntries(Object.entries(filled.item).filter(([name]) => !gone.has(name))) };
  }
  const update: Update =
    filled.kind === 'update' ? filled : { kind: 'update', entity: filled.entity, set: {}, removed: [] };
  const removed = [...new Set([...update.removed, ...[...gone].filter((name) => Object.hasOwn(item, name))])];
  return removed.length === 0 ? filled : { ...update, removed };
}

/** The attributes that the contract step removes from items. */
function goneIn({ change, to, before }: Form): ReadonlySet<string> {
  const keys = Object.entries(change?.keys ?? {}).flatMap(([name, { after }]) => (after === undefined ? [name] : []));
  const mark =
    change?.type !== undefined && before.typeAttribute !== to?.table.typeAttribute ? before.typeAttribute : undefined;
  const stays = (name: string) =>
    to === undefined ||
    storedNames(to.entity).includes(name) ||
    to.entity.keys.has(name) ||
    to.table.typeAttribute === name;
  return new Set(
    [...(change?.removed ?? []), ...keys, ...(mark === undefined ? [] : [mark])].filter((name) => !stays(name)),
  );
}

const fillables = new WeakMap<Form, ReadonlySet<string>>();

/** Returns the attributes that are filled without `up`: keys, the type, and the attributes that the plan lists. */
function fillable(form: Form): ReadonlySet<string> {
  const known = fillables.get(form) ?? findFillable(form);
  fillables.set(form, known);
  return known;
}

function findFillable(form: Form): ReadonlySet<string> {
  const { was, change } = form;
  const { table, entity } = form.to as NonNullable<Form['to']>;
  const { defaults = [] } = change ?? {};
  const unlocked = (was.design.keyOnly ?? []).filter((name) => !entity.design.keyOnly?.includes(name));
  const mark = table.typeAttribute === undefined ? [] : [table.typeAttribute];
  return new Set([
    ...table.keyAttributes.map(({ name }) => name),
    ...mark,
    ...Object.values(storedRenames(change)),
    ...nestedNames(form).map(([, map]) => map),
    ...[...defaults, ...unlocked].map((name) => storedName(entity.design, name)),
  ]);
}

/**
 * Returns the update that turns an item into `next`. The update changes only the `listed` attributes; without a list,
 * it can change every attribute.
 */
function updated(form: Form, item: Item, next: Item, listed: ReadonlySet<string> | undefined): Outcome {
  const entity = form.to?.entity.name as string;
  const isThere = (value: unknown) => value !== undefined && (form.storesNull || value !== null);
  const set = Object.entries(next).filter(
    ([name, value]) =>
      listed?.has(name) !== false &&
      !isDeepStrictEqual(value, item[name]) &&
      (isThere(value) || (value === null && Object.hasOwn(item, name))),
  );
  const removed = Object.keys(item).filter((name) => listed?.has(name) !== false && lacks(form, next, name));
  if (set.length === 0 && removed.length === 0) return { kind: 'unchanged', entity };
  return { kind: 'update', entity, set: Object.fromEntries(set), removed };
}

/** Whether the new form of an item lacks an attribute that the item's entity can have. */
function lacks({ to }: Form, next: Item, name: string): boolean {
  const entity = to?.entity as EntityOutline;
  if (Object.hasOwn(next, name) || entity.design.keyOnly?.includes(name)) return false;
  return entity.keys.has(name) || storedNames(entity).includes(name);
}

export function oldValues({ before, was, to, downs, read = readItem }: Form, item: Item): Item {
  const old: Item = { ...item };
  for (const [name, down] of downs ?? []) {
    const at = storedName(was.design, name);
    const [stored, accepts] = [item[at], (entity?: EntityOutline) => entity && acceptsIn(entity, name, item[at])];
    // An item that releases of two steps have written may contain both old and new values.
    if (stored !== undefined && !accepts(was) && accepts(to?.entity)) old[at] = down(stored);
  }
  return read(before, was, old);
}

function acceptsIn({ schema }: EntityOutline, attribute: string, value: unknown): boolean {
  return schemaAt(schema, [attribute])?.safeParse(value).success === true;
}

/** Returns the new values of an item: the result of `up`, or the old values under their new names. */
function newValues(form: Form, old: Item): Item {
  const { up, change, before, was } = form;
  const { table, entity } = form.to as NonNullable<Form['to']>;
  const renamed = change?.renamed ?? {};
  const given = up === undefined ? intoMaps(old, change?.nested ?? {}) : valuesFrom(up, entity.name, old);
  const isOld = (name: string) =>
    (was.attributes.includes(name) && !isOpen(entity.schema)) ||
    name === before.typeAttribute ||
    name === table.typeAttribute;
  const values: Item = {};
  for (const [name, value] of Object.entries(given)) {
    const now = up === undefined && Object.hasOwn(renamed, name) ? (renamed[name] as string) : name;
    if (value !== undefined && (entity.attributes.includes(now) || !isOld(name))) values[now] = value;
  }
  return { ...values, ...computedOf(table, entity, values) };
}

/** Returns the computed attributes of an item that has these values. */
function computedOf(table: TableOutline, entity: EntityOutline, values: Item): Item {
  const computed = writtenBy(entity.design, table.separator)?.computed ?? [];
  return Object.fromEntries(computed.map((one) => [one.name, computedValue(one, values)]));
}

/** Moves the values of nested attributes into their maps. */
function intoMaps(old: Item, nested: NonNullable<ItemChange['nested']>): Item {
  const values: Item = { ...old };
  for (const [name, [map, field]] of Object.entries(nested)) {
    if (!Object.hasOwn(old, name)) continue;
    const held = isObject(values[map]) ? values[map] : {};
    values[map] = { [field]: old[name], ...held };
    delete values[name];
  }
  return values;
}

function valuesFrom(up: NonNullable<Form['up']>, entity: string, item: Item): Item {
  const values = upped(up, entity, item);
  if (!isObject(values)) throw new ItemError(`'up' of ${entity} must return the new values, got: ${show(values)}`);
  return values;
}

/** Calls `up` with a copy of the item, and returns the result. */
export function upped(up: NonNullable<Form['up']>, entity: string, item: Item): unknown {
  const place = `'up' of ${entity}`;
  let values: unknown;
  try {
    values = up(structuredClone(item));
  } catch (error) {
    throw new ItemError(`${place} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (values instanceof Promise) {
    values.catch(() => undefined);
    throw new ItemError(`${place} must be pure, but returned a promise; return the values themselves`);
  }
  return values;
}

/**
 * Finds the attributes that an item has both under an old name and under a new name or in a map. Returns them in the
 * new place, with the values stored under the old names.
 */
function latestIn(form: Form, item: Item): Item {
  const latest: Item = {};
  for (const [old, now] of Object.entries(storedRenames(form.change)))
    if (Object.hasOwn(item, old)) latest[now] = item[old];
  for (const [old, map, field] of nestedNames(form)) {
    const held = latest[map] ?? item[map];
    if (Object.hasOwn(item, old) && isObject(held)) latest[map] = { ...held, [field]: item[old] };
  }
  return latest;
}

/** Returns advice if an item cannot be converted for lack of an `up`; otherwise, returns an empty string. */
export function adviceFor(up: Form['up'], needsUp: readonly string[] = []): string {
  if (up !== undefined || needsUp.length === 0) return '';
  return `; only you know the values of ${needsUp.join(', ')}: give the entity an 'up' (--migration file)`;
}

/** The result of `make` or, if it fails, the error message. */
export function attempt<T extends object>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    if (error instanceof ItemError || error instanceof KeyError) return error.message;
    throw error;
  }
}
