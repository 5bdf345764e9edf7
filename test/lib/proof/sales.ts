import { defineCases } from '../../../lib/proof/cases';
import { sales, salesSystem } from '../../fixtures/sound/sales';

const id = (n: number) => `01890a5d-ac96-774b-bcce-b302099a80${String(n).padStart(2, '0')}`;

interface Order {
  readonly tenantId: string;
  readonly orderId: string;
  readonly region: string;
  readonly status: 'open' | 'paid' | 'sent';
  readonly createdAt: string;
  readonly amount: number;
  readonly currency: string;
}

const order = (n: number, more: Partial<Order> = {}): Order => ({
  tenantId: 't1',
  orderId: id(n),
  region: 'north',
  status: 'open',
  createdAt: '2026-03-01T10:00:00.000Z',
  amount: n,
  currency: 'EUR',
  ...more,
});

const at = (time: string) => `2026-03-0${time}.000Z`;

/** As a number, 9 sorts before 10 and 100; as a string, it would sort after both. */
const items = {
  first: ['Order', order(1, { createdAt: at('1T08:00:00'), amount: 100 })],
  second: ['Order', order(2, { createdAt: at('1T09:00:00'), amount: 9 })],
  third: ['Order', order(3, { createdAt: at('1T09:00:00'), amount: 10 })],
  later: ['Order', order(4, { createdAt: at('2T09:00:00'), amount: 7 })],
  paid: ['Order', order(5, { status: 'paid', amount: 50, currency: 'USD' })],
  south: ['Order', order(6, { region: 'south' })],
  other: ['Order', order(7, { tenantId: 't2' })],
} as const;

const north = { tenantId: 't1', region: 'north' };
const placed = order(8, { createdAt: at('3T09:00:00'), amount: 11 });

export const salesCases = defineCases(salesSystem, {
  tables: {
    sales: {
      items,
      written: { placed: ['Order', placed], settled: ['Order', { ...items.first[1], status: 'paid' }] },
      stored: {
        first: { PK: 'TENANT#t1', SK: `ORDER#${id(1)}`, openIn: 'TENANT#t1' },
        paid: { PK: 'TENANT#t1', SK: `ORDER#${id(5)}` },
      },
      patterns: {
        order: { values: { tenantId: 't1', orderId: id(2) }, returns: ['second'] },
        place: {
          values: placed,
          shows: [
            { pattern: 'order', values: { tenantId: 't1', orderId: id(8) }, returns: ['placed'] },
            { pattern: 'open', values: north, returns: ['first', 'second', 'third', 'later', 'placed'] },
          ],
        },
        pay: {
          values: { tenantId: 't1', orderId: id(1) },
          shows: [{ pattern: 'open', values: north, returns: ['second', 'third', 'later'] }],
        },
        inRegion: { values: north, returns: ['first', 'second', 'third', 'later', 'paid'] },
        ofDay: {
          values: { ...north, status: 'open', day: '2026-03-01' },
          returns: ['third', 'second', 'first'],
        },
        atMoment: {
          values: { ...north, status: 'open', createdAt: at('1T09:00:00'), least: 9, most: 9.5 },
          returns: ['second'],
        },
        largest: {
          values: { tenantId: 't1', currency: 'EUR', least: 9 },
          returns: ['first', 'third', 'second'],
          select: ['orderId', 'amount'],
        },
        open: { values: { ...north }, returns: ['first', 'second', 'third', 'later'] },
      },
    },
  },
});

export { sales, salesSystem };
