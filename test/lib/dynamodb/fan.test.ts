import { z } from 'zod';
import { defineTable, render, type TableDesign } from '../../../lib';
import { check } from '../../../lib/check';
import { formats, shardOf } from '../../../lib/design/formats';
import { template } from '../../../lib/design/template';
import { client, type Send } from '../../../lib/dynamodb';
import { entities, requests } from '../../../lib/dynamodb/requests';
import { CursorError } from '../../../lib/items/cursor';
import type { Item } from '../../../lib/items/item';
import { grantOf } from '../../../lib/permissions/grant';

const SHARDS = 4;
const events = defineTable({
  name: 'events',
  key: { partition: 'PK', sort: 'SK' },
  entities: {
    Event: {
      attributes: z.object({ day: z.string(), id: z.string(), text: z.string() }),
      keys: { PK: 'DAY#<day>#<shard(id, 4)>', SK: 'EVENT#<id>' },
    },
  },
  patterns: {
    ofDay: { op: 'query', where: { PK: 'DAY#<day>#<shard(4)>', SK: { beginsWith: 'EVENT#' } }, returns: ['Event'] },
    some: {
      op: 'query',
      where: { PK: 'DAY#<day>#<shard(4)>' },
      filter: { text: 'x' },
      returns: ['Event'],
      select: ['text'],
      order: 'descending',
      pageSize: 3,
    },
    one: { op: 'get', where: { PK: 'DAY#<day>#<shard(id, 4)>', SK: 'EVENT#<id>' }, returns: ['Event'] },
  },
});

const key = { PK: 'DAY#<day>#<shard(id, 100)>', SK: 'EVENT#<id>' } as const;
/** A design like `events`, with a hundred shards. */
const hundred = defineTable({
  ...events,
  entities: { Event: { ...events.entities.Event, keys: key } },
  patterns: { ofDay: { op: 'query', where: { PK: 'DAY#<day>#<shard(100)>' }, returns: ['Event'] } },
});

const ids = Array.from({ length: 23 }, (_, i) => `e${String(i).padStart(2, '0')}`);

/**
 * A fake table with the given events. It returns at most four events per page, and records the highest number of
 * concurrent requests.
 */
function tableOf(all: readonly string[], design: typeof events | typeof hundred = events) {
  const { item } = entities(design, 'events', { formats });
  const day = design === events ? 'd' : '\u0001'.repeat(900);
  const stored = all.map((id) => item('Event', { day, id, text: 'x' }) as Item);
  const asked: Item[] = [];
  let underWay = 0;
  const seen = { most: 0, asked };
  const send: Send = async (_, input) => {
    asked.push(input);
    seen.most = Math.max(seen.most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    const { ':k0': partition } = input.ExpressionAttributeValues as Item;
    const isBack = input.ScanIndexForward === false;
    const inShard = stored.filter(({ PK }) => PK === partition);
    const ordered = isBack ? inShard.reverse() : inShard;
    const from = ordered.findIndex(({ SK }) => SK === (input.ExclusiveStartKey as Item | undefined)?.SK) + 1;
    const page = ordered.slice(from, from + Math.min((input.Limit as number) ?? 4, 4));
    const isLast = from + page.length >= ordered.length;
    return { Items: page, ...(isLast ? {} : { LastEvaluatedKey: page.at(-1) }) };
  };
  return { send, seen };
}

async function collect<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const page of pages) found.push(page);
  return found;
}

