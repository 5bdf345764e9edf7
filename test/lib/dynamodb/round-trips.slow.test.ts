import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { changes, client, stored, transact, unique, written } from '../../../lib/dynamodb';
import { storedItem } from '../../../lib/dynamodb/migration/stored';
import { embedded } from '../../support/embedded';

const where = { PK: 'TEAM#<team>', SK: 'CARD#<id>' } as const;
const time = z.iso.datetime({ precision: 3 });

/**
 * A design whose items have everything that a read can add to the values of a put: a type, keys, times, a version,
 * computed attributes and stored names.
 */
const cards = defineTable({
  name: 'cards',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    byState: { partition: 'state', sort: 'GSK', purpose: 'cards by state' },
    byRank: { partition: 'G2', sort: 'rank', purpose: 'cards by rank' },
  },
  typeAttribute: 'kind',
  entities: {
    Card: {
      attributes: z.looseObject({
        ...{ team: z.string(), id: z.string(), title: z.string(), sortTitle: z.string() },
        ...{ state: z.enum(['open', 'late', 'done']).nullable(), points: z.number().optional() },
        ...{
          tags: z.set(z.string()).optional(),
          size: z.object({ w: z.int(), note: z.string().optional() }).optional(),
        },
        ...{ createdAt: time, updatedAt: time, rev: z.int() },
      }),
      keys: { ...where, GSK: '<createdAt>', G2: 'TEAM#<team>' },
      keyOnly: ['id'],
      stored: { title: 't', sortTitle: 's', points: 'rank', size: 'z' },
      timestamps: { created: 'createdAt', updated: 'updatedAt' },
      version: 'rev',
      computed: { sortTitle: '<title:lower>' },
    },
    Tag: {
      attributes: z.object({ team: z.string(), name: z.string() }),
      keys: { PK: 'TEAM#<team>', SK: 'TAG#<name>' },
    },
  },
  patterns: {
    card: { op: 'get', where, returns: ['Card'] },
    team: {
      op: 'query',
      where: { PK: 'TEAM#<team>' },
      returns: ['Card', 'Tag'],
      group: { cards: 'Card', tags: 'Tag' },
    },
    byState: { op: 'query', index: 'byState', where: { state: '<state>' }, returns: ['Card'] },
    best: {
      op: 'query',
      index: 'byRank',
      where: { G2: 'TEAM#<team>', rank: { atLeast: '<least>' } },
      returns: ['Card'],
    },
    create: { op: 'put', entity: 'Card' },
    replace: { op: 'put', entity: 'Card', replace: true },
    both: { op: 'transaction', steps: { card: { op: 'put', entity: 'Card' }, tag: { op: 'put', entity: 'Tag' } } },
    many: { op: 'transaction', steps: { cards: { op: 'put', entity: 'Card', each: 'cards' } } },
    tags: { op: 'batchWrite', steps: { put: { op: 'put', entity: 'Tag', replace: true, each: 'tags' } } },
    remove: { op: 'delete', entity: 'Card', where, returns: 'old' },
    score: { op: 'update', entity: 'Card', where, add: { points: '<more>' }, returns: 'new' },
    unscore: { op: 'update', entity: 'Card', where, remove: ['points'] },
    setState: {
      op: 'update',
      entity: 'Card',
      where,
      set: { state: '<state>' },
      condition: { createdAt: '<createdAt>' },
    },
  },
});

const tables = embedded(defineSystem({ name: 'board', cloud: 'aws', tables: { cards } }));
const table = tables.nameOf('cards');
let now = Date.parse('2026-05-06T07:08:09.000Z');
const db = client(cards, table, tables.send, { unique, written, stored, clock: () => now });
const given = {
  ...{ team: 'a', id: '1', title: 'ONE', state: 'open', points: 7, color: 'red' },
  ...{ tags: new Set(['x']), size: { w: 1 } },
} as const;

async function read(id = '1') {
  const card = await db.card({ team: 'a', id });
  if (card === undefined) throw new Error(`there is no card ${id}`);
  return card;
}

beforeEach(async () => {
  now = Date.parse('2026-05-06T07:08:09.000Z');
  await db.create(given);
});

