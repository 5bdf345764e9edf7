import { stackOfTables } from '../../azure-tables/terraform';
import { keyOf, outline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import type { Sent as Request } from '../../engine/sent';
import type { Item } from '../../items/item';
import { type AnyDatabase, type Run, type SystemTables, systemTables } from '../../proof/tables';
import { unservedBy } from '../../proof/unserved';
import type { Stored } from '../items';
import type { Explored } from '../system';
import { dynamoDbName, dynamoDbTemplate } from './dynamodb';

/**
 * The tables of a system in a database. The database is either a running one, or a disposable one filled with the
 * system's items.
 */
export interface ExploredTables {
  readonly patterns: Readonly<Record<string, Run>>;
  /** Returns the requests that were sent since the previous call. */
  sent(): readonly Sent[];
  /** Reads the item with this key. The key must be given in its stored form. */
  get(table: string, stored: Item): Promise<Item | undefined>;
  /** Restores the earlier version of an item, or removes the item if there was none before. */
  undo(table: string, stored: Item, before: Stored | undefined): Promise<void>;
  stop(): Promise<void>;
}

/** A request, with tables, items and keys named as in the design. */
export interface Sent extends Omit<Request, 'read' | 'touched'> {
  readonly read: readonly { readonly table: string; readonly index?: string; readonly items: readonly Item[] }[];
  /**
   * The key of each item that the request may have written, in the form that the design defines (`key`) and in its
   * stored form (`stored`).
   */
  readonly touched: readonly { readonly table: string; readonly key: Item; readonly stored: Item }[];
}

/** Returns the tables of a system, and records the requests that its patterns send. */
export function tablesIn(
  system: SystemDesign,
  database: AnyDatabase,
  nameOf: (table: string) => string,
  options?: Parameters<typeof systemTables>[4],
): SystemTables & Pick<ExploredTables, 'sent'> {
  const tableOf = new Map(Object.keys(system.tables).map((table) => [nameOf(table), table]));
  const tables = systemTables(system, database, nameOf, (request) => requests.push(known(request)), options);
  let requests: Sent[] = [];

  function known({ read, touched, ...request }: Request): Sent {
    return {
      ...request,
      read: read.map(({ tableName, items, ...rest }) => {
        const table = tableOf.get(tableName) ?? tableName;
        return { table, ...rest, items: items.map((one) => tables.item(table, one)) };
      }),
      touched: touched.map(({ tableName, key: stored }) => {
        const table = tableOf.get(tableName) ?? tableName;
        const { key } = outline(system.tables[table] as SystemDesign['tables'][string]);
        const whole = tables.item(table, stored);
        return { table, key: Object.fromEntries(keyOf(key).map(({ name }) => [name, whole[name]])), stored };
      }),
    };
  }

  return {
    ...tables,
    sent() {
      const all = requests;
      requests = [];
      return all;
    },
  };
}

/** Creates the tables of a system and fills them with the system's items. */
export async function fillTables({ system, items }: Explored, database: AnyDatabase): Promise<ExploredTables> {
  const nameOf = (table: string) => (system.cloud === 'azure' ? table : dynamoDbName(system, table));
  const { patterns, stored, item, sent } = tablesIn(system, database, nameOf);
  const template = system.cloud === 'azure' ? stackOfTables(Object.keys(system.tables)) : dynamoDbTemplate(system);
  await database.provision(template as never);
  const put = (table: string, all: readonly Stored[]) =>
    database.put(
      nameOf(table),
      all.map((one) => stored(table, one.item, one.entity)),
    );
  for (const [table, all] of items) await put(table, all.stored);
  const refused = Array.from(await unservedBy(database, [system]), ([name, reason]) => {
    // The pattern is refused, because the embedded engine would respond differently from DynamoDB.
    const refuse = () => Promise.reject(new Error(`the embedded engine cannot run this pattern: ${reason}`));
    return [name, Object.assign(refuse, { all: refuse, pages: refuse, first: refuse, count: refuse })] as const;
  });
  return {
    patterns: { ...patterns, ...Object.fromEntries(refused) },
    sent,
    async get(table, key) {
      const found = await database.get(nameOf(table), key);
      return found && item(table, found);
    },
    undo: (table, key, before) => (before === undefined ? database.remove(nameOf(table), [key]) : put(table, [before])),
    stop: () => database.stop(),
  };
}
