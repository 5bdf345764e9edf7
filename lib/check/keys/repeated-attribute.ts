import { type KeyAttribute, type KeyBlueprint, keyOf } from '../../blueprint/table';

/** Returns an attribute that a key contains more than once. */
export function repeatedIn(key: KeyBlueprint): KeyAttribute | undefined {
  return keyOf(key).find((attribute, i, all) => all.indexOf(attribute) !== i);
}
