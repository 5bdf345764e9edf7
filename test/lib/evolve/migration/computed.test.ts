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

test('a plan fills in a new computed attribute by itself', () => {
  expect(plan.items).toEqual([expect.objectContaining({ defaults: ['sortTitle'], needsUp: [] })]);
});

test('a migration computes it, also where a release that does not know it changed a part', () => {
  const migration = migrationFor(plan, lock, after);
  const filled = { set: { sortTitle: 'title of p1' }, removed: [] };
  expect(migration.outcome('fill', 'blog', postOf('p1'))).toMatchObject(filled);
  expect(migration.outcome('fill', 'blog', { ...postOf('p1'), sortTitle: 'former title' })).toMatchObject(filled);
  expect(migration.outcome('fill', 'blog', { ...postOf('p1'), sortTitle: 'title of p1' })).toMatchObject({
    kind: 'unchanged',
  });
});
