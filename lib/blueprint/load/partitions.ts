import type { Loads } from '../../design/config';
import { shardsOf } from '../../design/formats';
import type { Format } from '../../design/template';
import type { AttributeFacts } from '../attributes/facts';
import { entityNamed, type KeySource, keysIn, knownParts, type PatternBlueprint, type TableBlueprint } from '../table';
import { hasParts, isBucket, isPieceOfTime } from '../template-parts';
import { usesByAccess } from './traffic';

/** The units that one DynamoDB partition can serve per second. */
export const PARTITION = { reads: 3000, writes: 1000 } as const;

/** The partition key of an entity. In an index, it can consist of several attributes. */
export type PartitionKey = readonly [KeySource, ...KeySource[]];

/** The peak load, in units per second, on the busiest partition of a partition key. */
export interface PartitionLoad {
  readonly index?: string;
  readonly sources: PartitionKey;
  readonly patterns: readonly string[];
  readonly reads: number;
  readonly writes: number;
  /** How many partitions this load needs; 1 if a single partition can serve it. */
  readonly shards: number;
}

/**
 * Computes the load on each partition key that has a known number of values. For any other key, the load depends on the
 * actual values, which a design does not show.
 */
export function partitionLoads(table: TableBlueprint, loads: Loads): readonly PartitionLoad[] {
  const places = new Map<string, Place>();
  for (const pattern of table.patterns) {
    const load = Object.hasOwn(loads, pattern.name) ? loads[pattern.name] : undefined;
    if (load === undefined) continue;
    const { perSecond, peak = perSecond } = load;
    for (const { access, uses } of usesByAccess(table, pattern, load)) {
      const [entity] = access.entities.flatMap((name) => entityNamed(table, name) ?? []);
      // Skips scans, which read every partition, and guards, which use a separate partition for each unique value.
      if (entity === undefined || access.action === 'scan' || access.unique !== undefined) continue;
      for (const { index, reads, writes } of uses) {
        const key = table.indexes.find(({ name }) => name === index) ?? table.key;
        const sources = keysIn(entity, key)?.slice(0, key.partitionBy.length) as PartitionKey | undefined;
        const count = sources === undefined ? Infinity : partitionsAtOnce(sources);
        if (sources === undefined || count === Infinity) continue;
        const name = placeOf(index, sources);
        const place = places.get(name) ?? { index, sources, patterns: new Set(), units: new Map() };
        places.set(name, place);
        place.patterns.add(pattern);
        // A request for a single value reaches only that value's partition.
        const asked = index === access.index && access.partition?.every(({ at }) => !hasParts(at));
        const value = asked && count > 1 ? access.partition?.map(({ at }) => at.text).join(' ') : undefined;
        const share = peak / (value === undefined ? count : 1);
        const known = place.units.get(value) ?? { reads: 0, writes: 0 };
        place.units.set(value, { reads: known.reads + share * reads, writes: known.writes + share * writes });
      }
    }
  }
  return Array.from(places.values(), busiest);
}

interface Units {
  readonly reads: number;
  readonly writes: number;
}

interface Place {
  readonly index: string | undefined;
  readonly sources: PartitionKey;
  readonly patterns: Set<PatternBlueprint>;
  /**
   * The units requested from each single partition, by its key value. The key `undefined` holds the units of requests
   * that are spread over all partitions.
   */
  readonly units: Map<string | undefined, Units>;
}

function busiest({ index, sources, patterns, units }: Place): PartitionLoad {
  const shared = units.get(undefined) ?? { reads: 0, writes: 0 };
  const most = (field: keyof Units) =>
    shared[field] + Math.max(0, ...Array.from(units, ([value, own]) => (value === undefined ? 0 : own[field])));
  const [reads, writes] = [most('reads'), most('writes')];
  return {
    ...(index !== undefined && { index }),
    ...{ sources, patterns: Array.from(patterns, ({ name }) => name), reads, writes },
    shards: Math.max(1, Math.ceil(Math.max(reads / PARTITION.reads, writes / PARTITION.writes))),
  };
}

/**
 * Returns a name for the partitions of a key. Entities with the same key share these partitions, so they get the same
 * name.
 */
export function placeOf(index: string | undefined, sources: PartitionKey): string {
  return `${index} ${shownPartition(sources)}`;
}

export function shownPartition(sources: PartitionKey): string {
  return sources
    .map(({ natural, attribute, template }) => (natural ? `the attribute '${attribute}'` : `'${template.text}'`))
    .join(' with ');
}

/** Describes the load on the busiest partition, and the load that a partition can serve. */
export function partitionLoadText({ sources, index, reads, writes, patterns }: PartitionLoad): string {
  const units = (count: number, kind: string) => (count === 0 ? [] : [`${Math.ceil(count)} ${kind} units`]);
  const taken = [...units(writes, 'write'), ...units(reads, 'read')].join(' and ');
  const where = index === undefined ? '' : ` in ${index}`;
  return [
    `one partition of ${shownPartition(sources)}${where} must serve ${taken} a second at the peak of '${patterns.join("', '")}',`,
    `but can serve only ${PARTITION.writes} write and ${PARTITION.reads} read units, so DynamoDB throttles requests`,
  ].join(' ');
}

/**
 * Counts the partitions of a key that receive requests at the same time: one per key value, but only one if the key is
 * a period of time.
 */
function partitionsAtOnce(sources: PartitionKey): number {
  return sources.every(isDated)
    ? 1
    : possibleValues(sources, (facts, { format }) => shardsOf({ format }) ?? valuesOf(facts, format));
}

/** Whether a key consists only of dates or years. */
export function isDated(source: KeySource): boolean {
  return (
    hasParts(source.template) &&
    knownParts(source).every(({ part: { format }, facts }) => {
      const { format: form, integer, minimum = 0, maximum = Infinity } = facts ?? {};
      const isYear = integer === true && minimum >= 1900 && maximum <= 2200;
      return isPieceOfTime(format) || isBucket(format) || form === 'date' || isYear;
    })
  );
}

/** Counts the different keys that can exist. A part that occurs twice is counted once. */
export function possibleValues(
  sources: readonly KeySource[],
  countOf = (facts: AttributeFacts | undefined, { format }: { readonly name: string; readonly format?: Format }) =>
    valuesOf(facts, format),
): number {
  const counts = new Map<string, number>();
  for (const { part, facts } of sources.flatMap(knownParts)) {
    counts.set(part.name, Math.max(counts.get(part.name) ?? 0, countOf(facts, part)));
  }
  return [...counts.values()].reduce((product, count) => product * count, 1);
}

/** How many values each recurring part of a timestamp can have. */
const PERIODS: ReadonlyMap<Format | undefined, number> = new Map([
  ['month', 12],
  ['day', 31],
  ['hour', 24],
]);

/** Counts the values that a part can have. */
export function valuesOf(facts: AttributeFacts | undefined, format: Format | undefined): number {
  if (facts?.values !== undefined) return facts.values.length;
  const { integer, minimum, maximum } = facts ?? {};
  if (integer && minimum !== undefined && maximum !== undefined) return Math.max(1, maximum - minimum + 1);
  return facts?.kind === 'boolean' ? 2 : (PERIODS.get(format) ?? Infinity);
}
