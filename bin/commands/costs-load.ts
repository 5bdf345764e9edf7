import { blueprint } from '../../lib/blueprint/table';
import { type Advice, adviceFor } from '../../lib/costs/advice';
import { type Estimate, estimateOf } from '../../lib/costs/estimate';
import { loadsFrom } from '../../lib/costs/load';
import { PRICES, type Prices } from '../../lib/costs/prices';
import type { Loads } from '../../lib/design/config';
import { isObject } from '../../lib/design/show';
import type { SystemDesign } from '../../lib/design/system';
import { systemOf } from '../../lib/evolve/lock/make';
import { readJson } from '../../lib/files/read';
import { columns } from './columns';
import { FileError, type Terminal } from './command';
import { readProject } from './config';
import { designsNamed } from './designs';

/** What the load of a system costs on DynamoDB, and how to lower the cost. */
export interface Loaded extends Estimate {
  readonly system: string;
  readonly advice: readonly Advice[];
}

/** The DynamoDB systems that are named, and the load of their patterns from --load or the configuration. */
export interface Named {
  readonly systems: readonly SystemDesign[];
  /** @default - no load is known */
  readonly loads?: Loads;
}

export async function loadNamed(
  names: readonly string[],
  { load: file, demo }: { readonly load?: string | undefined; readonly demo?: boolean | undefined },
): Promise<Named> {
  const project = file === undefined ? await readProject() : undefined;
  const given = file ?? project?.load;
  const systems = (await designsNamed(names, demo)).map(systemOf).filter(({ cloud }) => cloud === 'aws');
  if (given === undefined) return { systems };
  const patterns = systems.flatMap(patternsOf);
  const loads = loadsFrom(typeof given === 'string' ? readJson(given) : given, patterns);
  if (typeof loads === 'string') throw new FileError(`${typeof given === 'string' ? given : project?.file}: ${loads}`);
  return { systems, loads };
}

/** The estimate of each system that has a load. Azure is left out: all its requests cost the same. */
export function loadedOf({ systems, loads }: Named, prices: Prices): readonly Loaded[] {
  if (loads === undefined) return [];
  return systems
    .map((system) => ({
      system: system.name,
      ...estimateOf(system, loads, prices.aws),
      advice: adviceFor(system, ownOf(system, loads), prices.aws),
    }))
    .filter((loaded) => loaded.patterns.length > 0);
}

/** What the configured load costs before and after a change of the design, in dollars a month on demand. */
export interface CostChange {
  readonly before: number;
  readonly after: number;
  /** The tables and indexes whose costs change, the largest difference first. */
  readonly places: readonly { readonly place: string; readonly before: number; readonly after: number }[];
}

/** How a change affects the costs of the configured load; undefined if no load is configured. */
export async function costChangeOf(before: SystemDesign, after: SystemDesign): Promise<CostChange | undefined> {
  const project = await readProject();
  if (project?.load === undefined || after.cloud !== 'aws') return undefined;
  const known = [before, after].flatMap(patternsOf);
  const given = typeof project.load === 'string' ? readJson(project.load) : project.load;
  // The load may include patterns of other designs.
  const own = isObject(given)
    ? Object.fromEntries(Object.entries(given).filter(([name]) => known.includes(name)))
    : given;
  const loads = loadsFrom(own, known);
  if (typeof loads === 'string') throw new FileError(`${project.file}: ${loads}`);
  if (Object.keys(loads).length === 0) return undefined;
  const [old, now] = [before, after].map((system) => estimateOf(system, loads, PRICES.aws)) as [Estimate, Estimate];
  const nameOf = ({ table, index }: Estimate['places'][number]) =>
    index === undefined ? table : `${index} of ${table}`;
  const costIn = ({ places }: Estimate, name: string) => places.find((place) => nameOf(place) === name)?.onDemand ?? 0;
  const places = [...new Set([...old.places, ...now.places].map(nameOf))]
    .map((place) => ({ place, before: costIn(old, place), after: costIn(now, place) }))
    .filter((one) => one.before !== one.after)
    .sort((a, b) => Math.abs(b.after - b.before) - Math.abs(a.after - a.before));
  return { before: old.total.onDemand, after: now.total.onDemand, places };
}

/** A change of costs in one sentence. */
export function costChangeText({ before, after, places }: CostChange): string {
  const signed = (sum: number) => `${sum < 0 ? '-' : '+'}${dollars(Math.abs(sum))}`;
  const total = `the load costs ${dollars(after)} a month on demand`;
  if (places.length === 0) return `${total}, as before`;
  const shown = places.slice(0, 3).map((one) => `${one.place} ${signed(one.after - one.before)}`);
  return `${total}, ${signed(after - before)} (${shown.join(', ')})`;
}

function patternsOf({ tables }: SystemDesign): readonly string[] {
  return Object.values(tables).flatMap((table) => blueprint(table).patterns.map(({ name }) => name));
}

/** The loads of a system's own patterns. */
function ownOf(system: SystemDesign, loads: Loads): Loads {
  const own = new Set(patternsOf(system));
  return Object.fromEntries(Object.entries(loads).filter(([name]) => own.has(name)));
}

export function printLoaded({ system, patterns, places, total, advice }: Loaded, terminal: Terminal): void {
  terminal.line(
    `${system}: its load costs ${dollars(total.onDemand)} a month on demand, ${dollars(total.provisioned)} provisioned for the peak`,
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
