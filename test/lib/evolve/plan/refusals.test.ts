import { z } from 'zod';
import { type Answers, lockOf, planFor } from '../../../../lib/evolve';
import type { SystemDesign, TableDesign } from '../../../../lib/index';
import {
  before,
  customers,
  edited,
  Order,
  open,
  order,
  orders,
  Refund,
  refunds,
  shop,
  withOrder,
  without,
  withoutRefunds,
} from '../../../fixtures/booked/designs';

const plan = (was: SystemDesign, is: SystemDesign, answers: Answers) =>
  planFor(lockOf(was, { environment: 'prod' }), is, answers);

test('no plan can move items into a table whose existing items also change', () => {
  const { Customer } = customers.entities as { readonly Customer: TableDesign['entities'][string] };
  const attributes = z.object({ ...(Customer.attributes as z.ZodObject).shape, tier: z.string() });
  const after = shop(
    { ...orders, ...withoutRefunds },
    {
      ...customers,
      entities: { Customer: { ...Customer, attributes }, Refund },
      patterns: { ...customers.patterns, ...refunds.patterns },
    },
  );
  expect(() => plan(shop(orders, customers), after, { moved: { 'orders.Refund': 'customers' } })).toThrow(
    'orders.Refund moves to customers, while items of customers.Customer change there too\n    fix: make the two changes in separate plans',
  );
});

test('no plan can remove a required attribute that is part of a key with which the running release finds items', () => {
  const keys = {
    ...without(Order.keys as Record<string, string>, 'GSI1PK', 'GSI1SK'),
    GSI1PK: 'ALL',
    GSI1SK: '<orderId>',
  };
  const after = edited({
    entities: { Order: { ...Order, attributes: z.object(without(order, 'state')), keys }, Refund },
    patterns: without(orders.patterns ?? {}, 'ordersByState'),
  });
  expect(() => plan(before, after, { because: { 'tables.orders.patterns': 'nobody asks for it' } })).toThrow(
    "the running release refuses any Order without 'state', and 'state' is part of a key",
  );
});

test('no plan can remove a required attribute if an upsert can create items without it', () => {
  const where = { PK: 'SHOP#<shop>', SK: 'REFUND#<refundId>' };
  const noted = { op: 'update', entity: 'Refund', where, set: { orderId: '<orderId>' }, upsert: true } as const;
  const patterns = { ...orders.patterns, noteRefund: noted };
  const attributes = z.object(without((Refund.attributes as z.ZodObject).shape, 'total'));
  const after = edited({ entities: { ...withOrder({}), Refund: { ...Refund, attributes } }, patterns });
  expect(() => plan(edited({ patterns }), after, {})).toThrow(
    "the running release refuses any Refund without 'total', and noteRefund creates items without it",
  );
});

test('no plan can rename an attribute of an open entity, because stored items may already use the new name', () => {
  const was = edited({ entities: open({ memo: z.string().optional() }) });
  const is = edited({ entities: open({ remark: z.string().optional() }) });
  const answers = { renamed: { 'orders.Order.memo': 'remark' }, because: { 'tables.orders': 'one repository' } };
  expect(() => plan(was, is, answers)).toThrow(
    'orders.Order.memo is renamed, but items of the open entity Order may use both names',
  );
});
