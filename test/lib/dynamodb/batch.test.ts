import { client, type Send } from '../../../lib/dynamodb';
import { shopTable } from '../../fixtures/shop/design';

const products = Array.from({ length: 1000 }, (_, i) => ({ sku: `s${i}`, name: 'Cup', price: 1, available: 1 }));

/** A table that takes a while for each request, and how many were under way at the same moment at most. */
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

describe('a batch of any size goes side by side, and never in more than four requests at once', () => {
  test('to read, 100 keys each', async () => {
    const { shop, seen } = slow();
    await shop.products({ sku: products.map(({ sku }) => sku) });
    expect(seen).toEqual({ requests: 10, most: 4 });
  });

  test('to write, 25 items each', async () => {
    const { shop, seen } = slow();
    await shop.stock({ products: products.slice(0, 260) });
    expect(seen).toEqual({ requests: 11, most: 4 });
  });
});
