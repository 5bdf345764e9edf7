import { z } from 'zod';
import * as mini from 'zod/mini';
import { defineTable, type EntityValues, type Item, type PatternItem, type PatternValues } from '../../../lib';
import { render, template } from '../../../lib/design/template';
import { type Equal, expectTypes, type Flat } from '../../support/types';

/* The inferred types, which the compiler proves (`npm run types`). */

const shop = defineTable({
  name: 'shop',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
  typeAttribute: 'kind',
  entities: {
    Customer: {
      type: 'CUSTOMER',
      attributes: z.object({
        customerId: z.string(),
        name: z.string(),
        tier: z.enum(['free', 'paid']),
        note: z.string().optional(),
        nickname: z.string().nullable(),
        visits: z.int(),
        credits: z.object({ left: z.int(), day: z.string() }),
      }),
      keys: { PK: 'CUSTOMER#<customerId>', SK: 'PROFILE', GSI1PK: 'DAY#<credits.day>', GSI1SK: '<visits:6>' },
    },
    Order: {
      attributes: z.object({
        orderId: z.string(),
        customerId: z.string(),
        at: z.iso.datetime(),
        total: z.number(),
        status: z.enum(['open', 'paid']),
        items: z.int().default(1),
      }),
      keys: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId>', GSI1PK: 'DAY#<at:date>', GSI1SK: '<items:4>' },
    },
  },
  patterns: {
    getOrder: { op: 'get', where: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId>' }, returns: ['Order'] },
    ordersBetween: {
      op: 'query',
      where: { PK: 'CUSTOMER#<customerId>', SK: { between: ['ORDER#<from>', 'ORDER#<to>'] } },
      filter: { total: { atLeast: '<total>' }, status: '<status?>', items: { in: [1, 2] }, at: { exists: true } },
      returns: ['Order'],
    },
    dearOrders: {
      op: 'query',
      where: { PK: 'CUSTOMER#<customerId>' },
      filter: { total: { between: ['<least>', '<most>'] }, status: { not: '<unwanted>' }, at: { contains: '<piece>' } },
      returns: ['Order'],
    },
    someOrders: {
      op: 'query',
      where: { PK: 'CUSTOMER#<customerId>' },
      filter: {
        any: [
          { total: { atLeast: '<dear>' }, none: [{ status: { in: ['<unwanted>', '<other?>'] } }] },
          { at: { beginsWith: '<day>' }, orderId: { size: { between: ['<short>', '<long>'] } } },
        ],
      },
      returns: ['Order'],
    },
    ordersOfDay: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'DAY#<at:date>', GSI1SK: { atLeast: '<items:4>' } },
      filter: { at: { beginsWith: '<at:year?>' } },
      returns: ['Order'],
    },
    customersOfDay: { op: 'query', index: 'GSI1', where: { GSI1PK: 'DAY#<credits.day>' }, returns: ['Customer'] },
    deep: { op: 'query', where: { PK: '<a.b.c>#<a.b.n:4>#<a.d?>' }, returns: ['Customer'] },
    everything: { op: 'query', where: { PK: 'CUSTOMER#<customerId>' }, returns: ['Customer', 'Order'] },
    nothingToGive: { op: 'query', where: { PK: 'ALL' }, returns: ['Order'] },
    some: {
      op: 'batchGet',
      keys: {
        customer: { PK: 'CUSTOMER#<customerId>', SK: 'PROFILE' },
        order: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId?>' },
      },
      returns: ['Customer', 'Order'],
    },
    createOrder: { op: 'put', entity: 'Order' },
    createFirstOrder: {
      op: 'put',
      entity: 'Order',
      item: {
        orderId: '1-<code>',
        customerId: '<customerId>',
        at: '<at>',
        total: '<amount>',
        status: 'open',
        items: '<items?>',
      },
    },
    changeCustomer: {
      op: 'update',
      entity: 'Customer',
      where: { PK: 'CUSTOMER#<customerId>', SK: 'PROFILE' },
      set: {
        name: '<first> <last>',
        tier: '<tier>',
        note: '<remark>',
        nickname: '<nickname?>',
        'credits.left': '<left>',
      },
      add: { visits: '<times>' },
      condition: { name: '<name>' },
    },
    deleteOrder: {
      op: 'delete',
      entity: 'Order',
      where: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId>' },
      condition: { status: '<status>' },
    },
    renumberOrder: {
      op: 'transaction',
      steps: {
        customer: {
          op: 'update',
          entity: 'Customer',
          where: { PK: 'CUSTOMER#<customerId>', SK: 'PROFILE' },
          set: { visits: '<after>' },
          condition: { visits: '<before>' },
        },
        order: { op: 'delete', entity: 'Order', where: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<before>' } },
      },
    },
    placeOrder: {
      op: 'transaction',
      steps: {
        order: { op: 'put', entity: 'Order' },
        copy: {
          op: 'put',
          entity: 'Order',
          item: { orderId: '<order.orderId>', customerId: '<archive>', at: '<order.at>', total: 0, status: 'open' },
        },
        customer: {
          op: 'update',
          entity: 'Customer',
          where: { PK: 'CUSTOMER#<order.customerId>', SK: 'PROFILE' },
          set: { note: 'last: <order.orderId>', 'credits.left': '<left>' },
          add: { visits: '<times>' },
        },
        friend: {
          op: 'update',
          entity: 'Customer',
          where: { PK: 'CUSTOMER#<friendId>', SK: 'PROFILE' },
          set: { nickname: '<nickname?>' },
        },
        limit: {
          op: 'require',
          entity: 'Customer',
          where: { PK: 'CUSTOMER#<order.customerId>', SK: 'PROFILE' },
          condition: { tier: '<tier>' },
        },
      },
    },
  },
});

