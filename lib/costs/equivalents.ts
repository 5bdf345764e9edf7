import { isReadFirst } from '../azure-tables/equivalents/portability';
import { type AzureTable, azureTables } from '../azure-tables/equivalents/tables';
import { type Access, isRead } from '../blueprint/accesses';
import { AZURE_TABLES } from '../blueprint/clouds';
import { entryChange, itemsOf, timesOf, usesOf } from '../blueprint/load/traffic';
import { whole } from '../blueprint/shares';
import { blueprint, entityNamed, type PatternBlueprint, type TableBlueprint } from '../blueprint/table';
import { fanOf, textWith } from '../blueprint/template-parts';
import type { Load, Loads } from '../design/config';
import type { SystemDesign } from '../design/system';
import { awsCalls, azureCalls } from './calls';
import { cents, HOURS } from './cost';
import type { Prices } from './prices';

/** What one pattern of a DynamoDB system costs on each cloud, in dollars. */
export interface Compared {
  readonly pattern: string;
  /**
   * The number of requests that one call sends to Azure Tables if no other call writes the same items at the same time.
   */
  readonly requests: number;
  /** The cost on Azure Tables for a month of the pattern's load or, without a load, for a million calls. */
  readonly azure: number;
  /** The on-demand cost on DynamoDB for a month of the pattern's load or, without a load, for a million calls. */
  readonly dynamodb: number;
}

/**
 * The costs of a system's patterns on both clouds. Azure bills indexes and transactions as requests; DynamoDB bills
 * them as units.
 */
export interface Comparison {
  readonly patterns: readonly Compared[];
  /** The monthly cost of the load. @default - no load was given, so each pattern's cost is for a million calls */
  readonly total?: Pick<Compared, 'azure' | 'dynamodb'>;
}

/**
 * Compares the costs of the patterns that have a load. If no load is given, compares a million calls of every pattern.
 */
export function comparisonOf(system: SystemDesign, loads: Loads | undefined, prices: Prices): Comparison {
  const patterns = Array.from(partsOf(system)).flatMap(([pattern, parts]): readonly Compared[] => {
    const load = loads !== undefined && Object.hasOwn(loads, pattern) ? loads[pattern] : undefined;
    if (loads !== undefined && load === undefined) return [];
    const requests = requestsOf(parts, load);
    const uses = parts.flatMap((part) => usesOf(part.table, part.pattern, load));
    const sum = (field: 'reads' | 'writes') => uses.reduce((all, use) => all + use[field], 0);
    const units = { reads: sum('reads'), writes: sum('writes') };
    const millions = load === undefined ? 1 : (load.perSecond * HOURS * 3600) / 1e6;
    const rounded = load === undefined ? (dollars: number) => dollars : cents;
    return [
      {
        ...{ pattern, requests },
        azure: rounded(millions * azureCalls(requests, prices.azure)),
        dynamodb: rounded(millions * awsCalls(units, prices.aws)),
      },
    ];
  });
  patterns.sort((a, b) => b.azure - a.azure);
  const total = (cloud: 'azure' | 'dynamodb') => cents(patterns.reduce((all, one) => all + one[cloud], 0));
  return { patterns, ...(loads !== undefined && { total: { azure: total('azure'), dynamodb: total('dynamodb') } }) };
}

/** The part of a pattern that uses one table. */
interface Part {
  readonly table: TableBlueprint;
  readonly pattern: PatternBlueprint;
  /**
   * The Azure tables that contain the indexes and mirrors of `table`. Their rows are derived from the rows of `table`.
   */
  readonly followers: readonly AzureTable[];
}

/**
 * Splits each pattern into parts, one for every table that the pattern reaches. The result is keyed by pattern name.
 */
function partsOf(system: SystemDesign): ReadonlyMap<string, readonly Part[]> {
  const all = azureTables(system);
  const parts = new Map<string, readonly Part[]>();
  for (const [name, design] of Object.entries(whole(system).tables)) {
    const table = blueprint(design);
    const isFollower = ({ index, isMirror }: AzureTable) => index !== undefined || isMirror === true;
    const followers = all.filter((azure) => azure.table === name && isFollower(azure));
    for (const pattern of table.patterns)
      parts.set(pattern.name, [...(parts.get(pattern.name) ?? []), { table, pattern, followers }]);
  }
  return parts;
}

