import type { EntityDesign, KeyDesign, TableDesign } from '../design/table';
import type { Hole } from '../design/template';
import { type AttributeFacts, attributeAt } from './attributes/facts';
import * as keys from './keys';

/** What a table comes to, in no cloud's words. It is made of any design, sound or not, and never throws. */
export interface TableBlueprint {
  readonly name: string;
  readonly separator: string;
  readonly key: KeyBlueprint;
  readonly indexes: readonly IndexBlueprint[];
  /** Every attribute that is a key of the table or of an index, once each, in the order of the design. */
  readonly keyAttributes: readonly KeyAttribute[];
  readonly ttl?: string;
  readonly entities: readonly EntityBlueprint[];
  /** The keys of all entities, one after the other. */
  readonly sources: readonly KeySource[];
}

export interface KeyBlueprint {
  readonly partition: KeyAttribute;
  readonly sort?: KeyAttribute;
}

export interface IndexBlueprint extends KeyBlueprint {
  readonly name: string;
  readonly purpose?: string;
  readonly projection: 'all' | 'keys' | readonly string[];
}

/** An attribute that is a key; a template always makes a string, a natural key is what the entity says. */
export interface KeyAttribute {
  readonly name: string;
  readonly type: KeyType;
}

export type KeyType = 'string' | 'number' | 'binary';

export interface EntityBlueprint {
  readonly name: string;
  readonly design: EntityDesign;
  /** The value of the type attribute. */
  readonly type: string;
  /** Where each key attribute comes from; one that is missing here is not on the item. */
  readonly keys: ReadonlyMap<string, KeySource>;
}

/** How an entity comes to one key attribute, and whether it always does. */
export interface KeySource extends keys.KeySource {
  readonly entity: string;
  readonly attribute: string;
  /** Its place in the design. */
  readonly path: string;
  /** Whether an item can be without it, because an attribute it is made of is optional. */
  readonly optional: boolean;
  /** What the schema says of each part that a value fills, in the order of the template's holes. */
  readonly facts: readonly (AttributeFacts | undefined)[];
}

const made = new WeakMap<TableDesign, TableBlueprint>();

/** The blueprint of a design; made once. */
export function blueprint(design: TableDesign): TableBlueprint {
  let plan = made.get(design);
  if (plan === undefined) {
    plan = makeBlueprint(design);
    made.set(design, plan);
  }
  return plan;
}

const named = new WeakMap<TableBlueprint, ReadonlyMap<string, EntityBlueprint>>();

/** The entity of a name, if there is one. */
export function entityNamed(plan: TableBlueprint, name: string): EntityBlueprint | undefined {
  let entities = named.get(plan);
  if (entities === undefined) {
    entities = new Map(plan.entities.map((entity) => [entity.name, entity]));
    named.set(plan, entities);
  }
  return entities.get(name);
}

/** The one or two attributes of a key. */
export function keyOf(key: KeyBlueprint): readonly KeyAttribute[] {
  return key.sort === undefined ? [key.partition] : [key.partition, key.sort];
}

/** Whether an attribute is the sort key of the table or of an index. */
export function isSortKey({ key, indexes }: TableBlueprint, attribute: string): boolean {
  return key.sort?.name === attribute || indexes.some(({ sort }) => sort?.name === attribute);
}

function makeBlueprint(design: TableDesign): TableBlueprint {
  const names = keys.keyNames(design);
  const entities = Object.entries(design.entities).map(([name, entity]) => entityBlueprint(name, entity, names));
  const attributes = new Map(names.map((name) => [name, { name, type: keyTypes(name, entities)[0] ?? 'string' }]));
  return {
    name: design.name,
    separator: design.separator ?? '#',
    key: keyBlueprint(design.key, attributes),
    indexes: Object.entries(design.indexes ?? {}).map(([name, index]) => ({
      ...keyBlueprint(index, attributes),
      name,
      projection: index.projection ?? 'all',
      purpose: index.purpose,
    })),
    keyAttributes: [...attributes.values()],
    ttl: design.ttl,
    entities,
    sources: entities.flatMap(({ keys }) => [...keys.values()]),
  };
}

function entityBlueprint(name: string, design: EntityDesign, keyNames: readonly string[]): EntityBlueprint {
  const factsAt = ({ path }: Hole) => attributeAt(design.attributes, path);
  const sources = new Map<string, KeySource>();
  for (const [attribute, { template, natural }] of keys.keySources(design, keyNames)) {
    const facts = template.holes.map(factsAt);
    const path = `entities.${name}.${natural ? 'attributes' : 'keys'}.${attribute}`;
    const optional = facts.some(isOptional);
    sources.set(attribute, { entity: name, attribute, path, template, natural, optional, facts });
  }
  return { name, design, type: design.type ?? name, keys: sources };
}

function isOptional(facts: AttributeFacts | undefined): boolean {
  return facts?.optional === true;
}

function keyBlueprint(key: KeyDesign, attributes: ReadonlyMap<string, KeyAttribute>): KeyBlueprint {
  const partition = attributes.get(key.partition) as KeyAttribute;
  return { partition, sort: key.sort === undefined ? undefined : attributes.get(key.sort) };
}

/** The types that entities give a key attribute: one, in a sound design. */
export function keyTypes(name: string, entities: readonly EntityBlueprint[]): readonly KeyType[] {
  const types = new Set<KeyType>();
  for (const { keys } of entities) {
    const source = keys.get(name);
    if (source !== undefined) types.add(source.natural ? keyType(source.facts[0]) : 'string');
  }
  return [...types];
}

function keyType(facts: AttributeFacts | undefined): KeyType {
  return facts?.kind === 'number' || facts?.kind === 'binary' ? facts.kind : 'string';
}
