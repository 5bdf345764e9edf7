import {
  type AzureOutput,
  client,
  EntityChanged,
  EntityExists,
  EntityMissing,
  etagOf,
  ItemError,
  type Observation,
} from '../../../lib/azure-tables';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { CursorError } from '../../../lib/dynamodb';
import { azurite } from '../../support/azurite';
import { things } from './designs';

const { send } = azurite(defineSystem({ name: 'things', cloud: 'azure', tables: { Things: things } }));
const store = client(things, 'Things', send);
const key = { shelf: 'a', id: '1' };
const values = {
  ...{ ...key, text: "it's", small: 1, large: 2 ** 40, huge: 2n ** 62n, real: 3, flag: false, rank: 3, colour: 'blue' },
  ...{ second: '2025-01-01T00:00:00Z', milli: '2025-01-01T00:00:00.100Z', loose: '2025-01-01T00:00:00.10Z' },
  ...{ local: '2025-01-01T00:00:00-03:00', day: '2025-01-01', bytes: new Uint8Array([0, 255]), tags: ['x', 'é'] },
  ...{ place: { city: 'Itajaí' }, maybe: null },
} as const;
const thing: Parameters<typeof store.addThing>[0] = { ...values, rank: 3, colour: 'blue', tags: [...values.tags] };
const fill = (...ids: readonly string[]) => Promise.all(ids.map((id) => store.addThing({ shelf: 'a', id })));

test('round-trips a value of every type', async () => {
  await store.addThing(thing);
  const read = await store.getThing(key);
  expect({ ...read, bytes: Uint8Array.from(read?.bytes ?? []) }).toEqual(thing);
});

test('returns undefined for a missing entity', async () => {
  expect(await store.getThing(key)).toBeUndefined();
});

test('accepts any legal character in keys and filters', async () => {
  const odd = { shelf: "o'neil & sons", id: 'a b%20+ü€😀' };
  await store.addThing({ ...odd, text: "d'ávila' or text ne '" });
  await store.addThing({ ...odd, id: 'other', text: 'another' });
  expect(await store.getThing(odd)).toMatchObject(odd);
  const found = await store.thingsByText({ shelf: odd.shelf, text: "d'ávila' or text ne '" });
  expect(found.items.map(({ id }) => id)).toEqual([odd.id]);
});

test('a filter combines alternatives, and no comparison matches a missing property', async () => {
  const filter = {
    any: [{ text: '<text>' }, { small: { atLeast: 5 }, none: [{ flag: true }] }],
    none: [{ rank: 3 }],
  } as const;
  const where = { PartitionKey: 'SHELF_<shelf>', RowKey: { beginsWith: 'THING_' } } as const;
  const patterns = { ...things.patterns, some: { op: 'query', where, filter, returns: ['Thing'] } } as const;
  const choosing = client(defineTable({ ...things, patterns }), 'Things', send);
  const add = (id: string, more: Partial<typeof thing>) => store.addThing({ shelf: 'a', id, ...more });
  await add('1', { text: 'x' });
  await add('2', { text: 'x', rank: 3 });
  await add('3', { small: 5 });
  await add('4', { small: 5, flag: true });
  await add('5', { small: 4, flag: false });
  const { items } = await choosing.some({ shelf: 'a', text: 'x' });
  expect(items.map(({ id }) => id)).toEqual(['1', '3']);
});

