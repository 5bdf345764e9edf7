import { attributeAt, keepsValue } from '../../blueprint/attributes/facts';
import {
  type EntityBlueprint,
  type IndexBlueprint,
  keyOf,
  keysIn,
  membershipIn,
  type TableBlueprint,
} from '../../blueprint/table';
import type { Found, TableRule } from '../findings/finding';
import { atEntity } from '../findings/place';
import { valueMeant } from '../findings/values';

const causes = {
  'no-keys': 'an entity has a condition for an index, but not all of the index keys',
  'cannot-leave': "an item has all keys of an index even while the index's condition is false",
  'never-had': "an index's condition tests for a value that the attribute can never have",
} as const;

type Cause = keyof typeof causes;

export const indexMembership: TableRule<'index-membership', Cause> = {
  id: 'index-membership',
  severity: 'error',
  why: 'An item leaves an index only if it loses one of its index keys, because DynamoDB has no conditions for indexes.',
  causes,
  *check(table) {
    for (const entity of table.entities) {
      for (const index of entity.membership.size === 0 ? [] : table.indexes) {
        if (entity.membership.has(index.name)) yield* inIndex(table, entity, index);
      }
    }
  },
};

function* inIndex(table: TableBlueprint, entity: EntityBlueprint, index: IndexBlueprint): Iterable<Found<Cause>> {
  const place = (at = '') => atEntity(entity.name, 'indexes', `${index.name}${at}`, { index: index.name });
  const absent = keyOf(index).find(({ name }) => !entity.keys.has(name));
  if (absent !== undefined) {
    const message = `${entity.name} has no '${absent.name}', so no ${entity.name} is ever in ${index.name}`;
    yield { ...place(), cause: 'no-keys', message, fix: `add keys: { ${absent.name}: '…' }, or remove this condition` };
    return;
  }
  if (!canLeave(table, entity, index)) {
    const names = keyOf(index).map(({ name }) => name);
    yield {
      ...place(),
      cause: 'cannot-leave',
      message: `every ${entity.name} has '${names.join("' and '")}', as ordinary attributes or as keys of other indexes, so no ${entity.name} ever leaves ${index.name}`,
      fix: `give ${index.name} a separate key attribute with a template: keys: { ${index.name}PK: '…' }`,
    };
  }
  for (const { name, path, values } of membershipIn(entity, index)) {
    for (const value of values.filter((candidate) => !keepsValue(entity.design.attributes, path, candidate))) {
      const known = attributeAt(entity.design.attributes, path)?.values ?? [];
      const at = place(`.while.${name}`);
      const message = `'${name}' is never ${JSON.stringify(value)}, so this value puts no ${entity.name} into ${index.name}`;
      yield { ...at, cause: 'never-had', message, ...valueMeant(at.path, value, known) };
    }
  }
}

/**
 * Whether an item can leave an index. This requires at least one key attribute that is used only in this index and in
 * indexes with the same condition.
 */
function canLeave(table: TableBlueprint, entity: EntityBlueprint, index: IndexBlueprint): boolean {
  const tests = (other: IndexBlueprint) => JSON.stringify(membershipIn(entity, other));
  const others = table.indexes.filter((other) => keysIn(entity, other) !== undefined && tests(other) !== tests(index));
  const elsewhere = new Set([table.key, ...others].flatMap(keyOf).map(({ name }) => name));
  return keyOf(index).some(({ name }) => entity.keys.get(name)?.natural === false && !elsewhere.has(name));
}
