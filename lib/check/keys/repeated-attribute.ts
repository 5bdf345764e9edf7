import { type KeyAttribute, type KeyBlueprint, keyOf } from '../../blueprint/table';

/** An attribute that is in a key more than once. */
export function repeatedIn(key: KeyBlueprint): KeyAttribute | undefined {
  return keyOf(key).find((attribute, i, all) => all.indexOf(attribute) !== i);
}