function requestsOf(parts: readonly Part[], load: Partial<Load> = {}): number {
  const each = parts.flatMap((part) => part.pattern.accesses.map((access) => [part, access] as const));
  const sum = (count: (part: Part, access: Access) => number) =>
    each.reduce((all, [part, access]) => all + count(part, access), 0);
  const { design } = (parts[0] as Part).pattern;
  if (isRead(design)) return sum((part, access) => readRequests(part.pattern, access, load));
  const around = sum((part, access) => timesOf(access, load) * requestsAround(part, access));
  if (design.op === 'batchWrite') return around + sum((_, access) => timesOf(access, load));
  const partitions = new Map(
    each.map(([{ table }, access]) => [`${table.name} ${partitionOf(access)}`, timesOfPartition(access, load)]),
  );
  const count = [...partitions.values()].reduce((all, times) => all + times, 0);
  // A transaction over several partitions sends one request for the transaction's record, two for each partition (a
  // lock and a write), and one for the commit.
  return around + (count === 1 ? 1 : 2 * count + 2);
}

function readRequests(pattern: PatternBlueprint, { action }: Access, load: Partial<Load>): number {
  if (action === 'query' || action === 'scan')
    return (
      (fanOf(pattern.design)?.shards ?? 1) * Math.max(1, Math.ceil(itemsOf(pattern, load) / AZURE_TABLES.pageItems))
    );
  const times = 'each' in pattern.design && pattern.design.each !== undefined ? (load.items ?? 1) : 1;
  // A read transaction (`transactGet`) repeats its reads until two of them agree.
  return times * (pattern.design.op === 'transactGet' ? 2 : 1);
}

/**
 * Returns the number of requests that accompany the write of a row: a read of the row, writes of the rows derived from
 * it in other tables, and a write that empties the outbox.
 */
function requestsAround({ table, followers }: Part, { step, entities: [name = ''], unique }: Access): number {
  const isFirst = unique === undefined || step.op !== 'put' ? isReadFirst(step) : false;
  const entity = entityNamed(table, name);
  if (entity === undefined || step.op === 'require') return Number(isFirst);
  const rows = followers.map(({ index: own }) => {
    const index = table.indexes.find((one) => one.name === own);
    const change = index === undefined ? 'written' : entryChange(table, entity, index, step);
    // A row of a local index contains the whole item, so every write to the item makes it stale.
    const isStale =
      change !== undefined || (index?.local === true && entryChange(table, entity, index, PUT) !== undefined);
    // A write to an existing row reads the row first; a row that moves also leaves a tombstone.
    return isStale ? (change === 'moved' ? 3 : isFirst ? 2 : 1) : 0;
  });
  const following = rows.reduce<number>((all, row) => all + row, 0);
  return Number(isFirst) + following + Number(following > 0);
}

const PUT: Access['step'] = { op: 'put', entity: '' };

/** Returns a string that is the same for two writes if their parameters lead to the same partition. */
function partitionOf({ partition, key, step, part }: Access): string {
  const { item, each = part } = step as { readonly item?: Readonly<Record<string, unknown>>; readonly each?: string };
  const given = (name: string) => {
    if (step.op !== 'put') return `<${name}>`;
    return item === undefined ? `<${each === undefined ? '' : `${each}.`}${name}>` : String(item[name]);
  };
  const own = partition?.slice(0, key?.partitionBy.length) ?? [];
  return own.map(({ at }) => textWith(at, ({ name }) => given(name))).join(', ');
}

/**
 * Returns how many partitions a write reaches: one or, if the elements of its list lead to different partitions, one
 * for each element.
 */
function timesOfPartition(access: Access, load: Partial<Load>): number {
  const { each } = access.step as { readonly each?: string };
  return each !== undefined && partitionOf(access).includes(`<${each}.`) ? timesOf(access, load) : 1;
}
