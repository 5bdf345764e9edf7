import { client, RequestError, type Send } from '../../../lib/dynamodb';
import { shopTable } from '../../fixtures/shop/design';

const order = {
  ...{ orderId: 'o1', customerId: 'ana', placedAt: '2026-05-06T07:08:09.000Z', total: 700, status: 'placed' as const },
};
const lines = [{ orderId: 'o1', sku: 'cup', count: 1, price: 700 }];

/** A client whose requests all fail with the given error. */
function failing(name: string, more: object = {}) {
  const error = Object.assign(new Error('as the service put it'), { name, ...more });
  const send: Send = () => Promise.reject(error);
  return { error, shop: client(shopTable, 'shop', send) };
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the kind of a service error', () => {
  test.each([
    ['TransactionConflictException', 'conflict'],
    ['TransactionInProgressException', 'conflict'],
    ['ProvisionedThroughputExceededException', 'throttled'],
    ['RequestLimitExceeded', 'throttled'],
    ['ThrottlingException', 'throttled'],
    ['IdempotentParameterMismatchException', 'token'],
    ['ItemCollectionSizeLimitExceededException', 'too-large'],
    ['ResourceNotFoundException', 'no-table'],
    ['AccessDeniedException', 'denied'],
  ])('the error %s has the kind %s for both reads and writes', async (name, kind) => {
    const { shop, error } = failing(name);
    for (const call of [shop.product({ sku: 'cup' }), shop.markPaid({ orderId: 'o1', total: 700 })]) {
      const failure = await failureOf(call);
      expect(failure).toBeInstanceOf(RequestError);
      // The error keeps the name of the SDK's error, for programs that already test for this name.
      expect(failure).toMatchObject({ name, kind, writes: [], cause: error });
      expect((failure as Error).message).toMatch(/^shop: (product|markPaid): /);
    }
  });

  test('throws an unknown error unchanged', async () => {
    const { shop, error } = failing('ValidationException');
    expect(await failureOf(shop.product({ sku: 'cup' }))).toBe(error);
  });

  test('the error about a failed update says that the item is missing, or names the condition that it does not meet', async () => {
    const { shop } = failing('ConditionalCheckFailedException');
    expect(await failureOf(shop.markPaid({ orderId: 'o1', total: 700 }))).toMatchObject({ kind: 'missing' });
    const Item = { PK: { S: 'ORDER#o1' }, SK: { S: 'ORDER' }, status: { S: 'placed' }, total: { N: '1' } };
    const { shop: other } = failing('ConditionalCheckFailedException', { Item });
    expect(await failureOf(other.markPaid({ orderId: 'o1', total: 700 }))).toMatchObject({
      kind: 'condition',
      writes: [{ name: 'markPaid', entity: 'Order', tests: ['total'], item: { status: 'placed', total: 1 } }],
    });
  });
});

describe('a cancelled transaction', () => {
  const cancelled = (...codes: readonly string[]) =>
    failing('TransactionCanceledException', { CancellationReasons: codes.map((Code) => ({ Code })) });

  test('names only the failed steps of a transaction', async () => {
    const { shop } = cancelled('None', 'None', 'TransactionConflict', 'None');
    expect(await failureOf(shop.placeOrder({ order, lines }))).toMatchObject({
      kind: 'conflict',
      message:
        'shop: placeOrder: nothing was written; placeOrder.taken[0]: Product PK "PRODUCT#cup", SK "PRODUCT" was refused: another transaction is writing the same item; try again',
      writes: [{ name: 'placeOrder.taken[0]' }],
    });
  });

  test("takes the error's kind from the step that a retry cannot fix", async () => {
    const { shop } = cancelled('None', 'None', 'ConditionalCheckFailed', 'ThrottlingError');
    expect(await failureOf(shop.placeOrder({ order, lines }))).toMatchObject({
      kind: 'missing',
      writes: [{ kind: 'missing' }, { kind: 'throttled', name: 'placeOrder.emptied[0]' }],
    });
  });

  test('throws the original error if a transaction was cancelled for an unknown reason', async () => {
    const { shop, error } = cancelled('ValidationError');
    expect(await failureOf(shop.placeOrder({ order, lines }))).toBe(error);
  });
});
