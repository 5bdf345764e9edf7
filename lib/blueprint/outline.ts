import { formats } from '../design/formats';
import type { PatternDesign } from '../design/pattern';
import { type EntityDesign, type IndexDesign, namesInKey, type TableDesign } from '../design/table';
import { KEY_BYTES, type KeyRules, type Template, template, useFormats } from '../design/template';
import { type Access, accessesOf, plainAccesses, readAccesses } from './accesses';
import { kindOf, type Schema, shapeOf } from './attributes/schema';
import { outlined } from './attributes/unions';
import { naming, stored, useStored } from './stored';
import { type Guarded, guardDesigns, guarding } from './unique';
import { completed } from './written';

/**
 * The facts about a table's design that requests need in any cloud. The code that builds outlines is kept small, since
 * every Lambda bundles it. Even an unsound design has an outline, and computing the outline never throws.
 */
export interface TableOutline {
  readonly design: TableDesign;
  readonly name: string;
  readonly separator: string;
  readonly key: KeyBlueprint;
  readonly indexes: readonly IndexBlueprint[];
  /** Every key attribute of the table or of an index, without duplicates, in the order of the design. */
  readonly keyAttributes: readonly KeyAttribute[];
  readonly typeAttribute?: string;
  readonly ttl?: string;
  readonly entities: readonly EntityOutline[];
  readonly patterns: readonly PatternBlueprint[];
}

/** The key of the table or of an index. */
export interface KeyBlueprint {
  /** The attributes of the partition key: a single attribute, or up to four in a global index. */
  readonly partitionBy: readonly [KeyAttribute, ...KeyAttribute[]];
  /** The attributes of the sort key, in order: none, or up to four. */
  readonly sortBy: readonly KeyAttribute[];
}

export interface IndexBlueprint extends KeyBlueprint {
  readonly name: string;
  readonly projection: 'all' | 'keys' | readonly string[];
  /**
   * Whether the index is local. A local index sorts the items in the table's partitions by a different attribute, and
   * must be created with the table.
   */
  readonly local?: boolean;
}

/**
 * A key attribute. A key from a template is always a string, and a natural key has the type that the entity declares.
 */
export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

export type KeyType = 'string' | 'number' | 'binary';

export interface EntityOutline {
  readonly name: string;
  readonly design: EntityDesign;
  readonly schema: Schema;
  /** The value of the type attribute. */
  readonly type: string;
  /** The names of the entity's attributes. */
  readonly attributes: readonly string[];
  /**
   * The source of each key attribute. If a key attribute is missing from this map, the entity's items do not have it.
   */
  readonly keys: ReadonlyMap<string, KeySource>;
  /** The names of the entity's unique values. @default - the entity has no unique values */
  readonly uniques?: readonly string[] | undefined;
  /**
   * What the entity guards, if it is the guard of a unique value. The design itself does not list guards as entities.
   * @default - the entity is not a guard
   */
  readonly guards?: Guarded | undefined;
}

/** Where an entity gets the value of a key attribute. */
export interface KeySource {
  readonly entity: string;
  readonly attribute: string;
  readonly template: Template;
  /** Whether the key attribute is an attribute of the entity, used unchanged. */
  readonly natural: boolean;
  /**
   * The attribute whose value is the natural key: the one named like the key, unless the entity stores a different
   * attribute under that name.
   */
  readonly holds: string;
}

/** One access pattern, and what it does to the table. */
export interface PatternBlueprint {
  readonly name: string;
  readonly design: PatternDesign;
  /** One entry for each item or partition that the pattern touches. */
  readonly accesses: readonly Access[];
}

const made = new WeakMap<TableDesign, TableOutline>();

/** Returns the outline of a design. Each outline is built only once. */
export function outline(design: TableDesign): TableOutline {
  let table = made.get(design);
  if (table === undefined) {
    useFormats(formats);
    useStored(stored, outlined);
    table = makeOutline(design, (own, pattern) => accessesOf(own, completed(own, pattern), guarding), guardDesigns);
    made.set(design, table);
  }
  return table;
}

const plain = new WeakMap<TableDesign, TableOutline>();

/** Like `outline`, but only for a design without unique values, so that the bundle contains no code for guards. */
export function plainOutline(design: TableDesign): TableOutline {
  let table = plain.get(design);
  if (table === undefined) {
    table = makeOutline(design, plainAccesses, () => []);
    plain.set(design, table);
  }
  return table;
}

