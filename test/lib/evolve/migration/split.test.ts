import { z } from 'zod';
import { defineMigration, diff, lockOf, migrationFor, planFor } from '../../../../lib/evolve';
import { defineTable } from '../../../../lib/index';
import type { Item } from '../../../../lib/items/item';
import { deployed, deployedTable, systemOf } from '../../../fixtures/changes';
import { postOf } from '../../../support/migration';

const lock = lockOf(deployed, { environment: 'prod' });
const split = { 'blog.Post': ['PostText'] };

/** The blog with a separate text item for each post. */
const withText = (attributes: z.ZodObject = z.object({ postId: z.string(), title: z.string() })) =>
  systemOf(
    defineTable({
      ...deployedTable,
      entities: {
        ...deployedTable.entities,
        PostText: { attributes, keys: { PK: 'POST#<postId>', SK: 'TEXT' } },
      },
      patterns: {
        ...deployedTable.patterns,
        getText: { op: 'get', where: { PK: 'POST#<postId>', SK: 'TEXT' }, returns: ['PostText'] },
      },
    } as never),
  );

const text = { PK: 'POST#p1', SK: 'TEXT', entityType: 'PostText', postId: 'p1', title: 'Title of p1' };
const kindsOf = (answers: object) =>
  diff(lock, lockOf(withText(), { environment: 'prod' }), answers).map(({ rule, verdict }) => [rule, verdict]);

test('an entity that is split off needs a plan with a backfill, but a new entity does not', () => {
  expect(kindsOf({})).toContainEqual(['entity-added', 'safe']);
  expect(kindsOf({ split })).toContainEqual(['entity-split', 'plan']);
  const plan = planFor(lock, withText(), { split });
  expect(plan.phases.map(({ step }) => step)).toEqual(['expand-1', 'drain', 'backfill', 'verify', 'switch']);
  expect(plan.items).toMatchObject([{ from: { entity: 'Post' }, splits: [{ entity: 'PostText', needsUp: [] }] }]);
  expect(plan.phases.find(({ kind }) => kind === 'backfill')?.runs).toContain('of Post, PostText get');
});

test('a split-off item copies the attributes that it has in common with the old item', () => {
  const migration = migrationFor(planFor(lock, withText(), { split }), lock, withText());
  expect(migration.outcome('fill', 'blog', postOf('p1'))).toEqual({ kind: 'unchanged', entity: 'Post' });
  expect(migration.made('blog', postOf('p1'))).toEqual([{ table: 'blog', entity: 'PostText', item: text }]);
  // A split-off item is not split again.
  expect(migration.made('blog', text)).toEqual([]);
  expect(migration.outcome('fill', 'blog', text)).toEqual({ kind: 'unchanged', entity: 'PostText' });
  expect(migration.tables.fill).toEqual(['blog']);
});

describe('a split-off entity that needs values from the user', () => {
  const attributes = z.object({ postId: z.string(), part: z.string(), line: z.string() });
  const after = systemOf({
    ...(withText(attributes).tables.blog as typeof deployedTable),
    entities: {
      ...deployedTable.entities,
      PostText: { attributes, keys: { PK: 'POST#<postId>', SK: 'TEXT#<part>' } },
    },
    patterns: deployedTable.patterns,
  });
  const plan = planFor(lock, after, { split });
  const of = (up: (post: Item) => unknown) =>
    migrationFor(
      plan,
      lock,
      after,
      defineMigration(lock, after, { blog: { PostText: { up: up as never } } } as never, { split }),
    ).made('blog', postOf('p1', 'one two'));

  test('requires an `up`', () => {
    expect(plan.items[0]?.splits).toEqual([{ entity: 'PostText', needsUp: ['line', 'part'] }]);
    expect(migrationFor(plan, lock, after).made('blog', postOf('p1'))).toMatch(
      /^PostText: .*only you know the values of line, part: give the entity an 'up'/,
    );
  });

  test('`up` may split one item into several items or none', () => {
    const made = of(({ postId, title }) =>
      String(title)
        .split(' ')
        .map((line, i) => ({ postId, part: String(i), line })),
    );
    expect(made).toMatchObject([{ item: { SK: 'TEXT#0', line: 'one' } }, { item: { SK: 'TEXT#1', line: 'two' } }]);
    expect(of(() => undefined)).toEqual([]);
  });

  test.each<[string, (post: Item) => unknown, RegExp]>([
    ['throws', () => JSON.parse('{'), /^'up' of PostText failed: /],
    [
      'returns a string',
      () => 'text',
      /^'up' of PostText must return new values, an array of them, or undefined, got: 'text'/,
    ],
    ['returns values that the schema refuses', ({ postId }) => [{ postId, part: 1, line: '' }], /^PostText: part: /],
    ['is asynchronous', async () => ({}), /^'up' of PostText must be pure, but returned a promise/],
  ])('fails the item if `up` %s', (_, up, message) => {
    expect(of(up)).toMatch(message);
  });
});

test.each<[string, object, RegExp]>([
  [
    'a split of an entity that is not deployed',
    { 'blog.Pst': ['PostText'] },
    /answers\.split: 'blog\.Pst' is not deployed; did you mean blog\.Post/,
  ],
  [
    'a split into an entity that the design lacks',
    { 'blog.Post': ['PostTxt'] },
    /'PostTxt' is not an entity of the design; did you mean PostText/,
  ],
  [
    'a split into an entity that is already deployed',
    { 'blog.Post': ['Comment'] },
    /'Comment' is already deployed; only a new entity/,
  ],
])('rejects %s', (_, given, message) => {
  expect(() => kindsOf({ split: given })).toThrow(message);
});
