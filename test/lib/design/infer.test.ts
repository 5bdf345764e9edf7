import { z } from 'zod';
import { defineTable, type EntityValues, type Item, type PatternItem, type PatternValues } from '../../../lib';
import { type Equal, expectTypes, type Flat } from '../../support/types';
import type { NewOrder, Shop } from './infer-shop';

/* The compiler verifies these inferred types (`npm run types`). */

type Values<P extends keyof Shop['patterns']> = Flat<PatternValues<Shop, P>>;

// A caller passes a value for each template part. The value has the type of the attribute.
expectTypes<
  [
    Equal<Values<'getOrder'>, { readonly customerId: string; readonly orderId: string }>,
    // A parameter in a key takes its type from an attribute if another step compares the parameter with that attribute.
    Equal<Values<'renumberOrder'>['before'], number>,
    Equal<Values<'renumberOrder'>['customerId'], string>,
    Equal<
      Values<'ordersBetween'>,
      {
        readonly customerId: string;
        readonly from: string;
        readonly to: string;
        readonly total: number;
        readonly status?: 'open' | 'paid';
      }
    >,
    Equal<
      Values<'dearOrders'>,
      {
        readonly customerId: string;
        readonly least: number;
        readonly most: number;
        readonly unwanted: 'open' | 'paid';
        readonly piece: string;
      }
    >,
    Equal<
      Values<'someOrders'>,
      {
        readonly customerId: string;
        readonly dear: number;
        readonly unwanted: 'open' | 'paid';
        readonly other?: 'open' | 'paid';
        readonly day: string;
        readonly short: number;
        readonly long: number;
      }
    >,
    Equal<Values<'ordersOfDay'>, { readonly at: string; readonly items: number }>,
    Equal<Values<'customersOfDay'>, { readonly credits: { readonly day: string } }>,
    Equal<Values<'everything'>, { readonly customerId: string }>,
    Equal<keyof Values<'nothingToGive'>, never>,
    Equal<Values<'some'>, { readonly customerId: string; readonly orderId?: string }>,
    Equal<Values<'createOrder'>, NewOrder>,
    Equal<
      Values<'createFirstOrder'>,
      {
        readonly code: string;
        readonly customerId: string;
        readonly at: string;
        readonly amount: number;
        readonly items?: number;
      }
    >,
    Equal<
      Values<'changeCustomer'>,
      {
        readonly customerId: string;
        readonly first: string;
        readonly last: string;
        readonly name: string;
        readonly tier: 'free' | 'paid';
        readonly remark: string;
        readonly nickname?: string | null;
        readonly left: number;
        readonly times: number;
      }
    >,
    Equal<
      Values<'deleteOrder'>,
      { readonly customerId: string; readonly orderId: string; readonly status: 'open' | 'paid' }
    >,
    Equal<
      Values<'placeOrder'>,
      {
        readonly order: NewOrder;
        readonly archive: string;
        readonly left: number;
        readonly times: number;
        readonly friendId: string;
        readonly nickname?: string | null;
        readonly tier: 'free' | 'paid';
      }
    >,
  ]
>();

// Paths become nested maps, and each part's format determines its type.
type Deep = PatternValues<Shop, 'deep'>['a'];
expectTypes<[Equal<Deep['b']['c'], string>, Equal<Deep['b']['n'], number>, Equal<Deep['d'], string | undefined>]>();

// A read returns the type attribute. Its value is the `type` of the entity, or the name of the entity if `type` is not
// set.
interface Customer {
  customerId: string;
  name: string;
  tier: 'free' | 'paid';
  note?: string | undefined;
  nickname: string | null;
  visits: number;
  credits: { left: number; day: string };
}
type Order = Required<NewOrder> & { items: number };
expectTypes<
  [
    Equal<Flat<EntityValues<Shop, 'Order'>>, NewOrder>,
    Equal<Flat<Item<Shop, 'Customer'>>, Flat<Customer & { readonly kind: 'CUSTOMER' }>>,
    Equal<Flat<Item<Shop, 'Order'>>, Flat<Order & { readonly kind: 'Order' }>>,
    Equal<PatternItem<Shop, 'getOrder'>, Item<Shop, 'Order'>>,
    Equal<PatternItem<Shop, 'everything'>, Item<Shop, 'Customer'> | Item<Shop, 'Order'>>,
    Equal<PatternItem<Shop, 'some'>['kind'], 'CUSTOMER' | 'Order'>,
    Equal<PatternItem<Shop, 'createOrder'>, never>,
  ]
>();

const untagged = defineTable({
  name: 'untagged',
  key: { partition: 'id' },
  entities: { Thing: { attributes: z.object({ id: z.string() }) } },
  patterns: { getThing: { op: 'get', where: { id: '<id>' }, returns: ['Thing'] } },
});
expectTypes<[Equal<PatternItem<typeof untagged, 'getThing'>, { id: string }>]>();

function summary(item: PatternItem<Shop, 'everything'>): string {
  // @ts-expect-error the compiler knows only the shared attributes until the entity is known
  void item.total;
  return item.kind === 'CUSTOMER' ? `${item.name}, ${item.tier}` : `${item.orderId}: ${item.total}`;
}

test('the type attribute distinguishes the items of one query', () => {
  const credits = { left: 1, day: '2026-01-31' };
  expect(
    summary({ kind: 'CUSTOMER', customerId: 'c1', name: 'Ana', tier: 'free', nickname: null, visits: 0, credits }),
  ).toBe('Ana, free');
  const placed = { orderId: 'o1', customerId: 'c1', at: '2026-01-31T00:00:00Z', total: 10, status: 'open' } as const;
  expect(summary({ kind: 'Order', ...placed, items: 1 })).toBe('o1: 10');
});
