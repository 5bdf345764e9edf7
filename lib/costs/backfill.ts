import type { PhysicalTable } from '../blueprint/physical-table';
import type { ItemChange, Phase, Plan } from '../evolve/plan/plan';
import { awsCalls, azureCalls } from './calls';

/** The capacity and cost of converting a million items of an entity to the new design, if each item is at most 1 KB. */
export interface BackfillCost {
  /** The entity's name in the lock, such as `blog.Post`. */
  readonly entity: string;
  /** Millions of read units; 0 on Azure, where `writes` counts all requests. */
  readonly reads: number;
  /** Millions of write units, indexes included; on Azure, millions of requests. */
  readonly writes: number;
  readonly dollars: number;
}

/**
 * The read units per item: two passes with eventually consistent reads, and one verification pass with strongly
 * consistent reads. One read of 4 KB covers four items of 1 KB.
 */
const READS = 0.125 + 0.125 + 0.25;

/** Returns, for each entity whose items change, the maximum cost of these changes. */
export function backfillCosts({
  items,
  phases,
  cloud,
}: Pick<Plan, 'items' | 'phases' | 'cloud'>): readonly BackfillCost[] {
  const [filling, cleaning] = (['fill', 'clean'] as const).map((kind) => phases.find((phase) => phase.items === kind));
  return items.flatMap((item) => {
    const writes = fillWrites(item, filling, cloud) + cleanWrites(item, cleaning, cloud);
    if (writes === 0) return [];
    const entity = `${item.from.table}.${item.from.entity}`;
    if (cloud === 'azure') return [{ entity, reads: 0, writes, dollars: azureCalls(writes) }];
    return [{ entity, reads: READS, writes, dollars: awsCalls({ reads: READS, writes }) }];
  });
}

function fillWrites(item: ItemChange, phase: Phase | undefined, cloud: Plan['cloud']): number {
  const { to, keys, moves, renamed, defaults, needsUp, splits = [], type } = item;
  if (phase === undefined || to === undefined) return 0;
  const set = Object.entries(keys).flatMap(([name, { after }]) => (after === undefined ? [] : [name]));
  const names = [...set, ...Object.values(renamed), ...defaults, ...needsUp];
  if (!moves && names.length === 0 && type === undefined && splits.length === 0) return 0;
  const table = phase.tables[to.table];
  // A move is a transaction of a put and a delete, which consume two units each; on Azure, a move is a copy, a read and
  // a delete.
  if (moves) return (cloud === 'azure' ? 3 : 4 + 2 * (table?.indexes.length ?? 0)) + splits.length;
  const isChanged = names.length > 0 || type !== undefined;
  return (isChanged ? 1 + touched(table, names) : 0) + splits.length;
}

function cleanWrites({ from, to, keys, removed }: ItemChange, phase: Phase | undefined, cloud: Plan['cloud']): number {
  const table = phase?.tables[from.table];
  if (table === undefined) return 0;
  if (to === undefined) return cloud === 'azure' ? 1 : 1 + table.indexes.length;
  const gone = Object.entries(keys).flatMap(([name, { after }]) => (after === undefined ? [name] : []));
  const names = [...removed, ...gone];
  return names.length === 0 ? 0 : 1 + (cloud === 'azure' ? 0 : touched(table, names));
}

/** Returns how many indexes project at least one of these attributes, or use one as a key. */
function touched(table: PhysicalTable | undefined, names: readonly string[]): number {
  const isIn = ({ partitionBy, sortBy, projection }: PhysicalTable['indexes'][number]) =>
    projection === 'all' ||
    [...partitionBy, ...sortBy].some(({ name }) => names.includes(name)) ||
    (typeof projection !== 'string' && projection.some((name) => names.includes(name)));
  return (table?.indexes ?? []).filter(isIn).length;
}
