import { z } from 'zod';
import { defineTable, render } from '../../../lib';
import { shardOf, template } from '../../../lib/design/template';
import { client, type Send } from '../../../lib/dynamodb';
import { requests } from '../../../lib/dynamodb/requests';
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

const ids = Array.from({ length: 23 }, (_, i) => `e${String(i).padStart(2, '0')}`);

/** A table of so many events; a page of it has at most four, and at most so many requests are under way at once. */
function tableOf(all: readonly string[]) {
  const { item } = requests(events, 'events');
  const stored = all.map((id) => item('Event', { day: 'd', id, text: 'x' }) as Item);
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
    if (input.Select === 'COUNT') return { Count: page.length, ...(isLast ? {} : { LastEvaluatedKey: page.at(-1) }) };
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
  test('is the same for ever, and written with as many digits as the last has', () => {
    expect(render('A#<shard(id, 16)>', { id: 'e1' })).toBe('A#09');
    expect(render('A#<shard(id, 16)>', { id: 'ñandú' })).toBe('A#04');
    expect(render('A#<shard(n, 100)>', { n: 7 })).toBe('A#70');
    expect(render('A#<shard(id, 4)>', { id: 'a#b' })).toMatch(/^A#[0-3]$/);
  });

  test.each([undefined, null, '', {}, Number.NaN])('is not that of %p', (id) => {
    expect(() => render('A#<shard(id, 16)>', { id })).toThrow('<id> is');
  });

  test('spreads what is counted, and what is drawn, evenly', () => {
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

  test('is a part of its template like any other', () => {
    expect(template('A#<shard(id, 16)>').holes).toEqual([
      { name: 'id', path: ['id'], optional: false, format: 'shard:16' },
    ]);
  });
});

describe('a query over every shard', () => {
  test('gives all of them in the order of the sort key, page by page, with a few requests at once', async () => {
    const { send, seen } = tableOf(ids);
    const { ofDay } = client(events, 'events', send);
    const found = await collect(ofDay.all({ day: 'd' }));
    expect(found.map(({ id }) => id)).toEqual(ids);
    expect(seen.most).toBe(4);
    expect(new Set(seen.asked.map((input) => (input.ExpressionAttributeValues as Item)[':k0'])).size).toBe(SHARDS);
  });

  test.each([1, 2, 3, 5, 50])('keeps to a limit of %d, and goes on where it ended', async (limit) => {
    const { ofDay } = client(events, 'events', tableOf(ids).send);
    const pages = await collect(ofDay.pages({ day: 'd' }, { limit }));
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids);
    expect(Math.max(...pages.map(({ items }) => items.length))).toBeLessThanOrEqual(limit);
  });

  test('is descending where the pattern or the call says so, and has the keys that it needs whatever it selects', async () => {
    const { send, seen } = tableOf(ids);
    const { ofDay, some } = client(events, 'events', send);
    const back = await collect(ofDay.all({ day: 'd' }, { order: 'descending' }));
    expect(back.map(({ id }) => id)).toEqual([...ids].reverse());
    const pages = await collect(some.pages({ day: 'd' }));
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 3, 3, 3, 3, 3, 2]);
    expect(seen.asked.at(-1)).toMatchObject({ Limit: 3 });
  });

  test('asks one shard where its number is given', async () => {
    const { send, seen } = tableOf(ids);
    await client(events, 'events', send).ofDay({ day: 'd', shard: 2 });
    expect(seen.asked).toHaveLength(1);
    expect(seen.asked[0]).toMatchObject({ ExpressionAttributeValues: { ':k0': 'DAY#d#2' } });
    const { patterns } = requests(events, 'events');
    expect(() => patterns.ofDay({ day: 'd' })).toThrow('give a number from 0 to 3; a client asks every shard');
    expect(() => patterns.ofDay({ day: 'd', shard: 4 })).toThrow('give a number from 0 to 3');
  });

  test('finds the first, and counts them all', async () => {
    const { ofDay } = client(events, 'events', tableOf(ids).send);
    expect(await ofDay.first({ day: 'd' })).toMatchObject({ id: 'e00' });
    expect(await ofDay.count({ day: 'd' })).toBe(ids.length);
    expect(await client(events, 'events', tableOf([]).send).ofDay({ day: 'd' })).toEqual({ items: [] });
  });

  test('takes no cursor but its own, of the same partition, and seals it like any other', async () => {
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

  test('is granted in all shards, and in no other partition', () => {
    const system = { name: 'log', cloud: 'aws', tables: { events } } as const;
    const granted = JSON.stringify(grantOf({ of: system, names: ['ofDay', 'one'] }));
    expect(granted).toContain('DAY#*#?');
  });
});