test('a prefix query excludes keys without the prefix', async () => {
  await fill('1', '2');
  await store.addWithNote({ thing: { shelf: 'a', id: '3' }, note: 'n' });
  expect((await store.thingsOnShelf({ shelf: 'a' })).items.map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect((await store.everythingOnShelf({ shelf: 'a' })).items).toHaveLength(4);
});

describe('pages', () => {
  test('continues after each page with its cursor, and ends after the last page', async () => {
    await fill('1', '2', '3', '4', '5');
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const page = await store.pagesOfShelf({ shelf: 'a' }, cursor === undefined ? {} : { cursor });
      pages.push(page.items.map(({ id }) => id));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(pages).toEqual([['1', '2'], ['3', '4'], ['5']]);
  });

  test('continues after an empty page', async () => {
    const token = btoa('{"nextPartitionKey":"1!12!U0hFTEZfYQ--"}');
    const answers: AzureOutput[] = [{ entities: [], continuationToken: token }, { entities: [] }];
    const tokens: unknown[] = [];
    const slow = client(things, 'Things', async (_, call) => {
      tokens.push(call.method === 'listEntities' ? call.page.continuationToken : undefined);
      return answers.shift() as AzureOutput;
    });
    const first = await slow.thingsByText({ shelf: 'a', text: 'x' });
    expect(first).toEqual({ items: [], cursor: expect.any(String) });
    expect(await slow.thingsByText({ shelf: 'a', text: 'x' }, { cursor: first.cursor as string })).toEqual({
      items: [],
    });
    expect(tokens).toEqual([undefined, token]);
  });

  test('rejects a damaged cursor, and a cursor from another pattern or partition, before sending a request', async () => {
    await fill('1', '2', '3');
    const { cursor = '' } = await store.pagesOfShelf({ shelf: 'a' });
    await expect(store.thingsOnShelf({ shelf: 'a' }, { cursor })).rejects.toThrow(CursorError);
    const other = store.pagesOfShelf({ shelf: 'b' }, { cursor });
    await expect(other).rejects.toThrow("the cursor is from another partition of 'pagesOfShelf'");
    await expect(other).rejects.not.toThrow('SHELF_a');
    await expect(store.pagesOfShelf({ shelf: 'a' }, { cursor: `${cursor}x` })).rejects.toThrow('the cursor is damaged');
  });

  test('returns all 1050 items in pages of at most 1000', async () => {
    for (let at = 0; at < 1050; at += 150) {
      await Promise.all(
        Array.from({ length: 150 }, (_, i) => store.addThing({ shelf: 'a', id: String(at + i).padStart(5, '0') })),
      );
    }
    const first = await store.thingsOnShelf({ shelf: 'a' });
    expect(first.items).toHaveLength(1000);
    const second = await store.thingsOnShelf({ shelf: 'a' }, { cursor: first.cursor as string });
    expect(second).toMatchObject({ items: { length: 50 } });
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(1050);
  });
});

describe('an ETag', () => {
  test("returns an item's ETag after a read or a write, but not among the item's values", async () => {
    const { etag } = await store.addThing(key);
    const read = await store.getThing(key);
    expect(etagOf(read)).toBe(etag);
    expect(read).toEqual({ ...key, maybe: null });
    const [listed] = (await store.thingsOnShelf({ shelf: 'a' })).items;
    expect(etagOf(listed)).toBe(etag);
    expect(etagOf({ ...read })).toBeUndefined();
  });

  test('refuses a write with a stale ETag', async () => {
    await store.addThing(key);
    const before = etagOf(await store.getThing(key)) as string;
    await store.labelThing({ ...key, text: 'by another' });
    for (const write of [
      store.saveThing({ ...key, text: 'x' }, { etag: before }),
      store.replaceThing({ ...key, text: 'x' }, { etag: before }),
      store.labelThing({ ...key, text: 'x' }, { etag: before }),
      store.removeThing(key, { etag: before }),
    ]) {
      await expect(write).rejects.toThrow(EntityChanged);
    }
    expect(await store.getThing(key)).toMatchObject({ text: 'by another' });
  });

  test('accepts only one write with the same ETag', async () => {
    const { etag = '' } = await store.addThing(key);
    const saved = await store.saveThing({ ...key, text: 'x' }, { etag });
    await expect(store.saveThing({ ...key, text: 'y' }, { etag })).rejects.toThrow('has changed since it was read');
    await store.saveThing({ ...key, text: 'z' }, { etag: saved.etag as string });
    expect(await store.getThing(key)).toMatchObject({ text: 'z' });
  });
});

describe('an error', () => {
  test('throws EntityExists for a new entity whose key already exists', async () => {
    await store.addThing(key);
    const second = store.addThing({ ...key, text: 'x' });
    await expect(second).rejects.toThrow(EntityExists);
    await expect(second).rejects.toThrow('Things: addThing: (SHELF_a, THING_1) already exists; nothing was written');
    await expect(second).rejects.toMatchObject({ cause: { statusCode: 409 } });
  });

  test('throws EntityMissing for a change to a missing entity', async () => {
    await expect(store.labelThing({ ...key, text: 'x' })).rejects.toThrow(EntityMissing);
    await expect(store.saveThing(key, { etag: 'W/"datetime\'2025\'"' })).rejects.toThrow(EntityMissing);
    // Deleting an entity that is already gone succeeds.
    await expect(store.removeThing(key)).resolves.toEqual({});
  });

  test('rolls back the whole batch after an error in one of its writes', async () => {
    await store.addThing(key);
    await expect(store.addWithNote({ thing: key, note: 'n' })).rejects.toThrow(EntityExists);
    expect((await store.everythingOnShelf({ shelf: 'a' })).items).toHaveLength(1);
  });

  test('throws TableMissing instead of EntityMissing for a missing table', async () => {
    const nowhere = client(things, 'Nowhere', send);
    for (const attempt of [
      nowhere.getThing(key),
      nowhere.removeThing(key),
      nowhere.labelThing({ ...key, text: 'x' }),
    ]) {
      await expect(attempt).rejects.toMatchObject({ name: 'TableMissing', cause: { statusCode: 404 } });
    }
  });

  test('throws an error for an entity of a type that the pattern does not return', async () => {
    await store.addWithNote({ thing: key, note: 'n' });
    const design = {
      ...things,
      patterns: { all: { ...things.patterns.everythingOnShelf, returns: ['Thing'] } },
    } as const;
    await expect(client(design, 'Things', send, { onUnknown: 'throw' }).all({ shelf: 'a' })).rejects.toThrow(
      'the item PartitionKey "SHELF_a", RowKey "NOTE" is a Note, but the pattern returns Thing',
    );
  });
});

test('reports every call with its cost and its error to the observer', async () => {
  const seen: Observation[] = [];
  const watched = client(things, 'Things', send, { observe: (one) => seen.push(one), context: { tenant: 't' } });
  await watched.addThing(key);
  await watched.addThing(key).catch(() => undefined);
  await watched.thingsOnShelf({ shelf: 'a' });
  await watched.addThing({ ...key, small: -1 }).catch(() => undefined);
  expect(seen).toEqual([
    {
      table: 'Things',
      pattern: 'addThing',
      operation: 'createEntity',
      milliseconds: expect.any(Number),
      context: { tenant: 't' },
    },
    expect.objectContaining({ pattern: 'addThing', error: expect.any(EntityExists) }),
    expect.objectContaining({ pattern: 'thingsOnShelf', operation: 'listEntities' }),
    // The client rejects the last call without sending it.
    expect.objectContaining({ pattern: 'addThing', operation: 'createEntity', error: expect.any(ItemError) }),
  ]);
});

test('scans all partitions page by page, and skips entities that the pattern does not return', async () => {
  const whole = defineTable({
    ...things,
    patterns: {
      all: { op: 'scan', returns: ['Thing'], pageSize: 2 },
      addThing: { op: 'put', entity: 'Thing' },
      addNote: { op: 'put', entity: 'Note' },
    },
  });
  const db = client(whole, 'Things', send);
  for (const shelf of ['a', 'b', 'c']) {
    await db.addNote({ shelf, note: 'x' });
    await db.addThing({ shelf, id: '1' });
  }
  const shelves: string[] = [];
  for await (const { shelf } of db.all.all({})) shelves.push(shelf);
  expect(shelves).toEqual(['a', 'b', 'c']);
  expect(await db.all.count({})).toBe(3);
  expect(await db.all.first({})).toMatchObject({ shelf: 'a', id: '1' });
});
