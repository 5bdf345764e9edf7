import { strictEqual } from 'node:assert';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, type StreamRecord } from 'tablewright/dynamodb';
import { startLocal } from 'tablewright/local';
import { orders, sales } from './design';
import { revenueIn } from './handler';

test('adds each order to the revenue once, even though the stream delivers its event twice', async () => {
  const delivered: StreamRecord[] = [];
  const local = await startLocal(sales, {
    onChange: async ({ Records }) => {
      delivered.push(...Records);
    },
  });
  try {
    const db = client(orders, local.tableName('orders'), local.send);
    await db.placeOrder({ shopId: 's1', orderId: '01JZ8K5V3T2Q4W6Y8A0C2E4G6J', cents: 1200 });
    await db.placeOrder({ shopId: 's1', orderId: '01JZ8K5V3T2Q4W6Y8A0C2E4G6K', cents: 300 });
    while (delivered.length < 2) await sleep(20);
    const handler = revenueIn(db);
    await handler({ Records: delivered });
    await handler({ Records: delivered });
    strictEqual((await db.revenueOfShop({ shopId: 's1' }))?.cents, 1500);
  } finally {
    await local.stop();
  }
});
