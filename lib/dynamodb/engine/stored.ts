import { isDeepStrictEqual } from 'node:util';
import { BATCH_ITEMS } from '../../blueprint/clouds';
import { counted } from '../../design/show';
import { differencesFrom } from '../../engine/database';
import { keyText } from '../../items/cursor';
import type { Item } from '../../items/item';
import { inParts } from '../batch';
import type { Send } from '../sending';
import type { Database } from './database';

/** Replaces a database's `send`, so that every read and write of items goes through the given function. */
export function through<D extends Omit<Database, keyof Access>>(database: D, send: Send): D & Access {
  return { ...database, ...accessThrough(send, database.describe) };
}

type Access = Pick<Database, 'scan' | 'get' | 'put' | 'remove' | 'restore' | 'send'>;

function accessThrough(send: Send, describe: Database['describe']): Access {
  async function* scan(TableName: string): AsyncIterable<Item> {
    for (let from: unknown, first = true; first || from !== undefined; first = false) {
      const page = await send('Scan', { TableName, ExclusiveStartKey: from, ConsistentRead: true });
      yield* (page.Items ?? []) as Item[];
      from = page.LastEvaluatedKey;
    }
  }

  async function write(tableName: string, put: readonly Item[], remove: readonly Item[] = []): Promise<void> {
    const { key = [] } = remove.length === 0 ? {} : await describe(tableName);
    const requests = [
      ...remove.map((item) => ({ DeleteRequest: { Key: keyIn(key, item) } })),
      ...put.map((item) => ({ PutRequest: { Item: item } })),
    ];
    const { left, ...refused } = await inParts<object>(requests, BATCH_ITEMS.batchWrite, async (pending) => {
      const output = await send('BatchWrite', { RequestItems: { [tableName]: pending } });
      return (output.UnprocessedItems as Record<string, object[]> | undefined)?.[tableName] ?? [];
    });
    if ('error' in refused) throw refused.error;
    if (left.length > 0)
      throw new Error(`${counted(left.length, 'item')} of ${tableName} could not be written; try again later`);
  }

  return {
    send,
    scan,
    async get(TableName, item) {
      const Key = keyIn((await describe(TableName)).key, item);
      return (await send('Get', { TableName, Key, ConsistentRead: true })).Item as Item | undefined;
    },
    put: (tableName, items) => write(tableName, items),
    remove: (tableName, keys) => write(tableName, [], keys),
    async restore(tableName, items) {
      const { key } = await describe(tableName);
      const textOf = (item: Item) => keyText(keyIn(key, item));
      const { put, remove } = await differencesFrom(scan(tableName), items, textOf, isSame);
      await write(tableName, put, remove);
    },
  };
}

function keyIn(key: readonly string[], item: Item): Item {
  return Object.fromEntries(key.map((name) => [name, item[name]]));
}

/** Copies the values, because the SDK adds metadata to its objects that would make the comparison fail. */
function isSame(one: Item, other: Item): boolean {
  return isDeepStrictEqual(structuredClone(one), structuredClone(other));
}