type Shop = typeof shop;
type Values<P extends keyof Shop['patterns']> = Flat<PatternValues<Shop, P>>;

interface NewOrder {
  orderId: string;
  customerId: string;
  at: string;
  total: number;
  status: 'open' | 'paid';
  items?: number | undefined;
}

// What a caller gives: the parts of the templates, typed by the attributes.
expectTypes<
  [
    Equal<Values<'getOrder'>, { readonly customerId: string; readonly orderId: string }>,
    // In a key too, a parameter has the type of the attribute that another step compares it with.
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

// Paths become nested maps, each part with its own format.
type Deep = PatternValues<Shop, 'deep'>['a'];
expectTypes<[Equal<Deep['b']['c'], string>, Equal<Deep['b']['n'], number>, Equal<Deep['d'], string | undefined>]>();

// What a read returns, with the type attribute: `type`, or else the entity's name.
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

// The types of zod/mini schemas are inferred like those of zod.
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
expectTypes<
  [
    Equal<Flat<PatternValues<typeof small, 'getOrder'>>, Values<'getOrder'>>,
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

/** Accepts what a client of the table would accept. */
type Calls = {
  readonly [P in keyof Shop['patterns']]: (values: PatternValues<Shop, P>) => { values: PatternValues<Shop, P> };
};
const run = new Proxy({}, { get: () => (values: object) => ({ values }) }) as Calls;

// @ts-expect-error an unknown pattern
void run.nope;
// @ts-expect-error a missing part
run.getOrder({ customerId: 'c1' });
// @ts-expect-error a part of the wrong type
run.getOrder({ customerId: 'c1', orderId: 1 });
// @ts-expect-error a part that the pattern does not have
run.getOrder({ customerId: 'c1', orderId: 'o1', more: 'x' });
// @ts-expect-error not a value of the enum
run.ordersBetween({ customerId: 'c1', from: '1', to: '2', total: 0, status: 'gone' });
// @ts-expect-error half a range
run.ordersBetween({ customerId: 'c1', from: '1', total: 0 });
// @ts-expect-error padding needs a number
run.ordersOfDay({ at: '2026-01-31', items: '0001' });
// @ts-expect-error the part is inside a map
run.customersOfDay({ day: '2026-01-31' });
// @ts-expect-error only the part with `?` may be left out
run.some({ orderId: 'o1' });
// @ts-expect-error a missing attribute of the item
run.createOrder({ orderId: 'o1', customerId: 'c1', at: '2026-01-31T00:00:00Z', status: 'open' });
// @ts-expect-error the amount must be set to a number
run.createFirstOrder({ code: 'x', customerId: 'c1', at: '2026-01-31T00:00:00Z', amount: '10' });
// @ts-expect-error a missing part of `set`, and of `add`
run.changeCustomer({ customerId: 'c1', first: 'A', last: 'B', name: 'A B', tier: 'free', remark: '' });
// @ts-expect-error the item of the `put` step is missing
run.placeOrder({ archive: 'c0', left: 1, times: 1, friendId: 'c2', tier: 'free' });

const order: NewOrder = { orderId: 'o1', customerId: 'c1', at: '2026-01-31T00:00:00Z', total: 10, status: 'open' };
// @ts-expect-error a value for the `update` step is missing
run.placeOrder({ order, archive: 'c0', times: 1, friendId: 'c2', tier: 'free' });

function summary(item: PatternItem<Shop, 'everything'>): string {
  // @ts-expect-error before the entity is known, only the shared attributes exist
  void item.total;
  return item.kind === 'CUSTOMER' ? `${item.name}, ${item.tier}` : `${item.orderId}: ${item.total}`;
}

test('values that compile make the keys of their pattern', () => {
  const rules = { separator: '#', maxBytes: 2048 };
  const { values } = run.ordersOfDay({ at: '2026-01-31T12:00:00Z', items: 7 });
  const { GSI1PK, GSI1SK } = shop.patterns.ordersOfDay.where;
  expect(render(template(GSI1PK), values, rules)).toBe('DAY#2026-01-31');
  expect(render(template(GSI1SK.atLeast), values, rules)).toBe('0007');

  const placed = run.placeOrder({ order, archive: 'c0', left: 1, times: 1, friendId: 'c2', tier: 'free' });
  const { customer } = shop.patterns.placeOrder.steps;
  expect(render(template(customer.where.PK), placed.values, rules)).toBe('CUSTOMER#c1');

  const nested = run.deep({ a: { b: { c: 'x', n: 7 } } });
  expect(render(template('<a.b.c>#<a.b.n:4>'), nested.values, rules)).toBe('x#0007');
});

test('the type attribute tells the items of one query apart', () => {
  const credits = { left: 1, day: '2026-01-31' };
  expect(
    summary({ kind: 'CUSTOMER', customerId: 'c1', name: 'Ana', tier: 'free', nickname: null, visits: 0, credits }),
  ).toBe('Ana, free');
  expect(summary({ kind: 'Order', ...order, items: 1 })).toBe('o1: 10');
});
