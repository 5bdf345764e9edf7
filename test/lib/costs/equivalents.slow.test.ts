import { azuriteEngine } from '../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../lib/azure-tables/engine/database';
import { comparisonOf } from '../../../lib/costs/equivalents';
import { PRICES } from '../../../lib/costs/prices';
import { bazaar } from '../azure-tables/equivalents/protocol/bazaar';
import { account, emptied, onAzure, order, product, type Runs } from '../azure-tables/equivalents/protocol/sides';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
  await emptied(database);
  const runs = onAzure(database);
  for (const id of ['a', 'b', 'c']) await runs.openAccount?.(account(id));
  for (const id of ['1', '2', '3', '4', '5', '6']) await runs.createOrder?.(order('a', id, { note: 'n' }));
  for (const id of ['p', 'q', 'r'])
    await runs.addProduct?.(product(id, { tags: new Set(['x']), sizes: new Set([1, 2]) }));
});
afterAll(() => database.stop());

const ORDER = { accountId: 'a', orderId: '1' };
const CALLS: Readonly<Record<string, object>> = {
  getAccount: { accountId: 'a' },
  openAccount: account('new'),
  accountByEmail: { email: 'a@x' },
  changePlan: { accountId: 'a', plan: 'free', least: 1 },
  deposit: { accountId: 'a', amount: 1, percent: 0.1 },
  annotate: { accountId: 'a', note: 'x', city: 'Rio', more: ['t'] },
  closeAccount: { accountId: 'c', email: 'c@x' },
  changeEmail: { accountId: 'b', former: 'b@x', email: 'other@x' },
  createOrder: order('a', '9'),
  dropNote: { ...ORDER, orderId: '3' },
  ship: { ...ORDER, orderId: '2', status: 'paid', before: 'open' },
  deleteOrder: { ...ORDER, orderId: '4' },
  ordersOf: { accountId: 'a' },
  ordersFrom: { accountId: 'a', from: '1', to: '9', most: 100 },
  openOrders: { accountId: 'a' },
  latestOpen: { accountId: 'a', orderId: '9' },
  ordersIn: { status: 'open' },
  accountsOn: { plan: 'pro' },
  someOrders: { orders: [ORDER] },
  transfer: { from: 'a', to: 'b', amount: 1 },
  placeOrder: { order: order('a', '8'), amount: 5, sponsor: 'b' },
  getProduct: { productId: 'p' },
  productsByName: { from: 'a' },
  productsOfPair: { pair: 'm~s' },
  addProduct: product('new'),
  saveProduct: product('q', { name: 'Table', rev: 1 }),
  tag: { productId: 'p', tag: 'y' },
  tagAll: { productId: 'p', more: new Set(['z']) },
  stock: { productId: 'p', size: 7 },
  resize: { productId: 'p', size: 7, tag: 'y' },
  rename: { productId: 'p', name: 'Armchair' },
  resell: { productId: 'p', seller: 'r', maker: 'm', size: 5, accountId: 'a', product: {} },
  dropProduct: { productId: 'r' },
};

const { patterns } = comparisonOf(bazaar, undefined, PRICES);
const countedFor = (name: string) => patterns.find(({ pattern }) => pattern === name)?.requests;

async function sentBy(name: string, values: object): Promise<number> {
  let sent = 0;
  const runs = onAzure(database, (send) => (table, call) => {
    sent++;
    return send(table, call);
  });
  await (runs[name] as Runs[string])(values);
  return sent;
}

test.each(Object.entries(CALLS))('the costs of %s count the requests that it sends', async (name, values) => {
  expect({ name, requests: countedFor(name) }).toEqual({ name, requests: await sentBy(name, values) });
});

test('the costs of a put that replaces an item count all of its rows as changed', async () => {
  // It reads the item, writes it, reads and writes four following rows, and empties the outbox.
  expect([countedFor('saveOrder'), countedFor('saveOrders')]).toEqual([11, 11]);
  // The keys of this order stay the same, and so does its row in the index of keys.
  expect(await sentBy('saveOrder', order('a', '3', { total: 11 }))).toBe(9);
});
