import { z } from 'zod';
import { defineTable } from '../../../lib';

/** A shop that uses every kind of pattern, for the tests of inferred types. */
export const shop = defineTable({
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

export type Shop = typeof shop;

/** An order as a caller passes it to a put. */
export interface NewOrder {
  orderId: string;
  customerId: string;
  at: string;
  total: number;
  status: 'open' | 'paid';
  items?: number | undefined;
}
