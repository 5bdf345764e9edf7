import {
  type EntityBlueprint,
  type KeyAttribute,
  type KeyBlueprint,
  keyOf,
  type TableBlueprint,
} from '../../blueprint/table';

/** An index key for which an entity deliberately defines one attribute but not the other. */
export interface IncompleteIndexKey {
  readonly meant: KeyAttribute;
  readonly absent: KeyAttribute;
}

export function incompleteIndexKey(
  entity: EntityBlueprint,
  index: KeyBlueprint,
  table: TableBlueprint,
): IncompleteIndexKey | undefined {
  const absent = keyOf(index).find(({ name }) => !entity.keys.has(name));
  if (absent === undefined) return undefined;
  const isIn = (key: KeyBlueprint) => keyOf(key).every(({ name }) => entity.keys.has(name));
  // An entity may define an index key attribute by accident: as an ordinary attribute, or for a different key.
  const elsewhere = [table.key, ...table.indexes.filter(isIn)].flatMap(keyOf).map(({ name }) => name);
  const meant = keyOf(index).find(({ name }) => entity.keys.get(name)?.natural === false && !elsewhere.includes(name));
  return meant && { meant, absent };
}
