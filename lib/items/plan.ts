import { isDeep, mayLack, type Schema } from '../blueprint/attributes/schema';
import { type KeySource, keyNames, keySources } from '../blueprint/keys';
import type { EntityDesign, TableDesign } from '../design/table';
import { KEY_BYTES, KeyError, type KeyRules, valueAt } from '../design/template';
import { renderer } from './renderer';

/** Attributes by name, as the document client takes and gives them. */
export type Item = Record<string, unknown>;

/** What requests need to know of a table, prepared once. */
export interface Plan {
  readonly design: TableDesign;
  readonly primary: readonly string[];
  readonly entities: ReadonlyMap<string, EntityPlan>;
  /** How the values of each key attribute are kept apart and within bounds. */
  readonly rules: ReadonlyMap<string, KeyRules>;
}

export interface EntityPlan {
  readonly name: string;
  readonly design: EntityDesign;
  readonly type: string;
  readonly attributes: readonly string[];
  readonly keys: ReadonlyMap<string, KeyPlan>;
  readonly primary: readonly KeyPlan[];
  /** The indexes that items of this entity can be in. */
  readonly indexes: readonly IndexPlan[];
  readonly keyOnly: ReadonlySet<string>;
  /** The attributes that hold others, each with its schema. */
  readonly maps: readonly (readonly [string, Schema])[];
}

export interface IndexPlan {
  readonly keys: readonly KeyPlan[];
  /** Whether an item with these attributes is in it. */
  readonly holds: (attributes: object) => boolean;
}

export interface KeyPlan extends KeySource {
  readonly name: string;
  /** The key that the attributes make. */
  readonly write: (attributes: object) => unknown;
  readonly maxBytes: number;
  /** A key before it that is made by the same template, and so is the same. */
  readonly twin?: string;
}

const made = new WeakMap<TableDesign, Plan>();

export function planOf(design: TableDesign): Plan {
  let plan = made.get(design);
  if (plan === undefined) {
    plan = makePlan(design);
    made.set(design, plan);
  }
  return plan;
}

export function attributesOf({ partition, sort }: TableDesign['key']): readonly string[] {
  return sort === undefined ? [partition] : [partition, sort];
}

/** A natural key may hold anything but nothing. */
export function naturalKey(name: string, value: unknown): unknown {
  if (value === undefined || value === null || value === '') {
    throw new KeyError(name, `${name} is ${value === '' ? 'empty' : 'missing'}, and it is a key; give it a value`);
  }
  return value;
}

function makePlan(design: TableDesign): Plan {
  const names = keyNames(design);
  const indexes = Object.values(design.indexes ?? {});
  const sorts = new Set([design.key, ...indexes].map(({ sort }) => sort));
  const separator = design.separator ?? '#';
  const rules = new Map(
    names.map((name) => [name, { separator, maxBytes: sorts.has(name) ? KEY_BYTES.sort : KEY_BYTES.partition }]),
  );
  const entities = Object.entries(design.entities).map(([name, entity]): [string, EntityPlan] => {
    const schema = entity.attributes as unknown as Schema;
    const shape = Object.entries(schema._zod.def.shape ?? {});
    const sources = Array.from(keySources(entity, names));
    const twinOf = (key: string, { natural, template }: KeySource) => {
      const [first] = sources.find(([, other]) => other.template === template && !other.natural) ?? [];
      // What is at the name of an attribute may be the attribute.
      return natural || first === key || shape.some(([attribute]) => attribute === first) ? undefined : first;
    };
    const keys = new Map(
      sources.map(([key, source]) => [key, keyPlan(key, source, rules.get(key) as KeyRules, twinOf(key, source))]),
    );
    const keysOf = (key: TableDesign['key']) =>
      attributesOf(key)
        .map((attribute) => keys.get(attribute))
        .filter((plan) => plan !== undefined);
    return [
      name,
      {
        name,
        design: entity,
        type: entity.type ?? name,
        attributes: shape.map(([attribute]) => attribute),
        keys,
        primary: keysOf(design.key),
        indexes: indexes
          .filter((index) => keysOf(index).length === attributesOf(index).length)
          .map((index) => ({ keys: keysOf(index), holds: membership(schema, keysOf(index)) })),
        keyOnly: new Set(entity.keyOnly),
        maps: shape.filter(([, schema]) => isDeep(schema)),
      },
    ];
  });
  return { design, primary: attributesOf(design.key), entities: new Map(entities), rules };
}

function membership(schema: Schema, keys: readonly KeyPlan[]): (attributes: object) => boolean {
  let lacking: readonly (readonly string[])[] | undefined;
  return (attributes) => {
    // Most keys are made of what every item has: only the others are looked at.
    lacking ??= keys.flatMap(({ template }) =>
      template.holes.map(({ path }) => path).filter((path) => mayLack(schema, path)),
    );
    for (let i = 0; i < lacking.length; i++) {
      if ((valueAt(attributes, lacking[i] as readonly string[]) ?? undefined) === undefined) return false;
    }
    return true;
  };
}

function keyPlan(name: string, source: KeySource, rules: KeyRules, twin: string | undefined): KeyPlan {
  const write = source.natural
    ? (attributes: object) => naturalKey(name, (attributes as Item)[name])
    : renderer(source.template, rules);
  return { name, ...source, write, maxBytes: rules.maxBytes, ...(twin === undefined ? {} : { twin }) };
}
