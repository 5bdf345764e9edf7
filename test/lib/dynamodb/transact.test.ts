import { client, type Observation, type Send, transact, transactGet } from '../../../lib/dynamodb';
import { paymentsTable, shopTable } from '../../fixtures/shop/design';

const ConsumedCapacity = [
  { TableName: 'shop', CapacityUnits: 2 },
  { TableName: 'payments', CapacityUnits: 4 },
];

/** Returns clients for two tables, the requests that the clients sent, and what their observer received. */
function shopAndPayments(answer: object = {}) {
  const sent: [string, Record<string, unknown>][] = [];
  const told: Observation[] = [];
  const send: Send = async (command, input) => {
    sent.push([command, input]);
    return { ConsumedCapacity, ...answer };
  };
  const options = { observe: (one: Observation) => told.push(one), context: { tenant: 't1' } };
  const [shop, payments] = [client(shopTable, 'shop', send, options), client(paymentsTable, 'payments', send, options)];
  return { shop, payments, sent, told };
}

const payment = (n: number) => ({ paymentId: `p${n}`, orderId: 'o1', amount: 700 });

describe('a composed transaction', () => {
  test('sends a composed transaction as one request with a token, and reports the request to the observer once', async () => {
    const { shop, payments, sent, told } = shopAndPayments();
    await transact([payments.pay.step(payment(1)), shop.markPaid.step({ orderId: 'o1', total: 700 })]);
    expect(sent).toMatchObject([
      [
        'TransactWrite',
        {
          TransactItems: [{ Put: { TableName: 'payments' } }, { Update: { TableName: 'shop' } }],
          ClientRequestToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
      ],
    ]);
    expect(told).toMatchObject([
      { pattern: 'pay + markPaid', operation: 'TransactWrite', capacity: 6, context: { tenant: 't1' } },
    ]);
  });

  test('creates a new token for each transaction unless the caller passes one', async () => {
    const { payments, sent } = shopAndPayments();
    for (const options of [{}, {}, { token: 'mine' }]) await transact([payments.pay.step(payment(1))], options);
    const tokens = sent.map(([, { ClientRequestToken }]) => ClientRequestToken);
    expect(new Set(tokens).size).toBe(3);
    expect(tokens[2]).toBe('mine');
  });

  test('refuses a transaction of more than 100 writes or reads, and says how many it has', async () => {
    const { payments, sent } = shopAndPayments();
    const many = Array.from({ length: 101 }, (_, i) => payments.pay.step(payment(i)));
    await expect(transact(many)).rejects.toThrow(/101 writes, but at most 100 are allowed/);
    await expect(transact(many.slice(1))).resolves.toBeUndefined();
    const gets = Array.from({ length: 101 }, (_, i) => payments.payment.step({ paymentId: `p${i}` }));
    await expect(transactGet(gets)).rejects.toThrow(/101 reads, but at most 100 are allowed/);
    expect(sent).toHaveLength(1);
  });

  test('refuses to send a composed transaction of more than 4 MB', async () => {
    const { shop, sent } = shopAndPayments();
    const order = { customerId: 'ana', placedAt: '2026-05-06T07:08:09.000Z', total: 1, status: 'placed' } as const;
    const given = Array.from({ length: 11 }, (_, i) =>
      shop.placeOrder.step({
        order: { orderId: `o${i}`, ...order },
        lines: [],
        gift: { orderId: `o${i}`, to: 'x'.repeat(390_000) },
      }),
    );
    await expect(transact(given.slice(1))).resolves.toBeUndefined();
    await expect(transact(given)).rejects.toMatchObject({
      kind: 'too-large',
      message: expect.stringMatching(/take \d{7} bytes, but a transaction is limited to 4194304; write fewer items$/),
    });
    expect(sent).toHaveLength(1);
  });

  test('refuses read patterns in `transact`, and write patterns in `transactGet`', async () => {
    const { shop, payments, sent } = shopAndPayments();
    const [read, write] = [shop.product.step({ sku: 'cup' }), payments.pay.step(payment(1))];
    await expect(transact([write, read as never])).rejects.toThrow('pay + product: product only reads; pass it to');
    await expect(transactGet([read, write as never])).rejects.toThrow('product + pay: pay writes; pass it to transact');
    expect(sent).toEqual([]);
  });

  test('refuses a transaction whose steps belong to clients with different `send` functions', async () => {
    const [one, other] = [shopAndPayments(), shopAndPayments()];
    await expect(transact([one.payments.pay.step(payment(1)), other.payments.pay.step(payment(2))])).rejects.toThrow(
      "the steps belong to clients with different 'send' functions; share one 'send'",
    );
    expect([...one.sent, ...other.sent]).toEqual([]);
  });
});

test('reads a snapshot with one request, reports the request to the observer once, and parses each result with its own pattern', async () => {
  const Responses = [{ Item: payment(1) }, {}];
  const { shop, payments, sent, told } = shopAndPayments({ Responses });
  const read = await transactGet([payments.payment.step({ paymentId: 'p1' }), shop.product.step({ sku: 'cup' })]);
  expect(read).toEqual([payment(1), undefined]);
  expect(sent.map(([command]) => command)).toEqual(['TransactGet']);
  expect(told).toMatchObject([{ pattern: 'payment + product', operation: 'TransactGet' }]);
});
