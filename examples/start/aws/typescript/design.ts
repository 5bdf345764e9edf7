import { defineSystem, defineTable } from 'tablewright';
import * as z from 'zod';

export const orders = defineTable({
  name: 'orders',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: "a shop's open orders, oldest first" } },
  typeAttribute: 'type',
  entities: {
    Customer: {
      attributes: z.object({ customerId: z.string(), name: z.string() }),
      keys: { PK: 'CUSTOMER#<customerId>', SK: 'CUSTOMER' },
    },
    Order: {
      attributes: z.object({
        customerId: z.string(),
        orderId: z.string(),
        shopId: z.string(),
        placedAt: z.iso.datetime({ precision: 3 }),
        status: z.enum(['open', 'shipped']),
        total: z.int(),
      }),
      keys: {
        PK: 'CUSTOMER#<customerId>',
        SK: 'ORDER#<orderId>',
        GSI1PK: 'OPEN#<shopId>',
        GSI1SK: '<placedAt>#<orderId>',
      },
      // A shipped order is not in the index.
      indexes: { GSI1: { while: { status: ['open'] } } },
    },
  },
  patterns: {
    addCustomer: { op: 'put', entity: 'Customer' },
    getCustomer: {
      op: 'get',
      where: { PK: 'CUSTOMER#<customerId>', SK: 'CUSTOMER' },
      returns: ['Customer'],
    },
    ordersOfCustomer: {
      op: 'query',
      where: { PK: 'CUSTOMER#<customerId>', SK: { beginsWith: 'ORDER#' } },
      returns: ['Order'],
      pageSize: 20,
    },
    openOrders: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'OPEN#<shopId>' },
      returns: ['Order'],
      orderBy: 'placedAt',
    },
    placeOrder: { op: 'put', entity: 'Order' },
    shipOrder: {
      op: 'update',
      entity: 'Order',
      where: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId>' },
      set: { status: 'shipped' },
      condition: { status: 'open' },
    },
  },
});

export const shop = defineSystem({ name: 'shop', cloud: 'aws', tables: { orders } });
