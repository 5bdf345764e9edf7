import { defineCases } from 'tablewright/proof';
import { shop } from './design';

const order = (orderId: string, day: string, status: 'open' | 'shipped') =>
  [
    'Order',
    { customerId: 'ana', orderId, shopId: 's1', placedAt: `2026-01-${day}T12:00:00.000Z`, status, total: 10 },
  ] as const;

export const shopCases = defineCases(shop, {
  tables: {
    orders: {
      // These items exist before every case. Include neighbors that a pattern must not return.
      items: {
        ana: ['Customer', { customerId: 'ana', name: 'Ana' }],
        first: order('o1', '01', 'open'),
        second: order('o2', '02', 'open'),
        shipped: order('o3', '03', 'shipped'),
      },
      written: {
        bea: ['Customer', { customerId: 'bea', name: 'Bea' }],
        third: order('o4', '04', 'open'),
        firstShipped: order('o1', '01', 'shipped'),
      },
      // The exact stored keys, because other programs may rely on them.
      stored: {
        ana: { PK: 'CUSTOMER#ana', SK: 'CUSTOMER' },
        first: { PK: 'CUSTOMER#ana', SK: 'ORDER#o1', GSI1PK: 'OPEN#s1', GSI1SK: '2026-01-01T12:00:00.000Z#o1' },
      },
      patterns: {
        getCustomer: { values: { customerId: 'ana' }, returns: ['ana'] },
        ordersOfCustomer: { values: { customerId: 'ana' }, returns: ['first', 'second', 'shipped'] },
        openOrders: { values: { shopId: 's1' }, returns: ['first', 'second'] },
        addCustomer: {
          values: { customerId: 'bea', name: 'Bea' },
          shows: [{ pattern: 'getCustomer', values: { customerId: 'bea' }, returns: ['bea'] }],
        },
        placeOrder: {
          values: order('o4', '04', 'open')[1],
          shows: [{ pattern: 'openOrders', values: { shopId: 's1' }, returns: ['first', 'second', 'third'] }],
        },
        shipOrder: {
          values: { customerId: 'ana', orderId: 'o1' },
          shows: [
            { pattern: 'openOrders', values: { shopId: 's1' }, returns: ['second'] },
            {
              pattern: 'ordersOfCustomer',
              values: { customerId: 'ana' },
              returns: ['firstShipped', 'second', 'shipped'],
            },
          ],
          refuses: [
            {
              why: 'the order has already been shipped',
              values: { customerId: 'ana', orderId: 'o3' },
              error: 'ConditionalCheckFailedException',
            },
          ],
        },
      },
    },
  },
});
