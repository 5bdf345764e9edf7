import { z } from 'zod';
import { planFor } from '../../../../lib/evolve';
import { runMigration } from '../../../../lib/evolve/migration/run/run';
import type { Store } from '../../../../lib/evolve/migration/run/store';
import { verifyMigration } from '../../../../lib/evolve/migration/run/verify';
import { deployedTable, systemOf } from '../../../fixtures/changes';
import { itemOf, lock, postOf } from '../../../support/migration';
import { allIn, comment, connection, posts, scene } from './scene';

describe('an entity that is split', () => {
  const after = systemOf({
    ...deployedTable,
    entities: {
      ...deployedTable.entities,
      PostText: {
        attributes: z.object({ postId: z.string(), title: z.string(), subtitle: z.string().optional() }),
        keys: { PK: 'POST#<postId>', SK: 'TEXT' },
      },
    },
  });
  const change = { after, plan: planFor(lock, after, { split: { Post: ['PostText'] } }) };
  const textOf = (id: string, title = `Title of ${id}`) =>
    itemOf(after.tables.blog as never, 'PostText', { postId: id, title });

  test('creates the second item of a split entity once, however often the migration runs', async () => {
    const { run, base, blog } = await scene(change, [...posts(4), comment]);
    expect(await runMigration(base)).toMatchObject({ status: 'done', passes: [{ counts: { made: 4, unchanged: 5 } }] });
    expect(await allIn(blog)).toHaveLength(5);
    expect(await verifyMigration(base)).toMatchObject({
      complete: false,
      left: expect.arrayContaining([
        {
          table: 'blog',
          key: 'PK "POST#p0", SK "POST#p0"',
          why: 'Post: its PostText (PK "POST#p0", SK "TEXT") is missing',
        },
      ]),
    });
    const { status, passes } = await run();
    expect([status, passes.map(({ counts }) => counts.made)]).toEqual(['done', [4, 0]]);
    const texts = (await allIn(blog)).filter(({ entityType }) => entityType === 'PostText');
    expect(texts).toEqual([0, 1, 2, 3].map((i) => textOf(`p${i}`)));
    expect((await run()).passes.map(({ counts }) => counts.made)).toEqual([0]);
    expect(await verifyMigration(base)).toMatchObject({ complete: true, forms: { 'blog.PostText': { new: 4 } } });
  });

  test('updates a stale second item from an earlier release, and keeps the other attributes of that item', async () => {
    const old = { ...textOf('p1', 'Before'), subtitle: 'Stays' };
    const { run, blog } = await scene(change, [postOf('p1'), old]);
    await run();
    expect((await allIn(blog)).at(-1)).toEqual({ ...textOf('p1'), subtitle: 'Stays' });
  });

  test('reports a conflict with a different item instead of overwriting that item', async () => {
    const other = { PK: 'POST#p1', SK: 'TEXT', entityType: 'Session' };
    const { run, blog } = await scene(change, [postOf('p1'), other]);
    expect(await run()).toMatchObject({
      status: 'stopped',
      failures: [{ why: expect.stringContaining('a different item is already stored there') }],
    });
    expect(await allIn(blog)).toHaveLength(2);
  });

  test('skips an item that was changed or deleted between the read and the write', async () => {
    const { run, blog, store } = await scene(change, posts(2));
    const { core, client } = connection;
    let count = 0;
    const disturbed: Store = {
      ...store,
      async act(table, read, act, names, lacking) {
        const Key = { PK: { S: String(read.item.PK) }, SK: { S: String(read.item.SK) } };
        if (++count === 1) await client.send(new core.DeleteItemCommand({ TableName: blog, Key }));
        if (count === 2)
          await client.send(
            new core.UpdateItemCommand({
              TableName: blog,
              Key,
              UpdateExpression: 'SET title = :t',
              ExpressionAttributeValues: { ':t': { S: 'Newer' } },
            }),
          );
        return store.act(table, read, act, names, lacking);
      },
    };
    expect((await run({ store: disturbed, parallel: 1 })).status).toBe('done');
    expect((await allIn(blog)).map(({ entityType, title }) => [entityType, title])).toEqual([
      ['Post', 'Newer'],
      ['PostText', 'Newer'],
    ]);
  });
});
