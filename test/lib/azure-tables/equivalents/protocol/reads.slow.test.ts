import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { killedAt } from './crashes';
import { account, emptied, FEATURES, onAzure, order, type Run, type Runs } from './sides';

let database: AzureDatabase;
let runs: Runs;
beforeAll(async () => {
  database = await azuriteEngine();
});
beforeEach(async () => {
  await emptied(database);
  runs = onAzure(database);
  for (const id of ['a', 'b']) await runs.openAccount?.(account(id));
});
afterAll(() => database.stop());

/** The calls of each transaction are, in order, two reads, the record, two locks and the commit. */
const COMMIT = 5;
const BEFORE_COMMIT = () => killedAt(COMMIT, false);
const AFTER_COMMIT = () => killedAt(COMMIT, true);
const balances = async () => {
  const { items } = (await (runs.bothAccounts as Run)({ one: 'a', other: 'b' })) as { items: { balance: number }[] };
  return items.map(({ balance }) => balance);
};

test('a read continues past a page that ends with the placeholder of an item that a transaction is creating', async () => {
  for (const id of ['1', '9']) await runs.createOrder?.(order('a', id));
  const dying = onAzure(database, BEFORE_COMMIT());
  await expect(dying.placeOrder?.({ order: order('a', '5'), amount: 1, sponsor: 'b' })).rejects.toThrow();
  const found: unknown[] = [];
  for await (const { orderId } of runs.ordersOf?.all({ accountId: 'a' }) ?? []) found.push(orderId);
  expect(found).toEqual(['1', '9']);
});

test('a snapshot includes a committed transaction whose client has died, without waiting for the sweeper', async () => {
  await expect(onAzure(database, AFTER_COMMIT()).transfer?.({ from: 'a', to: 'b', amount: 30 })).rejects.toThrow();
  expect(await balances()).toEqual([70, 130]);
  expect(await runs.getAccount?.({ accountId: 'a' })).toMatchObject({ balance: 70 });
});

test('a snapshot includes no change from a pending transaction', async () => {
  await expect(onAzure(database, BEFORE_COMMIT()).transfer?.({ from: 'a', to: 'b', amount: 30 })).rejects.toThrow();
  expect(await balances()).toEqual([100, 100]);
});

test('a snapshot never includes half a transfer, even during concurrent writes', async () => {
  const writer = (async () => {
    for (let i = 0; i < 15; i++) await runs.transfer?.({ from: 'a', to: 'b', amount: 1 });
  })();
  const sums: number[] = [];
  const reader = (async () => {
    for (let i = 0; i < 30; i++) {
      // The client refuses a snapshot that conflicts with too many writes, as DynamoDB does.
      const found = await balances().catch(() => []);
      if (found.length > 0) sums.push(found.reduce((sum, balance) => sum + balance));
    }
  })();
  await Promise.all([writer, reader]);
  expect(new Set(sums)).toEqual(new Set([200]));
});

test('a read pattern with `unexpired` returns no expired items', async () => {
  const [past, future] = [-60, 60].map((seconds) => Math.floor(FEATURES.clock() / 1000) + seconds);
  await runs.openAccount?.(account('old', { expiresAt: past }));
  await runs.openAccount?.(account('new', { expiresAt: future }));
  const idsOf = async (name: string) => {
    const { items } = (await (runs[name] as Run)({ plan: 'pro' })) as { items: { accountId: string }[] };
    return items.map(({ accountId }) => accountId);
  };
  expect(await idsOf('accountsOn')).toEqual(['a', 'b', 'new', 'old']);
  expect(await idsOf('liveAccounts')).toEqual(['a', 'b', 'new']);
});
