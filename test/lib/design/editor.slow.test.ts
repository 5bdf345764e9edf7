import { join } from 'node:path';
import { ROOT } from '../../support/compile';
import { LanguageServer } from '../../support/language-server';

/**
 * Returns source code for a design that contains the given pattern, which may be unfinished, followed by code that uses
 * the design.
 */
const design = (pattern: string, use = '') => `
  import { z } from 'zod';
  import { defineTable } from '${ROOT}/lib/index';
  import { client, type Send } from '${ROOT}/lib/dynamodb/index';
  declare const send: Send;
  const shop = defineTable({
    name: 'shop',
    key: { partition: 'PK', sort: 'SK' },
    indexes: { byStatus: { partition: 'GSI1PK', sort: 'GSI1SK' }, byTotal: { partition: 'GSI2PK' } },
    entities: {
      Order: {
        attributes: z.object({ orderId: z.string(), total: z.int(), status: z.enum(['open', 'paid']) }),
        keys: { PK: 'ORDER#<orderId>', SK: 'ORDER', GSI1PK: 'S#<status>', GSI1SK: '<orderId>' },
      },
      Line: {
        attributes: z.object({ orderId: z.string(), sku: z.string() }),
        keys: { PK: 'ORDER#<orderId>', SK: 'LINE#<sku>' },
      },
    },
    patterns: {
      order: { op: 'get', where: { PK: 'ORDER#<orderId>', SK: 'ORDER' }, returns: ['Order'] },
      place: {
        op: 'transaction',
        steps: {
          order: { op: 'put', entity: 'Order' },
          lines: { op: 'put', entity: 'Line', each: 'lines' },
          mark: { op: 'update', entity: 'Order', where: { PK: 'ORDER#<other>', SK: 'ORDER' }, set: { status: '<state>' } },
        },
      },
      ${pattern}
    },
  });
  const db = client(shop, 'shop', send);
  ${use}`;

const server = new LanguageServer(join(ROOT, 'test/lib/design/editor-design.ts'));
beforeAll(() => server.open());
afterAll(() => server.close());

const keys = ['GSI1PK', 'GSI1SK', 'GSI2PK', 'PK', 'SK'];
const attributes = ['orderId', 'sku', 'status', 'total'];

test.each([
  [
    'an index in a complete pattern',
    `p: { op: 'query', index: '|', where: {}, returns: ['Order'] }`,
    ['byStatus', 'byTotal'],
  ],
  ['an index in an incomplete pattern', `p: { op: 'query', index: '|' }`, ['byStatus', 'byTotal']],
  ['a returned entity', `p: { op: 'get', where: { PK: '', SK: '' }, returns: ['|'] }`, ['Line', 'Order']],
  ['a written entity', `p: { op: 'put', entity: '|' }`, ['Line', 'Order']],
  ['an entity of a step', `p: { op: 'transaction', steps: { a: { op: 'put', entity: '|' } } }`, ['Line', 'Order']],
  ['a key', `p: { op: 'query', where: { | } }`, keys],
  ['a key of a step', `p: { op: 'transaction', steps: { a: { op: 'delete', where: { | } } } }`, keys],
  ['an attribute to set', `p: { op: 'update', entity: 'Order', set: { | } }`, attributes],
  ['an attribute of a condition', `p: { op: 'delete', entity: 'Order', condition: { | } }`, attributes],
  [
    'a selected attribute',
    `p: { op: 'query', where: { PK: '' }, returns: ['Order'], select: ['|'] }`,
    ['orderId', 'status', 'total'],
  ],
  ['a direction', `p: { op: 'query', where: { PK: '' }, returns: ['Order'], order: '|' }`, ['ascending', 'descending']],
])(
  'completion offers %s',
  async (_, pattern, names) => {
    expect(await server.completions(design(pattern))).toEqual(names);
  },
  60_000,
);

test("the editor shows the types of a transaction's values, not the design from which they are derived", async () => {
  const shown = await server.hover(
    design(
      '',
      "db.pl|ace({ order: { orderId: '1', total: 1, status: 'open' }, lines: [], other: '2', state: 'paid' })",
    ),
  );
  expect(shown).toContain('readonly lines: readonly {\n        orderId: string;\n        sku: string;\n    }[];');
  expect(shown).toContain('readonly state: "open" | "paid";');
  expect(shown).not.toContain('partition');
}, 60_000);
