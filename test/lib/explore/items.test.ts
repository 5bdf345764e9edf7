import { z } from 'zod';
import { outline } from '../../../lib/blueprint/outline';
import { defineTable } from '../../../lib/design/table';
import { Items, itemsOf } from '../../../lib/explore/items';
import { blog } from '../../../lib/systems/blog/design';
import { cases } from '../../../lib/systems/cases';
import { sales } from '../../fixtures/sound/sales';
import { forum } from '../../fixtures/stored';

const readings = defineTable({
  name: 'readings',
  key: { partition: 'device', sort: 'at' },
  indexes: { byLevel: { partition: 'level', sort: 'label' } },
  entities: {
    Reading: {
      attributes: z.object({ device: z.string(), at: z.number(), level: z.string().optional(), label: z.string() }),
    },
  },
});
const table = outline(readings);
const reading = (device: string, at: number, label = 'a', level?: string) =>
  ['Reading', { device, at, label, ...(level === undefined ? {} : { level }) }] as const;
const itemsWith = (...samples: ReturnType<typeof reading>[]) => {
  const items = Object.fromEntries(samples.map((sample, i) => [`r${i}`, sample]));
  return itemsOf(table, { tables: { readings: { items, patterns: {} } } }, 'readings');
};
const keysOf = (items: Items, index?: string) =>
  items.in(index).partitions.map(({ key, rows }) => [key, rows.map(({ name }) => name)]);

test('groups items by partition and sorts numbers within a partition by value', () => {
  const { items } = itemsWith(reading('b', 10), reading('a', 1), reading('b', 9), reading('b', -1));
  expect(keysOf(new Items(table, items))).toEqual([
    ['b', ['r3', 'r2', 'r0']],
    ['a', ['r1']],
  ]);
});

test('an index lists only items that have its keys, and sorts strings by UTF-8 bytes', () => {
  const of = (at: number, label: string) => reading('a', at, label, 'high');
  // In UTF-16 order, U+1F600 would come before U+FF5E.
  const { items } = itemsWith(of(1, '\u{1F600}'), of(2, '\uFF5E'), of(3, 'Z'), of(4, 'a'), reading('a', 5));
  expect(keysOf(new Items(table, items), 'byLevel')).toEqual([['high', ['r2', 'r3', 'r1', 'r0']]]);
});

test('omits and reports items that cannot be stored or that repeat a key', () => {
  const { items, problems } = itemsWith(reading('a', 1), reading('a', 1), reading('', 2));
  expect(items.map(({ name }) => name)).toEqual(['r0']);
  expect(problems).toEqual([
    "item 'r1' has the same key as 'r0', so 'r1' is left out",
    expect.stringMatching(/^item 'r2' cannot be stored: .*device/),
  ]);
});

test('a page starts after the end of the previous page, even in the middle of a partition', () => {
  const { items } = itemsWith(...[1, 2, 3].map((at) => reading('a', at)), ...[1, 2].map((at) => reading('b', at)));
  const all = new Items(table, items);
  const first = all.rows(undefined, { size: 2 });
  expect(first).toMatchObject({ total: 5, from: 0, cursor: 2, partitions: [{ key: 'a', from: 0, of: 3 }] });
  const second = all.rows(undefined, { size: 2, cursor: first.cursor as number });
  expect(second.partitions.map(({ key, from, rows }) => [key, from, rows.map(({ name }) => name)])).toEqual([
    ['a', 2, ['r2']],
    ['b', 0, ['r3']],
  ]);
  expect(all.rows(undefined, { size: 2, cursor: 4 }).cursor).toBeUndefined();
});

test('the filter matches any part of a value, ignoring case', () => {
  const { items } = itemsWith(reading('Garden', 1), reading('cellar', 2), reading('a', 3, 'in the garden'));
  const { total, partitions } = new Items(table, items).rows(undefined, { filter: 'GARDEN ' });
  expect([total, partitions.map(({ key }) => key)]).toEqual([2, ['Garden', 'a']]);
});

test('splits every key in the blog into literals and attribute values that together form the key', () => {
  const plan = outline(blog.tables.blog);
  const { all } = new Items(plan, itemsOf(plan, cases.blog as never, 'blog').items);
  const post = all.find(({ name }) => name === 'post01');
  expect([post?.attributes.PK, post?.marks.PK]).toEqual(['POST#p1', [5, 2]]);
  for (const { attributes, marks } of all) {
    for (const [name, lengths] of Object.entries(marks)) {
      const key = attributes[name] as string;
      expect([name, lengths.reduce((sum, length) => sum + length)]).toEqual([name, key.length]);
    }
  }
});

test('distinguishes partitions by all partition key attributes, and sorts by the sort key attributes from left to right', () => {
  const order = (n: number, region: string, status: string, amount: number) => ({
    ...{ PK: 'TENANT#t', SK: `ORDER#${n}`, tenantId: 't', region, status, amount },
    createdAt: '2026-03-01T09:00:00.000Z',
  });
  const stored = [order(1, 'north', 'paid', 1), order(2, 'south', 'open', 1), order(3, 'north', 'open', 100)];
  const { region: _, ...without } = order(5, 'north', 'open', 2);
  const items = new Items(
    outline(sales),
    [...stored, order(4, 'north', 'open', 9), without].map((item) => ({ item, entity: 'Order' })),
  );
  const found = items.in('byRegion').partitions.map(({ key, rows }) => [key, rows.map(({ attributes: { SK } }) => SK)]);
  expect(found).toEqual([
    [
      ['t', 'north'],
      ['ORDER#4', 'ORDER#3', 'ORDER#1'],
    ],
    [['t', 'south'], ['ORDER#2']],
  ]);
});

describe('items whose attributes have stored names', () => {
  const message = (no: number, state?: string) => [
    'Message',
    {
      ...{ threadId: 't', no, description: `text ${no}`, slug: `s${no}`, rev: 1, ...(state && { state }) },
      ...{ createdAt: '2030-01-01T00:00:00.000Z', updatedAt: '2030-01-01T00:00:00.000Z' },
    },
  ];
  const messages = { m10: message(10, 'new'), m9: message(9), m2: message(2, 'new') } as never;
  const { items, problems } = itemsOf(
    outline(forum),
    { tables: { forum: { items: messages, patterns: {} } } },
    'forum',
  );

  test('items are shown exactly as they are stored, sorted by their numeric key', () => {
    expect(problems).toEqual([]);
    expect(items[0]?.item).toMatchObject({ PK: 'THREAD#t', SK: 10, d: 'text 10', s: 'new', r: 1 });
    expect(items[0]?.item).not.toHaveProperty('description');
    expect(keysOf(new Items(outline(forum), items))).toEqual([['THREAD#t', ['m2', 'm9', 'm10']]]);
  });

  test("items appear in an index even if the index's key attribute has a different stored name", () => {
    const found = keysOf(new Items(outline(forum), items), 'byState');
    expect(found).toEqual([['new', expect.arrayContaining(['m2', 'm10'])]]);
  });
});
