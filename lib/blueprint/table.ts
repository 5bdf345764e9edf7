import { type AttributeFacts, attributeAt } from '../design/schema';
import type { EntityDesign, KeyDesign, TableDesign } from '../design/table';
import type { Hole } from '../design/template';
import * as keys from './keys';

/** What a table comes to, in no cloud's words. It is made of any design, sound or not, and never throws. */
export interface TableBlueprint {
  readonly name: string;
  readonly separator: string;
  readonly key: KeyBlueprint;
  readonly indexes: readonly IndexBlueprint[];
  readonly ttl?: string;
  readonly entities: readonly EntityBlueprint[];
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
  /** Whether an item can be without it, because an attribute it is made of is optional. */
  readonly optional: boolean;
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

/** Every attribute that is a key of the table or of an index, once each, in the order of the design. */
export function keyAttributes(plan: TableBlueprint): readonly KeyAttribute[] {
  const all = [plan.key, ...plan.indexes].flatMap((key) => keyOf(key));
  return [...new Map(all.map((attribute) => [attribute.name, attribute])).values()];
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

function makeBlueprint(design: TableDesign): TableBlueprint {
  const names = keys.keyNames(design);
  const entities = Object.entries(design.entities).map(([name, entity]) => entityBlueprint(name, entity, names));
  return {
    name: design.name,
    separator: design.separator ?? '#',
    key: keyBlueprint(design.key, entities),
    indexes: Object.entries(design.indexes ?? {}).map(([name, index]) => ({
      name,
      ...keyBlueprint(index, entities),
      projection: index.projection ?? 'all',
      ...(index.purpose === undefined ? {} : { purpose: index.purpose }),
    })),
    ...(design.ttl === undefined ? {} : { ttl: design.ttl }),
    entities,
  };
}

function entityBlueprint(name: string, design: EntityDesign, keyNames: readonly string[]): EntityBlueprint {
  const isOptional = ({ path }: Hole) => attributeAt(design.attributes, path)?.optional === true;
  const sources = Array.from(keys.keySources(design, keyNames), ([attribute, source]) => {
    return [attribute, { ...source, optional: source.template.holes.some(isOptional) }] as const;
  });
  return { name, design, type: design.type ?? name, keys: new Map(sources) };
}

function keyBlueprint(key: KeyDesign, entities: readonly EntityBlueprint[]): KeyBlueprint {
  const attribute = (name: string): KeyAttribute => ({ name, type: keyTypes(name, entities)[0] ?? 'string' });
  return { partition: attribute(key.partition), ...(key.sort === undefined ? {} : { sort: attribute(key.sort) }) };
}

/** The types that entities give a key attribute: one, in a sound design. */
export function keyTypes(name: string, entities: readonly EntityBlueprint[]): readonly KeyType[] {
  const types = new Set<KeyType>();
  for (const { design, keys } of entities) {
    const source = keys.get(name);
    if (source !== undefined) types.add(source.natural ? keyType(attributeAt(design.attributes, [name])) : 'string');
  }
  return [...types];
}

function keyType(facts: AttributeFacts | undefined): KeyType {
  return facts?.kind === 'number' || facts?.kind === 'binary' ? facts.kind : 'string';
}
