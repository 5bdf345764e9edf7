import type { AzureCall } from '../../../../../lib/azure-tables';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import type { EquivalentsOptions } from '../../../../../lib/azure-tables/equivalents';
import { azureTableNames, equivalents, sweep } from '../../../../../lib/azure-tables/equivalents';
import { rowsOf } from '../../../../../lib/azure-tables/equivalents/protocol/outbox';
import { placesOf } from '../../../../../lib/azure-tables/equivalents/protocol/places';
import { COLUMN, type Row, rowIn } from '../../../../../lib/azure-tables/equivalents/protocol/row';
import { propertiesOf } from '../../../../../lib/azure-tables/resent';
import type { Send } from '../../../../../lib/azure-tables/sender';
import { client, stored } from '../../../../../lib/dynamodb';
import { unique } from '../../../../../lib/dynamodb/unique';
import { written } from '../../../../../lib/dynamodb/written';
import type { Item } from '../../../../../lib/items/item';
import { stackOf } from '../../../../support/azurite';
import { bazaar } from './bazaar';

export type Run = ((values: object, options?: object) => Promise<unknown>) & {
  all(values: object): AsyncIterable<Item>;
};
export type Runs = Readonly<Record<string, Run>>;

/** Wraps the `send` through which calls reach the tables. */
export type Way = (send: Send) => Send;

export const NAME = 'bazaar-dev-shop';

/** The optional features that the bazaar uses, and a fixed clock, so that both clouds write the same timestamps. */
export const FEATURES = { unique, written, stored, clock: () => Date.UTC(2026, 0, 31) };

/** Returns a client of the bazaar on Azure whose calls pass through `way`. */
export function onAzure(database: AzureDatabase, way: Way = (send) => send, options: EquivalentsOptions = {}): Runs {
  return client(
    bazaar.tables.shop,
    NAME,
    equivalents(bazaar, way(database.send), options),
    FEATURES,
  ) as unknown as Runs;
}

export const TABLES = azureTableNames(bazaar);

/** Creates the bazaar's tables, or empties them if they exist. */
export async function emptied(database: AzureDatabase): Promise<void> {
  if ((await database.tables()).includes('shop')) await Promise.all(TABLES.map((table) => database.restore(table, [])));
  else await database.provision(stackOf(...TABLES));
}

/** How many milliseconds a sweep's clock runs ahead, so that the sweep treats all unfinished work as abandoned. */
const LATER = 86_400_000;

export const swept = (database: AzureDatabase, way: Way = (send) => send) =>
  sweep(bazaar, way(database.send), { now: Date.now() + LATER, grace: 1 });

/** Returns all stored items, keyed by their primary keys. */
export async function itemsIn(database: AzureDatabase): Promise<ReadonlyMap<string, Item>> {
  const items = new Map<string, Item>();
  for await (const raw of database.scan('shop')) {
    const { item } = rowIn(raw);
    if (item !== undefined) items.set(`${item.PK} ${item.SK}`, item);
  }
  return items;
}

/**
 * Returns what a sweep should have cleaned up: locks, outboxes and tombstones, and following rows that are stale,
 * orphaned or missing.
 */
export async function faultsIn(database: AzureDatabase): Promise<readonly string[]> {
  const faults: string[] = [];
  const place = placesOf(bazaar).of({ ...placesOf(bazaar).all[0]?.table } as never);
  const wanted = new Map<string, string>();
  const textOf = (raw: object) => {
    const columns = [...propertiesOf(raw)].filter(([name]) => name !== COLUMN.version);
    return JSON.stringify(columns.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const keyOf = (table: string, { partitionKey, rowKey }: Pick<Row, 'partitionKey' | 'rowKey'>) =>
    JSON.stringify([table, partitionKey, rowKey]);
  for await (const raw of database.scan('shop')) {
    const row = rowIn(raw);
    if (row.state !== 'item' || row.lock !== '' || row.outbox.length > 0)
      faults.push(`left: ${keyOf('shop', row)} ${row.state} ${row.lock} ${row.outbox.length}`);
    for (const { table, row: following } of row.item === undefined ? [] : rowsOf(place, row.item, 1).slice(1))
      wanted.set(keyOf(table, following), textOf(following));
  }
  for (const table of TABLES.filter((name) => name !== 'shop' && name !== 'Transactions')) {
    for await (const raw of database.scan(table)) {
      const key = keyOf(table, rowIn(raw));
      if (!wanted.has(key)) faults.push(`orphan: ${key} ${rowIn(raw).state}`);
      else if (wanted.get(key) !== textOf(raw)) faults.push(`stale: ${key}`);
      wanted.delete(key);
    }
  }
  faults.push(...Array.from(wanted.keys(), (key) => `missing: ${key}`));
  return faults;
}

export const account = (accountId: string, more: object = {}) => ({
  ...{ accountId, email: `${accountId}@x`, plan: 'pro', balance: 100, rate: 0.1, tags: ['a'] },
  ...{ profile: { city: 'Ulm' }, note: null, ...more },
});

export const order = (accountId: string, orderId: string, more: object = {}) => ({
  ...{ accountId, orderId, status: 'open', total: 10, ...more },
});

export const product = (productId: string, more: object = {}) => ({
  ...{ productId, name: 'Chair', maker: 'm', seller: 's', sizes: new Set([1]), ...more },
});

/** Returns the outcome of a call: its result, or its error as the caller sees it. */
export async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
  try {
    return { result: await call };
  } catch (error) {
    const { name, message, kind, writes } = error as Error & { kind?: string; writes?: unknown };
    // DynamoDB phrases its validation errors differently, so the comparison uses only the kind of the error.
    return name === 'ValidationException' ? { name } : { name, message, kind, writes };
  }
}

export const isWrite = ({ method }: AzureCall) => method !== 'getEntity' && method !== 'listEntities';
