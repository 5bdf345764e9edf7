import { AS_STORED } from '../../azure-tables/calls';
import type { AzureDatabase } from '../../azure-tables/engine/database';
import { itemOfEntity } from '../../azure-tables/entity';
import { outline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import type { Database } from '../../dynamodb/engine/database';
import { cursorKeys } from '../../dynamodb/read';
import { readCursor, writeCursor } from '../../items/cursor';
import type { Item } from '../../items/item';
import type { AnyDatabase } from '../../proof/tables';
import { readingTables } from './reading';
import type { ExploredTables } from './tables';

/** Read-only access to the running tables of a system. */
export interface Held {
  /** A readable description of where the tables are, without secrets. */
  readonly name: string;
  /** Reads a page of items from a table or an index. */
  page(table: string, index: string | undefined, cursor: string | undefined): Promise<HeldPage>;
  /** Returns the running tables, which accept only reads. */
  reading(): ExploredTables;
  stop(): Promise<void>;
}

export interface HeldPage {
  readonly items: readonly Item[];
  /** @default - this page is the last */
  readonly cursor?: string;
}

/** The number of items to read per request. */
const PAGE = 100;

/** @param nameOf returns the deployed name of a table */
export function heldIn(system: SystemDesign, database: AnyDatabase, nameOf: (table: string) => string): Held {
  return database.cloud === 'azure' ? onAzure(system, database, nameOf) : onDynamoDb(system, database, nameOf);
}

function onDynamoDb(system: SystemDesign, database: Database, nameOf: (table: string) => string): Held {
  const { tables } = system;
  return {
    reading: () => readingTables(system, database, nameOf),
    name: database.name,
    async page(table, index, cursor) {
      const known = outline(tables[table] as SystemDesign['tables'][string]);
      const keys = cursorKeys(known, { key: known.indexes.find(({ name }) => name === index) });
      const place = `${table} ${index ?? ''}`;
      const output = await database
        .send('Scan', {
          TableName: nameOf(table),
          Limit: PAGE,
          ...(index === undefined ? {} : { IndexName: index }),
          ...(cursor === undefined ? {} : { ExclusiveStartKey: readCursor(place, keys, cursor) }),
        })
        .catch((error: Error) => {
          throw error.name === 'ResourceNotFoundException' ? missing(nameOf(table), table, database.name) : error;
        });
      const last = output.LastEvaluatedKey as Item | undefined;
      return {
        items: (output.Items ?? []) as Item[],
        ...(last === undefined ? {} : { cursor: writeCursor(place, keys, last) }),
      };
    },
    stop: () => database.stop(),
  };
}

const TOKEN = [{ name: 'token', type: 'string' }] as const;

function onAzure(system: SystemDesign, database: AzureDatabase, nameOf: (table: string) => string): Held {
  const { tables } = system;
  return {
    reading: () => readingTables(system, database, nameOf),
    name: database.name,
    async page(table, _, cursor) {
      const known = outline(tables[table] as SystemDesign['tables'][string]);
      const from = cursor === undefined ? {} : { continuationToken: readCursor(table, TOKEN, cursor).token as string };
      const call = {
        method: 'listEntities',
        args: [{ queryOptions: {}, ...AS_STORED }],
        page: { maxPageSize: PAGE, ...from },
      } as const;
      const output = await database.send(nameOf(table), call).catch((error: Error & { statusCode?: number }) => {
        throw error.statusCode === 404 ? missing(nameOf(table), table, database.name) : error;
      });
      const token = output.continuationToken;
      return {
        items: (output.entities ?? []).map((entity) => itemOfEntity(known, entity)),
        ...(token === undefined ? {} : { cursor: writeCursor(table, TOKEN, { token }) }),
      };
    },
    stop: () => database.stop(),
  };
}

function missing(name: string, table: string, where: string): Error {
  return new Error(
    `there is no table '${name}' at ${where}; pass the name of the deployed table: --table ${table}=<name>`,
  );
}
