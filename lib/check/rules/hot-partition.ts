import {
  isDated,
  type PartitionKey,
  type PartitionLoad,
  partitionLoads,
  partitionLoadText,
  placeOf,
  possibleValues,
  shownPartition,
  valuesOf,
} from '../../blueprint/load/partitions';
import {
  type EntityBlueprint,
  entityNamed,
  type IndexBlueprint,
  type KeyBlueprint,
  type KeySource,
  keyOf,
  keysIn,
  knownParts,
  type TableBlueprint,
} from '../../blueprint/table';
import { hasParts, partsOf } from '../../blueprint/template-parts';
import { hasWord } from '../../blueprint/words';
import { shardsOf } from '../../design/formats';
import { shortList } from '../../design/show';
import { type Found, GUESS, type TableRule } from '../findings/finding';
import { atAccess, atKey } from '../findings/place';
import type { TableUnderCheck } from '../table-under-check';

/** The largest number of partitions that counts as few. */
const FEW = 20;

const causes = {
  'too-much-load': 'the patterns send more load to one partition than it can serve',
  'one-value': 'a partition key always has the same value (a guess if no load is configured)',
  'few-values': 'a partition key has only a few values (a guess if no load is configured)',
  'by-date':
    'a partition key contains only a date or a year, so all writes of a day go to one partition (a guess if no load is configured)',
  'one-counter': 'every request of a pattern updates the same counter item (a guess if no load is configured)',
} as const;

type Cause = keyof typeof causes;

export const hotPartition: TableRule<'hot-partition', Cause> = {
  id: 'hot-partition',
  severity: 'warning',
  why: 'One partition serves 3,000 reads and 1,000 writes a second, even in a large table. The check compares these limits with the load in the configuration. If no load is configured, the check can only guess.',
  causes,
  *check(table) {
    const loads = table.cloud === 'aws' ? partitionLoads(table, table.load) : [];
    for (const load of loads) if (load.shards > 1) yield overloaded(table, load);
    yield* counters(table);
    const decided = new Set(loads.map(({ index, sources }) => placeOf(index, sources)));
    for (const hot of narrowPartitions(table))
      if (!decided.has(placeOf(hot.index, hot.sources))) yield guessed(table, hot);
  },
};

function overloaded(table: TableUnderCheck, load: PartitionLoad): Found<Cause> {
  const { sources, index, shards } = load;
  return {
    ...atKey(sources[0], { index, count: shards }),
    cause: 'too-much-load',
    message: partitionLoadText(load),
    fix: spread(table, sources[0], shards),
  };
}

/** Entities whose items are in few partitions, or in one partition at a time. */
interface Narrow {
  readonly cause: Cause;
  readonly message: string;
  /** The verb phrase in the message that says which partitions the items are in. */
  readonly holds: string;
  readonly count?: number;
  readonly sources: PartitionKey;
  readonly index: string | undefined;
  /** The entities that share the partition. One finding covers all of them. */
  readonly entities: string[];
}

function narrowPartitions(table: TableUnderCheck): Iterable<Narrow> {
  const found = new Map<string, Narrow>();
  for (const { entity, sources, index } of table.sources.some(isNarrow) ? partitionsOf(table) : []) {
    const place = placeOf(index, sources);
    const same = found.get(place);
    if (same !== undefined) same.entities.push(entity.name);
    else if (!isFew(table, entity)) {
      const fault = narrowness(table, sources);
      if (fault) found.set(place, { ...fault, sources, index, entities: [entity.name] });
    }
  }
  return found.values();
}

function guessed(
  table: TableUnderCheck,
  { cause, message, holds, count, sources, index, entities }: Narrow,
): Found<Cause> {
  const where = index === undefined ? 'in the table' : `in ${index}`;
  return {
    ...atKey(sources[0], { index, count, entities: entities.length > 1 ? entities.slice(1) : undefined }),
    ...GUESS,
    cause,
    message: `${message}: every ${shortList(entities, 4)} ${where} ${holds}, and one partition serves ${SERVED[table.cloud]} a second`,
    fix: `${spread(table, sources[0], 4)}${unlessSmall(table, entities)}`,
  };
}

const SERVED = { aws: '1,000 writes and 3,000 reads', azure: '2,000 requests' } as const;

/**
 * Returns the end of a fix. It tells users whose load stays small to configure the load, so that the check need not
 * guess, or to acknowledge the finding.
 */
function unlessSmall({ cloud, patterns }: TableUnderCheck, entities: readonly string[]): string {
  const named = patterns.find(({ accesses }) =>
    accesses.some((access) => access.entities.some((name) => entities.includes(name))),
  );
  const load =
    cloud === 'aws' && named
      ? `write load: { ${named.name}: { perSecond: 10 } } in tablewright.config.ts with your own rates, so that the check computes the load, or `
      : '';
  return `; ${load}acknowledge the finding and explain why the load stays small`;
}