describe('the shard of a value', () => {
  test('computes the same shard for the same value every time, with as many digits as the highest shard number', () => {
    expect(render('A#<shard(id, 16)>', { id: 'e1' })).toBe('A#09');
    expect(render('A#<shard(id, 16)>', { id: 'ñandú' })).toBe('A#04');
    expect(render('A#<shard(n, 100)>', { n: 7 })).toBe('A#70');
    expect(render('A#<shard(id, 4)>', { id: 'a#b' })).toMatch(/^A#[0-3]$/);
  });

  test.each([undefined, null, '', {}, Number.NaN])('refuses to compute a shard from %p', (id) => {
    expect(() => render('A#<shard(id, 16)>', { id })).toThrow('<id> is');
  });

  test('spreads counters and random values evenly over the shards', () => {
    for (const value of [
      (i: number) => `order-${i}`,
      (i: number) => String(i),
      (i: number) => crypto.randomUUID() + i,
    ]) {
      const counts = Array<number>(16).fill(0);
      for (let i = 0; i < 16_000; i++) counts[shardOf(value(i), 16)] = (counts[shardOf(value(i), 16)] as number) + 1;
      expect(Math.max(...counts)).toBeLessThan(1_300);
      expect(Math.min(...counts)).toBeGreaterThan(700);
    }
  });

  test('parses the shard as a part of the key template', () => {
    expect(template('A#<shard(id, 16)>').parts).toEqual([
      { name: 'id', path: ['id'], optional: false, format: 'shard:16' },
    ]);
  });
});

describe('a query over every shard', () => {
  test('returns the items of all shards page by page, sorted by the sort key, with at most four concurrent requests', async () => {
    const { send, seen } = tableOf(ids);
    const { ofDay } = client(events, 'events', send);
    const found = await collect(ofDay.all({ day: 'd' }));
    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(seen.most).toBe(4);
    expect(new Set(seen.asked.map((input) => (input.ExpressionAttributeValues as Item)[':k0'])).size).toBe(SHARDS);
  });

  test.each([1, 2, 3, 5, 50])(
    'returns pages of at most %d items, without repeating or skipping an item',
    async (limit) => {
      const { ofDay } = client(events, 'events', tableOf(ids).send);
      const pages = await collect(ofDay.pages({ day: 'd' }, { limit }));
      expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
      expect(Math.max(...pages.map(({ items }) => items.length))).toBeLessThanOrEqual(limit);
    },
  );

  test('reads all shards in descending order if the pattern or the call asks for it, even if the pattern does not select the keys', async () => {
    const { send, seen } = tableOf(ids);
    const { ofDay, some } = client(events, 'events', send);
    const back = await collect(ofDay.all({ day: 'd' }, { order: 'descending' }));
    expect(back.map(({ id }) => id)).toEqual([...ids].reverse());
    const pages = await collect(some.pages({ day: 'd' }));
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 3, 3, 3, 3, 3, 2]);
    expect(seen.asked.at(-1)).toMatchObject({ Limit: 3 });
  });

  test('reads a single shard if the caller passes its number', async () => {
    const { send, seen } = tableOf(ids);
    await client(events, 'events', send).ofDay({ day: 'd', shard: 2 });
    expect(seen.asked).toHaveLength(1);
    expect(seen.asked[0]).toMatchObject({ ExpressionAttributeValues: { ':k0': 'DAY#d#2' } });
    const patterns = requests(events, 'events', { formats });
    expect(() => patterns.ofDay({ day: 'd' })).toThrow('pass a number from 0 to 3, or use a client');
    expect(() => patterns.ofDay({ day: 'd', shard: 4 })).toThrow('pass a number from 0 to 3');
  });

  test('finds the first item across all shards, and counts the items in all shards', async () => {
    const { ofDay } = client(events, 'events', tableOf(ids).send);
    expect(await ofDay.first({ day: 'd' })).toMatchObject({ id: 'e00' });
    expect(await ofDay.count({ day: 'd' })).toBe(ids.length);
    expect(await client(events, 'events', tableOf([]).send).ofDay({ day: 'd' })).toEqual({ items: [] });
  });

  test('accepts only cursors from the same query and partition, and seals cursors', async () => {
    const { send } = tableOf(ids);
    const { ofDay, some } = client(events, 'events', send);
    const { cursor = '' } = await ofDay({ day: 'd' }, { limit: 2 });
    for (const [values, wrong] of [
      [{ day: 'd' }, 'x'],
      [{ day: 'd' }, `${cursor}.0`],
      [{ day: 'd' }, cursor.replace(/\w\./, 'A.')],
      [{ day: 'other' }, cursor],
    ] as const)
      await expect(ofDay(values, { cursor: wrong })).rejects.toThrow(CursorError);
    await expect(some({ day: 'd' }, { cursor })).rejects.toThrow(CursorError);
    const sealed = client(events, 'events', send, { cursors: { secret: 'a secret of some length' } });
    const found = await collect(sealed.ofDay.all({ day: 'd' }, { limit: 4 }));
    expect(found.map(({ id }) => id)).toEqual(ids);
  });

  test('grants access to all shards of the query, and to no other partition', () => {
    const system = { name: 'log', cloud: 'aws', tables: { events } } as const;
    const granted = JSON.stringify(grantOf({ of: system, names: ['ofDay', 'one'] }));
    expect(granted).toContain('DAY#*#?');
  });

  test('sends no more requests after DynamoDB refuses one of the queries', async () => {
    let sent = 0;
    const { ofDay } = client(hundred, 'events', async () => {
      sent++;
      await new Promise((resolve) => setTimeout(resolve, 1));
      throw new Error('no');
    });
    await expect(ofDay({ day: 'd' })).rejects.toThrow('no');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(sent).toBe(4);
  });

  test('accepts a sealed cursor with many shards and long keys', async () => {
    // JSON encodes a control character as six characters.
    const long = Array.from({ length: 600 }, (_, i) => `${'\u0001'.repeat(900)}${String(i).padStart(4, '0')}`);
    const { send } = tableOf(long, hundred);
    const { ofDay } = client(hundred, 'events', send, { cursors: { secret: 'a secret of some length' } });
    const found = await collect(ofDay.all({ day: '\u0001'.repeat(900) }, { limit: 200 }));
    expect(found.map(({ id }) => id).sort()).toEqual(long);
  });
});

