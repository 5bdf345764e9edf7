import { contentsOf } from '../blueprint/attributes/contents';
import { kindOf, type Schema, schemaAt, shapeOf } from '../blueprint/attributes/schema';
import { twinOf } from '../blueprint/attributes/twins';
import { isMember, lackingIn, type Membership, membershipIn } from '../blueprint/membership';
import {
  type EntityOutline,
  type IndexBlueprint,
  type KeySource,
  keysIn,
  rulesOf,
  type TableOutline,
} from '../blueprint/outline';
import { partsOf } from '../blueprint/template-parts';
import { GUARD_OWNER, type Guarded } from '../blueprint/unique';
import { KeyError, type Part, shownValue, type Template, valueAt } from '../design/template';
import type { Item } from './item';
import { type QuickWriter, quickWriter } from './quick-item';
import { plainRenderer } from './renderer';

/** An entity's functions for building items, prepared once. */
export interface EntityWriter {
  readonly primary: readonly KeyWriter[];
  /** The indexes that items of this entity can be in. */
  readonly indexes: readonly IndexWriter[];
  readonly keyOnly: ReadonlySet<string>;
  /** The attributes that contain maps. Zod silently drops undeclared fields from these maps. */
  readonly maps: readonly string[];
  readonly quick?: QuickWriter;
}

interface IndexWriter {
  readonly keys: readonly KeyWriter[];
  /** Whether an item with the given attributes is in the index. */
  holds(attributes: object): boolean;
}

/** Makes one key attribute of an item. */
export interface KeyWriter {
  readonly name: string;
  /** Renders the key from the attributes. */
  write(attributes: object): unknown;
}

const made = new WeakMap<EntityOutline, EntityWriter>();

export function writerOf(table: TableOutline, entity: EntityOutline): EntityWriter {
  let writer = made.get(entity);
  if (writer === undefined) {
    writer = makeWriter(table, entity);
    made.set(entity, writer);
  }
  return writer;
}

/** Refuses a natural key that is missing or empty. */
export function naturalKey(name: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') {
    throw new KeyError(name, `${name} is ${value === '' ? 'empty' : 'missing'}; give it a value`);
  }
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw new KeyError(name, `${name} has a lone surrogate; give whole characters`);
  }
  return value;
}

/** Returns a function that builds one key attribute of an item from the item's other attributes. */
export function keyWriter(
  table: TableOutline,
  { schema }: EntityOutline,
  { attribute, natural, holds, template }: KeySource,
): (attributes: object) => unknown {
  if (natural) return (attributes) => naturalKey(holds, (attributes as Item)[holds]);
  const render = plainRenderer(template, rulesOf(table, attribute));
  const mixed = partsOf(template)
    .map((part) => ({ part, at: schemaAt(schema, part.path) }))
    .filter(({ at }) => at !== undefined && (at === null || kindOf(at) !== 'string'));
  if (mixed.length === 0) return render;
  return (attributes) => {
    for (const { part, at } of mixed) refuseTwin(template, part, at ?? null, valueAt(attributes, part.path));
    return render(attributes);
  };
}

/**
 * Refuses a number if the schema also accepts a different value that gives the same key, such as '1' for 1. Also
 * refuses -0, which gives the same key as 0.
 */
function refuseTwin({ text }: Template, { name }: Part, schema: Schema | null, value: unknown): void {
  const twin = Object.is(value, -0) ? 0 : twinOf(schema, value);
  if (twin === undefined) return;
  throw new KeyError(
    name,
    `${text}: <${name}> is ${shownValue(value)}; ${shownValue(twin)} gives the same key, so use that`,
  );
}

function makeWriter(table: TableOutline, entity: EntityOutline): EntityWriter {
  const { schema, design } = entity;
  const writers = (sources: readonly KeySource[]) =>
    sources.map((source): KeyWriter => ({ name: source.attribute, write: keyWriter(table, entity, source) }));
  const primary = keysIn(entity, table.key) ?? [];
  const indexes = Array.from(indexesByTest(table, entity).values(), (indexes) => ({
    sources: indexes.flatMap((index) => keysIn(entity, index) ?? []),
    membership: membershipIn(entity, indexes[0]),
  }));
  const quick = quickWriter(
    table,
    entity,
    [...primary, ...indexes.flatMap(({ sources }) => sources)],
    indexes.flatMap(({ membership }) => membership),
  );
  return {
    primary: writers(primary),
    indexes: indexes.map(({ sources, membership }) => ({
      keys: writers(sources),
      holds: holder(entity, sources, membership),
    })),
    keyOnly: new Set(design.keyOnly),
    maps: Object.entries(shapeOf(schema)).flatMap(([name, part]) => (holdsMaps(part) ? [name] : [])),
    ...(quick && { quick }),
  };
}

/** The indexes that an entity can be in, grouped by membership test, so that each test runs once. */
function indexesByTest({ indexes }: TableOutline, entity: EntityOutline): ReadonlyMap<string, Indexes> {
  const byTest = new Map<string, Indexes>();
  for (const index of indexes) {
    const sources = keysIn(entity, index);
    if (sources === undefined) continue;
    const lacking = sources.flatMap((source) => lackingIn(entity, source));
    const test = JSON.stringify([lacking, membershipIn(entity, index)]);
    byTest.set(test, [...(byTest.get(test) ?? []), index] as unknown as Indexes);
  }
  return byTest;
}

type Indexes = readonly [IndexBlueprint, ...IndexBlueprint[]];

function holdsMaps(schema: Schema): boolean {
  for (const { type } of contentsOf(schema)) if (type === 'object' || type === 'record') return true;
  return false;
}

/**
 * A function that decides whether an item is in an index. Most keys consist of attributes that every item has, so the
 * function tests only the optional attributes.
 */
function holder(
  entity: EntityOutline,
  sources: readonly KeySource[],
  membership: Membership,
): (attributes: object) => boolean {
  const lacking = sources.flatMap((source) => lackingIn(entity, source));
  return (attributes) => {
    for (let i = 0; i < lacking.length; i++) {
      if ((valueAt(attributes, lacking[i] as readonly string[]) ?? undefined) === undefined) return false;
    }
    return membership.length === 0 || isMember(membership, attributes);
  };
}

/** The guard for an item with the given attributes. */
export function guardItem(
  table: TableOutline,
  guard: EntityOutline & { readonly guards: Guarded },
  attributes: Item,
): Item {
  const { values } = guard.guards;
  return {
    ...Object.fromEntries(values.map((value) => [value, attributes[value]])),
    [GUARD_OWNER]: ownerIn(guard.guards, attributes),
    ...(table.typeAttribute === undefined ? {} : { [table.typeAttribute]: guard.type }),
    ...guardKey(table, guard)(attributes),
  };
}

/** Makes the key of a guard from the attributes of an item. */
export function guardKey(table: TableOutline, guard: EntityOutline): (attributes: Item) => Item {
  const writers = (keysIn(guard, table.key) ?? []).map(
    (source) => [source.attribute, keyWriter(table, guard, source)] as const,
  );
  return (attributes) => Object.fromEntries(writers.map(([name, write]) => [name, write(attributes)]));
}

/** The attributes that identify the owner of a unique value, by path. */
export function ownerIn({ owners }: Pick<Guarded, 'owners'>, attributes: Item): Item {
  return Object.fromEntries(owners.map((name) => [name, attributes[name] ?? valueAt(attributes, name.split('.'))]));
}