const written = new WeakMap<TableDesign, TableOutline>();

/** Like `plainOutline`, but for a design with attributes that the library writes. */
export function writtenOutline(design: TableDesign): TableOutline {
  let table = written.get(design);
  if (table === undefined) {
    table = makeOutline(
      design,
      (own, pattern) => plainAccesses(own, completed(own, pattern)),
      () => [],
    );
    written.set(design, table);
  }
  return table;
}

/**
 * Like `plainOutline`, but only for patterns that read. Leaves out the accesses of all other patterns, so that the
 * bundle contains no code for them.
 */
export function outlineOfReads(design: TableDesign): TableOutline {
  return makeOutline(design, readAccesses, () => []);
}

type AccessesOf = (table: TableOutline, pattern: PatternDesign) => readonly Access[];

const named = new WeakMap<object, ReadonlyMap<string, { readonly name: string }>>();

/** Returns the entity with the given name, or undefined. */
export function entityNamed<E extends { readonly name: string }>(
  table: { readonly entities: readonly E[] },
  name: string,
): E | undefined {
  let entities = named.get(table);
  if (entities === undefined) {
    entities = new Map(table.entities.map((entity) => [entity.name, entity]));
    named.set(table, entities);
  }
  return entities.get(name) as E | undefined;
}

/** Returns the entities with the given names, and skips unknown names. */
export function entitiesNamed<E extends EntityOutline>(
  table: { readonly entities: readonly E[] },
  names: readonly string[],
): readonly E[] {
  return names.map((name) => entityNamed(table, name)).filter((entity) => entity !== undefined);
}

/** Returns the attributes of a key, from left to right. */
export function keyOf({ partitionBy, sortBy }: KeyBlueprint): readonly KeyAttribute[] {
  return [...partitionBy, ...sortBy];
}

/** Whether the partition key or the sort key has several attributes. */
export function isMultiAttribute({ partitionBy, sortBy }: KeyBlueprint): boolean {
  return partitionBy.length > 1 || sortBy.length > 1;
}

/**
 * Returns the sources of an entity's keys in the table or an index; undefined if the entity lacks one of the keys and
 * is therefore not in the index.
 */
export function keysIn<S extends KeySource>(
  { keys }: { readonly keys: ReadonlyMap<string, S> },
  key: KeyBlueprint,
): readonly S[] | undefined {
  const sources = keyOf(key).map(({ name }) => keys.get(name));
  return sources.every((source) => source !== undefined) ? sources : undefined;
}

/** Whether an attribute is the sort key of the table or of an index. */
export function isSortKey({ key, indexes }: Pick<TableOutline, 'key' | 'indexes'>, attribute: string): boolean {
  return [key, ...indexes].flatMap(({ sortBy }) => sortBy).some(({ name }) => name === attribute);
}

/** Whether an attribute belongs to the table rather than to an entity: a key attribute or the type attribute. */
export function isOfTable(
  { keyAttributes, typeAttribute }: Pick<TableOutline, 'keyAttributes' | 'typeAttribute'>,
  name: string,
): boolean {
  return name === typeAttribute || keyAttributes.some((key) => key.name === name);
}

/** Returns the rules for a key attribute: the separator, and the maximum size of a value. */
export function rulesOf(table: TableOutline, attribute: string): KeyRules {
  return {
    separator: table.separator,
    maxBytes: isSortKey(table, attribute) ? KEY_BYTES.sort : KEY_BYTES.partition,
  };
}

/**
 * Returns the types that a key attribute has in the given entities. In a sound design, all entities agree on one type.
 */
export function keyTypes(name: string, entities: readonly EntityOutline[]): readonly KeyType[] {
  const types = new Set<KeyType>();
  for (const { keys, schema } of entities) {
    const source = keys.get(name);
    if (source !== undefined) types.add(source.natural ? keyType(shapeOf(schema)[source.holds]) : 'string');
  }
  return [...types];
}

function keyType(schema: Schema | undefined): KeyType {
  const kind = schema && kindOf(schema);
  return kind === 'number' || kind === 'binary' ? kind : 'string';
}

