import type { AttributeFacts } from '../../blueprint/attributes/facts';
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
import { hasParts, isBucket, isPieceOfTime, partsOf } from '../../blueprint/template-parts';
import { hasWord } from '../../blueprint/words';
import { shardsOf } from '../../design/formats';
import { shortList } from '../../design/show';
import type { Format } from '../../design/template';
import { type Found, GUESS, type TableRule } from '../findings/finding';
import { atAccess, atKey } from '../findings/place';
import type { PatternAccess, TableUnderCheck } from '../table-under-check';

/** With this many partitions or fewer, all traffic goes to a few of them. */
const FEW = 20;

const causes = {
  'one-value': 'a partition key always has the same value',
  'few-values': 'a partition key has only a few values',
  'by-date':
    'a partition key is nothing but a date or a year, so all writes of a day go to one partition (a note where the key of an index is simply an attribute)',
  'one-counter': 'an update counts in one item, which is the same for every request',
} as const;

type Cause = keyof typeof causes;

export const hotPartition: TableRule<'hot-partition', Cause> = {
  id: 'hot-partition',
  severity: 'warning',
  why: 'A partition serves 3,000 reads and 1,000 writes a second, however large the table.',
  causes,
  *check(table) {
    yield* counters(table.accesses);
    // Entities that share a partition are one fault.
    const hot = new Map<string, Hot>();
    for (const { entity, sources, index } of table.sources.some(isNarrow) ? partitionsOf(table) : []) {
      const shown = shownPartition(sources);
      const same = hot.get(`${index} ${shown}`);
      if (same !== undefined) same.entities.push(entity.name);
      else if (!isFew(table, entity)) {
        const fault = narrowness(table, sources, shown, index);
        if (fault) hot.set(`${index} ${shown}`, { fault, sources, index, entities: [entity.name] });
      }
    }
    for (const { fault, sources, index, entities } of hot.values()) {
      const { count, holds, ...found } = fault;
      const where = index === undefined ? 'of the table' : `in ${index}`;
      yield {
        ...atKey(sources[0], { index, count, entities: entities.length > 1 ? entities.slice(1) : undefined }),
        ...found,
        message: `${found.message}: every ${shortList(entities, 4)} ${where} ${holds}, which takes 1,000 writes and 3,000 reads a second`,
        fix: `${spread(table, sources[0])}, or acknowledge it with the reason why the load stays small`,
      };
    }
  },
};

interface Hot {
  readonly fault: Narrowness;
  readonly sources: readonly [KeySource, ...KeySource[]];
  readonly index: string | undefined;
  readonly entities: string[];
}

interface Narrowness extends Pick<Found<Cause>, 'cause' | 'message' | 'severity' | 'guess'> {
  readonly count?: number;
  /** What the few partitions do with the items. */
  readonly holds: string;
}

/** Why the items of a partition key are in few partitions, or in one at a time. */
function narrowness(
  { cloud }: TableUnderCheck,
  sources: readonly KeySource[],
  shown: string,
  index: string | undefined,
): Narrowness | undefined {
  const count = possibleValues(sources);
  if (count <= FEW) {
    return count === 1
      ? { cause: 'one-value', count, message: `${shown} has one value`, holds: 'is in one partition' }
      : { cause: 'few-values', count, message: `${shown} has ${count} values`, holds: 'is in few partitions' };
  }
  const dated = cloud === 'aws' ? sources.map(isDated) : [false];
  if (dated.includes(false)) return undefined;
  // An index on an attribute that is a date anyway often has little traffic.
  const isMinor = index !== undefined && sources.every(({ natural }) => natural);
  return {
    ...(dated.includes('guess') ? GUESS : isMinor ? { severity: 'note' as const } : {}),
    cause: 'by-date',
    message: `${shown} is the same for all items of one period`,
    holds: 'written in it goes to one partition',
  };
}

/** A template for the partition key with shards, by the id of the items, and how to read it. */
function spread(table: TableUnderCheck, { entity: name, attribute, template, natural }: KeySource): string {
  const entity = entityNamed(table, name);
  const parts = (entity && keysIn(entity, table.key)?.flatMap((source) => partsOf(source.template))) ?? [];
  const id = parts.findLast((part) => part.path.length === 1 && part.format === undefined);
  if (id === undefined || natural)
    return 'add something that differs between items to the partition key: an owner, a tenant';
  const head = `${template.text}${table.separator}`;
  return `spread it: ${attribute}: '${head}<shard(${id.name}, 4)>', and read '${head}<shard(4)>'`;
}

