import {
  type EntityBlueprint,
  type KeyAttribute,
  type KeyBlueprint,
  keyOf,
  type TableBlueprint,
} from '../blueprint/table';

/** An index key of which an entity has one attribute on purpose, and lacks another. */
export interface Half {
  readonly meant: KeyAttribute;
  readonly absent: KeyAttribute;
}

export function halfOf(entity: EntityBlueprint, index: KeyBlueprint, plan: TableBlueprint): Half | undefined {
  const absent = keyOf(index).find(({ name }) => !entity.keys.has(name));
  if (absent === undefined) return undefined;
  const isIn = (key: KeyBlueprint) => keyOf(key).every(({ name }) => entity.keys.has(name));
  // It is no mistake if an attribute only happens to be an index key, because it is the entity's own or a key elsewhere.
  const elsewhere = [plan.key, ...plan.indexes.filter(isIn)].flatMap(keyOf).map(({ name }) => name);
  const meant = keyOf(index).find(({ name }) => entity.keys.get(name)?.natural === false && !elsewhere.includes(name));
  return meant && { meant, absent };
}
