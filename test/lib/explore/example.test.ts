import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { explore } from '../../../lib/explore/system';

const keys = { PK: 'ORDER#<orderId>', SK: 'LINE#<line:3>' } as const;
const orders = defineTable({
  name: 'orders',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Line: {
      attributes: z.object({
        orderId: z.string(),
        line: z.int(),
        at: z.iso.datetime(),
        state: z.enum(['new', 'paid']),
      }),
      keys,
    },
  },
  patterns: {
    line: { op: 'get', where: keys, returns: ['Line'] },
    linesFrom: { op: 'query', where: { PK: keys.PK, SK: { atLeast: 'LINE#<from:3>' } }, returns: ['Line'] },
    pay: { op: 'update', entity: 'Line', where: keys, set: { state: '<state>' } },
    add: { op: 'put', entity: 'Line' },
  },
});
const system = defineSystem({ name: 'shop', cloud: 'aws', tables: { orders } });
const examples = (items: object) => {
  const [table] = explore(system, { tables: { orders: { items: items as never, patterns: {} } } }).view.tables;
  return Object.fromEntries(table?.patterns.map(({ name, example }) => [name, example]) ?? []);
};

test('without a case, a form starts with the keys of a stored item and values that the schemas accept', () => {
  const line = { orderId: 'o7', line: 12, at: '2026-05-01T08:00:00Z', state: 'paid' };
  expect(examples({ one: ['Line', line] })).toEqual({
    line: { orderId: 'o7', line: 12 },
    linesFrom: { orderId: 'o7', from: expect.anything() },
    pay: { orderId: 'o7', line: 12, state: 'new' },
    add: { orderId: 'a', line: 1, at: expect.stringMatching(/^2026-/), state: 'new' },
  });
});

test('without items, a form starts with values that the schemas accept', () => {
  expect(examples({})).toMatchObject({ line: { orderId: 'a', line: 1 }, pay: { state: 'new' } });
});
