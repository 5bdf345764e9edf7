import type { AzureCall } from '../../../../../lib/azure-tables';
import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { rowsOf } from '../../../../../lib/azure-tables/equivalents/protocol/outbox';
import { placesOf } from '../../../../../lib/azure-tables/equivalents/protocol/places';
import { bazaar } from './bazaar';
import { account, emptied, isWrite, itemsIn, onAzure, order, type Runs } from './sides';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
  await emptied(database);
});
afterAll(() => database.stop());

/** Returns the requests that a call sends while nothing else writes to the tables. */
async function sentBy(name: string, values: object) {
  const sent: { readonly table: string; readonly call: AzureCall }[] = [];
  const runs = onAzure(database, (send) => (table, call) => {
    sent.push({ table, call });
    return send(table, call);
  });
  await (runs[name] as Runs[string])(values);
  return sent;
}

const requestsOf = async (name: string, values: object) => (await sentBy(name, values)).length;

test('a read sends one request', async () => {
  await requestsOf('openAccount', account('r'));
  await requestsOf('createOrder', order('r', '1'));
  expect(await requestsOf('getAccount', { accountId: 'r' })).toBe(1);
  expect(await requestsOf('ordersOf', { accountId: 'r' })).toBe(1);
  expect(await requestsOf('openOrders', { accountId: 'r' })).toBe(1);
  expect(await requestsOf('latestOpen', { accountId: 'r', orderId: '9' })).toBe(1);
});

test('a put of an item with n following rows sends at most n + 2 requests, and an update at most n + 3', async () => {
  const put = await requestsOf('createOrder', order('p', '1'));
  const [place] = placesOf(bazaar).all;
  const item = [...(await itemsIn(database)).values()].find(({ PK }) => PK === 'ACCOUNT#p');
  if (place === undefined || item === undefined) throw new Error('the order is stored');
  const following = rowsOf(place, item, 1).length - 1;
  expect(following).toBeGreaterThan(1);
  expect(put).toBeLessThanOrEqual(following + 2);
  // An update first reads the row, because the row's ETag guards the write.
  const values = { accountId: 'p', orderId: '1', status: 'open', before: 'open' };
  expect(await requestsOf('ship', values)).toBeLessThanOrEqual(following + 3);
});

test('a transaction over k partitions reads k rows, sends 2k + 2 writes, and reads and writes each following row', async () => {
  await requestsOf('openAccount', account('a'));
  await requestsOf('openAccount', account('b'));
  const sent = await sentBy('transfer', { from: 'a', to: 'b', amount: 30 });
  const following = sent.filter(({ table }) => table !== 'shop' && table !== 'Transactions');
  const emptied = sent.filter(({ table, call }) => table === 'shop' && JSON.stringify(call).includes('"_outbox":""'));
  const own = sent.filter((one) => !following.includes(one) && !emptied.includes(one));
  expect(own.filter(({ call }) => !isWrite(call)).length).toBe(2);
  expect(own.filter(({ call }) => isWrite(call)).length).toBe(2 * 2 + 2);
  expect(emptied.length).toBe(2);
  expect(following.filter(({ call }) => isWrite(call)).length).toBe(following.length / 2);
});
