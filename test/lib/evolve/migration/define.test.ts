import { z } from 'zod';
import { blueprint } from '../../../../lib/blueprint/table';
import { defineMigration, itemAfter, lockOf, migrationFor, planFor, withEdits } from '../../../../lib/evolve';
import { defineSystem, defineTable } from '../../../../lib/index';
import { type Item, makeItem } from '../../../../lib/items/item';
import { deployed, deployedTable, thirteen } from '../../../fixtures/changes';

const lock = lockOf(deployed, { environment: 'prod' });
const entityIn = (table: Parameters<typeof blueprint>[0], name: string) => {
  const plan = blueprint(table);
  return [plan, plan.entities.find((one) => one.name === name) as (typeof plan.entities)[number]] as const;
};
const stored = (name: string, values: object): Item => makeItem(...entityIn(deployedTable, name), values);
const post = stored('Post', {
  postId: 'p1',
  category: 'news',
  publishedAt: '2026-01-02T03:04:05Z',
  title: 'Hello',
  expires: 5,
});
const comment = stored('Comment', { postId: 'p1', commentId: 'c1', text: 'hi' });

const ofChange = (name: string) => {
  const change = thirteen.find((one) => one.name === name);
  if (change === undefined) throw new Error(name);
  const plan = planFor(lock, change.after, change.answers);
  const system = withEdits(change.after, plan.edits);
  const up = (item: Item) => ({ ...item, language: 'en' });
  const defined =
    name === 'a required attribute'
      ? defineMigration(lock, system, { blog: { Post: { up } } } as never, change.answers)
      : undefined;
  return { migration: migrationFor(plan, lock, change.after, defined), system };
};

describe.each(thirteen)('$name', ({ name }) => {
  const { migration, system } = ofChange(name);

  test.each([
    ['Post', post],
    ['Comment', comment],
  ])('a stored %s is converted to the new design, and a second run leaves it unchanged', (_, item) => {
    const filled = migration.outcome('fill', 'blog', item);
    expect(['unchanged', 'update', 'move']).toContain(filled.kind);
    const after = itemAfter(item, filled) as Item;
    const table = filled.kind === 'move' ? filled.table : 'blog';
    expect(migration.outcome('fill', table, after)).toMatchObject({ kind: 'unchanged' });
    const cleaned = itemAfter(after, migration.outcome('clean', table, after));
    // Cleaning the stored item directly, without filling it first, yields the same item.
    if (table === 'blog') expect(itemAfter(item, migration.outcome('clean', table, item))).toEqual(cleaned);
    if (cleaned === undefined) return;
    expect(migration.outcome('clean', table, cleaned)).toMatchObject({ kind: 'unchanged' });
    const { kind } = filled;
    const isKnown =
      kind !== 'unknown' && Object.hasOwn(system.tables[table]?.entities ?? {}, (filled as { entity: string }).entity);
    if (!isKnown) return;
    const [plan, entity] = entityIn(system.tables[table] as never, (filled as { entity: string }).entity);
    const values = Object.fromEntries(Object.entries(cleaned).filter(([one]) => entity.attributes.includes(one)));
    expect(cleaned).toMatchObject(makeItem(plan, entity, values));
  });
});

