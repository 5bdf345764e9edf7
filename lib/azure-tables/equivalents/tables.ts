import { AZURE_TABLES } from '../../blueprint/clouds';
import { type KeyAttribute, keyOf, outline } from '../../blueprint/outline';
import type { PatternDesign, QueryPattern } from '../../design/pattern';
import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { KeyError } from '../../design/template';
import { decodeKey, encodeKey, type KeyValue } from './key-text';
import { mirrored, unmirrored } from './mirror';
import { azureNames } from './names';

/** An Azure table that represents a table or an index of a design. */
export interface AzureTable {
  /** The legal name of the Azure table. */
  readonly name: string;
  /** The table's name in the system. */
  readonly table: string;
  /** The index that this Azure table represents. @default - this Azure table represents the table itself */
  readonly index?: string;
  /** Whether this is a mirror, whose rows sort in descending order. @default false */
  readonly isMirror?: true;
  /** The attributes that form the PartitionKey. */
  readonly partition: readonly KeyAttribute[];
  /** The attributes that form the RowKey, in this order. */
  readonly row: readonly KeyAttribute[];
  /** Whether keys are stored as the design builds them, without encoding. */
  readonly native: boolean;
}

/**
 * The Azure tables of a system. A system designed for Azure has its own tables. A DynamoDB system has one Azure table
 * for each table and for each index. The RowKey of an index row consists of the index's sort key and the table's key,
 * which makes it unique. A table or index that a pattern reads in descending order also has a mirror, whose rows sort
 * in descending order.
 */
export function azureTables(system: SystemDesign): readonly AzureTable[] {
  const native = system.cloud === 'azure';
  const places = Object.entries(system.tables).flatMap(([table, design]): readonly Named[] => {
    if (native) return [{ table, design, index: undefined }];
    const own = [undefined, ...Object.keys(design.indexes ?? {})].map((index) => ({ table, design, index }));
    const descending = new Set(
      outline(design).patterns.flatMap(({ design: one }) => (isDescending(one) ? [one.index] : [])),
    );
    return [
      ...own,
      ...own.filter(({ index }) => descending.has(index)).map((one) => ({ ...one, isMirror: true as const })),
    ];
  });
  const names = native ? places.map(({ table }) => table) : azureNames([...places.map(partsOf), TRANSACTIONS]);
  return places.map(({ table, design, index, isMirror }, i) => ({
    name: names[i] as string,
    table,
    ...(index === undefined ? {} : { index }),
    ...(isMirror && { isMirror }),
    ...keysOf(design, index),
    native,
  }));
}

/** The name of the Azure table in which a DynamoDB system records its multi-partition transactions. */
export function transactionsTable(system: SystemDesign): string {
  const names = azureTables(system).map((table) => partsOf(table));
  return azureNames([...names, TRANSACTIONS]).at(-1) as string;
}

/** Every Azure table of a system, by name. */
export function azureTableNames(system: SystemDesign): readonly string[] {
  const names = azureTables(system).map(({ name }) => name);
  return system.cloud === 'azure' ? names : [...names, transactionsTable(system)];
}

interface Named extends Pick<AzureTable, 'table' | 'isMirror'> {
  readonly design: TableDesign;
  readonly index: string | undefined;
}

const TRANSACTIONS: readonly string[] = ['Transactions'];

function partsOf({
  table,
  index,
  isMirror,
}: Pick<Named, 'table' | 'isMirror'> & { readonly index?: string | undefined }) {
  return [table, ...(index === undefined ? [] : [index]), ...(isMirror ? ['Descending'] : [])];
}

function isDescending(pattern: PatternDesign): pattern is QueryPattern {
  return pattern.op === 'query' && pattern.order === 'descending';
}

function keysOf(design: TableDesign, index: string | undefined): Pick<AzureTable, 'partition' | 'row'> {
  const { key, indexes } = outline(design);
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

/**
 * The keys of an item in an Azure table. Undefined if the Azure table represents an index, and the item lacks one of
 * the index's key attributes.
 */
export function azureKeysOf(table: AzureTable, item: Readonly<Record<string, unknown>>): AzureKeys | undefined {
  const attributes = [...table.partition, ...table.row];
  const missing = attributes.find(({ name }) => item[name] === undefined || item[name] === null);
  if (missing !== undefined) {
    if (table.index !== undefined) return undefined;
    throw new KeyError(
      missing.name,
      `'${missing.name}' is missing from the key of an item in ${table.table}; pass the whole key`,
    );
  }
  const write = (parts: readonly KeyAttribute[]) => {
    const values = parts.map(({ name }) => item[name] as KeyValue);
    return table.native ? values.join('') : encodeKey(values);
  };
  const row = table.row.length === 0 ? ONLY_ROW : write(table.row);
  return { PartitionKey: write(table.partition), RowKey: table.isMirror ? legal(mirrored(row)) : row };
}

function legal(row: string): string {
  if (row.length <= AZURE_TABLES.keyLength) return row;
  throw new KeyError(
    'RowKey',
    `a mirrored RowKey of ${row.length} characters exceeds Azure's limit of ${AZURE_TABLES.keyLength}; shorten the sort key`,
  );
}

/** The key attributes of the item that a row represents. */
export function itemKeysOf(table: AzureTable, keys: AzureKeys): Readonly<Record<string, KeyValue>> {
  const read = (parts: readonly KeyAttribute[], text: string) => {
    const types = parts.map(({ type }) => type);
    const values = parts.length === 0 ? [] : table.native ? [text] : decodeKey(text, types);
    return parts.map(({ name }, i) => [name, values[i] as KeyValue] as const);
  };
  return Object.fromEntries([
    ...read(table.partition, keys.PartitionKey),
    ...read(table.row, table.isMirror ? unmirrored(keys.RowKey) : keys.RowKey),
  ]);
}
