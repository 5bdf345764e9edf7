import { z } from 'zod';
import { defineMigration, planFor } from '../../../../lib/evolve';
import { runMigration } from '../../../../lib/evolve/migration/run/run';
import type { EntityDesign, TableDesign } from '../../../../lib/index';
import type { Item } from '../../../../lib/items/item';
import { deployedTable, systemOf } from '../../../fixtures/changes';
import { changeNamed, lock, postOf } from '../../../support/migration';
import { allIn, posts, scene } from './scene';

const REQUIRED = 'a required attribute';
const migrationWith = (up: (post: Item) => unknown) =>
  defineMigration(lock, changeNamed(REQUIRED).after, { blog: { Post: { up } } } as never);

describe('an `up` function that never returns', () => {
  const endless = migrationWith((post) => {
    while (post.postId === 'p1');
    return { ...post, language: 'en' };
  });

  test('reports a failure for an item whose `up` exceeds the time limit, and finishes the other items', async () => {
    const { run, blog } = await scene(REQUIRED, posts(4), 10);
    const { status, failures } = await run({ migration: endless, itemLimit: 200, lease: 30_000 });
    expect(status).toBe('stopped');
    expect(failures).toEqual([
      {
        table: 'blog',
        key: 'PK "POST#p1", SK "POST#p1"',
        why: "'up' of Post did not return within 0.2 seconds; it must return for every item",
      },
    ]);
    expect((await allIn(blog)).map(({ language }) => language)).toEqual(['en', undefined, 'en', 'en']);
  });

  test('stops a run on request even while an `up` function hangs', async () => {
    const { run } = await scene(REQUIRED, posts(40), 40);
    const never = migrationWith(() => {
      for (;;);
    });
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    const begin = Date.now();
    const options = { migration: never, itemLimit: 300, lease: 30_000, failures: 100, signal: controller.signal };
    expect((await run(options)).status).toBe('paused');
    expect(Date.now() - begin).toBeLessThan(5000);
  });
});

test('reports a failure for an item whose schema never finishes validating', async () => {
  const title = z.string().refine((text) => {
    while (text === 'Title of p1');
    return true;
  });
  const { blog } = changeNamed('an index added').after.tables as { readonly blog: TableDesign };
  const Post = {
    ...(blog.entities.Post as EntityDesign),
    attributes: deployedTable.entities.Post.attributes.extend({ title }),
  };
  const after = systemOf({ ...blog, entities: { ...blog.entities, Post } });
  const because = { 'tables.blog.entities.Post.attributes.title': 'all titles pass' };
  const { run } = await scene({ after, plan: planFor(lock, after, { because }) }, posts(3), 10);
  const { failures } = await run({ itemLimit: 200, lease: 30_000 });
  expect(failures).toMatchObject([
    {
      key: 'PK "POST#p1", SK "POST#p1"',
      why: expect.stringMatching(/^the schema of Post did not return within 0.2 seconds/),
    },
  ]);
});

test('reports a failure and leaves the item unchanged if `up` changes the key of an item that the plan does not move', async () => {
  const { run, blog } = await scene(REQUIRED, [postOf('p1')]);
  const migration = migrationWith((post) => ({ ...post, postId: 'p2', language: 'en' }));
  expect((await run({ migration })).failures).toMatchObject([
    {
      why: "'up' of Post changes PK from 'POST#p1' to 'POST#p2', but the plan moves no item of Post; return the values in its key unchanged",
    },
  ]);
  expect(await allIn(blog)).toEqual([postOf('p1')]);
});

test('limits the list of failures, however large the pages are', async () => {
  const { run, base } = await scene(REQUIRED, posts(30), 30);
  const limited = await run({ failures: 2 });
  expect(limited.failures).toHaveLength(3);
  expect((await runMigration({ ...base, failures: 0 })).failures).toHaveLength(1);
});

describe('two items that claim the same guard', () => {
  const after = systemOf({
    ...deployedTable,
    entities: {
      ...deployedTable.entities,
      TitleGuard: {
        attributes: z.object({ title: z.string(), owner: z.string() }),
        keys: { PK: 'TITLE#<title>', SK: 'GUARD' },
      },
    },
  });
  const answers = { split: { Post: ['TitleGuard'] } };
  const change = { after, plan: planFor(lock, after, answers) };
  const ups = { blog: { TitleGuard: { up: ({ postId, title }: Item) => ({ title, owner: postId }) } } };
  const migration = defineMigration(lock, after, ups as never, answers);
  const guardsIn = async (blog: string) =>
    (await allIn(blog)).filter(({ SK }) => SK === 'GUARD').map(({ title, owner }) => [title, owner]);

  test.each([1, 16])(
    'reports a conflict between two items that claim the same guard, and leaves the guard with its owner (%i at a time)',
    async (parallel) => {
      const { run, blog } = await scene(change, [postOf('p1', 'Same'), postOf('p2', 'Same'), postOf('p3', 'Other')]);
      const { status, failures } = await run({ migration, parallel });
      expect(status).toBe('stopped');
      const guards = await guardsIn(blog);
      const owner = guards.find(([title]) => title === 'Same')?.[1];
      const loser = owner === 'p1' ? 'p2' : 'p1';
      expect(failures).toEqual([
        {
          table: 'blog',
          key: `PK "POST#${loser}", SK "POST#${loser}"`,
          why: `its TitleGuard (PK "TITLE#Same", SK "GUARD") belongs to PK "POST#${owner}", SK "POST#${owner}", which also claims it; change one of the two items`,
        },
      ]);
      await run({ migration, parallel });
      expect(await guardsIn(blog)).toEqual(guards);
    },
  );

  test('takes over a guard whose owner was deleted', async () => {
    const stale = { PK: 'TITLE#Same', SK: 'GUARD', entityType: 'TitleGuard', title: 'Same', owner: 'gone' };
    const { run, blog } = await scene(change, [postOf('p1', 'Same'), stale]);
    expect((await run({ migration })).status).toBe('done');
    expect(await guardsIn(blog)).toEqual([['Same', 'p1']]);
  });

  test('takes over a guard whose owner has since changed the guarded value', async () => {
    const stale = { PK: 'TITLE#Same', SK: 'GUARD', entityType: 'TitleGuard', title: 'Same', owner: 'p2' };
    const { run, blog } = await scene(change, [postOf('p1', 'Same'), postOf('p2', 'Other'), stale]);
    expect((await run({ migration })).status).toBe('done');
    expect(await guardsIn(blog)).toEqual([
      ['Other', 'p2'],
      ['Same', 'p1'],
    ]);
  });
});
