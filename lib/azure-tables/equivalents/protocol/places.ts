import { keyOf, outline, type TableOutline } from '../../../blueprint/outline';
import { projectedBy } from '../../../blueprint/projected';
import { whole } from '../../../blueprint/shares';
import type { SystemDesign } from '../../../design/system';
import type { TableDesign } from '../../../design/table';
import { KeyError } from '../../../design/template';
import { type Item, ItemError } from '../../../items/item';
import { type AzureTable, azureKeysOf, azureTables, transactionsTable } from '../tables';
import type { RowKeys } from './row';

/** An Azure table whose rows follow the items of a design's table: an index, or a mirror for descending order. */
export interface Follower {
  readonly azure: AzureTable;
  /** The attributes that the rows contain. @default - all attributes */
  readonly holds?: ReadonlySet<string> | undefined;
}

/** One table of a design, and the Azure tables that represent it. */
export interface Place {
  readonly table: TableOutline;
  readonly base: AzureTable;
  readonly followers: readonly Follower[];
}

/** The tables of a system, with the Azure tables that represent them. */
export interface Places {
  /** The name of the table that holds the transaction records. */
  readonly transactions: string;
  readonly all: readonly Place[];
  of(table: TableOutline): Place;
  /** The place whose items are in the Azure table with this name. */
  named(azureTable: string): Place | undefined;
}

export function placesOf(system: SystemDesign): Places {
  const tables = azureTables(system);
  const all = Object.entries(whole(system).tables).map(([name, design]) => placeOf(name, design, tables));
  const byDesign = new Map<TableDesign, Place>(all.map((place) => [place.table.design, place]));
  const byName = new Map(all.map((place) => [place.base.name, place]));
  return {
    transactions: transactionsTable(system),
    all,
    of({ design, name }) {
      const place = byDesign.get(design) ?? all.find(({ table }) => table.name === name);
      if (place === undefined)
        throw new ItemError(
          `table '${name}' is not in system '${system.name}'; call equivalents(…) with the system that contains this table`,
        );
      return place;
    },
    named: (name) => byName.get(name),
  };
}

function placeOf(name: string, design: TableDesign, tables: readonly AzureTable[]): Place {
  const table = outline(design);
  const own = tables.filter((azure) => azure.table === name);
  const isBase = ({ index, isMirror }: AzureTable) => index === undefined && !isMirror;
  const followers = own
    .filter((azure) => !isBase(azure))
    .map((azure): Follower => {
      const index = table.indexes.find((one) => one.name === azure.index);
      // The rows of a local index contain all attributes. On DynamoDB, a query of a local index can also return
      // attributes that are only in the table.
      const names = index === undefined || index.local ? undefined : projectedBy(table, index);
      return { azure, holds: names && new Set(names) };
    });
  return { table, base: own.find(isBase) as AzureTable, followers };
}

/** The keys of an item's row. */
export function rowKeysOf({ base, table }: Pick<Place, 'base' | 'table'>, item: Item): RowKeys {
  const key = Object.fromEntries(keyOf(table.key).map(({ name }) => [name, item[name]]));
  return inSdkNames(azureKeysOf(base, withNumbers(key)) as NonNullable<ReturnType<typeof azureKeysOf>>);
}

/** The keys of a row that follows an item; undefined if the item has no row in that table. */
export function followingKeysOf({ azure }: Follower, item: Item): RowKeys | undefined {
  const keys = azureKeysOf(azure, withNumbers(item));
  return keys && inSdkNames(keys);
}

export function inSdkNames({
  PartitionKey,
  RowKey,
}: {
  readonly PartitionKey: string;
  readonly RowKey: string;
}): RowKeys {
  return { partitionKey: PartitionKey, rowKey: RowKey };
}

/** Converts bigints to numbers, because an Azure key stores a number as a double. */
export function withNumbers(item: Item): Item {
  const large = Object.entries(item).filter(([, value]) => typeof value === 'bigint');
  if (large.length === 0) return item;
  return { ...item, ...Object.fromEntries(large.map(([name, value]) => [name, doubleOf(name, value as bigint)])) };
}

export function doubleOf(name: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  if (BigInt(number) !== value)
    throw new KeyError(
      name,
      `${name} is ${value}, which an Azure key cannot store exactly, because Azure keys store numbers as doubles`,
    );
  return number;
}
