import { planFor } from '../../../../lib/evolve';
import { verifyMigration } from '../../../../lib/evolve/migration/run/verify';
import { deployedTable, systemOf } from '../../../fixtures/changes';
import { lock, postOf } from '../../../support/migration';
import { allIn, comment, posts, scene } from './scene';

describe('an attribute that becomes unique', () => {
  const { Post, ...others } = deployedTable.entities;
  const unique = { title: { keys: { PK: 'TITLE#<title:lower>', SK: 'TITLE' } } };
  const after = systemOf({ ...deployedTable, entities: { ...others, Post: { ...Post, unique } } });
  const change = { after, plan: planFor(lock, after) };
  const guardOf = (id: string, title = `Title of ${id}`) => ({
    ...{ PK: `TITLE#${title.toLowerCase()}`, SK: 'TITLE', entityType: 'Post.unique.title', title },
    uniqueOwner: { postId: id },
  });

  test('creates one guard per stored item, no matter how often the migration runs', async () => {
    const { run, base, blog } = await scene(change, [...posts(4), comment]);
    expect((await verifyMigration(base)).complete).toBe(false);
    expect((await run()).passes.map(({ counts }) => counts.made)).toEqual([4, 0]);
    const guards = (await allIn(blog)).filter(({ SK }) => SK === 'TITLE');
    expect(guards).toEqual([0, 1, 2, 3].map((i) => guardOf(`p${i}`)));
    expect((await run()).passes.map(({ counts }) => counts.made)).toEqual([0]);
    expect((await verifyMigration(base)).complete).toBe(true);
  });

  test('lists both owners of a duplicate value, and leaves the guard with the first owner', async () => {
    const twins = [{ ...postOf('p0'), title: 'Same' }, { ...postOf('p1'), title: 'SAME' }, postOf('p2')];
    const { run, base, blog } = await scene(change, twins);
    const first = await run();
    expect(first.status).toBe('stopped');
    expect(first.failures).toHaveLength(1);
    const why = first.failures[0]?.why as string;
    expect(why).toMatch(
      /^duplicate of Post.unique.title: both .* have the same value; change or delete one of them, and run again$/,
    );
    expect(why).toContain('{"postId":"p0"}');
    expect(why).toContain('{"postId":"p1"}');
    const owner = async () => (await allIn(blog)).find(({ PK }) => PK === 'TITLE#same')?.uniqueOwner;
    const kept = await owner();
    for (let again = 0; again < 3; again++) {
      await run();
      expect(await owner()).toEqual(kept);
    }
    expect((await verifyMigration(base)).left.map((one) => one.why)).toEqual([why]);
    expect((await allIn(blog)).filter(({ SK }) => SK === 'TITLE')).toHaveLength(2);
  });
});
