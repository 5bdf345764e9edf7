import { z } from 'zod';
import { assertSound, check, DesignError, review } from '../../../lib/check/check';
import { malformed } from '../../../lib/check/malformed';
import type { TableDesign } from '../../../lib/design/table';
import { systems } from '../../../lib/systems';
import { carts, orders, shop } from '../../fixtures/designs';
import { soundDesigns } from '../../fixtures/sound-designs';

/** A design as JavaScript may write it. */
const posts = {
  name: 'posts',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK' } },
  entities: {
    Post: {
      attributes: z.object({ id: z.string(), at: z.string() }),
      keys: { PK: 'POST#<id>', SK: '<at>', GSI1PK: 'ALL#<at>' },
    },
  },
  patterns: {
    list: { op: 'query', where: { PK: 'POST#<id>' }, returns: ['Post'] },
    byDay: { op: 'query', index: 'GSI1', where: { GSI1PK: 'ALL#<at>' }, returns: ['Post'] },
  },
};

const found = (design: unknown) =>
  check(design as TableDesign).map(({ rule, severity, path, message, fix }) => {
    expect({ rule, severity }).toEqual({ rule: 'malformed', severity: 'error' });
    return `${path}: ${message}; ${fix}`;
  });

const withPattern = (pattern: unknown) => found({ ...posts, patterns: { ...posts.patterns, list: pattern } });
const withWhere = (where: unknown) => withPattern({ ...posts.patterns.list, where });

test('a design that is well-formed is left to the rules', () => {
  expect(check(posts as unknown as TableDesign)).toEqual([]);
  for (const design of [...soundDesigns, ...Object.values(systems), orders, carts, shop]) {
    expect(malformed(design)).toEqual([]);
  }
});

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  [7, '7'],
  ['posts', "'posts'"],
  [[posts], 'a list'],
  [() => posts, 'a function'],
])('%p is no design', (value, got) => {
  expect(found(value)).toEqual([
    `design: must be what defineTable or defineSystem returns, got: ${got}; give a design; is its name exported, and spelt like this?`,
  ]);
});

test('all that is missing is said at once', () => {
  expect(found({}).map((line) => line.split(':')[0])).toEqual(['name', 'key', 'entities']);
  expect(found({ tables: {} }).map((line) => line.split(':')[0])).toEqual(['name', 'cloud']);
  expect(found({ ...posts, key: { sort: 'SK' } })).toEqual([
    "key.partition: a key needs it, and it is missing; add partition: 'PK'",
  ]);
  expect(found({ ...posts, entities: { Post: {} } })[0]).toMatch(
    /^entities\.Post\.attributes: an entity needs it, and it is missing; add attributes: z\.object/,
  );
});

test('a table has an entity', () => {
  expect(found({ ...posts, entities: {}, patterns: {} })[0]).toMatch(/^entities: a table needs at least one entity; /);
});

test.each([
  [{ id: 'string' }, 'an object with id'],
  [z.string(), 'another kind of schema'],
  [{ _def: { typeName: 'ZodObject' } }, 'a schema of zod 3'],
  [[], 'an empty list'],
])('attributes are an object of zod 4, and not %p', (attributes, got) => {
  expect(found({ ...posts, entities: { Post: { ...posts.entities.Post, attributes } } })).toEqual([
    `entities.Post.attributes: must be a zod object, got: ${got}; write z.object({ id: z.string() }), with z from 'zod' 4`,
  ]);
});

describe('a field that the language does not have is named, with what was probably meant', () => {
  test.each([
    ['filters', { at: 'x' }, "'filters' is no field of a query; write filter"],
    ['indexx', 'GSI1', "'indexx' is no field of a query; write index"],
    [
      'limit',
      5,
      "'limit' is no field of a query; use one of op, returns, where, purpose, consistent, index, filter, select, order, orderBy, pageSize, or remove it",
    ],
  ])('%s', (field, value, expected) => {
    expect(withPattern({ ...posts.patterns.list, [field]: value })).toEqual([`patterns.list.${field}: ${expected}`]);
  });

  test('of a table', () => {
    expect(found({ ...posts, index: {} })).toEqual(["index: 'index' is no field of a table; write indexes"]);
  });
});

