import { z } from 'zod';
import { outline } from '../../../lib/blueprint/outline';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { explore } from '../../../lib/explore/system';
import { makeItem } from '../../../lib/items/item';
import { catalogue, catalogueCases } from '../../fixtures/catalogue';

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

test('prefills a form with the keys of a stored item and otherwise with valid values if the pattern has no case', () => {
  const line = { orderId: 'o7', line: 12, at: '2026-05-01T08:00:00Z', state: 'paid' };
  expect(examples({ one: ['Line', line] })).toEqual({
    line: { orderId: 'o7', line: 12 },
    linesFrom: { orderId: 'o7', from: expect.anything() },
    pay: { orderId: 'o7', line: 12, state: 'new' },
    add: { orderId: 'a', line: 1, at: expect.stringMatching(/^2026-/), state: 'new' },
  });
});

test('prefills a form with valid values if there are no stored items', () => {
  expect(examples({})).toMatchObject({ line: { orderId: 'a', line: 1 }, pay: { state: 'new' } });
});

describe('a union', () => {
  test('the example call for a put of a union contains every value of one member, even without cases', () => {
    const [table] = explore(catalogue).view.tables;
    const { example } = table?.patterns.find(({ name }) => name === 'add') ?? {};
    expect(example).toMatchObject({ kind: 'book', author: 'a', pages: 1 });
    const outlined = outline(catalogue.tables.catalogue);
    const written = { sortTitle: 'a', updatedAt: '2026-01-02T03:04:05.006Z' };
    const [product] = outlined.entities;
    if (product === undefined) throw new Error('no entity');
    expect(makeItem(outlined, product, { ...example, ...written })).toMatchObject({ GSI2PK: 'AUTHOR#a' });
  });

  test('shows each item of a union with only the attributes and indexes of its own member', () => {
    const { view, items } = explore(catalogue, catalogueCases);
    expect(view.tables[0]?.entities[0]?.attributes.find(({ name }) => name === 'kind')).toMatchObject({
      values: ['book', 'film', 'bundle'],
      optional: false,
    });
    const shown = items.get('catalogue')?.all.map(({ attributes }) => attributes) ?? [];
    const dune = shown.find(({ productId }) => productId === 'p1');
    expect(dune).toMatchObject({ kind: 'book', GSI2PK: 'AUTHOR#a1' });
    expect(dune).not.toHaveProperty('GSI3PK');
    expect(dune).not.toHaveProperty('minutes');
  });
});
