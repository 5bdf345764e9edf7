import { type KeySource, keyNames, keySources } from '../blueprint/keys';
import { KEY_BYTES } from '../design/limits';
import type { EntityDesign, TableDesign } from '../design/table';
import type { KeyRules } from '../design/template';

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
  readonly keys: ReadonlyMap<string, KeySource>;
  /** The indexes that items of this entity can be in, by their key attributes. */
  readonly indexes: readonly (readonly string[])[];
  readonly keyOnly: ReadonlySet<string>;
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

function makePlan(design: TableDesign): Plan {
  const names = keyNames(design);
  const indexes = Object.values(design.indexes ?? {});
  const sorts = new Set([design.key, ...indexes].map(({ sort }) => sort));
  const separator = design.separator ?? '#';
  const entities = Object.entries(design.entities).map(([name, entity]): [string, EntityPlan] => {
    const keys = keySources(entity, names);
    const within = indexes.map(attributesOf).filter((attributes) => attributes.every((key) => keys.has(key)));
    const keyOnly = new Set(entity.keyOnly);
    return [name, { name, design: entity, type: entity.type ?? name, keys, indexes: within, keyOnly }];
  });
  return {
    design,
    primary: attributesOf(design.key),
    entities: new Map(entities),
    rules: new Map(
      names.map((name) => [name, { separator, maxBytes: sorts.has(name) ? KEY_BYTES.sort : KEY_BYTES.partition }]),
    ),
  };
}