test.each<[string, () => Promise<Awaited<ReturnType<typeof read>>>]>([
  ['a get', () => read()],
  ['a query', async () => (await db.byState({ state: 'open' })).items[0] as never],
  ['a query by a numeric sort key', async () => (await db.best({ team: 'a', least: '7' })).items[0] as never],
  ['a group', async () => (await db.team({ team: 'a' })).cards[0] as never],
  ['a delete', async () => (await db.remove({ team: 'a', id: '1' })) as never],
  [
    'a stream',
    async () => {
      const { Item } = (await tables.send('Get', { TableName: table, Key: { PK: 'TEAM#a', SK: 'CARD#1' } })) as never;
      const seen: unknown[] = [];
      const follow = changes(cards, { Card: { inserted: (item) => void seen.push(item) } });
      await follow({ Records: [{ eventName: 'INSERT', dynamodb: { NewImage: storedItem(Item) as never } }] });
      return seen[0] as never;
    },
  ],
])('every put accepts an item from %s', async (_, readBack) => {
  const before = await read();
  const item = await readBack();
  expect(item).toEqual(before);
  expect(item).toMatchObject({ ...given, kind: 'Card', rev: 1, sortTitle: 'one' });
  await db.remove({ team: 'a', id: '1' });
  await db.create(item);
  expect(await read()).toEqual(before);
  await db.remove({ team: 'a', id: '1' });
  await db.both({ card: item, tag: { team: 'a', name: 'n', kind: 'Tag' } as never });
  expect(await read()).toEqual(before);
  await db.remove({ team: 'a', id: '1' });
  await db.many({ cards: [item, { ...item, id: '2' }] });
  expect(await read()).toEqual(before);
  expect(await read('2')).toEqual({ ...before, id: '2' });
  await db.remove({ team: 'a', id: '1' });
  await transact([db.create.step(item)]);
  now += 1000;
  await db.replace(await read());
  expect(await read()).toEqual({ ...before, rev: 2, updatedAt: '2026-05-06T07:08:10.000Z' });
  await expect(db.replace(item)).rejects.toMatchObject({ kind: 'stale' });
});

test('a batch accepts items exactly as a read returned them, including their type', async () => {
  await db.tags({ tags: [{ team: 'a', name: 'n' }] });
  const { tags } = await db.team({ team: 'a' });
  await db.tags({ tags });
  expect((await db.team({ team: 'a' })).tags).toEqual(tags);
});

test.each<[string, object, string]>([
  ['a different type', { kind: 'Tag' }, 'kind is "Tag", not "Card"; omit it'],
  ['another key', { PK: 'TEAM#b' }, 'PK is "TEAM#b", not "TEAM#a"; omit it'],
  ['another index key', { G2: 'x' }, 'G2 is "x", not "TEAM#a"; omit it'],
  ['a key attribute that differs from its source', { rank: 8 }, 'rank is 8, not 7; omit it'],
  ['a different value under the stored name', { t: 'TWO' }, "'title' and 't' differ, but both are stored as 't'"],
  ['another computed value', { sortTitle: 'two' }, 'sortTitle is "two", but the computed value is "one"; omit it'],
  ['an invalid version', { rev: 'x' }, 'rev'],
])('refuses a put with %s', async (_, wrong, message) => {
  const item = await read();
  await db.remove({ team: 'a', id: '1' });
  await expect(db.create({ ...item, ...wrong } as never)).rejects.toThrow(message);
  await expect(db.both({ card: { ...item, ...wrong }, tag: { team: 'a', name: 'n' } } as never)).rejects.toThrow(
    message,
  );
  expect(await db.card({ team: 'a', id: '1' })).toBeUndefined();
});

test('an item enters an index when its key attribute gets a value, and leaves the index when the attribute is removed', async () => {
  const ranked = async () => (await db.best({ team: 'a', least: '0' })).items.map(({ points }) => points);
  expect(await ranked()).toEqual([7]);
  expect(await db.score({ team: 'a', id: '1', more: 5 })).toMatchObject({ points: 12 });
  expect(await ranked()).toEqual([12]);
  await db.unscore({ team: 'a', id: '1' });
  expect(await ranked()).toEqual([]);
  expect(await read()).not.toHaveProperty('points');
  await db.setState({ team: 'a', id: '1', state: null, createdAt: '2026-05-06T07:08:09.000Z' });
  expect((await db.byState({ state: 'open' })).items).toEqual([]);
  expect(await read()).toMatchObject({ state: null });
});
