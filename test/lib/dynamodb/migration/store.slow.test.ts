import { setTimeout as sleep } from 'node:timers/promises';
import { unitsOf } from '../../../../lib/dynamodb/commands';
import { exactly } from '../../../../lib/dynamodb/engine/exact';
import { dynamoStore } from '../../../../lib/dynamodb/migration/store';
import { storedItem } from '../../../../lib/dynamodb/migration/stored';
import { runMigration } from '../../../../lib/evolve/migration/run/run';
import { Lease, LeaseError, loadState, want } from '../../../../lib/evolve/migration/run/state';
import type { Store } from '../../../../lib/evolve/migration/run/store';
import { verifyMigration } from '../../../../lib/evolve/migration/run/verify';
import { lock, postOf, seed } from '../../../support/migration';
import { allIn, comment, connection, posts, scene, states } from './scene';

test('a dry run reports what it would change, and writes nothing', async () => {
  const { base, blog } = await scene('an index added', [...posts(7), comment, { PK: 'X', SK: 'Y' }]);
  const before = await allIn(blog);
  const { status, passes } = await runMigration(base);
  expect(status).toBe('done');
  expect(passes).toHaveLength(1);
  expect(passes[0]?.counts).toMatchObject({ read: 9, updated: 7, unchanged: 1, unknown: 1, failed: 0 });
  expect(await allIn(blog)).toEqual(before);
});

test('backfills every item, page by page, until a pass finds no stale items', async () => {
  const { run, blog, base } = await scene('an index added', [...posts(7), comment]);
  const { status, passes } = await run();
  expect(status).toBe('done');
  expect(passes.map(({ counts }) => [counts.read, counts.updated])).toEqual([
    [8, 7],
    [8, 0],
  ]);
  const items = await allIn(blog);
  expect(items.filter(({ GSI2PK, title }) => GSI2PK === `TITLE#${title}`)).toHaveLength(7);
  const verified = await verifyMigration(base);
  expect(verified).toMatchObject({
    complete: true,
    forms: { 'blog.Post': { new: 7, old: 0, failed: 0 }, 'blog.Comment': { new: 1, old: 0, failed: 0 } },
  });
  // A second run finds no stale items.
  expect((await run()).passes.map(({ counts }) => counts.updated)).toEqual([0]);
});

test('moves an item to a different key or table in one transaction', async () => {
  const here = await scene('a different primary key template', [...posts(5), comment]);
  expect((await here.run()).passes[0]?.counts).toMatchObject({ moved: 5 });
  expect((await allIn(here.blog)).map(({ PK }) => PK)).toEqual(
    [0, 1, 2, 3, 4].map((i) => `ARTICLE#p${i}`).concat('POST#p1'),
  );
  const there = await scene('a different table key', [...posts(5), comment]);
  await there.run();
  expect(await allIn(there.blog)).toEqual([]);
  expect(await allIn(there.names.blogv2 as string)).toHaveLength(6);
  expect(await verifyMigration(there.base)).toMatchObject({ complete: true });
});

test('preserves undeclared attributes and every digit of a number', async () => {
  const { run, blog } = await scene('a different primary key template', []);
  const { core, client } = connection;
  const exact = { ...storedItem(postOf('p')), score: { N: '1.2345678901234567890123456789' }, n: { NS: ['1', '2'] } };
  await client.send(new core.PutItemCommand({ TableName: blog, Item: exact }));
  await run();
  const { Items = [] } = await client.send(new core.ScanCommand({ TableName: blog }));
  expect(Items).toEqual([{ ...exact, PK: { S: 'ARTICLE#p' } }]);
});

test('rereads an item that has changed since it was read, so that no update is lost', async () => {
  const { base, blog, store, id } = await scene('an index added', posts(2));
  const { core, client } = connection;
  let isDisturbed = false;
  const disturbed: Store = {
    ...store,
    async act(table, read, act, names) {
      if (!isDisturbed) {
        isDisturbed = true;
        await client.send(
          new core.UpdateItemCommand({
            TableName: blog,
            Key: { PK: { S: read.item.PK as string }, SK: { S: read.item.SK as string } },
            UpdateExpression: 'SET title = :t',
            ExpressionAttributeValues: { ':t': { S: 'Another' } },
          }),
        );
      }
      return store.act(table, read, act, names);
    },
  };
  const { passes } = await runMigration({ ...base, store: disturbed, writing: { states, id }, parallel: 1 });
  expect(passes[0]?.counts).toMatchObject({ updated: 2, conflicts: 1 });
  expect((await allIn(blog)).filter(({ title }) => title === 'Another').map(({ GSI2PK }) => GSI2PK)).toEqual([
    'TITLE#Another',
  ]);
});

