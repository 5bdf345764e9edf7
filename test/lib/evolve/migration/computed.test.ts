import { z } from 'zod';
import { lockOf, migrationFor, planFor } from '../../../../lib/evolve';
import { deployed, deployedTable, systemOf } from '../../../fixtures/changes';
import { postOf } from '../../../support/migration';

const environment = 'prod';
const { Post, ...others } = deployedTable.entities;
const attributes = z.object({ ...Post?.attributes._zod.def.shape, sortTitle: z.string() });
const after = systemOf({
  ...deployedTable,
  entities: { ...others, Post: { ...Post, attributes, computed: { sortTitle: '<title:lower>' } } },
} as never);
const lock = lockOf(deployed, { environment });
const plan = planFor(lock, after);

test('a plan backfills a new computed attribute without `up`', () => {
  expect(plan.items).toEqual([expect.objectContaining({ defaults: ['sortTitle'], needsUp: [] })]);
});

test('a migration recomputes a computed attribute after an old release changed one of its parts', () => {
  const migration = migrationFor(plan, lock, after);
  const filled = { set: { sortTitle: 'title of p1' }, removed: [] };
  expect(migration.outcome('fill', 'blog', postOf('p1'))).toMatchObject(filled);
  expect(migration.outcome('fill', 'blog', { ...postOf('p1'), sortTitle: 'former title' })).toMatchObject(filled);
  expect(migration.outcome('fill', 'blog', { ...postOf('p1'), sortTitle: 'title of p1' })).toMatchObject({
    kind: 'unchanged',
  });
});