describe('words', () => {
  test.each([
    [{ order: 'desc' }, "order: must be 'ascending' or 'descending', got: 'desc'; write 'descending'"],
    [{ order: -1 }, "order: must be 'ascending' or 'descending', got: -1; write 'ascending' or 'descending'"],
    [{ pageSize: '20' }, "pageSize: must be a number, got: '20'; write 20"],
    [{ returns: 'Post' }, "returns: must be a list, got: 'Post'; write ['Post']"],
    [{ returns: [] }, "returns: the pattern returns nothing; name the entities that it reads: ['Post']"],
    [{ op: 'querry' }, "op: 'querry' is no operation of a pattern; write 'query'"],
    [
      { op: 'scan' },
      "op: 'scan' is no operation of a pattern; use one of get, query, batchGet, put, update, delete, transaction",
    ],
  ])('%j', (change, expected) => {
    expect(withPattern({ ...posts.patterns.list, ...change })).toEqual([`patterns.list.${expected}`]);
  });

  test.each([
    ['ALL', "write 'all'"],
    ['KEYS_ONLY', "write 'keys'"],
    ['some', "write 'all', 'keys' or a list of attributes"],
  ])('the projection %s', (projection, fix) => {
    expect(found({ ...posts, indexes: { GSI1: { partition: 'GSI1PK', projection } } })).toEqual([
      `indexes.GSI1.projection: must be 'all', 'keys' or a list of attributes, got: '${projection}'; ${fix}`,
    ]);
  });

  test('the cloud, and all tables of a system at once', () => {
    const tables = { posts, carts: { ...carts, key: 'PK' } };
    expect(found({ name: 'web', cloud: 'gcp', tables })).toEqual([
      "cloud: must be 'aws' or 'azure', got: 'gcp'; write 'aws' or 'azure'",
      "tables.carts.key: must be a key, got: 'PK'; write { partition: 'PK' }",
    ]);
  });
});

describe('a condition has one operator', () => {
  test.each([
    [{ startsWith: 'a' }, ".startsWith: 'startsWith' is no operator; write beginsWith"],
    [{ begins_with: 'a' }, ".begins_with: 'begins_with' is no operator; write beginsWith"],
    [
      { atLeast: 'a', lessThan: 'b' },
      ": must have one operator, got: atLeast and lessThan, of which only one would count; write one, such as { between: ['…', '…'] }",
    ],
    [{}, ": must have one operator, got: none; write one, such as { between: ['…', '…'] }"],
    [{ between: 'a' }, ".between: must be a pair of texts, got: 'a'; write ['…', '…']"],
    [{ beginsWith: 5 }, ".beginsWith: must be a text, got: 5; write 'POST#<postId>'"],
    [5, ": must be a text or one operator, got: 5; write '…' or { beginsWith: '…' }"],
    [undefined, ": must be a text or one operator, got: nothing; write '…' or { beginsWith: '…' }"],
  ])('on a key: %j', (condition, expected) => {
    expect(withWhere({ PK: 'POST#<id>', SK: condition })).toEqual([`patterns.list.where.SK${expected}`]);
  });

  test.each([
    [{ startsWith: 'a' }, ".startsWith: 'startsWith' is no operator; write beginsWith"],
    [{ in: 'a' }, ".in: must be a list, got: 'a'; write ['…']"],
    [{ between: ['a'] }, ".between: must be a pair, got: a list; write ['…', '…']"],
    [{ exists: 'yes' }, ".exists: must be true or false, got: 'yes'; write true"],
  ])('on an attribute: %j', (test, expected) => {
    expect(withPattern({ ...posts.patterns.list, filter: { at: test } })).toEqual([
      `patterns.list.filter.at${expected}`,
    ]);
  });

  test('or is compared with another attribute', () => {
    expect(withPattern({ ...posts.patterns.list, filter: { at: { not: { attribute: 'id' } } } })).toEqual([]);
  });
});

test('the steps of a transaction are looked at one by one', () => {
  const steps = { a: { op: 'put', entity: 'Post' }, b: { op: 'query', entity: 'Post' }, c: 1, d: { op: 'update' } };
  expect(withPattern({ op: 'transaction', steps })).toEqual([
    "patterns.list.steps.b.op: 'query' is no operation of a step; use one of put, update, delete, require",
    "patterns.list.steps.c: must be a step, got: 1; write { op: 'put', … }",
    "patterns.list.steps.d.entity: an update needs it, and it is missing; add entity: 'Post'",
    "patterns.list.steps.d.where: an update needs it, and it is missing; add where: { PK: '…', SK: '…' }",
  ]);
});

test('nothing else is said, and nothing of it can be acknowledged', () => {
  const acknowledge = { malformed: { patterns: 'meant' } };
  const design = { ...posts, name: 'a b', acknowledge, patterns: { list: { op: 'scan' } } };
  expect(found(design)).toHaveLength(1);
  expect(review(design as unknown as TableDesign).acknowledged).toEqual([]);
});

test('a construct is stopped by it as by any error', () => {
  expect(() => assertSound({} as TableDesign)).toThrow(DesignError);
  expect(() => assertSound(undefined as unknown as TableDesign)).toThrow(/design: must be what defineTable/);
});
