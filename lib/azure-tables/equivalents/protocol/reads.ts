import { type Access, boundsOfRange } from '../../../blueprint/accesses';
import { AZURE_TABLES } from '../../../blueprint/clouds';
import { entitiesNamed, type KeyAttribute, keyOf } from '../../../blueprint/outline';
import { projectedBy } from '../../../blueprint/projected';
import type { QueryPattern, ScanPattern } from '../../../design/pattern';
import type { Asked } from '../../../items/asked';
import { failedTests } from '../../../items/failed-tests';
import { type Item, ItemError } from '../../../items/item';
import { keyValue } from '../../../items/parameters';
import { sideBySide } from '../../../items/side-by-side';
import { listCall } from '../../calls';
import { textLiteral } from '../../filter';
import { encodeKey, type KeyValue } from '../key-text';
import { type AzureTable, azureKeysOf, itemKeysOf } from '../tables';
import { doubleOf, inSdkNames, type Place, rowKeysOf, withNumbers } from './places';
import { rangeTests, rowRange } from './ranges';
import { recordOf } from './record';
import { COLUMN, type Row, type RowKeys, rowIn } from './row';
import { rowAt, type Store } from './store';

/** The item with this key; undefined if the item does not exist. */
export async function itemAt(store: Store, place: Place, key: Item): Promise<Item | undefined> {
  return (await seenAt(store, place, key)).item;
}

/**
 * The item that a reader sees in a row, and a string that changes whenever the row changes or the transaction that
 * locks it changes state.
 */
interface Seen {
  readonly item: Item | undefined;
  readonly at: string;
}

async function seenAt(store: Store, place: Place, key: Item): Promise<Seen> {
  const row = await rowAt(store, place.base.name, rowKeysOf(place, key));
  return row === undefined ? { item: undefined, at: '' } : seenIn(store, place, row);
}

/**
 * Returns the item that a row represents. If a committed transaction has not been written to the row yet, the item
 * includes the transaction's change.
 */
async function seenIn(store: Store, { base }: Place, row: Row): Promise<Seen> {
  if (row.lock === '') return { item: row.item, at: row.etag };
  const record = await recordOf(store, row.lock);
  if (!record?.isCommitted)
    return { item: row.item, at: `${record === undefined ? 'aborted' : 'pending'} ${row.etag}` };
  const isOwn = (keys: RowKeys) => keys.partitionKey === row.partitionKey && keys.rowKey === row.rowKey;
  const step = record.steps.find((one) => one.table === base.name && isOwn(one));
  return { item: step?.entity === undefined ? row.item : rowIn(step.entity).item, at: `committed ${row.etag}` };
}

/** Returns the items with these keys, and skips keys that have no item. */
export async function itemsAt(store: Store, place: Place, keys: readonly Item[]): Promise<readonly Item[]> {
  const found = new Map<Item, Item>();
  await sideBySide(
    keys,
    async (key) => {
      const item = await itemAt(store, place, key);
      if (item !== undefined) found.set(key, item);
    },
    8,
  );
  return keys.map((key) => found.get(key)).filter((item) => item !== undefined);
}

/** `snapshot` gives up after this many reads if no two consecutive reads agree. */
const SNAPSHOTS = 20;

/**
 * Reads the items with these keys as one consistent snapshot: two consecutive reads must find the same rows, locked by
 * the same transactions in the same state. If a transaction is still pending at the second read, it has not committed
 * in between.
 */
export async function snapshot(
  store: Store,
  asked: readonly { readonly place: Place; readonly key: Item }[],
): Promise<readonly (Item | undefined)[] | undefined> {
  let last: string | undefined;
  for (let i = 0; i < SNAPSHOTS; i++) {
    const seen = await Promise.all(asked.map(({ place, key }) => seenAt(store, place, key)));
    const now = JSON.stringify(seen.map(({ at }) => at));
    if (now === last) return seen.map(({ item }) => item);
    last = now;
  }
  return undefined;
}

/** A page of items, with the key of the last row that was read if more rows may follow. */
interface PageOfItems {
  readonly Items: readonly Item[];
  readonly LastEvaluatedKey?: Item;
}

export async function query(store: Store, input: Item, { table, read }: Asked): Promise<PageOfItems> {
  const { pattern, values } = read as NonNullable<Asked['read']>;
  const design = pattern.design as QueryPattern;
  const access = pattern.accesses[0] as Access;
  const place = store.places.of(table);
  const isDescending = input.ScanIndexForward === false;
  const azure = tableFor(place, pattern.name, input.IndexName as string | undefined, isDescending);
  const entities = entitiesNamed(table, design.returns);
  const held = (access.partition ?? []).map(
    ({ attribute, at }) => doubleOf(attribute.name, keyValue(table, entities, attribute, at)(values)) as KeyValue,
  );
  const extent = access.range.kind === 'equals' ? 'whole' : 'bound';
  const bounds = boundsOfRange(access.range).map((bound) => {
    const sort = access.sort as KeyAttribute;
    return doubleOf(sort.name, keyValue(table, entities, sort, bound, extent)(values)) as KeyValue;
  });
  const width = azure.partition.length;
  const isLast = azure.row.at(-1)?.name === access.sort?.name;
  const ranges = rowRange(access.range.kind, held.slice(width), bounds, isLast);
  const start = input.ExclusiveStartKey as Item | undefined;
  const tests = [
    `PartitionKey eq ${textLiteral(encodeKey(held.slice(0, width)))}`,
    ...ranges.flatMap((range) => rangeTests(range, azure.isMirror === true)),
    ...(start === undefined ? [] : [`RowKey gt ${textLiteral(keysIn(azure, start).rowKey)}`]),
  ];
  return page(store, place, azure, input, tests, { ...read, design } as Reading);
}

