import { deepStrictEqual } from 'node:assert';
import { after, before, beforeEach, test } from 'node:test';
import { client } from 'tablewright/dynamodb';
import { type Local, startLocal } from 'tablewright/local';
import type { Database } from 'tablewright/proof';
import { shopCases } from './cases';
import { orders } from './design';

let local: Local<Database>;
before(async () => {
  local = await startLocal(shopCases);
});
beforeEach(() => local.reset());
after(() => local.stop());

test('a shipped order is no longer open', async () => {
  const db = client(orders, local.tableName('orders'), local.send);
  await db.shipOrder({ customerId: 'ana', orderId: 'o1' });
  const { items } = await db.openOrders({ shopId: 's1' });
  deepStrictEqual(
    items.map(({ orderId }) => orderId),
    ['o2'],
  );
});
