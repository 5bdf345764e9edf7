import { z } from 'zod';
import { defineSystem, defineTable } from '../../../../../lib';
import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { azureTableNames, equivalents, sweep } from '../../../../../lib/azure-tables/equivalents';
import { system as clientOf } from '../../../../../lib/dynamodb';
import { stackOf } from '../../../../support/azurite';
import { DEEDS, killedAt } from './crashes';
import { account, emptied, faultsIn, itemsIn, onAzure, type Runs, swept } from './sides';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
});
afterAll(() => database.stop());

const LATER = Date.now() + 86_400_000;

test('concurrent sweeps clean up after killed clients, and leave nothing for a later sweep', async () => {
  await emptied(database);
  const runs = onAzure(database);
  for (const { before } of Object.values(DEEDS))
    for (const [name, values] of before) await (runs[name] as Runs[string])(values).catch(() => undefined);
  for (const {
    call: [name, values],
  } of Object.values(DEEDS))
    for (const call of [3, 5, 7])
      await (onAzure(database, killedAt(call, true), { patience: 100 })[name] as Runs[string])(values).catch(
        () => undefined,
      );
  await Promise.all([1, 2, 3].map(() => swept(database)));
  const items = await itemsIn(database);
  expect(await faultsIn(database)).toEqual([]);
  expect(await swept(database)).toEqual({ expired: 0, transactions: 0, outboxes: 0, traces: 0 });
  expect(await itemsIn(database)).toEqual(items);
});

test('deletes only expired items and their index rows', async () => {
  await emptied(database);
  const runs = onAzure(database);
  const now = Math.floor(Date.now() / 1000);
  await runs.openAccount?.(account('old', { expiresAt: now - 60 }));
  await runs.openAccount?.(account('new', { expiresAt: now + 600_000 }));
  await runs.openAccount?.(account('forever'));
  expect(await swept(database)).toMatchObject({ expired: 1 });
  const accounts = [...(await itemsIn(database)).values()].flatMap(({ type, accountId }) =>
    type === 'Account' ? [accountId] : [],
  );
  expect(accounts.sort()).toEqual(['forever', 'new']);
  // The next sweep removes the tombstone.
  expect(await swept(database)).toMatchObject({ expired: 0, traces: 1 });
  expect(await faultsIn(database)).toEqual([]);
});

const counters = (name: string) =>
  defineTable({
    name,
    key: { partition: 'id' },
    entities: { Counter: { attributes: z.object({ id: z.string(), count: z.int() }) } },
    patterns: {
      [`get${name}`]: { op: 'get', where: { id: '<id>' }, returns: ['Counter'] },
      [`add${name}`]: { op: 'put', entity: 'Counter' },
    },
  });

test('keeps the record of a transaction that also writes to a table outside the design', async () => {
  const [Here, There] = [counters('Here') as never, counters('There') as never];
  const add = { op: 'update', entity: 'Counter', where: { id: '<id>' }, add: { count: 1 } } as const;
  const both = defineSystem({
    ...{ name: 'counters', cloud: 'aws', tables: { Here, There } },
    patterns: {
      count: { op: 'transaction', steps: { here: { table: 'Here', ...add }, there: { table: 'There', ...add } } },
    },
  } as never);
  const alone = defineSystem({ name: 'counters', cloud: 'aws', tables: { Here } });
  await emptied(database);
  await database.provision(stackOf(...azureTableNames(both).filter((name) => name !== 'Transactions')));
  const on = (send: typeof database.send) =>
    clientOf(both, { environment: 'dev' }, equivalents(both, send)) as unknown as Runs;
  const runs = on(database.send);
  for (const name of ['addHere', 'addThere']) await runs[name]?.({ id: 'a', count: 0 });
  await expect(on(killedAt(5, true)(database.send)).count?.({ id: 'a' })).rejects.toThrow();
  await sweep(alone, database.send, { now: LATER, grace: 1 });
  expect(await runs.getThere?.({ id: 'a' })).toMatchObject({ count: 1 });
  await sweep(both, database.send, { now: LATER, grace: 1 });
  expect(await runs.getThere?.({ id: 'a' })).toMatchObject({ count: 1 });
  expect(await runs.getHere?.({ id: 'a' })).toMatchObject({ count: 1 });
});