export async function scan(store: Store, input: Item, { table, read }: Asked): Promise<PageOfItems> {
  const { pattern } = read as NonNullable<Asked['read']>;
  if (input.Segment !== undefined)
    throw new ItemError(
      `${pattern.name}: Azure Tables reads a table from start to end, not in segments; leave out 'segment' and 'segments'`,
    );
  const place = store.places.of(table);
  const azure = tableFor(place, pattern.name, input.IndexName as string | undefined, false);
  const start = input.ExclusiveStartKey as Item | undefined;
  const tests = start === undefined ? [] : [afterKeys(keysIn(azure, start))];
  return page(store, place, azure, input, tests, { ...read, design: pattern.design as ScanPattern } as Reading);
}

/** Tests the partition separately and first, so that Azure seeks to it instead of reading all earlier partitions. */
function afterKeys({ partitionKey, rowKey }: RowKeys): string {
  const [partition, row] = [textLiteral(partitionKey), textLiteral(rowKey)];
  return `PartitionKey ge ${partition} and (PartitionKey gt ${partition} or RowKey gt ${row})`;
}

interface Reading {
  readonly design: QueryPattern | ScanPattern;
  readonly values: object;
}

/** Reads one page with one request. As on DynamoDB, the limit counts rows before they are filtered. */
async function page(
  store: Store,
  place: Place,
  azure: AzureTable,
  input: Item,
  tests: readonly string[],
  { design, values }: Reading,
): Promise<PageOfItems> {
  const limit = Math.min((input.Limit as number | undefined) ?? AZURE_TABLES.pageItems, AZURE_TABLES.pageItems);
  const isBase = azure === place.base;
  const item = `${COLUMN.state} eq 'item'`;
  const shown = isBase ? `(${item} or ${COLUMN.lock} gt '')` : item;
  const { entities = [], continuationToken } = await store.send(
    azure.name,
    listCall({ filter: [...tests, shown].join(' and ') }, { maxPageSize: limit }),
  );
  const rows = entities.map(rowIn);
  const items = await Promise.all(
    rows.map(async (row) => (isBase ? (await seenIn(store, place, row)).item : row.item)),
  );
  const { filter } = design;
  const returned = entitiesNamed(place.table, design.returns);
  const found = items.filter(
    (one): one is Item =>
      one !== undefined && (filter === undefined || failedTests(filter, returned, one, values).length === 0),
  );
  const Items = heldBy(place, azure, input, found);
  const end = rows.at(-1);
  const isMore = entities.length === limit || continuationToken !== undefined;
  if (!isMore || end === undefined) return { Items };
  // The last row may be a placeholder for an item that a transaction is about to create.
  const last = items.at(-1) ?? itemKeysOf(azure, { PartitionKey: end.partitionKey, RowKey: end.rowKey });
  const names = new Set([...keyOf(place.table.key), ...azure.partition, ...azure.row].map(({ name }) => name));
  const LastEvaluatedKey = Object.fromEntries([...names].map((name) => [name, last[name]]));
  return { Items, LastEvaluatedKey };
}

/**
 * Drops the attributes that the index does not project. Rows of a local index store the whole item, for reads that ask
 * for all attributes.
 */
function heldBy({ table }: Place, { index: name }: AzureTable, input: Item, items: readonly Item[]): readonly Item[] {
  const index = table.indexes.find((one) => one.name === name);
  const names = index?.local && input.Select === undefined ? projectedBy(table, index) : undefined;
  if (names === undefined) return items;
  return items.map((item) =>
    Object.fromEntries(Object.entries(item).filter(([attribute]) => names.includes(attribute))),
  );
}

function keysIn(azure: AzureTable, key: Item): RowKeys {
  return inSdkNames(azureKeysOf(azure, withNumbers(key)) as NonNullable<ReturnType<typeof azureKeysOf>>);
}

/** Returns the Azure table that a request reads from. */
function tableFor(place: Place, pattern: string, index: string | undefined, isDescending: boolean): AzureTable {
  const all = [place.base, ...place.followers.map(({ azure }) => azure)];
  const found = all.find((azure) => azure.index === index && (azure.isMirror === true) === isDescending);
  if (found !== undefined) return found;
  throw new ItemError(
    `${pattern}: Azure Tables reads in ascending order, and no mirrored table exists for ${index ?? 'this table'}; write order: 'descending' in the pattern to deploy a mirrored table, or leave out 'order'`,
  );
}
