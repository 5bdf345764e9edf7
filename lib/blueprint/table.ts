import type { TableDesign } from '../design/table';
import type { Part } from '../design/template';
import { type AttributeFacts, attributeAt } from './attributes/facts';
import { lackingIn, type Membership, membershipIn } from './membership';
import {
  type EntityOutline,
  type KeyAttribute,
  type KeyBlueprint,
  keyOf,
  keysIn,
  type KeySource as OutlinedKey,
  outline,
  type TableOutline,
} from './outline';

export type { Membership } from './membership';
export { membershipIn } from './membership';
export type {
  IndexBlueprint,
  KeyAttribute,
  KeyBlueprint,
  KeyType,
  PatternBlueprint,
} from './outline';
export { entitiesNamed, entityNamed, isMultiAttribute, isSortKey, keyOf, keysIn, keyTypes } from './outline';

/** Everything that follows from a table design: the outline, and what the schemas reveal about the values in keys. */
export interface TableBlueprint extends TableOutline {
  readonly key: PrimaryKey;
  readonly entities: readonly EntityBlueprint[];
  /** The key sources of all entities, in one list. */
  readonly sources: readonly KeySource[];
}

/** A table's key: its partition key and its sort key have one attribute each. */
export interface PrimaryKey extends KeyBlueprint {
  readonly partition: KeyAttribute;
  readonly sort: KeyAttribute | undefined;
}

export interface EntityBlueprint extends EntityOutline {
  readonly keys: ReadonlyMap<string, KeySource>;
  /** The tests that an item must pass to be in an index, keyed by the name of the index. */
  readonly membership: ReadonlyMap<string, Membership>;
}

export interface KeySource extends OutlinedKey {
  /** Whether items may lack the key, because one of its attributes is optional. */
  readonly optional: boolean;
  /**
   * The facts about each part, in the order of the template's parts. These facts come from the schema, and from the
   * tests that an item must pass to have the key.
   */
  readonly facts: readonly (AttributeFacts | undefined)[];
}

const made = new WeakMap<TableDesign, TableBlueprint>();

/** Returns the blueprint of a design. Each blueprint is built only once. */
export function blueprint(design: TableDesign): TableBlueprint {
  let known = made.get(design);
  if (known === undefined) {
    const table = outline(design);
    const entities: EntityBlueprint[] = [];
    const sources: KeySource[] = [];
    for (const outlined of table.entities) {
      const entity = withFacts(table, outlined);
      entities.push(entity);
      sources.push(...entity.keys.values());
    }
    const { name, separator, indexes, keyAttributes, typeAttribute, ttl, patterns } = table;
    const { partitionBy, sortBy } = table.key;
    // Lists each field instead of spreading the outline. An object literal that overrides a spread field would get its
    // own hidden class in V8, so the code that reads the objects would be recompiled again and again.
    known = {
      design,
      name,
      separator,
      key: { partitionBy, sortBy, partition: partitionBy[0], sort: sortBy[0] },
      indexes,
      keyAttributes,
      typeAttribute,
      ttl,
      entities,
      patterns,
      sources,
    };
    made.set(design, known);
  }
  return known;
}

function withFacts(table: TableOutline, entity: EntityOutline): EntityBlueprint {
  const keys = new Map<string, KeySource>();
  for (const [attribute, source] of entity.keys) {
    const memberships = membershipsOf(table, entity, attribute);
    const facts: (AttributeFacts | undefined)[] = [];
    for (const part of source.template.parts) {
      facts.push(narrowed(attributeAt(entity.schema, part.path), part, memberships));
    }
    const { template, natural, holds } = source;
    const optional = lackingIn(entity, source).length > 0;
    keys.set(attribute, { entity: source.entity, attribute, template, natural, holds, optional, facts });
  }
  const { name, design, schema, type, attributes, uniques, guards } = entity;
  const indexes = Object.keys(design.indexes ?? {});
  const membership = new Map(indexes.map((index) => [index, membershipIn(entity, { name: index })]));
  return { name, design, schema, type, attributes, keys, uniques, guards, membership };
}

/**
 * Returns the membership tests of each index that a key belongs to; empty for a key of the table, since every item has
 * this key.
 */
function membershipsOf(table: TableOutline, entity: EntityOutline, attribute: string): readonly Membership[] {
  if (entity.design.indexes === undefined || keyOf(table.key).some(({ name }) => name === attribute)) return [];
  return table.indexes
    .filter((index) => keyOf(index).some(({ name }) => name === attribute) && keysIn(entity, index) !== undefined)
    .map((index) => membershipIn(entity, index));
}

/**
 * Narrows the facts about an attribute that decides whether an item has the key. In the key, this attribute has only
 * the values that put an item in the index.
 */
function narrowed(
  facts: AttributeFacts | undefined,
  { name, format }: Part,
  memberships: readonly Membership[],
): AttributeFacts | undefined {
  const tests = memberships.map((membership) => membership.find((test) => test.name === name));
  if (facts === undefined || format !== undefined || tests.length === 0 || tests.includes(undefined)) return facts;
  const values = [...new Set(tests.flatMap((test) => test?.values ?? []))];
  const possible = values.filter((value) => facts.values?.includes(value as string) !== false);
  const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  return possible.every(isText)
    ? { ...facts, optional: false, values: possible as readonly (string | number)[] }
    : facts;
}

/** A part of a key, and the facts about its values. */
export interface KnownPart {
  readonly part: Part;
  readonly facts: AttributeFacts | undefined;
}

/** Returns the parts of a key, in order. */
export function knownParts({ template, facts }: KeySource): readonly KnownPart[] {
  return template.parts.map((part, i) => ({ part, facts: facts[i] }));
}

/** Returns the facts about a part of a key. */
export function factsIn({ template, facts }: KeySource, part: Part): AttributeFacts | undefined {
  return facts[template.parts.findIndex(({ name }) => name === part.name)];
}