describe('what a migration does with an item', () => {
  test('the fill phase adds new keys to an item, and only the clean phase removes the old keys', () => {
    expect(ofChange('an index added').migration.outcome('fill', 'blog', post)).toEqual({
      kind: 'update',
      entity: 'Post',
      set: { GSI2PK: 'TITLE#Hello', GSI2SK: 'p1' },
      removed: [],
    });
    expect(ofChange('a different index key template').migration.outcome('clean', 'blog', post)).toEqual({
      kind: 'update',
      entity: 'Post',
      set: { GSI1SKv2: 'POST#2026-01-02#p1' },
      removed: ['GSI1SK'],
    });
  });

  test('the fill phase recomputes a stale key', () => {
    const stale = { ...post, title: 'Other', GSI2PK: 'TITLE#Hello', GSI2SK: 'p1' };
    expect(ofChange('an index added').migration.outcome('fill', 'blog', stale)).toMatchObject({
      set: { GSI2PK: 'TITLE#Other' },
    });
  });

  test('moves an item whose primary key changes, with all its attributes', () => {
    const extra = { ...post, note: 'of another program' };
    expect(ofChange('a different primary key template').migration.outcome('fill', 'blog', extra)).toEqual({
      kind: 'move',
      entity: 'Post',
      table: 'blog',
      item: { ...extra, PK: 'ARTICLE#p1' },
    });
    const { PK, SK, ...rest } = post;
    expect(ofChange('a different table key').migration.outcome('fill', 'blog', post)).toEqual({
      kind: 'move',
      entity: 'Post',
      table: 'blogv2',
      item: { ...rest, pk: PK, sk: SK },
    });
  });

  test('deletes the items of a removed entity only in the last phase', () => {
    const { migration } = ofChange('an entity removed');
    expect(migration.outcome('fill', 'blog', comment)).toMatchObject({ kind: 'unchanged' });
    expect(migration.outcome('clean', 'blog', comment)).toEqual({ kind: 'delete', entity: 'Comment' });
    expect(migration.outcome('clean', 'blog', post)).toMatchObject({ kind: 'unchanged' });
  });

  test('skips an item that fits neither design', () => {
    const { migration } = ofChange('an index added');
    expect(migration.outcome('fill', 'blog', { PK: 'X', SK: 'Y', entityType: 'Session' })).toEqual({
      kind: 'unknown',
      why: 'it fits neither design: entityType is "Session"',
    });
    expect(migration.outcome('clean', 'blog', { PK: 'X', SK: 'Y' })).toMatchObject({ kind: 'unknown' });
  });

  test('reports an invalid item without changing the item', () => {
    const { title: _, ...untitled } = post;
    const { migration } = ofChange('a required attribute');
    expect(migration.outcome('fill', 'blog', untitled)).toMatchObject({
      kind: 'failed',
      entity: 'Post',
      why: expect.stringMatching(/^it fits neither the new form \(.*title.*\) nor the old one \(.*title/s),
    });
  });
});

describe('a renamed attribute', () => {
  const { title, ...shape } = deployedTable.entities.Post.attributes.shape;
  const after = defineTable({
    ...deployedTable,
    entities: {
      Post: { ...deployedTable.entities.Post, attributes: z.object({ ...shape, headline: title.optional() }) },
      Comment: deployedTable.entities.Comment,
    },
    patterns: { putPost: { op: 'put', entity: 'Post' } },
  });
  const migration = defineMigration(deployedTable, after, {}, { renamed: { 'blog.Post.title': 'headline' } });

  test('the fill phase copies a renamed optional attribute to its new name, and the clean phase removes the old name', () => {
    expect(migration.outcome('fill', 'blog', post)).toMatchObject({ set: { headline: 'Hello' }, removed: [] });
    const both = { ...post, headline: 'Hello' };
    expect(migration.outcome('fill', 'blog', both)).toMatchObject({ kind: 'unchanged' });
    expect(migration.outcome('clean', 'blog', both)).toMatchObject({ set: {}, removed: ['title'] });
  });

  test('the fill phase takes the value under the old name if the two values differ, and the clean phase keeps the value under the new name', () => {
    const torn = { ...post, headline: 'Other' };
    expect(migration.outcome('fill', 'blog', torn)).toMatchObject({ set: { headline: 'Hello' }, removed: [] });
    expect(migration.outcome('clean', 'blog', torn)).toMatchObject({ set: {}, removed: ['title'] });
  });

  test('an attribute cannot be renamed if the new design gives its old name to a different attribute', () => {
    const swapped = defineTable({
      ...after,
      entities: {
        Post: {
          ...after.entities.Post,
          attributes: z.object({ ...shape, headline: title, title: z.number().optional() }),
        },
        Comment: after.entities.Comment,
      },
    });
    expect(() => defineMigration(deployedTable, swapped, {}, { renamed: { 'blog.Post.title': 'headline' } })).toThrow(
      "blog.Post: 'title' becomes 'headline', and 'title' is a different attribute before and after the change: old and new items cannot be distinguished; use a new name",
    );
  });
});

describe('an `up` function', () => {
  const after = defineTable({
    ...deployedTable,
    entities: {
      Post: {
        ...deployedTable.entities.Post,
        attributes: deployedTable.entities.Post.attributes.extend({ words: z.int(), expires: z.number().optional() }),
      },
      Comment: deployedTable.entities.Comment,
    },
  });
  const withUp = (up: (item: never) => unknown) =>
    defineMigration(deployedTable, after, { Post: { up } } as never).outcome('fill', 'blog', post);

  test('`up` receives the values of the old entity and returns the values of the new entity', () => {
    const migration = defineMigration(deployedTable, after, {
      Post: { up: ({ title, ...item }) => ({ ...item, title, words: title.split(' ').length }) },
    });
    expect(migration.outcome('fill', 'blog', post)).toMatchObject({ set: { words: 1 }, removed: [] });
    // @ts-expect-error: the old entity has no attribute 'nome'
    defineMigration(deployedTable, after, { Post: { up: ({ nome, ...item }) => ({ ...item, words: nome }) } });
    // @ts-expect-error: 'words' is missing
    defineMigration(deployedTable, after, { Post: { up: ({ postId }) => ({ postId }) } });
    defineMigration(lock, defineSystem({ ...deployed, tables: { blog: after } }), {
      blog: {
        Post: { up: (item) => ({ ...(item as typeof item & { postId: string }), words: Number(item.words) }) as never },
      },
    });
  });

  test('`up` may omit old attributes, and is not called for an item that already has the new form', () => {
    let asked = 0;
    const migration = defineMigration(deployedTable, after, {
      Post: {
        up: ({ expires: _, ...item }) => {
          asked++;
          return { ...item, words: 7 };
        },
      },
    });
    const outcome = migration.outcome('fill', 'blog', post);
    expect(outcome).toMatchObject({ set: { words: 7 }, removed: ['expires'] });
    expect(migration.outcome('fill', 'blog', itemAfter(post, outcome) as Item)).toMatchObject({ kind: 'unchanged' });
    expect(migration.outcome('fill', 'blog', { ...post, words: 3 })).toMatchObject({ kind: 'unchanged' });
    expect(asked).toBe(1);
  });

  test.each([
    [
      () => Promise.reject(new Error('late')),
      "'up' of Post must be pure, but returned a promise; return the values themselves",
    ],
    [() => undefined, "'up' of Post must return the new values, got: nothing"],
    [(item: object) => ({ ...item, words: 'many' }), /^Post: words: /],
    [(item: object) => ({ ...item, words: 1, wrods: 2 }), /^'wrods' is not an attribute of Post/],
    [
      () => {
        throw new Error('no such file');
      },
      "'up' of Post failed: no such file",
    ],
  ])('an item fails if its `up` misbehaves: %s', (up, why) => {
    expect(withUp(up as never)).toEqual({
      kind: 'failed',
      entity: 'Post',
      why: typeof why === 'string' ? why : expect.stringMatching(why),
    });
  });

  test('`up` cannot mutate the stored item', () => {
    const tagged = { ...post, category: 'news' };
    const up = (item: { category: string }) => Object.assign(item, { category: 'old', words: 1 });
    const outcome = defineMigration(deployedTable, after, { Post: { up } } as never).outcome('fill', 'blog', tagged);
    expect(outcome).toMatchObject({ set: { category: 'old', GSI1PK: 'CATEGORY#old' } });
    expect(tagged.category).toBe('news');
  });

  test('`up` is required if the new values cannot be derived from the two designs', () => {
    expect(defineMigration(deployedTable, after, {}).outcome('fill', 'blog', post)).toMatchObject({
      kind: 'failed',
      why: expect.stringContaining("only you know the values of words: give the entity an 'up' (--migration file)"),
    });
  });

  test('rejects an `up` if the new schema accepts every old item as it is', () => {
    const up = (item: never) => item;
    expect(() => defineMigration(deployedTable, deployedTable, { Post: { up } })).toThrow(
      "blog.Post: the new schema accepts every old item as it is, so 'up' would run either never or in every run; give the entity an attribute that only new items have, such as version: z.literal(2)",
    );
  });

  test('rejects an `up` for an unknown table or entity', () => {
    expect(() => defineMigration(deployedTable, after, { Pots: {} } as never)).toThrow(
      "the migration has an entity 'Pots', but table 'blog' of the new design does not; did you mean Post?",
    );
    expect(() => defineMigration(deployedTable, after, { Post: () => 1 } as never)).toThrow(
      'blog.Post of the migration must be { up(item) { … } }, { formatted: { at: (old) => … } } for single attributes, or { removed: { at: (item) => … } } for removed attributes, got: a function',
    );
    expect(() => defineMigration(lock, deployed, { blgo: {} } as never)).toThrow(
      "the migration has a table 'blgo', but the new design does not; did you mean blog?",
    );
  });
});

test("rejects a migration whose designs differ from the plan's designs", () => {
  const { after: system } = thirteen.find(({ name }) => name === 'a required attribute') as (typeof thirteen)[number];
  const plan = planFor(lock, system);
  const ups = { blog: {} } as never;
  expect(migrationFor(plan, lock, system, defineMigration(deployed, system, ups)).tables.fill).toEqual(['blog']);
  const other = { ...deployed, tables: { blog: system.tables.blog } } as typeof system;
  expect(() => migrationFor(plan, lock, system, defineMigration(other, system, ups))).toThrow(
    "the migration is for a different old design than the plan: table 'blog' differs; define the migration with the plan's old design",
  );
  expect(() => migrationFor(plan, lock, system, defineMigration(deployed, deployed, ups))).toThrow(
    "the migration is for a different new design than the plan: table 'blog' differs; define the migration with the plan's new design",
  );
  expect(() => migrationFor(plan, lock, deployed)).toThrow("the plan leads to a different design of 'journal'");
  const elsewhere = lockOf({ ...deployed, procedures: { p: { uses: ['getPost'] } } }, { environment: 'prod' });
  expect(() => migrationFor(plan, elsewhere, system)).toThrow("the plan starts from a different lock of 'journal'");
});

describe('an entity that is in an index only while an attribute has certain values', () => {
  const attributes = z.object({ id: z.string(), state: z.string() });
  const keys = { PK: 'ORDER#<id>', SK: 'ORDER#<id>', GSI1PK: 'STATE#<state>', GSI1SK: 'ORDER#<id>' };
  const ordersOf = (states?: readonly string[]) =>
    defineTable({
      name: 'orders',
      key: { partition: 'PK', sort: 'SK' },
      indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
      entities: {
        Order: {
          attributes,
          keys,
          ...(states === undefined ? {} : { indexes: { GSI1: { while: { state: states } } } }),
        },
      },
    });
  const shopOf = (states?: readonly string[]) =>
    defineSystem({ name: 'shop', cloud: 'aws', tables: { orders: ordersOf(states) } });
  const orderIn = (states: readonly string[] | undefined, state: string): Item =>
    makeItem(...entityIn(ordersOf(states), 'Order'), { id: 'o1', state });

  test.each<readonly [string, readonly string[] | undefined, readonly string[] | undefined]>([
    ['a condition is added', undefined, ['open']],
    ['a condition is removed', ['open'], undefined],
    ['the values change', ['open', 'paid'], ['paid', 'sent']],
  ])('adds stored items to the index or removes them, as the new design requires, if %s', (_, was, is) => {
    const shop = lockOf(shopOf(was), { environment: 'prod' });
    const plan = planFor(shop, shopOf(is));
    const migration = migrationFor(plan, shop, shopOf(is));
    for (const state of ['open', 'paid', 'sent']) {
      const item = orderIn(was, state);
      const filled = itemAfter(item, migration.outcome('fill', 'orders', item)) as Item;
      const cleaned = itemAfter(filled, migration.outcome('clean', 'orders', filled));
      expect(cleaned).toEqual(orderIn(is, state));
    }
  });
});
