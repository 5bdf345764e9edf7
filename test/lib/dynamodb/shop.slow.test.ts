import { Template } from 'aws-cdk-lib/assertions';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../../constructs/aws';
import { namesIn } from '../../../lib/blueprint/system';
import { check } from '../../../lib/check';
import { type Observation, RequestError, system, transact, transactGet, UnfinishedBatch } from '../../../lib/dynamodb';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { type Proof, prove } from '../../../lib/proof';
import { shopCases } from '../../fixtures/shop/cases';
import { shop } from '../../fixtures/shop/design';
import { checkOut, payOrder, SoldOut } from '../../fixtures/shop/procedures';
import { embedded } from '../../support/embedded';

const procedures = { checkOut, payOrder };
const tables = embedded(shop);
const client = system(shop, { environment: 'dev' }, tables.send, { procedures });
const placedAt = '2026-05-06T07:08:09.000Z';
const cup = { sku: 'cup', name: 'Cup', price: 700, available: 3 };
const line = (orderId: string, sku: string, count = 1) => ({ orderId, sku, count, price: 700 });
const orderOf = (orderId: string, customerId = 'ana') =>
  ({ orderId, customerId, placedAt, total: 700, status: 'placed' }) as const;

/** Returns the error that a call throws. */
const failureOf = (call: Promise<unknown>): Promise<RequestError> =>
  call.then(
    () => {
      throw new Error('it was done');
    },
    (error: RequestError) => error,
  );