describe('a query over a list of partitions', () => {
  const lists = defineTable({
    ...events,
    entities: { Event: { ...events.entities.Event, keys: { PK: 'DAY#<day>', SK: 'EVENT#<id>' } } },
    patterns: {
      ofDays: { op: 'query', each: 'day', where: { PK: 'DAY#<day>' }, returns: ['Event'] },
      merged: { op: 'query', each: 'day', merge: true, where: { PK: 'DAY#<day>' }, returns: ['Event'] },
      inPlaces: {
        op: 'query',
        each: 'at',
        where: { PK: 'DAY#<at.day>' },
        filter: { text: '<text>' },
        returns: ['Event'],
      },
    },
  });
  const days = ['d2', 'd0', 'd1'];
  const dayOf = (id: string) => `d${Number(id.slice(1)) % 3}`;
  const byDay = days.flatMap((day) => ids.filter((id) => dayOf(id) === day));

  /** Returns a client for a fake table that contains three days of events and returns at most four per page. */
  function daysOf() {
    const { item } = entities(lists, 'events', { formats });
    const stored = ids.map((id) => item('Event', { day: dayOf(id), id, text: 'x' }) as Item);
    const asked: unknown[] = [];
    const send: Send = async (_, input) => {
      const { ':k0': partition } = input.ExpressionAttributeValues as Item;
      asked.push(partition);
      const own = stored.filter(({ PK }) => PK === partition);
      const from = own.findIndex(({ SK }) => SK === (input.ExclusiveStartKey as Item | undefined)?.SK) + 1;
      const page = own.slice(from, from + Math.min((input.Limit as number) ?? 4, 4));
      return { Items: page, ...(from + page.length >= own.length ? {} : { LastEvaluatedKey: page.at(-1) }) };
    };
    return { db: client(lists, 'events', send), asked };
  }

  test.each([undefined, 1, 3, 5, 50])('reads one partition after another, in pages of %p', async (limit) => {
    const { db } = daysOf();
    const pages = await collect(db.ofDays.pages({ day: [...days, 'd0'] }, { limit }));
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(byDay);
    expect(Math.max(...pages.map(({ items }) => items.length))).toBeLessThanOrEqual(limit ?? ids.length);
  });

  test.each([undefined, 1, 3, 5, 50])('merges the partitions by the sort key, in pages of %p', async (limit) => {
    const found = await collect(daysOf().db.merged.all({ day: days }, { limit }));
    expect(found.map(({ id }) => id)).toEqual(ids);
  });

  test('reads no more partitions than needed to fill a page', async () => {
    const { db, asked } = daysOf();
    await db.ofDays({ day: days }, { limit: 2 });
    expect(asked).toEqual(['DAY#d2']);
    expect(await db.ofDays({ day: [] })).toEqual({ items: [] });
    expect(await db.inPlaces({ at: [{ day: 'd1' }], text: 'x' }, { limit: 1 })).toMatchObject({
      items: [{ day: 'd1' }],
    });
    expect(await db.ofDays.count({ day: days })).toBe(ids.length);
  });

  test('accepts a cursor only with the list of partitions that it was created for', async () => {
    const { db } = daysOf();
    const { cursor = '' } = await db.ofDays({ day: days }, { limit: 2 });
    for (const day of [['d2', 'd0', 'd3'], ['d0', 'd2', 'd1'], ['d2']])
      await expect(db.ofDays({ day }, { cursor })).rejects.toThrow(CursorError);
    await expect(db.merged({ day: days }, { cursor })).rejects.toThrow(CursorError);
    expect((await db.ofDays({ day: days }, { cursor })).items.map(({ id }) => id)).toEqual(byDay.slice(2, 6));
  });

  test('refuses a list with too many partitions, and a value that is not a list', async () => {
    const { db } = daysOf();
    await expect(db.ofDays({ day: Array.from({ length: 101 }, (_, i) => `d${i}`) })).rejects.toThrow(
      '101 partitions exceed the limit of 100 per call',
    );
    await expect(db.ofDays({ day: 'd1' as never })).rejects.toThrow("'day' must be a list");
    const { ofDays } = requests(lists, 'events');
    expect(() => ofDays({ day: days })).toThrow("'day' must have one element");
    expect(ofDays({ day: ['d1'] })).toMatchObject({ ExpressionAttributeValues: { ':k0': 'DAY#d1' } });
  });

  test('a query of several partitions needs the same grant as a query of a single partition', () => {
    expect(grantOf({ of: lists, names: ['ofDays'] })[0]?.statements).toEqual([
      { actions: ['dynamodb:Query'], leadingKeys: ['DAY#*'] },
    ]);
  });

  test.each([
    ['a partition that is the same for every element of the list', { each: 'days' }, 'same-each-time'],
    ['a merge of one partition', { each: undefined, merge: true }, 'merges-nothing'],
  ])('the check reports %s', (_, more, cause) => {
    const broken = { ...lists, patterns: { ofDays: { ...lists.patterns.ofDays, ...more } } };
    const found = check(broken as TableDesign).filter(({ path }) => path.startsWith('patterns.'));
    expect(found.map((finding) => finding.cause)).toEqual([cause]);
  });
});