function isNarrow(source: KeySource): boolean {
  return isCountable(source) || isDated(source) !== false;
}

/** Whether a key is nothing but a date or a year; a guess if only a name says so. */
function isDated(source: KeySource): boolean | 'guess' {
  if (!hasParts(source.template)) return false;
  const dated = knownParts(source).map(({ part: { name, format }, facts }): boolean | 'guess' => {
    const { format: form, integer, minimum = 0, maximum = Infinity } = facts ?? {};
    if (isPieceOfTime(format) || isBucket(format) || form === 'date' || (integer && minimum >= 1900 && maximum <= 2200))
      return true;
    return integer === true && hasWord(name, YEARS) ? 'guess' : false;
  });
  return dated.includes(false) ? false : dated.includes('guess') ? 'guess' : true;
}

const YEARS: ReadonlySet<string> = new Set(['year']);

/** A counter that every request updates takes no more writes than one item can. */
function* counters(accesses: readonly PatternAccess[]): Iterable<Found<Cause>> {
  for (const access of accesses) {
    const { step, partition, range } = access;
    if (step.op !== 'update') continue;
    const field = [step.add, step.subtract].findIndex((amounts) => Object.keys(amounts ?? {}).length > 0);
    if (field < 0) continue;
    const isOne =
      partition !== undefined &&
      !hasParts(partition[0].at) &&
      (range.kind === 'all' || (range.kind === 'equals' && !hasParts(range.at)));
    if (!isOne) continue;
    yield {
      ...atAccess(access, field === 0 ? 'add' : 'subtract'),
      cause: 'one-counter',
      message: `every request counts in the same item, '${partition[0].at.text}': it takes 1,000 writes a second, and transactions on it get in each other's way`,
      fix: 'count for each owner or shard and add up when reading, or acknowledge it with the reason why it is rare',
    };
  }
}

function isCountable(source: KeySource): boolean {
  return knownParts(source).every(({ part, facts }) => valuesOf(facts, part.format) < Infinity);
}

function shownPartition(sources: readonly KeySource[]): string {
  return sources
    .map(({ natural, attribute, template }) => (natural ? `the attribute ${attribute}` : `'${template.text}'`))
    .join(' with ');
}

/** Each entity's partition key in the table and in its indexes; the same attributes come once. */
function* partitionsOf(table: TableBlueprint) {
  for (const entity of table.entities) {
    const seen = new Set<string>();
    for (const key of [table.key, ...table.indexes] as readonly (KeyBlueprint & Partial<IndexBlueprint>)[]) {
      const all = keysIn(entity, key);
      const sources = all?.slice(0, key.partitionBy.length) as [KeySource] | undefined;
      const names = JSON.stringify(sources?.map(({ attribute }) => attribute));
      if (sources === undefined || seen.has(names)) continue;
      seen.add(names);
      yield { entity, sources, index: key.name };
    }
  }
}

/** Whether an entity has only a few items, such as one row of settings, which no key could spread. */
function isFew(table: TableBlueprint, entity: EntityBlueprint): boolean {
  return possibleValues(keyOf(table.key).flatMap(({ name }) => entity.keys.get(name) ?? [])) <= FEW;
}

/** How many different keys there can be; a part that occurs twice counts once. */
function possibleValues(sources: readonly KeySource[]): number {
  const counts = new Map<string, number>();
  for (const source of sources) {
    for (const { part, facts } of knownParts(source)) {
      const { name, format } = part;
      const isSpread = hasWord(name, SPREADING) || shardsOf(part) !== undefined;
      const count = isSpread ? Infinity : valuesOf(facts, format);
      counts.set(name, Math.max(counts.get(name) ?? 0, count));
    }
  }
  return [...counts.values()].reduce((product, count) => product * count, 1);
}

/** Words for parts that spread the load. */
const SPREADING: ReadonlySet<string> = new Set(
  'shard shards sharding bucket slot salt suffix spread stripe segment'.split(' '),
);

/** Pieces of a time that repeat. */
const PERIODS: ReadonlyMap<Format | undefined, number> = new Map([
  ['month', 12],
  ['day', 31],
  ['hour', 24],
]);

function valuesOf(facts: AttributeFacts | undefined, format: Format | undefined): number {
  if (facts?.values !== undefined) return facts.values.length;
  const { integer, minimum, maximum } = facts ?? {};
  if (integer && minimum !== undefined && maximum !== undefined) return Math.max(1, maximum - minimum + 1);
  return facts?.kind === 'boolean' ? 2 : (PERIODS.get(format) ?? Infinity);
}
