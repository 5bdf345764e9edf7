import { AS_STORED } from '../../azure-tables/calls';
import type { AzureEngine } from '../../azure-tables/engine/azure-tables';
import { itemOfEntity } from '../../azure-tables/entity';
import { outline } from '../../blueprint/outline';
import type { SystemDesign } from '../../design/system';
import type { Engine } from '../../dynamodb/engine/engine';
import { cursorKeys } from '../../dynamodb/read';
import { readCursor, writeCursor } from '../../items/cursor';
import type { Item } from '../../items/item';

/** The running tables of a system, which can only be read. */
export interface Held {
  /** Where they are, for people; without secrets. */
  readonly name: string;
  /** A page of items in the order of the table or of an index. */
  page(table: string, index: string | undefined, cursor: string | undefined): Promise<HeldPage>;
  stop(): Promise<void>;
}

export interface HeldPage {
  readonly items: readonly Item[];
  /** @default - this was the last page */
  readonly cursor?: string;
}

/** How many items are read at once. */
const PAGE = 100;

/** @param nameOf gives the name of a table there */
export function heldIn(system: SystemDesign, engine: Engine | AzureEngine, nameOf: (table: string) => string): Held {
  return 'cloud' in engine ? onAzure(system, engine, nameOf) : onDynamoDb(system, engine, nameOf);
}

function onDynamoDb({ tables }: SystemDesign, engine: Engine, nameOf: (table: string) => string): Held {
  return {
    name: engine.name,
    async page(table, index, cursor) {
      const plan = outline(tables[table] as SystemDesign['tables'][string]);
      const keys = cursorKeys(plan, { key: plan.indexes.find(({ name }) => name === index) });
      const place = `${table} ${index ?? ''}`;
      const output = await engine
        .send('Scan', {
          TableName: nameOf(table),
          Limit: PAGE,
          ...(index === undefined ? {} : { IndexName: index }),
          ...(cursor === undefined ? {} : { ExclusiveStartKey: readCursor(place, keys, cursor) }),
        })
        .catch((error: Error) => {
          throw error.name === 'ResourceNotFoundException' ? missing(nameOf(table), table, engine.name) : error;
        });
      const last = output.LastEvaluatedKey as Item | undefined;
      return {
        items: (output.Items ?? []) as Item[],
        ...(last === undefined ? {} : { cursor: writeCursor(place, keys, last) }),
      };
    },
    stop: () => engine.stop(),
  };
}

const TOKEN = [{ name: 'token', type: 'string' }] as const;

function onAzure({ tables }: SystemDesign, engine: AzureEngine, nameOf: (table: string) => string): Held {
  return {
    name: engine.name,
    async page(table, _, cursor) {
      const plan = outline(tables[table] as SystemDesign['tables'][string]);
      const from = cursor === undefined ? {} : { continuationToken: readCursor(table, TOKEN, cursor).token as string };
      const call = {
        method: 'listEntities',
        args: [{ queryOptions: {}, ...AS_STORED }],
        page: { maxPageSize: PAGE, ...from },
      } as const;
      const output = await engine.send(nameOf(table), call).catch((error: Error & { statusCode?: number }) => {
        throw error.statusCode === 404 ? missing(nameOf(table), table, engine.name) : error;
      });
      const token = output.continuationToken;
      return {
        items: (output.entities ?? []).map((entity) => itemOfEntity(plan, entity)),
        ...(token === undefined ? {} : { cursor: writeCursor(table, TOKEN, { token }) }),
      };
    },
    stop: () => engine.stop(),
  };
}

function missing(name: string, table: string, where: string): Error {
  return new Error(`there is no table '${name}' at ${where}; say what it is called there: --table ${table}=<name>`);
}
