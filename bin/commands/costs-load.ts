import { whole } from '../../lib/blueprint/shares';
import { type Advice, adviceFor } from '../../lib/costs/advice';
import { type Estimate, estimateOf } from '../../lib/costs/estimate';
import { PRICES, type Prices } from '../../lib/costs/prices';
import type { Loads } from '../../lib/design/config';
import type { SystemDesign } from '../../lib/design/system';
import { systemOf } from '../../lib/evolve/lock/make';
import type { Terminal } from './command';
import { designsNamed } from './designs';
import { loadGiven, patternsOf } from './load';
import { columns } from './printable';

/** The costs of a system's load on DynamoDB, and advice on lowering them. */
export interface Loaded extends Estimate {
  readonly system: string;
  readonly advice: readonly Advice[];
}

/** The named DynamoDB systems, and the load of their patterns, taken from --load or the configuration. */
export interface Named {
  readonly systems: readonly SystemDesign[];
  /** @default - no load is known */
  readonly loads?: Loads;
}

export async function loadNamed(
  names: readonly string[],
  { load: file, demo }: { readonly load?: string | undefined; readonly demo?: boolean | undefined },
): Promise<Named> {
  const designs = await designsNamed(names, demo);
  const loads = await loadGiven(designs, file);
  const systems = designs.map(systemOf).filter(({ cloud }) => cloud === 'aws');
  return loads === undefined ? { systems } : { systems, loads };
}

/** Estimates the costs of each system that has a load. */
export function loadedOf({ systems, loads }: Named, prices: Prices): readonly Loaded[] {
  if (loads === undefined) return [];
  return systems
    .map((system) => ({
      system: system.name,
      ...estimateOf(whole(system), loads, prices.aws),
      advice: adviceFor(whole(system), loads, prices.aws),
    }))
    .filter((loaded) => loaded.patterns.length > 0);
}

/**
 * The costs of the configured load before and after a change to the design, in dollars per month at on-demand prices.
 */
export interface CostChange {
  readonly before: number;
  readonly after: number;
  /** The tables and indexes whose costs change, in descending order of the difference. */
  readonly places: readonly { readonly place: string; readonly before: number; readonly after: number }[];
}

/** Computes how a change affects the costs of the configured load; returns undefined if no load is configured. */
export async function costChangeOf(before: SystemDesign, after: SystemDesign): Promise<CostChange | undefined> {
  const loads = after.cloud === 'aws' ? await loadGiven([before, after]) : undefined;
  if (loads === undefined || ![before, after].flatMap(patternsOf).some((name) => Object.hasOwn(loads, name)))
    return undefined;
  const [old, now] = [before, after].map((system) => estimateOf(whole(system), loads, PRICES.aws)) as [
    Estimate,
    Estimate,
  ];
  const nameOf = ({ table, index }: Estimate['places'][number]) =>
    index === undefined ? table : `${index} of ${table}`;
  const costIn = ({ places }: Estimate, name: string) => places.find((place) => nameOf(place) === name)?.onDemand ?? 0;
  const places = [...new Set([...old.places, ...now.places].map(nameOf))]
    .map((place) => ({ place, before: costIn(old, place), after: costIn(now, place) }))
    .filter((one) => one.before !== one.after)
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  return { before: old.total.onDemand, after: now.total.onDemand, places };
}

/** Describes a change in costs in one sentence. */
export function costChangeText({ before, after, places }: CostChange): string {
  const signed = (sum: number) => `${sum < 0 ? '-' : '+'}${dollars(Math.abs(sum))}`;
  const total = `the load costs ${dollars(after)} a month on demand`;
  if (places.length === 0) return `${total}, as before`;
  const shown = places.slice(0, 3).map((one) => `${one.place} ${signed(one.after - one.before)}`);
  return `${total}, ${signed(after - before)} (${shown.join(', ')})`;
}

export function printLoaded({ system, patterns, places, total, advice }: Loaded, terminal: Terminal): void {
  terminal.line(
    `${system}: its load costs ${dollars(total.onDemand)} a month on demand, or ${dollars(total.provisioned)} with capacity provisioned for the peak`,
  );
  const at = (table: string, index?: string) => (index === undefined ? table : `${table}.${index}`);
  const share = (amount: number) => `${Math.round((100 * amount) / Math.max(0.01, total.onDemand))}%`;
  const byPattern = [...patterns]
    .sort((a, b) => b.onDemand - a.onDemand)
    .map((use) => [dollars(use.onDemand), share(use.onDemand), use.pattern, at(use.table, use.index), unitsOf(use)]);
  const byPlace = places.map((place) => [
    ...[dollars(place.onDemand), share(place.onDemand), at(place.table, place.index)],
    `${dollars(place.provisioned)} provisioned`,
  ]);
  for (const row of columns([['on demand', 'share', 'pattern', 'where', 'units per call'], ...byPattern]))
    terminal.line(`  ${row}`);
  for (const row of columns([['on demand', 'share', 'table or index', ''], ...byPlace])) terminal.line(`  ${row}`);
  for (const { message, kind } of advice) terminal.line(`  ${message}   [${kind}]`);
  terminal.line('');
}

function unitsOf({ units, reads }: { readonly units: number; readonly reads: number }): string {
  return `${units} ${reads > 0 ? 'read' : 'write'}`;
}

function dollars(amount: number): string {
  return `$${amount.toFixed(2)}`;
}
