import {
  type EntityBlueprint,
  type IndexBlueprint,
  type KeyBlueprint,
  type KeySource,
  keyOf,
  membershipIn,
} from '../../blueprint/table';
import { headOf } from '../../design/template';
import type { Edit, TableRule } from '../findings/finding';
import { atAccess, atIndex } from '../findings/place';
import { neighbours } from '../reach/strangers';
import type { TableUnderCheck } from '../table-under-check';

const causes = {
  'same-keys': 'an index has the same keys as the table or another index',
  'same-keys-more-projected':
    'an index has the same keys as another index, but projects attributes that the other index does not',
} as const;

type Cause = keyof typeof causes;

export const redundantIndex: TableRule<'redundant-index', Cause> = {
  id: 'redundant-index',
  severity: 'warning',
  why: 'Two indexes with the same keys cost twice as much as one, for the same results.',
  causes,
  *check(table) {
    const { key, indexes } = table;
    for (const [i, index] of indexes.entries()) {
      const earlier: (KeyBlueprint & Partial<IndexBlueprint>)[] = [key, ...indexes.slice(0, i)];
      const same = earlier.find((other) => isSame(table, index, other));
      if (same === undefined) continue;
      const what = same.name === undefined ? 'the table itself' : `index ${same.name}`;
      const isCovered = covers(same.projection ?? 'all', index.projection);
      const more = isCovered ? '' : `, extend its projection to include the attributes projected by ${index.name}`;
      yield {
        ...atIndex(index.name, undefined, { proposedIndex: same.name ?? null }),
        cause: isCovered ? 'same-keys' : 'same-keys-more-projected',
        message: `the index has the same keys as ${what}`,
        fix: `query ${what}${more}, and remove ${index.name}`,
        ...(isCovered && hasSameNames(index, same) && { edits: withoutIndex(table, index.name, same.name) }),
      };
    }
  },
};

function hasSameNames(index: KeyBlueprint, other: KeyBlueprint): boolean {
  return keyOf(index).every(({ name }, i) => name === keyOf(other)[i]?.name);
}

/** Returns edits that remove an index and redirect its patterns to a different index or to the table. */
function withoutIndex({ accesses }: TableUnderCheck, name: string, other: string | undefined): readonly Edit[] {
  const paths = new Set(accesses.filter(({ index }) => index === name).map((access) => atAccess(access, 'index').path));
  const code = other === undefined ? {} : { code: `'${other}'` };
  return [{ path: atIndex(name).path }, ...Array.from(paths, (path) => ({ path, ...code }))];
}

/** Whether a query of `other` (the table or another index) returns exactly the same items as a query of `index`. */
function isSame(table: TableUnderCheck, index: IndexBlueprint, other: KeyBlueprint): boolean {
  const [ours, theirs] = [keyOf(index), keyOf(other)];
  // A query needs the whole partition key, but only a prefix of the sort key.
  if (index.partitionBy.length !== other.partitionBy.length || ours.length > theirs.length) return false;
  if (!table.entities.some(({ keys }) => textOf(keys, ours[0]?.name) === textOf(keys, theirs[0]?.name))) return false;
  const inIndex = table.entities.filter(({ keys }) => ours.every(({ name }) => keys.has(name)));
  // A sparse index that leaves out some of an entity's items is not redundant, because leaving them out is its purpose.
  if (inIndex.some((entity) => tests(entity, index) !== tests(entity, other))) return false;
  if (ours.every(({ name }, i) => name === theirs[i]?.name)) {
    // An item that lacks a sort key attribute of `other` is only in `index`.
    const more = theirs.slice(ours.length);
    return inIndex.every(({ keys }) => more.every(({ name }) => keys.get(name)?.optional === false));
  }
  return (
    inIndex.length > 0 &&
    ours.length === theirs.length &&
    inIndex.every(({ keys }) => ours.every(({ name }, i) => textOf(keys, name) === textOf(keys, theirs[i]?.name))) &&
    !holdsMore(table, other, inIndex)
  );
}

function tests(entity: EntityBlueprint, key: KeyBlueprint & { readonly name?: string }): string {
  return JSON.stringify(membershipIn(entity, key));
}

function textOf(keys: EntityBlueprint['keys'], name = ''): string | undefined {
  return keys.get(name)?.template.text;
}

/**
 * Whether an index also contains other entities under the same keys, so that a second index is needed to exclude those
 * entities.
 */
function holdsMore(table: TableUnderCheck, key: KeyBlueprint, entities: readonly EntityBlueprint[]): boolean {
  const these = new Set(entities);
  return entities.some(({ keys }) => {
    const [partition = '', sort = ''] = [key.partitionBy[0], key.sortBy[0]].map(
      (attribute) => attribute && headOf((keys.get(attribute.name) as KeySource).template),
    );
    return neighbours(table, key, partition, sort).some((entity) => !these.has(entity));
  });
}

function covers(projection: IndexBlueprint['projection'], wanted: IndexBlueprint['projection']): boolean {
  if (projection === 'all' || wanted === 'keys') return true;
  return typeof projection !== 'string' && typeof wanted !== 'string' && wanted.every((a) => projection.includes(a));
}
