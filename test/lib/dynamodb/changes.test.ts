import { changes, type StreamRecord } from '../../../lib/dynamodb';
import { catalogueTable } from '../../fixtures/catalogue';
import { shopTable } from '../../fixtures/shop/design';

const product = (available: number) => ({
  ...{ PK: { S: 'PRODUCT#cup' }, SK: { S: 'PRODUCT' }, kind: { S: 'Product' }, sku: { S: 'cup' }, name: { S: 'Cup' } },
  ...{ price: { N: '700' }, available: { N: String(available) } },
});
const keys = { PK: { S: 'PRODUCT#cup' }, SK: { S: 'PRODUCT' } };
let number = 0;
const record = (eventName: string, images: object, more: Partial<StreamRecord> = {}): StreamRecord => ({
  eventName,
  dynamodb: { Keys: keys, SequenceNumber: String(++number), ApproximateCreationDateTime: 1_700_000_000, ...images },
  ...more,
});
const cup = (available: number) => ({ sku: 'cup', name: 'Cup', price: 700, available, kind: 'Product' });

/** Returns a handler for changes to products, and the list in which it records them. */
function handled(options = {}) {
  const seen: unknown[] = [];
  const handler = changes(
    shopTable,
    {
      Product: {
        inserted: (item, { at }) => seen.push(['inserted', item, at]),
        modified: (item, before) => seen.push(['modified', item.available, before.available]),
        removed: (item, { expired }) => seen.push(['removed', item.sku, expired]),
      },
    },
    options,
  );
  return { handler, seen };
}

test("passes the validated new item and the previous item to the entity's handlers", async () => {
  const { handler, seen } = handled();
  const ttl = { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } };
  const response = await handler({
    Records: [
      record('INSERT', { NewImage: product(3) }),
      record('MODIFY', { NewImage: product(2), OldImage: product(3) }),
      record('REMOVE', { OldImage: product(2) }),
      record('REMOVE', { OldImage: product(2) }, ttl),
      record('INSERT', {
        NewImage: {
          PK: { S: 'COUPON#M' },
          SK: { S: 'COUPON' },
          kind: { S: 'Coupon' },
          code: { S: 'M' },
          left: { N: '1' },
        },
      }),
    ],
  });
  expect(response).toEqual({ batchItemFailures: [] });
  expect(seen).toEqual([
    ['inserted', cup(3), 1_700_000_000],
    ['modified', 2, 3],
    ['removed', 'cup', false],
    ['removed', 'cup', true],
  ]);
});

test('stops at a failing record, and requests redelivery of that record and all later records', async () => {
  const failures: unknown[] = [];
  const seen: string[] = [];
  const handler = changes(
    shopTable,
    {
      Product: {
        inserted: async (item) => {
          if (item.available === 2) throw new Error('the mail server is down');
          seen.push(`inserted ${item.available}`);
        },
      },
    },
    { onFailure: (error) => failures.push(error) },
  );
  const Records = [3, 2, 1].map((available) => record('INSERT', { NewImage: product(available) }));
  const sequence = Records[1]?.dynamodb?.SequenceNumber;
  expect(await handler({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: sequence }] });
  expect(seen).toEqual(['inserted 3']);
  expect(failures).toEqual([new Error('the mail server is down')]);
});

describe('records of unknown items', () => {
  const strange = { PK: { S: 'LAMP#1' }, SK: { S: 'LAMP' } };
  const Records = [
    record('INSERT', { Keys: strange, NewImage: { ...strange, kind: { S: 'Lamp' } } }),
    record('INSERT', { NewImage: { ...product(3), price: { S: 'dear' } } }),
    record('MODIFY', { NewImage: product(3) }),
    record('INSERT', { NewImage: product(3) }),
  ];

  test('passes a record of an unknown item to `onUnknown`, and handles the other records', async () => {
    const unknown: string[] = [];
    const { handler, seen } = handled({ onUnknown: (_: unknown, { message }: Error) => unknown.push(message) });
    expect(await handler({ Records })).toEqual({ batchItemFailures: [] });
    expect(unknown).toEqual([
      'the item PK "LAMP#1", SK "LAMP" is unknown to the design',
      'Product PK "PRODUCT#cup", SK "PRODUCT": price: Invalid input: expected number, received string',
      'PK "PRODUCT#cup", SK "PRODUCT": the stream lacks whole items; set its view type to NEW_AND_OLD_IMAGES',
    ]);
    expect(seen).toHaveLength(1);
  });

  test('fails the batch at the first record of an unknown item if `onUnknown` is `throw`', async () => {
    const { handler } = handled({ onUnknown: 'throw', onFailure: () => undefined });
    const { batchItemFailures } = await handler({ Records });
    expect(batchItemFailures).toEqual([{ itemIdentifier: Records[0]?.dynamodb?.SequenceNumber }]);
  });
});

test('refuses a handler for an entity that the table does not have', () => {
  expect(() => changes(shopTable, { Produkt: {} } as never)).toThrow(
    "'Produkt' is not an entity of 'shop'; write Product",
  );
});

test.each([undefined, {}, { Records: {} }])('refuses an event that is not from a stream: %j', async (event) => {
  await expect(changes(shopTable, {})(event as never)).rejects.toThrow(
    "changes to 'shop': the event has no Records; pass a DynamoDB stream event",
  );
});

test.each([null, undefined, 'INSERT', 7])(
  'refuses a malformed record before handling other records: %j',
  async (odd) => {
    const seen: unknown[] = [];
    const handler = changes(shopTable, { Product: { inserted: (item) => seen.push(item) } });
    const Records = [record('INSERT', { NewImage: product(1) }), odd];
    await expect(handler({ Records } as never)).rejects.toThrow(
      /^changes to 'shop': record 2 of 2 must be an object, got: .+; pass a DynamoDB stream event$/,
    );
    expect(seen).toEqual([]);
  },
);

test('passes the old and the new item to the handler when an item becomes a different union member', async () => {
  const image = (own: object) => ({
    ...{ PK: { S: 'PRODUCT#p1' }, SK: { S: 'PRODUCT' }, type: { S: 'Product' }, productId: { S: 'p1' } },
    ...{
      title: { S: 'Dune' },
      sortTitle: { S: 'dune' },
      cents: { N: '1' },
      updatedAt: { S: '2026-01-02T03:04:05.006Z' },
    },
    ...own,
  });
  const book = image({ kind: { S: 'book' }, author: { S: 'a1' }, pages: { N: '612' } });
  // Only books have `pages`; another program left the attribute on this film.
  const film = image({ kind: { S: 'film' }, minutes: { N: '155' }, pages: { N: '612' } });
  const seen: unknown[] = [];
  const handler = changes(catalogueTable, {
    Product: {
      modified: (item, before) =>
        seen.push([item.kind === 'film' && item.minutes, 'pages' in item, before.kind === 'book' && before.pages]),
    },
  });
  const response = await handler({ Records: [record('MODIFY', { NewImage: film, OldImage: book })] });
  expect(response).toEqual({ batchItemFailures: [] });
  expect(seen).toEqual([[155, false, 612]]);
});
