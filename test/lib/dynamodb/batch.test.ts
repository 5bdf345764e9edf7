import { client, type Send, UnfinishedBatch } from '../../../lib/dynamodb';
import { shopTable } from '../../fixtures/shop/design';

const products = Array.from({ length: 1000 }, (_, i) => ({ sku: `s${i}`, name: 'Cup', price: 1, available: 1 }));

/** A table that responds to each request after a delay, and records the highest number of concurrent requests. */
function slow() {
  const seen = { requests: 0, most: 0 };
  let now = 0;
  const send: Send = async () => {
    seen.requests++;
    seen.most = Math.max(seen.most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 2));
    now--;
    return {};
  };
  return { shop: client(shopTable, 'shop', send), seen };
}

describe('a batch sends at most four requests at a time', () => {
  test('reads 100 keys per request', async () => {
    const { shop, seen } = slow();
    await shop.products({ sku: products.map(({ sku }) => sku) });
    expect(seen).toEqual({ requests: 10, most: 4 });
  });

  test('writes 25 items per request', async () => {
    const { shop, seen } = slow();
    await shop.stock({ products: products.slice(0, 260) });
    expect(seen).toEqual({ requests: 11, most: 4 });
  });
});

describe('pace of a throttled batch', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  interface Sent {
    readonly at: number;
    readonly items: number;
  }

  /**
   * A table that reports the items returned by `leaves` as unprocessed, and records the time and the item count of each
   * request.
   */
  function busy(leaves: (items: readonly unknown[], at: number) => readonly unknown[]) {
    const start = Date.now();
    const sent: Sent[] = [];
    const send: Send = async (_, { RequestItems }) => {
      const { shop: items } = RequestItems as { shop: readonly unknown[] };
      sent.push({ at: Date.now() - start, items: items.length });
      const left = leaves(items, sent.length);
      return left.length === 0 ? {} : { UnprocessedItems: { shop: left } };
    };
    return { shop: client(shopTable, 'shop', send), sent };
  }

  const ended = async <T>(work: Promise<T>): Promise<T> => {
    await jest.advanceTimersByTimeAsync(600_000);
    return work;
  };

  test('gives up after a few rounds if the table accepts no items, however large the batch is', async () => {
    const { shop, sent } = busy((items) => items);
    const { left } = await ended(shop.stock({ products }));
    expect(left?.products).toHaveLength(1000);
    // The batch first sends four parts at once, then two, then one.
    expect(sent).toHaveLength(4 + 2 + 1 + 1 + 1);
  });

  test('lengthens the pauses between rounds even while the table accepts one item per request', async () => {
    const { shop, sent } = busy((items) => items.slice(1));
    await ended(shop.stock({ products: products.slice(0, 40) }));
    const rounds = [...new Set(sent.map(({ at }) => at))];
    const pauses = rounds.slice(1).map((at, i) => at - (rounds[i] as number));
    expect(pauses[0]).toBeLessThanOrEqual(50);
    // The pauses have jitter: the longest pauses last 400 to 800 ms.
    for (const pause of pauses.slice(4)) expect(pause).toBeGreaterThanOrEqual(400);
    expect(sent.filter(({ at }) => at === rounds[2])).toHaveLength(1);
  });

  test('sends without pauses once the table accepts all items again', async () => {
    const { shop, sent } = busy((items, request) => (request <= 4 ? items : []));
    expect(await ended(shop.stock({ products: products.slice(0, 500) }))).toEqual({});
    expect(sent).toHaveLength(4 + 20);
    expect(new Set(sent.map(({ at }) => at)).size).toBe(2);
  });

  test('slows down a batch also if DynamoDB throttles whole requests', async () => {
    const throttled = Object.assign(new Error('slow down'), { name: 'ThrottlingException' });
    const sent: unknown[] = [];
    const shop = client(shopTable, 'shop', async (_, input) => {
      sent.push(input);
      throw throttled;
    });
    const { left } = await ended(shop.stock({ products }));
    expect(left?.products).toHaveLength(1000);
    expect(sent).toHaveLength(9);
  });
});

describe('a refused request', () => {
  const refused = Object.assign(new Error('no'), { name: 'ValidationException' });
  /** Refuses the third request, and responds to the other requests later. */
  function refusing() {
    const sent: unknown[] = [];
    const send: Send = async (_, input) => {
      sent.push(input);
      if (sent.length === 3) throw refused;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return {};
    };
    return { shop: client(shopTable, 'shop', send), sent };
  }

  test('stops a batch of writes after a refused request, and lists the unwritten items in the error', async () => {
    const { shop, sent } = refusing();
    const failure = await shop.stock({ products }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(UnfinishedBatch);
    expect((failure as UnfinishedBatch<{ products: unknown[] }>).left.products).toHaveLength(1000 - 3 * 25);
    expect(sent).toHaveLength(4);
  });

  test('stops a batch of reads after a refused request', async () => {
    const { shop, sent } = refusing();
    await expect(shop.products({ sku: products.map(({ sku }) => sku) })).rejects.toBe(refused);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toHaveLength(4);
  });
});
