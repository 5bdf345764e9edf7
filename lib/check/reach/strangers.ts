import type { SortRange } from '../../blueprint/accesses';
import { type EntityBlueprint, entitiesNamed, type KeyBlueprint, type KeySource, keyOf } from '../../blueprint/table';
import { headOf } from '../../design/template';
import { leftOpen } from '../findings/open-questions';
import { atTable } from '../findings/place';
import { oncePerTable, type PatternAccess, type TableUnderCheck } from '../table-under-check';
import { ByBeginning, commonBeginning } from './by-beginning';
import { canFit } from './entities-reached';
import { areOtherIds } from './other-ids';

/**
 * Finds the entities that a pattern does not return, although their items can be in the range that the pattern reads.
 */
export function strangersIn(table: TableUnderCheck, access: PatternAccess): readonly EntityBlueprint[] {
  // A pattern that returns every entity of the table has no strangers, so it needs no lookup of entities.
  if (table.entities.every(({ name }) => access.entities.includes(name))) return [];
  const before = looks.get(table) ?? 0;
  if (before > PATIENCE) return [];
  const candidates = neighbours(table, access.key, ...headsAskedFor(access));
  const looked = before + candidates.length;
  looks.set(table, looked);
  if (looked > PATIENCE)
    leftOpen(table, atTable(table, 'patterns'), 'look for foreign items that some patterns return');
  return candidates.filter(
    (entity) =>
      !access.entities.includes(entity.name) && !isApart(table, access, entity) && canFit(table, access, entity),
  );
}

/**
 * Whether the partition key contains a random id of the returned entities, and the partition key of the stranger
 * contains a random id of a different entity.
 */
function isApart(table: TableUnderCheck, { partition, entities }: PatternAccess, stranger: EntityBlueprint) {
  const returned = entitiesNamed(table, entities);
  return partition?.some(({ attribute: { name } }) => {
    const theirs = stranger.keys.get(name);
    const ours = returned.flatMap(({ keys }) => keys.get(name) ?? []);
    return theirs !== undefined && ours.length > 0 && ours.every((source) => areOtherIds(table, source, theirs));
  });
}

/**
 * The maximum number of entities to examine for all of a table's patterns together, in case thousands share a
 * partition.
 */
const PATIENCE = 200_000;

const looks = new WeakMap<TableUnderCheck, number>();

/**
 * Returns the literal prefixes that a request specifies for the first partition key attribute and the first sort key
 * attribute. These prefixes rule out most entities.
 */
function headsAskedFor({ key, partition, sort, range }: PatternAccess): readonly [string, string] {
  const [first] = key.sortBy;
  const held = partition?.find(({ attribute }) => attribute === first);
  const ofSort = held === undefined ? (sort === first ? headOfRange(range) : '') : headOf(held.at);
  return [partition === undefined ? '' : headOf(partition[0].at), ofSort];
}

/**
 * Returns the entities whose first partition key attribute and first sort key attribute can begin with the given
 * prefixes.
 */
export function neighbours(
  table: TableUnderCheck,
  key: KeyBlueprint,
  partition: string,
  sort: string,
): readonly EntityBlueprint[] {
  return [...entitiesByKey(table, key).meeting(partition)].flatMap((bySort) => [...bySort.meeting(sort)]);
}

type ByBothKeys = ByBeginning<ByBeginning<EntityBlueprint>>;

const madeFor = oncePerTable(() => new Map<KeyBlueprint, ByBothKeys>());

function entitiesByKey(table: TableUnderCheck, key: KeyBlueprint): ByBothKeys {
  const heads = madeFor(table).get(key) ?? makeEntitiesByKey(table, key);
  madeFor(table).set(key, heads);
  return heads;
}

function makeEntitiesByKey(table: TableUnderCheck, key: KeyBlueprint): ByBothKeys {
  const present = table.entities.filter(({ keys }) => keyOf(key).every(({ name }) => keys.has(name)));
  const partitions = new Map<string, (readonly [string, EntityBlueprint])[]>();
  for (const entity of present) {
    const head = ({ name }: { name: string }) => headOf((entity.keys.get(name) as KeySource).template);
    const [first] = key.sortBy;
    const partition = head(key.partitionBy[0]);
    const same = partitions.get(partition) ?? [];
    partitions.set(partition, same);
    same.push([first === undefined ? '' : head(first), entity]);
  }
  return new ByBeginning(Array.from(partitions, ([partition, bySort]) => [partition, new ByBeginning(bySort)]));
}

/** Returns the prefix that all keys in a range share. */
function headOfRange(range: SortRange): string {
  if (range.kind === 'equals' || range.kind === 'beginsWith') return headOf(range.at);
  return range.kind === 'between' ? commonBeginning(headOf(range.from), headOf(range.to)) : '';
}
