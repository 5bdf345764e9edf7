import { defineSystem, defineTable } from 'tablewright';
import * as z from 'zod';

const shopId = z.string().regex(/^[a-z0-9-]{1,36}$/);

export const orders = defineTable({
  name: 'orders',
  key: { partition: 'PK', sort: 'SK' },
  ttl: 'expiresAt',
  entities: {
    Order: {
      attributes: z.object({ shopId, orderId: z.ulid(), cents: z.int().min(0) }),
      keys: { PK: 'SHOP#<shopId>', SK: 'ORDER#<orderId>' },
    },
    Revenue: {
      attributes: z.object({ shopId, cents: z.int() }),
      keys: { PK: 'SHOP#<shopId>', SK: 'REVENUE' },
    },
    Event: {
      attributes: z.object({ eventId: z.string(), expiresAt: z.int() }),
      keys: { PK: 'EVENT#<eventId>', SK: 'EVENT' },
    },
  },
  patterns: {
    placeOrder: { op: 'put', entity: 'Order' },
    revenueOfShop: { op: 'get', where: { PK: 'SHOP#<shopId>', SK: 'REVENUE' }, returns: ['Revenue'] },
    // If the stream delivers an event twice, the second put fails, and the sum stays the same.
    countOrder: {
      op: 'transaction',
      steps: {
        event: { op: 'put', entity: 'Event' },
        revenue: {
          op: 'update',
          entity: 'Revenue',
          upsert: true,
          where: { PK: 'SHOP#<shopId>', SK: 'REVENUE' },
          add: { cents: '<cents>' },
        },
      },
    },
  },
});

export const sales = defineSystem({ name: 'sales', cloud: 'aws', tables: { orders } });
