import { type Use, usesOf } from '../blueprint/load/traffic';
import { blueprint, type PatternBlueprint, type TableBlueprint } from '../blueprint/table';
import type { Load, Loads } from '../design/config';
import type { SystemDesign } from '../design/system';
import { cents, HOURS } from './cost';
import type { AwsPrices } from './prices';

/** Consumed capacity units per second, on average and at peak, and their cost per month. */
export interface Usage {
  readonly reads: number;
  readonly writes: number;
  readonly peakReads: number;
  readonly peakWrites: number;
  /** Dollars per month at on-demand prices. */
  readonly onDemand: number;
  /** Dollars per month if capacity is provisioned for the peak. */
  readonly provisioned: number;
}

/** One pattern's usage of a table or an index. */
export interface PatternUsage extends Usage {
  readonly pattern: string;
  readonly table: string;
  readonly index?: string;
  /** The capacity units that one call consumes in the table or index. */
  readonly units: number;
}

export interface Estimate {
  readonly patterns: readonly PatternUsage[];
  /** The usage of each table and index, with the most expensive one first. */
  readonly places: readonly (Usage & { readonly table: string; readonly index?: string })[];
  readonly total: Pick<Usage, 'onDemand' | 'provisioned'>;
}

/** Estimates what a system's patterns cost on DynamoDB under their load; leaves out patterns without a load. */
export function estimateOf({ tables }: Pick<SystemDesign, 'tables'>, loads: Loads, prices: AwsPrices): Estimate {
  const patterns = Object.entries(tables).flatMap(([table, design]) => {
    const known = blueprint(design);
    return known.patterns.flatMap((pattern) => {
      const load = Object.hasOwn(loads, pattern.name) ? loads[pattern.name] : undefined;
      return load === undefined ? [] : usagesOf(table, known, pattern, load, prices);
    });
  });
  const byPlace = new Map<string, PatternUsage[]>();
  for (const usage of patterns) {
    const place = JSON.stringify([usage.table, usage.index]);
    byPlace.set(place, [...(byPlace.get(place) ?? []), usage]);
  }
  const places = Array.from(byPlace.values(), (usages) => {
    const [{ table, index }] = usages as [PatternUsage];
    const sum = (field: keyof Usage) => usages.reduce((all, usage) => all + usage[field], 0);
    const peaks = { peakReads: sum('peakReads'), peakWrites: sum('peakWrites') };
    return {
      table,
      ...(index !== undefined && { index }),
      ...{ reads: sum('reads'), writes: sum('writes'), ...peaks },
      onDemand: cents(sum('onDemand')),
      // DynamoDB provisions capacity in whole units per table or index, not per pattern.
      provisioned: provisionedFor(peaks, prices),
    };
  }).sort((a, b) => b.onDemand - a.onDemand);
  const total = (field: 'onDemand' | 'provisioned') => cents(places.reduce((all, place) => all + place[field], 0));
  return { patterns, places, total: { onDemand: total('onDemand'), provisioned: total('provisioned') } };
}

function usagesOf(
  table: string,
  known: TableBlueprint,
  pattern: PatternBlueprint,
  load: Load,
  prices: AwsPrices,
): readonly PatternUsage[] {
  const { perSecond, peak = perSecond } = load;
  return usesOf(known, pattern, load).map(({ index, reads, writes }: Use): PatternUsage => {
    const peaks = { peakReads: reads * peak, peakWrites: writes * peak };
    return {
      ...{ pattern: pattern.name, table, ...(index !== undefined && { index }) },
      ...{ units: reads + writes, reads: reads * perSecond, writes: writes * perSecond, ...peaks },
      onDemand: onDemandFor({ reads: reads * perSecond, writes: writes * perSecond }, prices),
      provisioned: provisionedFor(peaks, prices),
    };
  });
}

/** Returns the monthly on-demand cost, in dollars, of this many units per second. */
export function onDemandFor({ reads, writes }: { reads: number; writes: number }, prices: AwsPrices): number {
  const millions = (HOURS * 3600) / 1e6;
  return cents(millions * (reads * prices.readUnitsMillion + writes * prices.writeUnitsMillion));
}

function provisionedFor({ peakReads, peakWrites }: Pick<Usage, 'peakReads' | 'peakWrites'>, prices: AwsPrices): number {
  return cents(HOURS * (Math.ceil(peakReads) * prices.readUnitHour + Math.ceil(peakWrites) * prices.writeUnitHour));
}
