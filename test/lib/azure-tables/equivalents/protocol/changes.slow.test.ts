import { z } from 'zod';
import { defineSystem, defineTable } from '../../../../../lib';
import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { azureTableNames, equivalents } from '../../../../../lib/azure-tables/equivalents';
import { client } from '../../../../../lib/dynamodb';
import { stackOf } from '../../../../support/azurite';
import { emptied, faultsIn, isWrite, itemsIn, onAzure, order, swept, type Way } from './sides';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
});
afterAll(async () => {
  jest.restoreAllMocks();
  await database.stop();
});

const things = defineTable({
  name: 'things',
  key: { partition: 'id' },
  indexes: { byFlag: { partition: 'flag' } },
  entities: { Thing: { attributes: z.object({ id: z.string(), flag: z.string().optional() }) } },
  patterns: {
    addThing: { op: 'put', entity: 'Thing' },
    unflag: { op: 'update', entity: 'Thing', where: { id: '<id>' }, remove: ['flag'] },
    dropThing: { op: 'delete', entity: 'Thing', where: { id: '<id>' } },
    flagged: { op: 'query', index: 'byFlag', where: { flag: '<flag>' }, returns: ['Thing'] },
  },
});

test("writes the index rows of a re-created item even if the client's clock is slow", async () => {
  const system = defineSystem({ name: 'things', cloud: 'aws', tables: { things } });
  await emptied(database);
  await database.provision(stackOf(...azureTableNames(system).filter((name) => name !== 'Transactions')));
  const { addThing, unflag, dropThing, flagged } = client(things, 'things', equivalents(system, database.send));
  await addThing({ id: 'a', flag: 'x' });
  await unflag({ id: 'a' });
  await dropThing({ id: 'a' });
  const now = Date.now();
  jest.spyOn(Date, 'now').mockReturnValue(now - 60_000);
  await addThing({ id: 'a', flag: 'x' });
  expect(await flagged({ flag: 'x' })).toMatchObject({ items: [{ id: 'a' }] });
});

const failing =
  (fields: object): Way =>
  (send) =>
  (table, call) => {
    if (isWrite(call) && /GSI|Descending/.test(table))
      throw Object.assign(new Error('failed'), { name: 'RestError', ...fields });
    return send(table, call);
  };

test("accepts a write once the item's own row is written, even if its index rows cannot be written yet", async () => {
  await emptied(database);
  await onAzure(database, failing({ statusCode: 500 })).createOrder?.(order('a', '1'));
  expect((await itemsIn(database)).size).toBe(1);
  await swept(database);
  expect(await faultsIn(database)).toEqual([]);
});

test('rejects a write if the client has no permission to write index rows, because these rows would stay stale', async () => {
  await emptied(database);
  const denied = onAzure(database, failing({ statusCode: 403 })).createOrder?.(order('a', '1'));
  await expect(denied).rejects.toMatchObject({ kind: 'denied' });
});
