import { azuriteEngine } from '../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../lib/azure-tables/engine/database';
import { comparisonOf } from '../../../lib/costs/equivalents';
import { PRICES } from '../../../lib/costs/prices';
import { bazaar } from '../azure-tables/equivalents/protocol/bazaar';
import { CALLS, stocked } from '../azure-tables/equivalents/protocol/calls';
import { onAzure, order, type Runs } from '../azure-tables/equivalents/protocol/sides';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
  await stocked(database);
});
afterAll(() => database.stop());

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

test.each(Object.entries(CALLS))('counts the requests that %s sends', async (name, values) => {
  expect({ name, requests: countedFor(name) }).toEqual({ name, requests: await sentBy(name, values) });
});

test('assumes that a put with `replace` changes every row of its item', async () => {
  // The put reads and writes the item, reads and writes four derived rows, and empties the outbox.
  expect([countedFor('saveOrder'), countedFor('saveOrders')]).toEqual([11, 11]);
  // This order keeps its keys, so its row in the index of keys does not change.
  expect(await sentBy('saveOrder', order('a', '3', { total: 11 }))).toBe(9);
});