test.each([
  ['an added attribute', 'SET #l = :t'],
  ['a removed attribute', 'REMOVE title'],
])('detects %s as a change', async (_, UpdateExpression) => {
  const { store, blog, migration } = await scene('a required attribute', [postOf('p')]);
  const { items } = await store.page({ table: 'blog', segment: 0, segments: 1 }, undefined, { consistent: true });
  const [read] = items;
  if (read === undefined) throw new Error('there is an item');
  const { core, client } = connection;
  await client.send(
    new core.UpdateItemCommand({
      TableName: blog,
      Key: { PK: { S: 'POST#p' }, SK: { S: 'POST#p' } },
      UpdateExpression,
      ...(UpdateExpression.includes(':t')
        ? { ExpressionAttributeNames: { '#l': 'language' }, ExpressionAttributeValues: { ':t': { S: 'pt' } } }
        : {}),
    }),
  );
  const names = migration.decidedBy('blog', 'Post');
  const act = { kind: 'update' as const, entity: 'Post', set: { language: 'en' }, removed: [] };
  expect(await store.act('blog', read, act, names)).toMatchObject({ kind: 'conflict' });
  expect(await store.act('blog', read, { kind: 'delete', entity: 'Post' }, names)).toMatchObject({ kind: 'conflict' });
});

test('keeps and reports two different items that would get the same key, but merges two equal items', async () => {
  const old = postOf('p');
  const { run, blog } = await scene('a different primary key template', [
    old,
    { ...old, PK: 'ARTICLE#p', title: 'Other' },
    postOf('q'),
    { ...postOf('q'), PK: 'ARTICLE#q' },
  ]);
  const { status, failures } = await run();
  expect(status).toBe('stopped');
  expect(failures).toEqual([
    {
      table: 'blog',
      key: 'PK "POST#p", SK "POST#p"',
      why: 'the item should move to PK "ARTICLE#p", SK "POST#p", but a different item is already stored there; remove one of the two items',
    },
  ]);
  expect((await allIn(blog)).map(({ PK }) => PK)).toEqual(['ARTICLE#p', 'ARTICLE#q', 'POST#p']);
});

test('stops a run with more failures than the limit, and otherwise finishes the other items', async () => {
  const { run } = await scene('a required attribute', posts(6), 2);
  const limited = await run({ failures: 2 });
  expect(limited.status).toBe('stopped');
  expect(limited.failures).toHaveLength(3);
  expect(limited.failures[0]?.why).toContain("only you know the values of language: give the entity an 'up'");
  const all = await run({ failures: 10 });
  expect(all.failures).toHaveLength(6);
});

test('reports a failure for only the item whose write DynamoDB refuses', async () => {
  const { run } = await scene('an index added', [postOf('p', 'x'.repeat(2100)), postOf('q')]);
  const { status, failures, passes } = await run();
  expect([status, passes.at(-1)?.counts.failed]).toEqual(['stopped', 1]);
  expect(failures[0]?.key).toBe('PK "POST#p", SK "POST#p"');
});

test('lets only one runner run at a time, and lets another runner take over after the first one dies', async () => {
  const { run, id } = await scene('an index added', posts(3));
  const options = { owner: 'another machine', ttl: 1000, wait: false };
  const begin = () => ({
    step: 'backfill',
    phase: 'fill' as const,
    tables: {},
    status: 'running' as const,
    startedAt: '',
    passes: [],
    failures: [],
  });
  const other = await Lease.take(states, id, begin, options);
  const beat = setInterval(() => void other.save((state) => state), 100);
  await expect(run()).rejects.toThrow(
    /^another machine is running this migration, and renewed its lease a moment ago; wait for it \(--wait\), or pause it/,
  );
  clearInterval(beat);
  const { status } = await run();
  expect(status).toBe('done');
  // The delayed runner notices the lost lease before the next write.
  await expect(other.held()).rejects.toThrow(LeaseError);
  await expect(other.save((state) => state)).rejects.toThrow('the lease is lost');
});

test('resumes a run if the tables are the same, and otherwise starts from the beginning', async () => {
  const { run, id } = await scene('an index added', posts(3));
  await run();
  const again = async (tables: object) => {
    const { state, version } = (await loadState(states, id)) as NonNullable<Awaited<ReturnType<typeof loadState>>>;
    await states.save(id, JSON.stringify({ ...state, ...tables, status: 'paused' }), version);
    return (await run()).passes[0]?.counts.updated;
  };
  expect(await again({})).toBe(3);
  expect(await again({ tables: { blog: 'a-copy' } })).toBe(0);
});

