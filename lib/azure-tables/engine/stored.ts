import { isDeepStrictEqual } from 'node:util';
import { differencesFrom } from '../../engine/database';
import { sideBySide } from '../../items/side-by-side';
import { ANY, AS_STORED, type AzureCall, listCall } from '../calls';
import type { Entity, RawEntity } from '../edm';
import { propertiesIn } from '../entity';
import { propertiesOf } from '../resent';
import type { Send } from '../sender';
import type { AzureDatabase } from './database';

/** The number of entities that are written concurrently. */
const AT_ONCE = 8;

/** Returns a copy of the database that reads and writes all entities through `send`. */
export function through<D extends Omit<AzureDatabase, keyof Access>>(database: D, send: Send): D & Access {
  return { ...database, ...accessThrough(send) };
}

type Access = Pick<AzureDatabase, 'scan' | 'get' | 'put' | 'remove' | 'restore' | 'send'>;

function accessThrough(send: Send): Access {
  async function* scan(table: string): AsyncIterable<RawEntity> {
    for (let from: string | undefined, first = true; first || from !== undefined; first = false) {
      const page = await send(table, listCall({}, from === undefined ? {} : { continuationToken: from }));
      yield* page.entities ?? [];
      from = page.continuationToken;
    }
  }

  function write(table: string, put: readonly RawEntity[], remove: readonly RawEntity[] = []): Promise<void> {
    const calls: readonly AzureCall[] = [
      ...remove.map((key) => ({ method: 'deleteEntity', args: [...keysIn(key), { etag: ANY }] }) as const),
      ...put.map((entity) => ({ method: 'upsertEntity', args: [ownOf(entity), 'Replace'] }) as const),
    ];
    return sideBySide(calls, (call) => send(table, call), AT_ONCE);
  }

  return {
    send,
    scan,
    get: async (table, key) => (await send(table, { method: 'getEntity', args: [...keysIn(key), AS_STORED] })).entity,
    put: (table, entities) => write(table, entities),
    remove: (table, keys) => write(table, [], keys),
    async restore(table, entities) {
      const key = (entity: RawEntity) => JSON.stringify(keysIn(entity));
      const isSame = (one: RawEntity, other: RawEntity) => isDeepStrictEqual(propertiesOf(one), propertiesOf(other));
      const { put, remove } = await differencesFrom(scan(table), entities, key, isSame);
      await write(table, put, remove);
    },
  };
}

function keysIn({ partitionKey, rowKey }: RawEntity): readonly [partitionKey: string, rowKey: string] {
  return [partitionKey as string, rowKey as string];
}

/** An entity without the properties that the service adds. */
function ownOf(entity: RawEntity): Entity {
  const { partitionKey, rowKey } = entity;
  return { ...Object.fromEntries(propertiesIn(entity)), partitionKey, rowKey } as Entity;
}
