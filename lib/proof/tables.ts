import { client as azureClient } from '../azure-tables/client';
import type { AzureDatabase } from '../azure-tables/engine/database';
import { reporting as reportingAzure } from '../azure-tables/engine/sent';
import { entityOfItem, itemOfEntity } from '../azure-tables/entity';
import { equivalents } from '../azure-tables/equivalents/protocol/equivalents';
import { rowsOf } from '../azure-tables/equivalents/protocol/outbox';
import { placesOf } from '../azure-tables/equivalents/protocol/places';
import { itemIn } from '../azure-tables/equivalents/protocol/values';
import { azureTableNames } from '../azure-tables/equivalents/tables';
import { tableNameOf } from '../blueprint/names';
import { entityNamed, outline, type TableOutline } from '../blueprint/outline';
import { whole } from '../blueprint/shares';
import { stored } from '../blueprint/stored';
import type { SystemDesign } from '../design/system';
import { acrossAll } from '../dynamodb/across';
import { client } from '../dynamodb/client';
import type { Database } from '../dynamodb/engine/database';
import { reporting } from '../dynamodb/engine/sent';
import { unique } from '../dynamodb/unique';
import { written } from '../dynamodb/written';
import type { Sent } from '../engine/sent';
import { entityOf, type Item, showKey } from '../items/item';
import type { Page } from '../items/result';
import type { Clock } from '../items/stamps';

/** A database on either cloud. */
export type AnyDatabase = Database | AzureDatabase;

/** The ETags that a write or its steps need. */
export interface Etags {
  readonly etag?: string | undefined;
  readonly etags?: Readonly<Record<string, string | undefined>>;
}

/** Calls a pattern. */
export type Run = (
  values: object,
  options?: Etags & { cursor?: string; limit?: number },
) => Promise<Item | Page<Item> | undefined>;

/** How to handle items that belong to no known entity, and which clock to use. */
export interface TablesOptions {
  readonly onUnknown?: 'throw';
  /** @default Date.now */
  readonly clock?: Clock;
}

/** A system's tables in a database, accessed through their designs. */
export interface SystemTables {
  readonly patterns: Readonly<Record<string, Run>>;
  /**
   * Converts an item to the form in which this database stores it.
   * @param entity the item's entity; by default, it is recognized from the item
   */
  stored(table: string, item: Item, entity?: string): Item;
  /** Converts an item back from its stored form. */
  item(table: string, stored: Item): Item;
  /** The names of the system's tables in the database. */
  readonly names: readonly string[];
  /** All rows that the database stores for an item, each with the name of its table. */
  rows(table: string, item: Item, entity?: string): readonly { readonly tableName: string; readonly item: Item }[];
  /** Whether a read of several keys sends a separate request for each key. */
  readonly readsOneByOne: boolean;
}

/**
 * The name of a table in a deployed environment. On Azure, each environment has its own account, so table names need no
 * prefix.
 */
export function deployedName(system: Pick<SystemDesign, 'name' | 'cloud'>, environment: string, table: string): string {
  return system.cloud === 'azure' ? table : tableNameOf(system, environment, table);
}

/**
 * @param seen called with every request that a pattern sends
 */
export function systemTables(
  system: SystemDesign,
  database: AnyDatabase,
  nameOf: (table: string) => string,
  seen: (sent: Sent) => void,
  options: TablesOptions = { onUnknown: 'throw' },
): SystemTables {
  const { name, cloud } = system;
  if (database.cloud === 'azure' && cloud === 'aws') return equivalentTables(system, database, nameOf, seen, options);
  if (database.cloud !== cloud)
    throw new Error(`system '${name}' is designed for Azure, so it cannot run on ${database.name}`);
  const { tables } = whole(system);
  const designs = Object.entries(tables);
  const names = designs.map(([table]) => nameOf(table));
  const outlineOf = (table: string) => outline(tables[table] as SystemDesign['tables'][string]);
  if (database.cloud === 'azure') {
    const send = reportingAzure(database.send, seen);
    const stored: SystemTables['stored'] = (table, item, entity) =>
      entityOfItem(found(outlineOf(table), item, entity), item) as Item;
    return {
      patterns: merged(designs.map(([table, design]) => azureClient(design, nameOf(table), send, options))),
      stored,
      item: (table, one) => itemOfEntity(outlineOf(table), one),
      names,
      rows: (table, item, entity) => [{ tableName: nameOf(table), item: stored(table, item, entity) }],
      readsOneByOne: true,
    };
  }
  // All clients share one `send`, because a transaction that spans several tables goes through only one of the clients.
  const send = reporting(database.send, seen);
  const clients = designs.map(
    ([table, design]) => [table, client(design, nameOf(table), send, { ...options, unique, written, stored })] as const,
  );
  return {
    patterns: merged([...clients.map(([, own]) => own), acrossAll(system, clients)]),
    stored: (_, item) => item,
    item: (_, stored) => stored,
    names,
    rows: (table, item) => [{ tableName: nameOf(table), item }],
    readsOneByOne: false,
  };
}

/** Returns the equivalent Azure tables of a DynamoDB system, accessed through the DynamoDB client. */
function equivalentTables(
  system: SystemDesign,
  database: AzureDatabase,
  nameOf: (table: string) => string,
  seen: (sent: Sent) => void,
  options: TablesOptions,
): SystemTables {
  const send = equivalents(system, reportingAzure(database.send, seen));
  const places = placesOf(system);
  const { tables } = whole(system);
  const rows: SystemTables['rows'] = (table, item) => {
    const place = places.of(outline(tables[table] as SystemDesign['tables'][string]));
    return rowsOf(place, item, 1).map((one) => ({ tableName: one.table, item: one.row as Item }));
  };
  const clients = Object.entries(tables).map(
    ([table, design]) => [table, client(design, nameOf(table), send, { ...options, unique, written, stored })] as const,
  );
  return {
    patterns: merged([...clients.map(([, own]) => own), acrossAll(system, clients)]),
    stored: (table, item) => (rows(table, item)[0] as { item: Item }).item,
    item: (_, stored) => itemIn(stored),
    names: azureTableNames(system),
    rows,
    readsOneByOne: true,
  };
}

function merged(clients: readonly object[]): Readonly<Record<string, Run>> {
  return Object.assign({}, ...clients);
}

function found(table: TableOutline, item: Item, entity: string | undefined) {
  const named = entity === undefined ? entityOf(table, item, table.entities) : entityNamed(table, entity);
  if (named === undefined) throw new Error(`an item belongs to no entity of '${table.name}': ${showKey(table, item)}`);
  return named;
}