test("reports no findings for the shop's design", () => {
  expect(check(shop).filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('proves every pattern and procedure of the shop on the tables of its template', async () => {
  const engine = await embeddedEngine();
  const stack = new SystemStack(new App(), 'shop', { design: shop, environment: 'prod' });
  const template = Template.fromStack(stack).toJSON() as TemplateJson;
  const proofs: Proof[] = [];
  for await (const proof of prove(engine, { system: shop, cases: shopCases, template, environment: 'prod' }))
    proofs.push(proof);
  await engine.stop();
  expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
  expect(proofs.filter(({ kind }) => kind !== 'entity').map(({ name }) => name)).toEqual(namesIn(shop));
}, 60_000);

test('accepts exactly one of 50 concurrent orders for the last item in stock', async () => {
  await client.stock({ products: [{ ...cup, available: 1 }] });
  const customers = Array.from({ length: 50 }, (_, i) => `customer${i}`);
  await Promise.all(customers.map((customerId) => client.addToCart({ customerId, sku: 'cup', count: 1 })));
  const placed = await Promise.all(
    customers.map(async (customerId) => {
      for (;;) {
        try {
          await client.checkOut({ customerId, orderId: `order-${customerId}`, placedAt });
          return 'placed';
        } catch (error) {
          if (error instanceof RequestError && error.kind === 'conflict') continue;
          if (!(error instanceof SoldOut)) throw error;
          return 'sold out';
        }
      }
    }),
  );
  expect(placed.filter((outcome) => outcome === 'placed')).toHaveLength(1);
  expect(await client.product({ sku: 'cup' })).toMatchObject({ available: 0 });
}, 60_000);

describe('an order', () => {
  beforeEach(() => client.stock({ products: [cup] }));

  test('places an order only once, even if it is sent again with or without its token', async () => {
    await client.addToCart({ customerId: 'ana', sku: 'cup', count: 1 });
    const values = { order: orderOf('o1'), lines: [line('o1', 'cup')] };
    await client.placeOrder(values, { token: 'o1' });
    await client.placeOrder(values, { token: 'o1' });
    expect(await client.product({ sku: 'cup' })).toMatchObject({ available: 2 });
    const again = await failureOf(client.placeOrder(values));
    expect(again.writes).toMatchObject([
      { name: 'placeOrder.order', kind: 'exists', isEqual: true },
      { name: 'placeOrder.lines[0]', kind: 'exists', isEqual: true },
    ]);
    const other = { ...values, order: { ...values.order, total: 1 } };
    expect((await failureOf(client.placeOrder(other, { token: 'o1' }))).kind).toBe('token');
    expect((await failureOf(client.placeOrder(other))).writes[0]).toMatchObject({ kind: 'exists', isEqual: false });
  });

  test('the error about a refused order names the step, the item and the failed condition', async () => {
    const error = await failureOf(
      client.placeOrder({ order: orderOf('o1'), lines: [line('o1', 'cup', 9), line('o1', 'pot')], code: 'NONE' }),
    );
    expect(error).toBeInstanceOf(RequestError);
    expect(error.kind).toBe('condition');
    expect(error.writes).toMatchObject([
      {
        ...{ name: 'placeOrder.taken[0]', kind: 'condition', entity: 'Product', tests: ['available'] },
        ...{ key: { PK: 'PRODUCT#cup', SK: 'PRODUCT' }, item: { available: 3 } },
      },
      { name: 'placeOrder.taken[1]', kind: 'missing', key: { PK: 'PRODUCT#pot', SK: 'PRODUCT' } },
      { name: 'placeOrder.redeemed', kind: 'missing', entity: 'Coupon' },
    ]);
    expect(error.message).toBe(
      'shop-dev-shop: placeOrder: nothing was written; placeOrder.taken[0]: Product PK "PRODUCT#cup", SK "PRODUCT" does not meet the condition on available; placeOrder.taken[1]: Product PK "PRODUCT#pot", SK "PRODUCT" does not exist; placeOrder.redeemed: Coupon PK "COUPON#NONE", SK "COUPON" does not exist',
    );
  });

  test('refuses to send an order with too many writes, invalid lines, an invalid token or an oversized item', async () => {
    const lines = Array.from({ length: 34 }, (_, i) => line('o1', `sku${i}`));
    await expect(client.placeOrder({ order: orderOf('o1'), lines })).rejects.toThrow(
      'placeOrder: 103 writes, but at most 100 are allowed',
    );
    await expect(client.placeOrder({ order: orderOf('o1'), lines: line('o1', 'cup') as never })).rejects.toThrow(
      "placeOrder.lines: 'lines' must be a list",
    );
    await expect(
      client.placeOrder({ order: orderOf('o1'), lines: [line('o1', 'cup'), { ...line('o1', 'pot'), count: 0 }] }),
    ).rejects.toThrow('placeOrder.lines[1]: OrderLine: count: Too small');
    await expect(client.placeOrder({ order: orderOf('o1'), lines: [] }, { token: 'x'.repeat(37) })).rejects.toThrow(
      'placeOrder: token must be a string of 1 to 36 characters',
    );
    const gift = { orderId: 'o1', to: 'x'.repeat(410_000) };
    expect(await failureOf(client.placeOrder({ order: orderOf('o1'), lines: [], gift }))).toMatchObject({
      kind: 'too-large',
      message: expect.stringMatching(
        /^placeOrder\.gift: GiftCard .* takes 410\d{3} bytes, but an item is limited to 409600/,
      ),
    });
    expect(await client.order.first({ orderId: 'o1' })).toBeUndefined();
  });
});

describe('transactions of several patterns', () => {
  beforeEach(async () => {
    await client.stock({ products: [cup] });
    await client.placeOrder({ order: orderOf('o1'), lines: [line('o1', 'cup')] });
  });

  test('writes to two tables atomically', async () => {
    await client.payOrder({ paymentId: 'p1', orderId: 'o1', amount: 700 });
    const error = await failureOf(client.payOrder({ paymentId: 'p2', orderId: 'o1', amount: 700 }));
    expect(error.message).toBe(
      'shop-dev-payments, shop-dev-shop: pay + markPaid: nothing was written; markPaid: Order PK "ORDER#o1", SK "ORDER" does not meet the condition on status',
    );
    expect(await client.payment({ paymentId: 'p2' })).toBeUndefined();
  });

  test('reads a consistent snapshot of two tables', async () => {
    await client.payOrder({ paymentId: 'p1', orderId: 'o1', amount: 700 });
    const [payment, product, none] = await transactGet([
      client.payment.step({ paymentId: 'p1' }),
      client.product.step({ sku: 'cup' }),
      client.coupon.step({ code: 'NONE' }),
    ]);
    expect([payment?.amount, product?.available, none]).toEqual([700, 2, undefined]);
  });

  test('refuses a composed transaction that is empty or writes an item twice', async () => {
    await expect(transact([])).rejects.toThrow('a transaction needs at least one step');
    await expect(transact([{} as never])).rejects.toThrow('step 1 of the transaction is not a step');
    const paid = client.markPaid.step({ orderId: 'o1', total: 700 });
    await expect(transact([paid, paid])).rejects.toThrow('markPaid and markPaid write the same item (');
  });
});

describe('batches of any size', () => {
  const products = Array.from({ length: 260 }, (_, i) => ({ ...cup, sku: `sku${String(i).padStart(3, '0')}` }));

  test('writes and reads batches of any size, split as DynamoDB requires', async () => {
    const sent: string[] = [];
    const counted = system(shop, { environment: 'dev' }, (command, input) => {
      sent.push(command);
      return tables.send(command, input);
    });
    expect(await counted.stock({ products })).toEqual({});
    const { items } = await counted.products({ sku: products.map(({ sku }) => sku) });
    expect(items).toHaveLength(260);
    expect(sent.filter((command) => command === 'BatchWrite')).toHaveLength(11);
    expect(sent.filter((command) => command === 'BatchGet')).toHaveLength(3);
    expect(await counted.products({ sku: [] })).toEqual({ items: [] });
  });

  test('reads batches of more than 16 MB completely', async () => {
    const large = products.slice(0, 50).map((product) => ({ ...product, name: 'x'.repeat(390_000) }));
    await client.stock({ products: large });
    const { items } = await client.products({ sku: large.map(({ sku }) => sku) });
    expect(items).toHaveLength(50);
  }, 30_000);

  test('returns exactly the unwritten items of a batch', async () => {
    const busy = system(shop, { environment: 'dev' }, async (command, input) => {
      if (command !== 'BatchWrite') return tables.send(command, input);
      const [[table, writes] = ['', []]] = Object.entries(
        input.RequestItems as Record<string, { PutRequest: { Item: { sku: string } } }[]>,
      );
      const isLeft = ({ PutRequest: { Item } }: (typeof writes)[number]) => Item.sku.endsWith('7');
      const done = writes.filter((write) => !isLeft(write));
      if (done.length > 0) await tables.send(command, { RequestItems: { [table]: done } });
      return { UnprocessedItems: { [table]: writes.filter(isLeft) } };
    });
    const { left } = await busy.stock({ products: products.slice(0, 30) });
    expect(left?.products.map(({ sku }) => sku).sort()).toEqual(['sku007', 'sku017', 'sku027']);
    expect(await client.stock(left as NonNullable<typeof left>)).toEqual({});
    const { items } = await client.products({ sku: products.slice(0, 30).map(({ sku }) => sku) });
    expect(items).toHaveLength(30);
  }, 30_000);

  test('the error about a partly failed batch lists the unwritten items', async () => {
    let parts = 0;
    const failing = system(shop, { environment: 'dev' }, (command, input) =>
      command === 'BatchWrite' && ++parts === 2 ? Promise.reject(new Error('no network')) : tables.send(command, input),
    );
    const error = (await failing
      .stock({ products: products.slice(0, 60) })
      .catch((one: unknown) => one)) as UnfinishedBatch<{
      products: typeof products;
    }>;
    expect(error).toBeInstanceOf(UnfinishedBatch);
    expect(error.message).toBe('shop-dev-shop: stock: 25 of 60 writes did not complete: no network');
    expect(error.left.products.map(({ sku }) => sku)).toEqual(products.slice(25, 50).map(({ sku }) => sku));
  });
});

describe('results of writes', () => {
  test('a write can return the item from before or after the write', async () => {
    expect(await client.addToCart({ customerId: 'ana', sku: 'cup', count: 2 })).toEqual({
      ...{ customerId: 'ana', sku: 'cup', count: 2 },
      kind: 'CartLine',
    });
    expect((await client.addToCart({ customerId: 'ana', sku: 'cup', count: 3 })).count).toBe(5);
    expect((await client.dropLine({ customerId: 'ana', sku: 'cup' }))?.count).toBe(5);
    expect(await client.dropLine({ customerId: 'ana', sku: 'cup' })).toBeUndefined();
  });
});

describe('all pages', () => {
  const orders = Array.from({ length: 5 }, (_, i) => ({
    ...orderOf(`o${i}`),
    placedAt: `2026-05-0${i + 1}T00:00:00.000Z`,
  }));
  beforeEach(async () => {
    for (const order of orders) await client.placeOrder({ order, lines: [] });
  });

  test('iterates over pages or items, and returns the first item or the count', async () => {
    const ids = [];
    for await (const { orderId } of client.ordersOfCustomer.all({ customerId: 'ana' })) ids.push(orderId);
    expect(ids).toEqual(['o4', 'o3', 'o2', 'o1', 'o0']);
    const sizes = [];
    for await (const { items } of client.ordersOfCustomer.pages({ customerId: 'ana' })) sizes.push(items.length);
    expect(sizes).toEqual([2, 2, 1]);
    expect((await client.ordersOfCustomer.first({ customerId: 'ana' }))?.orderId).toBe('o4');
    expect((await client.ordersOfCustomer.first({ customerId: 'ana' }, { order: 'ascending' }))?.orderId).toBe('o0');
    expect(await client.ordersOfCustomer.count({ customerId: 'ana' })).toBe(5);
    expect(await client.ordersOfCustomer.count({ customerId: 'bea' })).toBe(0);
  });

  test("applies a call's limit and order, and refuses invalid options", async () => {
    const page = await client.ordersOfCustomer({ customerId: 'ana' }, { limit: 3, order: 'ascending' });
    expect(page.items.map(({ orderId }) => orderId)).toEqual(['o0', 'o1', 'o2']);
    await expect(client.ordersOfCustomer({ customerId: 'ana' }, { consistent: true })).rejects.toThrow(
      'ordersOfCustomer: the index has no consistent reads',
    );
    await expect(client.ordersOfCustomer({ customerId: 'ana' }, { limit: 0 })).rejects.toThrow(
      'ordersOfCustomer: limit must be a positive integer, got: 0',
    );
  });

  test('skips expired items, and continues reading until it has enough items', async () => {
    const soon = Math.floor(Date.now() / 1000) + 3_600;
    await client.addToCart({ customerId: 'bea', sku: 'a', count: 1, expires: 1_000_000_000 });
    await client.addToCart({ customerId: 'bea', sku: 'b', count: 1, expires: soon });
    expect((await client.cart({ customerId: 'bea' })).items.map(({ sku }) => sku)).toEqual(['b']);
    expect((await client.cart.first({ customerId: 'bea' }, { limit: 1 }))?.sku).toBe('b');
    expect(await client.cart.count({ customerId: 'bea' })).toBe(1);
  });
});

test('returns the known items of a list, and reports an unknown item to the observer', async () => {
  await client.placeOrder({ order: orderOf('o1'), lines: [line('o1', 'cup')] }).catch(() => undefined);
  await client.offerCoupon({ code: 'MAY', percent: 5, left: 1 });
  const seen: Observation[] = [];
  const watched = system(shop, { environment: 'dev' }, tables.send, { observe: (one) => seen.push(one) });
  for (const [SK, total] of [
    ['ORDER', 700],
    ['LINE#x', 'none'],
  ] as const) {
    const Item = { PK: 'ORDER#o7', SK, kind: 'Order', ...orderOf('o7'), total };
    await tables.send('Put', { TableName: tables.nameOf('shop'), Item });
  }
  const page = await watched.order({ orderId: 'o7' });
  expect(page).toMatchObject({ items: [{ total: 700 }], unknown: 1 });
  expect(seen.at(-1)?.unknown).toMatchObject([
    { message: expect.stringContaining('SK "LINE#x": total: Invalid input') },
  ]);
});

describe("a system's table names", () => {
  test("finds a system's tables by environment, stack outputs or table names", async () => {
    const names = { shop: tables.nameOf('shop'), payments: tables.nameOf('payments') };
    const outputs = { Shop: { shopTableName: names.shop, paymentsTableName: names.payments } };
    for (const where of [{ outputs }, { outputs: outputs.Shop }, { tables: names }]) {
      expect(await system(shop, where, tables.send).payment({ paymentId: 'none' })).toBeUndefined();
    }
    expect(() => system(shop, { outputs: {} }, tables.send)).toThrow(
      "system 'shop': the name of table 'shop' is missing; give the output shopTableName",
    );
    expect(() => system(shop, { environment: '' }, tables.send)).toThrow("environment must be a name such as 'prod'");
    expect(() => system(shop, { tables: names }, tables.send, { procedures: { refund: () => 1 } as never })).toThrow(
      "system 'shop' has no procedure 'refund'; it has checkOut, payOrder",
    );
  });
});
