import { client, type Observation, type Send, transact, transactGet } from '../../../lib/dynamodb';
import { paymentsTable, shopTable } from '../../fixtures/shop/design';

const ConsumedCapacity = [
  { TableName: 'shop', CapacityUnits: 2 },
  { TableName: 'payments', CapacityUnits: 4 },
];

/** Two tables, the requests sent to both, and what their observer receives. */
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
  test('is one request to all of its tables, with a token, and the observer receives it once', async () => {
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

  test('has a fresh token each time, unless the caller gives one', async () => {
    const { payments, sent } = shopAndPayments();
    for (const options of [{}, {}, { token: 'mine' }]) await transact([payments.pay.step(payment(1))], options);
    const tokens = sent.map(([, { ClientRequestToken }]) => ClientRequestToken);
    expect(new Set(tokens).size).toBe(3);
    expect(tokens[2]).toBe('mine');
  });

  test('refuses more than 100 writes or reads, and gives the count', async () => {
    const { payments, sent } = shopAndPayments();
    const many = Array.from({ length: 101 }, (_, i) => payments.pay.step(payment(i)));
    await expect(transact(many)).rejects.toThrow(/101 writes, but at most 100 are allowed/);
    await expect(transact(many.slice(1))).resolves.toBeUndefined();
    const gets = Array.from({ length: 101 }, (_, i) => payments.payment.step({ paymentId: `p${i}` }));
    await expect(transactGet(gets)).rejects.toThrow(/101 reads, but at most 100 are allowed/);
    expect(sent).toHaveLength(1);
  });

  test('a composed transaction of more than 4 MB is refused before it is sent', async () => {
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
      message: expect.stringMatching(/take \d{7} bytes, but a transaction takes at most 4194304; write less at once$/),
    });
    expect(sent).toHaveLength(1);
  });

  test('refuses to write with read patterns, and to read with write patterns', async () => {
    const { shop, payments, sent } = shopAndPayments();
    const [read, write] = [shop.product.step({ sku: 'cup' }), payments.pay.step(payment(1))];
    await expect(transact([write, read as never])).rejects.toThrow('pay + product: product only reads; give it to');
    await expect(transactGet([read, write as never])).rejects.toThrow('product + pay: pay writes; give it to transact');
    expect(sent).toEqual([]);
  });

  test('refuses clients that send in different ways', async () => {
    const [one, other] = [shopAndPayments(), shopAndPayments()];
    await expect(transact([one.payments.pay.step(payment(1)), other.payments.pay.step(payment(2))])).rejects.toThrow(
      "its steps belong to clients with different 'send' functions; give all of them the same one",
    );
    expect([...one.sent, ...other.sent]).toEqual([]);
  });
});

test('a consistent snapshot is one request, which the observer receives once, and each result follows its own pattern', async () => {
  const Responses = [{ Item: payment(1) }, {}];
  const { shop, payments, sent, told } = shopAndPayments({ Responses });
  const read = await transactGet([payments.payment.step({ paymentId: 'p1' }), shop.product.step({ sku: 'cup' })]);
  expect(read).toEqual([payment(1), undefined]);
  expect(sent.map(([command]) => command)).toEqual(['TransactGet']);
  expect(told).toMatchObject([{ pattern: 'payment + product', operation: 'TransactGet' }]);
});