/** Explains why a partition key puts its items into few partitions, or into one partition at a time. */
function narrowness(
  { cloud }: TableUnderCheck,
  sources: PartitionKey,
): Pick<Narrow, 'cause' | 'message' | 'holds' | 'count'> | undefined {
  const shown = shownPartition(sources);
  const count = possibleValues(sources, (facts, part) =>
    hasWord(part.name, SPREADING) || shardsOf(part) !== undefined ? Infinity : valuesOf(facts, part.format),
  );
  if (count === 1)
    return { cause: 'one-value', count, message: `${shown} has only one value`, holds: 'is in one partition' };
  if (count <= FEW)
    return {
      cause: 'few-values',
      count,
      message: `${shown} has only ${count} values`,
      holds: `is in one of ${count} partitions`,
    };
  if (cloud !== 'aws' || !sources.every(isDated)) return undefined;
  const message = `${shown} is the same for all items of a period`;
  return { cause: 'by-date', message, holds: 'written in that period goes to one partition' };
}

/** A part whose name contains one of these words is assumed to spread the load. */
const SPREADING: ReadonlySet<string> = new Set(
  'shard shards sharding bucket slot salt suffix spread stripe segment'.split(' '),
);

/** Returns the fix: a template that shards the partition key by item id, and a template that reads all shards. */
function spread(
  table: TableUnderCheck,
  { entity: name, attribute, template, natural }: KeySource,
  shards: number,
): string {
  const entity = entityNamed(table, name);
  const head = `${template.text}${table.separator}`;
  if (entity && isFew(table, entity) && !natural)
    return `split each item into ${shards} shards, write to a random shard, and combine all shards when reading; write ${attribute}: '${head}<shard:${String(shards - 1).length}>', and add shard: z.int().min(0).max(${shards - 1})`;
  const parts = (entity && keysIn(entity, table.key)?.flatMap((source) => partsOf(source.template))) ?? [];
  const id = parts.findLast((part) => part.path.length === 1 && part.format === undefined);
  if (id === undefined || natural)
    return `add to the partition key a part that differs between items, such as an owner or one of ${shards} shards`;
  return `spread the partition key: ${attribute}: '${head}<shard(${id.name}, ${shards})>', and query '${head}<shard(${shards})>'`;
}

function isNarrow(source: KeySource): boolean {
  return isDated(source) || knownParts(source).every(({ part, facts }) => valuesOf(facts, part.format) < Infinity);
}

/** Reports counters that every request updates, because one item accepts only a limited rate of writes. */
function* counters(table: TableUnderCheck): Iterable<Found<Cause>> {
  for (const access of table.accesses) {
    const { step, partition, range } = access;
    if (step.op !== 'update' || Object.hasOwn(table.load, access.pattern)) continue;
    const field = [step.add, step.subtract].findIndex((amounts) => Object.keys(amounts ?? {}).length > 0);
    if (field < 0) continue;
    const isOne =
      partition !== undefined &&
      !hasParts(partition[0].at) &&
      (range.kind === 'all' || (range.kind === 'equals' && !hasParts(range.at)));
    if (!isOne) continue;
    yield {
      ...atAccess(access, field === 0 ? 'add' : 'subtract'),
      ...GUESS,
      cause: 'one-counter',
      message: `every request updates the same counter item, '${partition[0].at.text}', which accepts only 1,000 writes a second and makes concurrent transactions conflict`,
      fix: `keep one counter per owner or shard, and add up the counters when reading${unlessSmall(table, access.entities)}`,
    };
  }
}

/** Yields the partition keys that each entity has in the table and in the indexes, without duplicates. */
function* partitionsOf(table: TableBlueprint) {
  for (const entity of table.entities) {
    const seen = new Set<string>();
    for (const key of [table.key, ...table.indexes] as readonly (KeyBlueprint & Partial<IndexBlueprint>)[]) {
      const sources = keysIn(entity, key)?.slice(0, key.partitionBy.length) as PartitionKey | undefined;
      const names = JSON.stringify(sources?.map(({ attribute }) => attribute));
      if (sources === undefined || seen.has(names)) continue;
      seen.add(names);
      yield { entity, sources, index: key.name };
    }
  }
}

/** Whether an entity has at most a few items, such as a single settings item. No key could spread so few items. */
function isFew(table: TableBlueprint, entity: EntityBlueprint): boolean {
  return possibleValues(keyOf(table.key).flatMap(({ name }) => entity.keys.get(name) ?? [])) <= FEW;
}
