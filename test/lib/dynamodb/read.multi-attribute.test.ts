import { z } from 'zod';
import { defineTable } from '../../../lib';
import { outline } from '../../../lib/blueprint/outline';
import type { KeyCondition } from '../../../lib/design/pattern';
import { match } from '../../../lib/design/template';
import { client, entities, type QueryInput, requests } from '../../../lib/dynamodb';
import type { Item } from '../../../lib/items/item';
import { makeItem } from '../../../lib/items/item';
import { sales } from '../../fixtures/sound/sales';
import fc from '../../support/fuzz';

const patterns = requests(sales, 'sales');
const { item } = entities(sales, 'sales');
const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const order = {
  tenantId: 't1',
  orderId: id,
  region: 'north',
  status: 'open',
  currency: 'EUR',
  amount: 9.5,
  createdAt: '2026-03-01T09:00:00.000Z',
} as const;

test('the key condition tests every partition attribute, then the sort attributes from left to right', () => {
  expect(patterns.inRegion({ tenantId: 't1', region: 'north' })).toEqual({
    TableName: 'sales',
    IndexName: 'byRegion',
    KeyConditionExpression: '#0 = :k0 AND #1 = :k1',
    ExpressionAttributeNames: { '#0': 'tenantId', '#1': 'region' },
    ExpressionAttributeValues: { ':k0': 't1', ':k1': 'north' },
  });
  expect(patterns.ofDay({ tenantId: 't1', region: 'north', status: 'open', day: '2026-03-01' })).toMatchObject({
    KeyConditionExpression: '#0 = :k0 AND #1 = :k1 AND #2 = :k2 AND begins_with(#3, :k3)',
    ExpressionAttributeNames: { '#0': 'tenantId', '#1': 'region', '#2': 'status', '#3': 'createdAt' },
    ExpressionAttributeValues: { ':k0': 't1', ':k1': 'north', ':k2': 'open', ':k3': '2026-03-01' },
    ScanIndexForward: false,
  });
});

test('compares each key attribute with a value of its type, such as a number for a numeric attribute', () => {
  const { createdAt } = order;
  const asked = { tenantId: 't1', region: 'north', status: 'open', createdAt, least: 1, most: 10 } as const;
  // A parameter that is not named after an attribute is typed as a string, even if the key is a number.
  const input: QueryInput = patterns.atMoment(asked as never);
  expect(input.KeyConditionExpression).toMatch(/AND #4 BETWEEN :k4 AND :k5$/);
  expect(Object.values(input.ExpressionAttributeValues ?? {})).toEqual(['t1', 'north', 'open', createdAt, 1, 10]);
});

test('indexes an item both by its own attributes and by rendered key templates', () => {
  expect(item('Order', order)).toEqual({ PK: 'TENANT#t1', SK: `ORDER#${id}`, openIn: 'TENANT#t1', ...order });
  expect(item('Order', { ...order, status: 'paid' })).not.toHaveProperty('openIn');
});

test('an update that takes an item out of the index removes only the templated key, not the natural keys', () => {
  expect(patterns.pay({ tenantId: 't1', orderId: id })).toMatchObject({
    UpdateExpression: 'SET #0 = :0 REMOVE #1',
    ExpressionAttributeNames: { '#0': 'status', '#1': 'openIn' },
  });
});

describe('a cursor', () => {
  const key = { PK: 'TENANT#t1', SK: `ORDER#${id}`, tenantId: 't1', region: 'north', status: 'open' };
  const last = { ...key, createdAt: order.createdAt, amount: 9.5 };
  const pages = client(sales, 'sales', async (_, input) => {
    sent.push(input as Item);
    return { Items: [], LastEvaluatedKey: last };
  });
  const sent: Item[] = [];
  const asked = { tenantId: 't1', region: 'north', status: 'open', day: '2026-03-01' } as const;

  test('writes all key attributes of the index and of the table to a cursor', async () => {
    const { cursor } = await pages.ofDay(asked);
    await pages.ofDay(asked, { cursor: cursor as string });
    expect(sent.at(-1)?.ExclusiveStartKey).toEqual(last);
  });

  test.each(['tenantId', 'region', 'status'] as const)(
    'refuses a cursor from a query with a different %s',
    async (attribute) => {
      const { cursor } = await pages.ofDay(asked);
      const other = { ...asked, [attribute]: attribute === 'status' ? 'paid' : 'other' };
      await expect(pages.ofDay(other, { cursor: cursor as string })).rejects.toThrow(
        "the cursor is from another partition of 'ofDay'",
      );
    },
  );
});

test.each<[Record<string, KeyCondition>]>([
  [{ tenantId: '<tenantId>' }],
  [{ tenantId: '<tenantId>', region: '<region>', createdAt: '<createdAt>' }],
  [{ tenantId: '<tenantId>', region: '<region>', status: { beginsWith: 'o' }, createdAt: '<createdAt>' }],
])('refuses to send a query with an incomplete or invalid key condition: %j', (where) => {
  const asked = { op: 'query', index: 'byRegion', where, returns: ['Order'] } as const;
  const loose = { ...sales, patterns: { asked } } as unknown as typeof sales;
  const built = requests(loose, 'sales') as unknown as { asked: (values: object) => unknown };
  expect(() => built.asked(order)).toThrow('asked can never work: run the check, which says why');
});

describe('round trips of random values', () => {
  const table = defineTable({
    name: 'things',
    key: { partition: 'id' },
    indexes: { byAll: { partition: ['A', 'b'], sort: ['C', 'd', 'E'] } },
    entities: {
      Thing: {
        attributes: z.object({
          id: z.string(),
          a: z.string(),
          b: z.string(),
          c: z.int(),
          d: z.number(),
          e: z.string(),
        }),
        keys: { A: 'A#<a>', C: '<c:6>', E: 'E#<e>#<id>' },
      },
    },
    patterns: {
      whole: {
        op: 'query',
        index: 'byAll',
        where: { A: 'A#<a>', b: '<b>', C: '<c:6>', d: '<d>', E: { beginsWith: 'E#<e>#' } },
        returns: ['Thing'],
      },
    },
  });
  const plain = fc.string({ minLength: 1, maxLength: 20 }).filter((text) => text.isWellFormed() && !text.includes('#'));
  const values = fc.record({
    ...{ id: plain, a: plain, b: plain, e: plain },
    c: fc.integer({ min: 0, max: 999_999 }),
    d: fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }),
  });

  test('a query asks for exactly the keys that a put stores, and the values can be parsed back from the keys', () => {
    const plan = outline(table);
    const [entity] = plan.entities;
    const built = requests(table, 'things');
    fc.assert(
      fc.property(values, (given) => {
        const stored = makeItem(plan, entity as never, given) as Record<string, unknown>;
        const { ExpressionAttributeValues: asked = {} } = built.whole(given);
        const { ':k4': beginning, ...equal } = asked as Record<string, unknown>;
        expect(Object.values(equal)).toEqual(['A', 'b', 'C', 'd'].map((name) => stored[name]));
        expect(String(stored.E).startsWith(String(beginning))).toBe(true);
        const source = entity?.keys.get('E')?.template;
        expect(source && match(source, String(stored.E), '#')).toEqual({ e: given.e, id: given.id });
      }),
    );
  });
});
