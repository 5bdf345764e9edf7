import { testsIn } from '../blueprint/conditions';
import { partitionLoads, partitionLoadText } from '../blueprint/load/partitions';
import { usesOf } from '../blueprint/load/traffic';
import { blueprint, type IndexBlueprint, type PatternBlueprint, type TableBlueprint } from '../blueprint/table';
import type { Loads } from '../design/config';
import type { SystemDesign } from '../design/system';
import { cents } from './cost';
import { onDemandFor } from './estimate';
import type { AwsPrices } from './prices';

/** Advice about a part of a design that costs a lot or overloads a partition under the given load. */
export interface Advice {
  readonly kind: 'hot-partition' | 'wide-projection' | 'dear-index' | 'indexed-counter';
  readonly table: string;
  readonly index?: string;
  readonly patterns: readonly string[];
  /**
   * What the change saves at on-demand prices, in dollars per month.
   * @default - the change prevents throttling and saves no money
   */
  readonly saves?: number;
  /** The number of shards that the partition needs. */
  readonly shards?: number;
  readonly message: string;
}

/** Suggests changes to a system under this load, sorted by savings, largest first. */
export function adviceFor(
  { tables }: Pick<SystemDesign, 'tables'>,
  loads: Loads,
  prices: AwsPrices,
): readonly Advice[] {
  const all = Object.entries(tables).flatMap(([name, design]) => {
    const table = blueprint(design);
    const scene = { name, table, loads, prices };
    return [...hotPartitions(scene), ...table.indexes.flatMap((index) => narrower(scene, index)), ...counters(scene)];
  });
  return all.sort((a, b) => (b.saves ?? Infinity) - (a.saves ?? Infinity));
}

interface Scene {
  readonly name: string;
  readonly table: TableBlueprint;
  readonly loads: Loads;
  readonly prices: AwsPrices;
}

function loaded({ table, loads }: Scene): readonly PatternBlueprint[] {
  return table.patterns.filter(({ name }) => Object.hasOwn(loads, name));
}

function hotPartitions({ name: table, table: known, loads }: Scene): readonly Advice[] {
  return partitionLoads(known, loads)
    .filter(({ shards }) => shards > 1)
    .map((load): Advice => {
      const { index, patterns, shards } = load;
      const message = `${partitionLoadText(load)}; spread the partition over ${shards} shards`;
      return { kind: 'hot-partition', table, ...(index !== undefined && { index }), patterns, shards, message };
    });
}

/**
 * Suggests a narrower projection for an index: only the attributes that its readers select, or only the keys plus a
 * separate read of each item.
 */
function narrower(scene: Scene, index: IndexBlueprint): readonly Advice[] {
  const { name, table, prices } = scene;
  if (index.projection !== 'all' || index.local) return [];
  const readers = table.patterns.filter(({ accesses }) => accesses.some((access) => access.index === index.name));
  const now = costOf(scene, index, index.projection);
  if (readers.length === 0 || now === 0) return [];
  const selected = readers.map(({ design }) => ('select' in design ? design.select : undefined));
  if (selected.every((names) => names !== undefined)) {
    const filtered = readers.flatMap(({ design }) => ('filter' in design ? testsIn(design.filter ?? {}) : []));
    const wanted = [...new Set([...selected.flat(), ...filtered.map(({ path }) => path.split('.')[0] as string)])];
    const own = wanted.filter((attribute) => !table.keyAttributes.some((key) => key.name === attribute));
    const saves = cents(now - costOf(scene, index, own.length === 0 ? 'keys' : own));
    const shown = own.length === 0 ? `'keys'` : `[${own.map((attribute) => `'${attribute}'`).join(', ')}]`;
    if (saves < 1) return [];
    const message = `index ${index.name} projects all attributes, but its readers (${list(readers)}) select only a few; to save $${saves.toFixed(2)} of its $${now.toFixed(2)} a month, write projection: ${shown}`;
    return [{ kind: 'wide-projection', table: name, index: index.name, patterns: names(readers), saves, message }];
  }
  const gets = readers.reduce((sum, pattern) => sum + getsOf(scene, pattern), 0);
  const apart = costOf(scene, index, 'keys') + onDemandFor({ reads: gets, writes: 0 }, prices);
  const saves = cents(now - apart);
  if (saves < 1) return [];
  const message = `index ${index.name} costs $${now.toFixed(2)} a month, mostly for writing attributes that its readers (${list(readers)}) rarely read; to save $${saves.toFixed(2)}, set projection: 'keys', and read the items with a batchGet`;
  return [{ kind: 'dear-index', table: name, index: index.name, patterns: names(readers), saves, message }];
}

function names(patterns: readonly PatternBlueprint[]): readonly string[] {
  return patterns.map(({ name }) => name);
}

function list(patterns: readonly PatternBlueprint[]): string {
  return names(patterns).join(', ');
}

/** The cost of an index with this projection, in dollars per month at on-demand prices. */
function costOf(scene: Scene, index: IndexBlueprint, projection: IndexBlueprint['projection']): number {
  const { table, loads, prices } = scene;
  const other = { ...table, indexes: table.indexes.map((one) => (one === index ? { ...index, projection } : one)) };
  return loaded(scene).reduce((sum, pattern) => {
    const load = loads[pattern.name] as Loads[string];
    const use = usesOf(other, pattern, load).find((one) => one.index === index.name);
    const { reads = 0, writes = 0 } = use ?? {};
    return sum + onDemandFor({ reads: reads * load.perSecond, writes: writes * load.perSecond }, prices);
  }, 0);
}

/** Returns the read units per second of reading each item from the table after an index query has found its key. */
function getsOf({ loads }: Scene, pattern: PatternBlueprint): number {
  const load = Object.hasOwn(loads, pattern.name) ? loads[pattern.name] : undefined;
  const [entity] = pattern.accesses.flatMap(({ entities }) => entities);
  if (load === undefined || entity === undefined) return 0;
  const items = load.items ?? ('pageSize' in pattern.design ? pattern.design.pageSize : undefined) ?? 10;
  return load.perSecond * items * Math.ceil((load.bytes ?? 1024) / 4096) * 0.5;
}

/**
 * Suggests moving counters to separate items, because updating a counter also writes to every index that contains the
 * whole item.
 */
function counters(scene: Scene): readonly Advice[] {
  const { name, table, loads, prices } = scene;
  return loaded(scene).flatMap((pattern): readonly Advice[] => {
    const { design } = pattern;
    const load = loads[pattern.name] as Loads[string];
    if (design.op !== 'update' || Object.keys({ ...design.add, ...design.subtract }).length === 0) return [];
    const inIndexes = usesOf(table, pattern, load).filter(({ index, writes }) => index !== undefined && writes > 0);
    const writes = inIndexes.reduce((sum, use) => sum + use.writes, 0) * load.perSecond;
    const saves = onDemandFor({ reads: 0, writes }, prices);
    if (inIndexes.length < 2 || saves < 1) return [];
    const counted = Object.keys({ ...design.add, ...design.subtract }).join("', '");
    const message = `the pattern ${pattern.name} counts '${counted}' in an item that is also in ${inIndexes.map(({ index }) => index).join(', ')}; a counter in a separate item saves $${saves.toFixed(2)} a month`;
    return [{ kind: 'indexed-counter', table: name, patterns: [pattern.name], saves, message }];
  });
}
