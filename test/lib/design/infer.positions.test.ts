import { z } from 'zod';
import { defineTable, type PatternValues } from '../../../lib';
import { lists, requests } from '../../../lib/dynamodb';
import { type Equal, expectTypes } from '../../support/types';

// A step that runs once per element uses two list positions: one from the element, and one from the caller's values.
const carts = defineTable({
  name: 'carts',
  key: { partition: 'PK' },
  entities: {
    Cart: {
      attributes: z.object({ id: z.string(), lines: z.array(z.object({ sku: z.string(), qty: z.int() })) }),
      keys: { PK: 'CART#<id>' },
    },
  },
  patterns: {
    recount: {
      op: 'transaction',
      steps: {
        lines: {
          op: 'update',
          each: 'carts',
          entity: 'Cart',
          where: { PK: 'CART#<carts.id>' },
          set: { 'lines[<carts.at>].qty': '<carts.qty>' },
          condition: { 'lines[<first>].sku': '<sku>' },
        },
      },
    },
  },
});
type Recount = PatternValues<typeof carts, 'recount'>;
type Counted = Recount['carts'][number];
expectTypes<
  [
    Equal<Counted['at'], number>,
    Equal<Counted['id'], string>,
    Equal<Counted['qty'], number>,
    Equal<Recount['first'], number>,
  ]
>();

test('a repeated step reads its list position from the current element', () => {
  const values: Recount = { carts: [{ id: 'c1', at: 2, qty: 5 }], first: 0, sku: 'cup' };
  const input = requests(carts, 'carts', { lists }).recount(values);
  expect(JSON.stringify(input)).toContain('[2]');
});
