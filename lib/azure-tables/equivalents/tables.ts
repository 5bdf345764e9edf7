import { blueprint, type KeyAttribute, keyOf } from '../../blueprint/table';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { KeyError } from '../../design/template';
import { decodeKey, encodeKey, type KeyValue } from './key-text';
import { azureNames } from './names';

/** An Azure table that stands for a table of a design, or for an index. */
export interface AzureTable {
  /** Its legal name. */
  readonly name: string;
  /** The name of the design's table in the system. */
  readonly table: string;
  /** The index that it stands for. @default - it stands for the table itself */
  readonly index?: string;
  /** The attributes that make up its PartitionKey. */
  readonly partition: readonly KeyAttribute[];
  /** The attributes that make up its RowKey, in this order. */
  readonly row: readonly KeyAttribute[];
  /** Whether its keys are the design's own, written as they are. */
  readonly native: boolean;
}

/**
 * The Azure tables of a system: an Azure system's own; for a DynamoDB system, one for each table and one for each index, whose
 * RowKey is the index's sort key followed by the table's key, because rows must be unique.
 */
export function azureTables(system: SystemDesign): readonly AzureTable[] {
  const native = system.cloud === 'azure';
  const places = Object.entries(system.tables).flatMap(([table, design]) => [
    { table, design, index: undefined },
    ...(native ? [] : Object.keys(design.indexes ?? {})).map((index) => ({ table, design, index })),
  ]);
  const names = native
    ? places.map(({ table }) => table)
    : azureNames(places.map(({ table, index }) => (index === undefined ? [table] : [table, index])));
  return places.map(({ table, design, index }, i) => ({
    name: names[i] as string,
    table,
    ...(index === undefined ? {} : { index }),
    ...keysOf(design, index),
    native,
  }));
}

function keysOf(design: TableDesign, index: string | undefined): Pick<AzureTable, 'partition' | 'row'> {
  const { key, indexes } = blueprint(design);
  const used = indexes.find(({ name }) => name === index);
  if (used === undefined) return { partition: key.partitionBy, row: key.sortBy };
  return { partition: used.partitionBy, row: [...used.sortBy, ...keyOf(key)] };
}

/** The keys of a row in an Azure table. */
export interface AzureKeys {
  readonly PartitionKey: string;
  readonly RowKey: string;
}

/** The RowKey for a table without a sort key, where a partition has only one row. */
const ONLY_ROW = '-';

/** The keys of an item in a table; undefined if it lacks an attribute of an index, and so has no row there. */
export function azureKeysOf(table: AzureTable, item: Readonly<Record<string, unknown>>): AzureKeys | undefined {
  const attributes = [...table.partition, ...table.row];
  const missing = attributes.find(({ name }) => item[name] === undefined || item[name] === null);
  if (missing !== undefined) {
    if (table.index !== undefined) return undefined;
    throw new KeyError(missing.name, `an item of ${table.table} has no '${missing.name}'; give its whole key`);
  }
  const write = (parts: readonly KeyAttribute[]) => {
    const values = parts.map(({ name }) => item[name] as KeyValue);
    return table.native ? values.join('') : encodeKey(values);
  };
  return { PartitionKey: write(table.partition), RowKey: table.row.length === 0 ? ONLY_ROW : write(table.row) };
}

/** The key attributes of the item that a row stands for. */
export function itemKeysOf(table: AzureTable, keys: AzureKeys): Readonly<Record<string, KeyValue>> {
  const read = (parts: readonly KeyAttribute[], text: string) => {
    const types = parts.map(({ type }) => type);
    const values = parts.length === 0 ? [] : table.native ? [text] : decodeKey(text, types);
    return parts.map(({ name }, i) => [name, values[i] as KeyValue] as const);
  };
  return Object.fromEntries([...read(table.partition, keys.PartitionKey), ...read(table.row, keys.RowKey)]);
}