function makeOutline(design: TableDesign, accessesOf: AccessesOf, guardsIn: typeof guardDesigns): TableOutline {
  const names = keyNames(design);
  const entities = Object.entries(design.entities).map(([name, entity]) =>
    entityOutline(name, entity, names, design.typeAttribute),
  );
  if (entities.some(({ uniques }) => uniques !== undefined)) {
    for (const { name, design: guard, guards } of guardsIn(design))
      entities.push({ ...entityOutline(name, guard, names, design.typeAttribute), guards });
  }
  const attributes = new Map(names.map((name) => [name, { name, type: keyTypes(name, entities)[0] ?? 'string' }]));
  const patterns: PatternBlueprint[] = [];
  const table: TableOutline = {
    design,
    name: design.name,
    separator: design.separator ?? '#',
    key: keyBlueprint(design.key, attributes),
    indexes: Object.entries(design.indexes ?? {}).map(([name, index]) => ({
      name,
      projection: index.projection ?? 'all',
      local: index.local,
      ...keyBlueprint(index, attributes),
    })),
    keyAttributes: [...attributes.values()],
    typeAttribute: design.typeAttribute,
    ttl: design.ttl,
    entities,
    patterns,
  };
  for (const [name, pattern] of Object.entries(design.patterns ?? {})) {
    patterns.push(new LazyPattern(name, pattern, () => accessesOf(table, pattern)));
  }
  return table;
}

/**
 * A pattern that computes its accesses on demand, because a Lambda usually sends few of a design's patterns. This is a
 * class, because V8 creates a separate hidden class for each object literal with a getter, which slows down the code
 * that reads the objects.
 */
class LazyPattern implements PatternBlueprint {
  public readonly name: string;
  public readonly design: PatternDesign;
  readonly #work: () => readonly Access[];
  #accesses?: readonly Access[];

  public constructor(name: string, design: PatternDesign, work: () => readonly Access[]) {
    this.name = name;
    this.design = design;
    this.#work = work;
  }

  public get accesses(): readonly Access[] {
    this.#accesses ??= this.#work();
    return this.#accesses;
  }
}

function keyNames({ key, indexes = {} }: TableDesign): readonly string[] {
  return [...new Set([key, ...Object.values(indexes)].flatMap(namesInKey))];
}

function keyBlueprint({ partition, sort = [] }: IndexDesign, known: ReadonlyMap<string, KeyAttribute>): KeyBlueprint {
  const named = (names: string | readonly string[]) => [names].flat().map((name) => known.get(name) as KeyAttribute);
  return { partitionBy: named(partition) as [KeyAttribute], sortBy: named(sort) };
}

function entityOutline(
  name: string,
  given: EntityDesign,
  keyNames: readonly string[],
  typeAttribute: string | undefined,
): EntityOutline {
  const design = naming.entity(name, given);
  const type = design.type ?? name;
  const schema = design.attributes as unknown as Schema;
  const shape = shapeOf(schema);
  const keys = keySources({ ...design, name, type, shape }, keyNames, typeAttribute);
  const uniques = design.unique && Object.keys(design.unique);
  return { name, design, schema, type, attributes: Object.keys(shape), keys, uniques, guards: undefined };
}

/** Returns the sources of an entity's key attributes. Reads only the names of the attributes, not their schemas. */
export function keySources(
  { name, type, shape, keys: templates = {}, stored }: KeyedEntity,
  keyNames: readonly string[],
  typeAttribute: string | undefined,
): ReadonlyMap<string, KeySource> {
  const keys = new Map<string, KeySource>();
  // All items of an entity have the same type, so the type itself replaces `<_type>` in the keys.
  const typed = (text: string) =>
    Object.hasOwn(shape, `${typeAttribute}`) ? text : text.replaceAll(`<${typeAttribute}>`, type);
  for (const attribute of keyNames) {
    const given = ownOf(templates, attribute);
    const holds = naming.attributeOf(stored, attribute);
    const isOwn = Object.hasOwn(shape, holds);
    // The type attribute, which every item has, may also be an index key.
    const text = given ?? (attribute === typeAttribute && !isOwn ? type : undefined);
    const natural = text === undefined;
    if (natural && !isOwn) continue;
    const read = template(typed(text ?? `<${holds}>`));
    keys.set(attribute, {
      entity: name,
      attribute,
      template: read,
      natural,
      holds,
    });
  }
  return keys;
}

interface KeyedEntity {
  readonly name: string;
  readonly type: string;
  readonly shape: object;
  readonly keys?: EntityDesign['keys'];
  readonly stored?: EntityDesign['stored'];
}

/** Reads an own property, because a plain read of a name such as `constructor` would return an inherited property. */
export function ownOf<T>(of: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}
