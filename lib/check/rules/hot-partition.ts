import type { AttributeFacts } from '../../blueprint/attributes/facts';
import {
  type EntityBlueprint,
  type IndexBlueprint,
  type KeyBlueprint,
  type KeySource,
  keyOf,
  keysIn,
  knownParts,
  type TableBlueprint,
} from '../../blueprint/table';
import { hasParts, isPieceOfTime } from '../../blueprint/template-parts';
import { hasWord } from '../../blueprint/words';
import { type Format, shardsOf } from '../../design/template';
import type { Found, TableRule } from '../finding';
import { atAccess, atKey } from '../places';
import type { PatternAccess } from '../subject';

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
  *check({ plan, accesses, cloud }) {
    if (cloud === 'aws') yield* byDate(plan);
    yield* counters(accesses);
    // Most keys hold something that can be anything, so there is nothing to count.
    if (!plan.sources.some(isCountable)) return;
    for (const { entity, sources, index } of partitionsOf(plan)) {
      const where = index === undefined ? 'of the table' : `in ${index}`;
      const count = possibleValues(sources);
      if (count > FEW || isFew(plan, entity)) continue;
      const shown = shownPartition(sources);
      yield {
        ...atKey(sources[0], { index, count }),
        cause: count === 1 ? 'one-value' : 'few-values',
        message: `${shown} has ${count === 1 ? 'one value' : `${count} values`}: every ${entity.name} ${where} is in ${count === 1 ? 'one partition' : 'few partitions'}`,
        fix: 'add something that spreads the load (a tenant, an owner, a shard number; a date alone only moves it from day to day) to the partition key, or acknowledge it with the reason why the load stays small',
      };
    }
  },
};

/** Everything written at one time goes to one partition, however many there are in the end. */
function* byDate(plan: TableBlueprint): Iterable<Found<Cause>> {
  if (!plan.sources.some(isDated)) return;
  for (const { entity, sources, index } of partitionsOf(plan)) {
    if (!sources.every(isDated) || possibleValues(sources) <= FEW) continue;
    const shown = shownPartition(sources);
    yield {
      // An index on an attribute that is a date anyway often has little traffic.
      severity: index !== undefined && sources.every(({ natural }) => natural) ? 'note' : 'warning',
      ...atKey(sources[0], { index }),
      cause: 'by-date',
      message: `${shown} is the same for every ${entity.name} of one period: everything written in it goes to one partition`,
      fix: 'add something that spreads the load (a tenant, an owner, a shard number) to the partition key, or acknowledge it with the reason why the load stays small',
    };
  }
}

function isDated(source: KeySource): boolean {
  return (
    hasParts(source.template) &&
    knownParts(source).every(({ part: { name, format }, facts }) => {
      const { format: form, integer, minimum = 0, maximum = Infinity } = facts ?? {};
      if (isPieceOfTime(format) || form === 'date') return true;
      return integer === true && hasWord(name, YEARS) && (minimum >= 1900 || maximum >= 1900);
    })
  );
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
function* partitionsOf(plan: TableBlueprint) {
  for (const entity of plan.entities) {
    const seen = new Set<string>();
    for (const key of [plan.key, ...plan.indexes] as readonly (KeyBlueprint & Partial<IndexBlueprint>)[]) {
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
function isFew(plan: TableBlueprint, entity: EntityBlueprint): boolean {
  return possibleValues(keyOf(plan.key).flatMap(({ name }) => entity.keys.get(name) ?? [])) <= FEW;
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
