import * as mini from 'zod/mini';
import { defineTable, type EntityValues, type Item, type PatternItem, type PatternValues } from '../../../lib';
import { type Equal, expectTypes, type Flat } from '../../support/types';
import type { NewOrder, Shop } from './infer-shop';

const small = defineTable({
  name: 'small',
  key: { partition: 'PK', sort: 'SK' },
  typeAttribute: 'kind',
  entities: {
    Order: {
      attributes: mini.object({
        orderId: mini.string().check(mini.minLength(1)),
        customerId: mini.string(),
        at: mini.iso.datetime(),
        total: mini.number(),
        status: mini.enum(['open', 'paid']),
        items: mini._default(mini.int(), 1),
      }),
      keys: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId>' },
    },
    Place: {
      attributes: mini.object({ address: mini.object({ city: mini.string() }), note: mini.optional(mini.string()) }),
      keys: { PK: 'CITY#<address.city>', SK: 'PLACE' },
    },
  },
  patterns: {
    getOrder: { op: 'get', where: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId>' }, returns: ['Order'] },
    dearOrders: {
      op: 'query',
      where: { PK: 'CUSTOMER#<customerId>' },
      filter: { total: { atLeast: '<least>' }, status: '<status?>' },
      returns: ['Order'],
    },
    createOrder: { op: 'put', entity: 'Order' },
    notesOf: { op: 'query', where: { PK: 'CITY#<address.city>' }, select: ['note'], returns: ['Place'] },
  },
});

test('the types inferred from zod/mini schemas equal the types inferred from zod schemas', () => {
  expectTypes<
    [
      Equal<Flat<PatternValues<typeof small, 'getOrder'>>, Flat<PatternValues<Shop, 'getOrder'>>>,
      Equal<
        Flat<PatternValues<typeof small, 'dearOrders'>>,
        { readonly customerId: string; readonly least: number; readonly status?: 'open' | 'paid' }
      >,
      Equal<Flat<PatternValues<typeof small, 'createOrder'>>, NewOrder>,
      Equal<Flat<EntityValues<typeof small, 'Order'>>, NewOrder>,
      Equal<Flat<Item<typeof small, 'Order'>>, Flat<Item<Shop, 'Order'>>>,
      Equal<Flat<PatternItem<typeof small, 'notesOf'>>, { note?: string | undefined; readonly kind: 'Place' }>,
    ]
  >();
  const order: EntityValues<typeof small, 'Order'> = {
    orderId: 'o1',
    customerId: 'c1',
    at: '2026-01-31T00:00:00Z',
    total: 10,
    status: 'open',
  };
  expect(small.entities.Order.attributes.parse(order)).toEqual({ ...order, items: 1 });
});
