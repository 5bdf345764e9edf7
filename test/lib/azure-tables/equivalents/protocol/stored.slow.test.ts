import { azuriteEngine } from '../../../../../lib/azure-tables/engine/azurite';
import type { AzureDatabase } from '../../../../../lib/azure-tables/engine/database';
import { azureTableNames, equivalents } from '../../../../../lib/azure-tables/equivalents';
import { rowIn } from '../../../../../lib/azure-tables/equivalents/protocol/row';
import { client, stored, unique, written } from '../../../../../lib/dynamodb';
import { forum, forums, pages } from '../../../../fixtures/stored';
import { stackOf } from '../../../../support/azurite';

let database: AzureDatabase;
beforeAll(async () => {
  database = await azuriteEngine();
  await database.provision(stackOf(...azureTableNames(forums)));
});
afterAll(() => database.stop());

const at = '2026-05-06T07:08:09.000Z';
const features = { unique, written, stored, clock: () => Date.parse(at) };

test('stores, tests, indexes and changes attributes under their stored names', async () => {
  const send = equivalents(forums, database.send);
  const db = client(forum, 'forums-dev-forum', send, features);
  const wiki = client(pages, 'forums-dev-pages', send, features);
  const first = { threadId: 'a', no: 1, description: 'Hello', state: 'new', slug: 'hello' } as const;
  for (const no of [1, 2, 10]) await db.write({ ...first, no });
  const made = { heading: 'HELLO', createdAt: at, updatedAt: at, rev: 1, t: 'Message' };
  expect(await db.message({ threadId: 'a', no: 1 })).toEqual({ ...first, ...made });
  const raw = [];
  for await (const row of database.scan('forum')) raw.push(rowIn(row).item);
  expect(raw.find((item) => item?.SK === 1)).toEqual({
    ...{ PK: 'THREAD#a', SK: 1, GSK: at, t: 'Message', threadId: 'a', d: 'Hello', s: 'new', l: 'hello', h: 'HELLO' },
    ...{ c: at, u: at, r: 1 },
  });
  const changed = await db.change({ threadId: 'a', no: 2, description: 'Bye', createdAt: at });
  expect(changed).toMatchObject({ description: 'Bye', heading: 'BYE', votes: 1, rev: 2 });
  const found: number[] = [];
  for await (const { no } of db.messages.all({ threadId: 'a', from: '1', start: 'H' })) found.push(no);
  expect(found).toEqual([1, 10]);
  await db.see({ threadId: 'a', no: 1 });
  await expect(db.see({ threadId: 'a', no: 1 })).rejects.toThrow('the condition on state');
  expect((await db.toReview({ state: 'new' })).items.map(({ no, description }) => [no, description])).toEqual(
    expect.arrayContaining([
      [2, 'Bye'],
      [10, 'Hello'],
    ]),
  );
  await db.tag({ threadId: 'a', no: 10, tag: 'x', lines: [{ text: 'one' }] });
  expect(await db.message({ threadId: 'a', no: 10 })).toMatchObject({ tags: new Set(['x']), lines: [{ text: 'one' }] });
  const page = { pageId: 'p', slug: 'intro', description: 'Intro' };
  await wiki.addPage(page);
  await expect(wiki.addPage({ ...page, pageId: 'q' })).rejects.toMatchObject({ kind: 'exists' });
  await wiki.rename({ pageId: 'p', slug: 'start', former: 'intro' });
  expect(await wiki.pageOf({ slug: 'start' })).toEqual({ ...page, slug: 'start' });
});
