import { z } from 'zod';
import { type Answers, diff, lockOf, migrationFor, planFor } from '../../../../lib/evolve';
import type { EntityDesign, SystemDesign, TableDesign } from '../../../../lib/index';
import { knownByEmail, shop } from '../../../fixtures/booked/designs';
import { deployed, deployedTable, systemOf } from '../../../fixtures/changes';
import { postOf } from '../../../support/migration';

const environment = 'prod';
const { Post, ...others } = deployedTable.entities;
const KEYS = { PK: 'TITLE#<title:lower>', SK: 'TITLE' };
const withUnique = (unique: object) =>
  systemOf({ ...deployedTable, entities: { ...others, Post: { ...Post, unique } } } as never);
const plain = lockOf(deployed, { environment });
const locked = lockOf(withUnique({ title: { keys: KEYS } }), { environment });
const guard = {
  PK: 'TITLE#a',
  SK: 'TITLE',
  entityType: 'Post.unique.title',
  title: 'A',
  uniqueOwner: { postId: 'p1' },
};

test('a lock contains `unique` declarations, but no guard entities', () => {
  expect(locked.tables.blog?.design?.entities.Post?.unique).toEqual({ title: { keys: KEYS } });
  expect(Object.keys(locked.tables.blog?.design?.entities ?? {})).toEqual(
    Object.keys(plain.tables.blog?.design?.entities ?? {}),
  );
});

test("a changed index key does not affect the entity's guards", () => {
  const keys = { ...Post?.keys, GSI1SK: 'POST#<postId>' };
  const after = systemOf({
    ...deployedTable,
    entities: { ...others, Post: { ...Post, keys, unique: { title: { keys: KEYS } } } },
  } as never);
  const rules = diff(locked, lockOf(after, { environment })).map(({ rule }) => rule);
  expect(rules).toContain('index-key-template');
  expect(rules).not.toContain('keys-meet');
});

test('a new `unique` declaration needs a plan whose backfill creates guards', () => {
  const after = withUnique({ title: { keys: KEYS } });
  expect(diff(plain, locked).map(({ rule, path, verdict }) => [rule, path, verdict])).toContainEqual([
    'unique-added',
    'tables.blog.entities.Post.unique.title',
    'plan',
  ]);
  const plan = planFor(plain, after);
  expect(plan.phases.map(({ kind }) => kind)).toContain('backfill');
  const migration = migrationFor(plan, plain, after);
  const item = { ...guard, PK: 'TITLE#title of p1', title: 'Title of p1' };
  expect(migration.made('blog', postOf('p1'))).toEqual([{ table: 'blog', entity: 'Post.unique.title', item }]);
  expect(migration.made('blog', guard)).toEqual([]);
  expect(migration.outcome('fill', 'blog', guard)).toEqual({ kind: 'unchanged', entity: 'Post.unique.title' });
});

test('adding a `unique` declaration does not force callers to pass an optional value', () => {
  const where = { PK: 'POST#<postId>', SK: 'POST' };
  const edit = { op: 'update', entity: 'Post', where, set: { title: '<title?>' } };
  const renaming = (unique: object, condition: object) =>
    systemOf({
      ...deployedTable,
      entities: { ...others, Post: { ...Post, ...unique } },
      patterns: { ...deployedTable.patterns, edit: { ...edit, ...condition } },
    } as never);
  const before = lockOf(renaming({}, {}), { environment });
  const after = renaming({ unique: { title: { keys: KEYS } } }, { condition: { title: '<formerTitle>' } });
  const { breaks } = diff(before, lockOf(after, { environment })).find(({ path }) => path.endsWith('.edit')) ?? {};
  expect(breaks).toContainEqual({ who: 'callers', how: 'callers must pass formerTitle' });
  expect(breaks).not.toContainEqual({ who: 'callers', how: 'callers must pass title' });
});

test('the last phase deletes the guards of a removed `unique` declaration', () => {
  const plan = planFor(locked, deployed);
  expect(plan.changes.map(({ rule }) => rule)).toContain('unique-removed');
  expect(plan.phases.at(-1)).toMatchObject({ kind: 'contract', items: 'clean' });
  const migration = migrationFor(plan, locked, deployed);
  expect(migration.outcome('fill', 'blog', guard)).toMatchObject({ kind: 'unchanged' });
  expect(migration.outcome('clean', 'blog', guard)).toEqual({ kind: 'delete', entity: 'Post.unique.title' });
  expect(migration.outcome('clean', 'blog', postOf('p1'))).toEqual({ kind: 'unchanged', entity: 'Post' });
});

test('guard keys can change only if the `unique` declaration is also renamed', () => {
  const after = withUnique({ title: { keys: { ...KEYS, PK: 'NAME#<title>' } } });
  expect(() => planFor(locked, after)).toThrow(
    "give the 'unique' declaration a new name, such as 'title2', and different keys",
  );
});

test('a changed guard key is refused, even if the user gives a reason', () => {
  const after = withUnique({ title: { keys: { ...KEYS, PK: 'NAME#<title>' } } });
  const because = { 'tables.blog': 'trust me' };
  expect(diff(locked, lockOf(after, { environment }), { because })).toMatchObject([
    { rule: 'unique-changed', verdict: 'plan' },
  ]);
  expect(() => planFor(locked, after, { because })).toThrow('no single plan can make this change');
});

describe('changes that would make stored guards stale', () => {
  const known = knownByEmail(true);
  const { customers } = known.tables as { readonly customers: TableDesign };
  const withCustomer = (attributes: object) => {
    const { Customer } = customers.entities as { readonly Customer: EntityDesign };
    const all = z.object({ ...(Customer.attributes as z.ZodObject).shape, ...attributes });
    return shop({ ...customers, entities: { Customer: { ...Customer, attributes: all } } });
  };
  const Note = { attributes: z.object({ n: z.string() }), keys: { PK: 'NOTE#<n>', SK: 'NOTE' } };
  const noted = { ...customers, entities: { Note }, patterns: {} };

  test.each<[string, SystemDesign, SystemDesign, Answers, RegExp]>([
    [
      'a different format for the value',
      withCustomer({ email: z.uuid() }),
      withCustomer({ email: z.ulid() }),
      {},
      /unique.email/,
    ],
    [
      'a different format for the owner',
      withCustomer({ id: z.uuid() }),
      withCustomer({ id: z.ulid() }),
      {},
      /unique.email/,
    ],
    [
      'a move to another table',
      shop({ ...customers, entities: { ...customers.entities, Note } }),
      shop(noted, { ...customers, name: 'people' }),
      { moved: { 'customers.Customer': 'people' } },
      /customers.Customer: its items become people.Customer, whose email must be unique/,
    ],
    [
      'a different name for the table',
      known,
      shop({ ...customers, name: 'people' }),
      { renamed: { customers: 'people' }, because: { 'tables.people': 'all is copied' } },
      /whose email must be unique/,
    ],
  ])('`planFor` refuses %s, because stored guards would become stale', (_, was, is, answers, reason) => {
    const lock = lockOf(was, { environment });
    expect(() => planFor(lock, is, answers)).toThrow(/^no single plan can make this change/);
    expect(() => planFor(lock, is, answers)).toThrow(reason);
  });
});

test('an unchanged `unique` declaration needs no plan', () => {
  expect(() => planFor(locked, withUnique({ title: { keys: KEYS } }))).toThrow('no change needs a plan');
});
