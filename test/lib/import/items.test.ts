import { check } from '../../../lib/check';
import { designOf } from '../../../lib/import/description';
import { describedItems, type Sample } from '../../../lib/import/items';
import { sourceOf } from '../../../lib/import/source';
import { verified } from '../../../lib/import/verify';
import { loadedTable } from '../../support/imported';

const read = (sample: Partial<Sample> & Pick<Sample, 'items'>) => {
  const description = verified(
    describedItems({ name: 'shop', key: { partition: 'PK', sort: 'SK' }, complete: true, ...sample }),
  );
  const { text, unsure } = sourceOf(description);
  const design = loadedTable(text);
  return { design, unsure, text, keysOf: (entity: string) => design.entities[entity]?.keys, description };
};

const orders = [1, 2, 3].map((n) => ({
  PK: `CUSTOMER#c${n}`,
  SK: `ORDER#000${n}#2026-01-0${n}`,
  GSI1PK: `DAY#2026-01-0${n}`,
  GSI1SK: `ana${n}@x.org#000${n}`,
  customerId: `c${n}`,
  number: n,
  placedAt: `2026-01-0${n}T10:00:00.000Z`,
  email: `Ana${n}@X.org`,
  kind: 'order',
}));
const customers = [1, 2].map((n) => ({ PK: `CUSTOMER#c${n}`, SK: 'PROFILE', customerId: `c${n}`, kind: 'customer' }));
const GSI1 = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } };

test('recognizes entities by their type attribute, and key parts by the attributes that have the same values', () => {
  const { design, unsure, keysOf, description } = read({ items: [...orders, ...customers], indexes: GSI1 });
  expect(design.typeAttribute).toBe('kind');
  expect(keysOf('Order')).toEqual({
    PK: 'CUSTOMER#<customerId>',
    SK: 'ORDER#<number:4>#<placedAt:date>',
    GSI1PK: 'DAY#<placedAt:date>',
    GSI1SK: '<email:lower>#<number:4>',
  });
  expect(keysOf('Customer')).toEqual({ PK: 'CUSTOMER#<customerId>', SK: 'PROFILE' });
  expect(design.entities.Order?.type).toBe('order');
  expect(unsure).toHaveLength(0);
  const errors = check(designOf(description.tables[0] as never)).filter(({ severity }) => severity === 'error');
  expect(errors).toEqual([]);
});

test('recognizes entities by the form of their keys if there is no type attribute', () => {
  const bare = [...orders, ...customers].map(({ kind, ...item }) => item);
  const { design } = read({ items: bare, indexes: GSI1 });
  expect(Object.keys(design.entities)).toEqual(['Order', 'Profile']);
});

test('recovers an attribute that exists only in the key, and marks its name as invented', () => {
  const { design, keysOf, text, unsure } = read({
    items: ['x', 'y'].map((id) => ({ PK: `USER#${id}1`, SK: 'USER', name: `name ${id}` })),
  });
  expect(keysOf('User')).toEqual({ PK: 'USER#<userId>', SK: 'USER' });
  expect(design.entities.User?.keyOnly).toEqual(['userId']);
  expect(text).toContain('// unsure: this value occurs only in PK, so its name is invented');
  expect(unsure).toHaveLength(1);
});

test('treats keys without separators as attributes', () => {
  const { design, unsure } = read({
    name: 'readings',
    key: { partition: 'device', sort: 'at' },
    items: [1, 2, 3].map((n) => ({ device: `d${n}`, at: n, value: n / 2 })),
  });
  expect(Object.keys(design.entities)).toEqual(['Reading']);
  expect(design.entities.Reading?.keys).toBeUndefined();
  expect(unsure).toHaveLength(0);
});

test('describes items that have no attribute in common, but does not guess their keys', () => {
  const { text, design, unsure } = read({
    items: [
      { PK: 'a1', SK: 'b2', one: 1 },
      { PK: '77', SK: '8 8', two: true },
    ],
  });
  expect(text).toContain(
    'these items have neither a type nor a key form in common: 2 items of the form *|*, with PK in 2',
  );
  expect(design.entities.Item?.keys).toBeUndefined();
  expect(unsure).not.toEqual([]);
});

test('marks a key as unsure if some items do not fit its template', () => {
  const items = [...orders, { ...orders[0], SK: 'ORDER#0009#2026-01-01', PK: 'CUSTOMER#c9', customerId: 'c9' }];
  const { text, unsure } = read({ items });
  expect(unsure).not.toEqual([]);
  expect(text).toContain('// unsure: ');
});

test('reports attributes that only some items have, and key parts that could be one of several attributes', () => {
  const { text } = read({
    items: [
      { PK: 'TASK#1a', SK: 'TASK', id: '1a', copy: '1a', note: 'x' },
      { PK: 'TASK#2b', SK: 'TASK', id: '2b', copy: '2b' },
    ],
  });
  expect(text).toContain('// inferred from 2 items');
  expect(text).toContain('// in 1 of 2 items');
  expect(text).toContain('// unsure: <id> could also be <copy>');
});