test('a runner stops writing once it has lost its lease', async () => {
  const { base, blog, id } = await scene('an index added', posts(6), 1);
  let pages = 0;
  const running = runMigration({
    ...base,
    writing: { states, id },
    lease: 60_000,
    async progress() {
      if (++pages !== 2) return;
      const kept = await loadState(states, id);
      if (kept === undefined) throw new Error('there is a state');
      const stolen = {
        ...kept.state,
        token: 99,
        lease: { owner: 'a thief', token: 99, ttl: 1000, checkpoints: 0, beat: 0 },
      };
      await states.save(id, JSON.stringify(stolen), kept.version);
    },
    store: {
      ...base.store,
      page: (...args) => sleep(400).then(() => base.store.page(...args)),
    },
  });
  await expect(running).rejects.toThrow('the lease is lost (a thief took it): this runner writes nothing more');
  const done = (await allIn(blog)).filter((item) => item.GSI2PK !== undefined).length;
  expect(done).toBeLessThan(6);
});

test('pauses or aborts a run from another process, and resumes a paused run where it stopped', async () => {
  const { run, id, base } = await scene('an index added', posts(8), 2);
  let pages = 0;
  let wish: Promise<unknown> = Promise.resolve();
  // Each page takes longer than the interval between the checks for commands.
  const slow: Store = {
    ...base.store,
    page: (...args) => Promise.all([sleep(750), wish]).then(() => base.store.page(...args)),
  };
  const paused = await run({
    store: slow,
    progress() {
      if (++pages === 2) wish = want(states, id, 'pause');
    },
  });
  expect(paused.status).toBe('paused');
  const read = paused.passes[0]?.counts.read as number;
  expect(read).toBeGreaterThanOrEqual(4);
  expect(read).toBeLessThan(8);
  expect((await loadState(states, id))?.state).toMatchObject({ status: 'paused' });
  const resumed = await run();
  expect(resumed.passes.map(({ counts }) => [counts.read, counts.updated])).toEqual([
    [8, 8],
    [8, 0],
  ]);
  expect(await want(states, id, 'pause')).toMatchObject({ status: 'done' });
  expect(await want(states, id, 'abort')).toMatchObject({ status: 'done' });
  expect(await want(states, 'unheard of', 'abort')).toBeUndefined();
});

test('limits the capacity that a run consumes', async () => {
  const { run, migration, names } = await scene('an index added', posts(12));
  let consumed = 0;
  const exact = exactly(connection);
  const sendExact: typeof exact.sendExact = async (command, input) => {
    const output = await exact.sendExact(command, input);
    consumed += unitsOf(output.ConsumedCapacity);
    return output;
  };
  const store = (isMeasured: boolean) =>
    dynamoStore({ database: { ...exact, sendExact }, migration, names, pageSize: 4, isMeasured });
  await expect(run({ capacity: 20, store: store(false) })).rejects.toThrow('consumed capacity');
  const start = Date.now();
  await run({ capacity: 20, store: store(true) });
  expect(consumed).toBeGreaterThan(24);
  // The capacity of the first second is available at once.
  expect((Date.now() - start) / 1000).toBeGreaterThanOrEqual((consumed - 20 - 6) / 20);
});

test('reports that a release still writes the old format', async () => {
  const { run, blog, base } = await scene('an index added', posts(2));
  let passes = 0;
  const store: Store = {
    ...base.store,
    async page(...args) {
      if (args[1] === undefined) await seed(connection, blog, [postOf(`late${passes++}`)]);
      return base.store.page(...args);
    },
  };
  expect((await run({ store, passes: 3 })).status).toBe('unclean');
  expect((await run()).status).toBe('done');
});

test('removes the old attributes in the contract phase', async () => {
  const { base, blog, id } = await scene('a different index key template', posts(3));
  const clean = { ...base, phase: 'clean' as const, writing: { states, id } };
  expect(await verifyMigration({ ...base, phase: 'clean' })).toMatchObject({
    complete: false,
    forms: { 'blog.Post': { old: 3 } },
  });
  await runMigration(clean);
  expect((await allIn(blog)).map((item) => [item.GSI1SK, item.GSI1SKv2])).toEqual(
    [0, 1, 2].map((i) => [undefined, `POST#2026-01-02#p${i}`]),
  );
  const gone = await scene('an entity removed', [comment, postOf('p')]);
  await runMigration({ ...gone.base, phase: 'clean', writing: { states, id: gone.id } });
  expect(await allIn(gone.blog)).toEqual([postOf('p')]);
});

test('throws an error that says which table of the system is missing', async () => {
  const { base, migration } = await scene('an index added', []);
  const store = dynamoStore({ database: exactly(connection), migration, names: { blog: 'nowhere' } });
  await expect(runMigration({ ...base, store })).rejects.toThrow(
    /^table 'nowhere' does not exist at http.*; pass the deployed name of 'blog': --table blog=<its name>$/,
  );
  expect(lock.system).toBe('journal');
});
