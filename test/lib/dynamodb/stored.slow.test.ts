import { changes, client, stored, unique, written } from '../../../lib/dynamodb';
import { storedItem } from '../../../lib/dynamodb/migration/stored';
import { forum, forums, pages } from '../../fixtures/stored';
import { embedded } from '../../support/embedded';

const tables = embedded(forums);
const name = tables.nameOf('forum');
const at = '2026-05-06T07:08:09.000Z';
const db = client(forum, name, tables.send, { unique, written, stored, clock: () => Date.parse(at) });
const wiki = client(pages, tables.nameOf('pages'), tables.send, { unique, stored });
const first = { threadId: 'a', no: 1, description: 'Hello', state: 'new', slug: 'hello' } as const;
const made = { heading: 'HELLO', createdAt: at, updatedAt: at, rev: 1, t: 'Message' };

/** Reads an item as the table stores it. */
async function raw(PK: string, SK: number): Promise<object | undefined> {
  const { Item } = (await tables.send('Get', { TableName: name, Key: { PK, SK } })) as { Item?: object };
  return Item;
}

test('stores attributes under short names, and reads them under the names in the design', async () => {
  await db.write(first);
  expect(await raw('THREAD#a', 1)).toEqual({
    ...{ PK: 'THREAD#a', SK: 1, GSK: at, t: 'Message', threadId: 'a', d: 'Hello', s: 'new', l: 'hello', h: 'HELLO' },
    ...{ c: at, u: at, r: 1 },
  });
  expect(await db.message({ threadId: 'a', no: 1 })).toEqual({ ...first, ...made });
});

test('uses the short names in keys, filters, cursors and indexes', async () => {
  for (const no of [1, 2, 10]) await db.write({ ...first, no, description: no === 2 ? 'Bye' : 'Hello' });
  const page = await db.messages({ threadId: 'a', from: '1' });
  expect(page.items.map(({ no }) => no)).toEqual([1, 2]);
  const { items } = await db.messages({ threadId: 'a', from: '1' }, { cursor: page.cursor });
  expect(items.map(({ no }) => no)).toEqual([10]);
  const greetings = [];
  for await (const message of db.messages.all({ threadId: 'a', from: '2', start: 'H' })) greetings.push(message);
  expect(greetings).toEqual([{ ...first, ...made, no: 10 }]);
  expect((await db.toReview({ state: 'new' })).items).toHaveLength(3);
  expect((await db.toReview({ state: 'new' })).items[0]).toEqual({
    ...{ threadId: 'a', no: 10, description: 'Hello', createdAt: at, state: 'new', t: 'Message' },
  });
  expect(await db.everything.count({})).toBe(3);
  const several = await db.several({ messages: [{ threadId: 'a', no: 2 }] });
  expect(several.items.map(({ description }) => description)).toEqual(['Bye']);
});

test('uses the short names in updates, conditions and nested paths', async () => {
  await db.write({ ...first, delivery: { description: 'door', city: 'Rosario' } });
  const changed = await db.change({ threadId: 'a', no: 1, description: 'Later', note: 'gate', createdAt: at });
  expect(changed).toMatchObject({ description: 'Later', heading: 'LATER', votes: 1, rev: 2 });
  expect(await raw('THREAD#a', 1)).toMatchObject({ d: 'Later', h: 'LATER', v: 1, r: 2, y: { description: 'gate' } });
  expect((await db.messages({ threadId: 'a', from: '1', note: 'gate' })).items).toHaveLength(1);
  await db.tag({ threadId: 'a', no: 1, tag: 'x', lines: [{ text: 'one' }] });
  expect(await raw('THREAD#a', 1)).toMatchObject({ g: new Set(['x']), n: [{ text: 'one' }] });
  await db.see({ threadId: 'a', no: 1 });
  expect(await raw('THREAD#a', 1)).not.toHaveProperty('s');
  await expect(db.see({ threadId: 'a', no: 1 })).rejects.toThrow('the condition on state');
  await expect(db.drop({ threadId: 'a', no: 1, description: 'Hello' })).rejects.toThrow('the condition on description');
  expect(await db.drop({ threadId: 'a', no: 1, description: 'Later' })).toMatchObject({ description: 'Later' });
});

test('replaces an item with a modified copy from an earlier read, and checks the version', async () => {
  await db.write(first);
  const read = await db.message({ threadId: 'a', no: 1 });
  const again = { ...read, slug: 'again' } as never;
  expect(await db.rewrite(again)).toMatchObject({ slug: 'hello' });
  expect(await raw('THREAD#a', 1)).toMatchObject({ l: 'again', r: 2, h: 'HELLO' });
  await expect(db.rewrite(again)).rejects.toThrow('has changed since it was read');
});

test('omits an expired item whose TTL attribute has a different stored name', async () => {
  await db.write({ ...first, expires: 1 });
  await db.write({ ...first, no: 2 });
  expect((await db.living({ threadId: 'a' })).items.map(({ no }) => no)).toEqual([2]);
  await expect(db.write({ ...first, no: 3, expires: Date.now() })).rejects.toThrow('milliseconds; give seconds');
});

test('finds an item by its unique value after updates and deletes', async () => {
  const page = { pageId: 'p', slug: 'intro', description: 'Intro' };
  await wiki.addPage(page);
  expect(await wiki.pageOf({ slug: 'intro' })).toEqual(page);
  await expect(wiki.addPage({ ...page, pageId: 'q' })).rejects.toMatchObject({ kind: 'exists' });
  await wiki.rename({ pageId: 'p', slug: 'start', former: 'intro' });
  expect(await wiki.pageOf({ slug: 'start' })).toEqual({ ...page, slug: 'start' });
  expect(await wiki.pageOf({ slug: 'intro' })).toBeUndefined();
  await wiki.removePage({ pageId: 'p', slug: 'start' });
  expect(await wiki.page({ pageId: 'p' })).toBeUndefined();
});

test('moves an item with short names in a transaction', async () => {
  await db.write(first);
  await db.move({ threadId: 'a', no: 1, message: { ...first, threadId: 'b' } });
  expect(await raw('THREAD#a', 1)).toBeUndefined();
  expect(await raw('THREAD#b', 1)).toMatchObject({ d: 'Hello' });
});

test('stream handlers receive items with the names in the design', async () => {
  await db.write(first);
  const seen: unknown[] = [];
  const handle = changes(forum, { Message: { inserted: (item) => void seen.push(item) } });
  const NewImage = storedItem((await raw('THREAD#a', 1)) as never) as never;
  await handle({ Records: [{ eventName: 'INSERT', dynamodb: { NewImage } }] });
  expect(seen).toEqual([{ ...first, ...made }]);
});
