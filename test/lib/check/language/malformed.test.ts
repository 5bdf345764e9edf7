import { z } from 'zod';
import { assertSound, check, review } from '../../../../lib/check/check';
import { malformed } from '../../../../lib/check/language/malformed';
import { DesignError } from '../../../../lib/check/language/well-formed';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { carts, orders, shop, told } from '../../../fixtures/designs';
import { soundDesigns } from '../../../fixtures/sound-designs';
import { trips } from '../../../fixtures/trips';

/** A design without types, as in JavaScript. */
const posts = {
  name: 'posts',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK' } },
  entities: {
    Post: {
      attributes: z.object({ id: z.string(), at: z.iso.datetime({ precision: 3 }) }),
      keys: { PK: 'POST#<id>', SK: '<at>', GSI1PK: 'ALL#<at>' },
    },
  },
  patterns: {
    list: { op: 'query', where: { PK: 'POST#<id>' }, returns: ['Post'] },
    byDay: { op: 'query', index: 'GSI1', where: { GSI1PK: 'ALL#<at>' }, returns: ['Post'] },
  },
};

/** Returns the path and cause of each finding, and its proposal if there is one. */
const found = (design: unknown) =>
  check(design as TableDesign).map((finding) => {
    expect(finding).toMatchObject({ rule: 'malformed', severity: 'error' });
    const { path, cause, proposed } = told(finding);
    return [path, cause, ...(proposed === undefined ? [] : [proposed])];
  });

const withPattern = (pattern: unknown) => found({ ...posts, patterns: { ...posts.patterns, list: pattern } });
const withWhere = (where: unknown) => withPattern({ ...posts.patterns.list, where });

test('proposes a string instead of a number in a key condition', () => {
  expect(withWhere({ PK: 5 })).toEqual([['patterns.list.where.PK', 'kind', "'5'"]]);
  expect(withWhere({ PK: 'POST#<id>', SK: { atLeast: 5 } })).toEqual([
    ['patterns.list.where.SK.atLeast', 'kind', "'5'"],
  ]);
  expect(withWhere({ PK: 'POST#<id>', SK: { between: [1, '<to>'] } })).toEqual([
    ['patterns.list.where.SK.between', 'kind', "['1', '<to>']"],
  ]);
});

test('returns no `malformed` findings for a well-formed design', () => {
  expect(check(posts as unknown as TableDesign)).toEqual([]);
  for (const design of [...soundDesigns, ...Object.values(systems), orders, carts, shop]) {
    expect(malformed(design)).toEqual([]);
  }
});

test.each([[undefined], [null], [7], ['posts'], [[posts]], [() => posts]])('rejects %p as a design', (value) => {
  expect(found(value)).toEqual([['design', 'design']]);
});

test('reports all missing fields at once', () => {
  expect(found({}).map(([path]) => path)).toEqual(['name', 'key', 'entities']);
  expect(found({ tables: {} }).map(([path]) => path)).toEqual(['name', 'cloud']);
  expect(found({ ...posts, key: { sort: 'SK' } })).toEqual([['key.partition', 'missing', "partition: 'PK'"]]);
  expect(found({ ...posts, entities: { Post: {} } })[0]).toEqual([
    'entities.Post.attributes',
    'missing',
    expect.stringMatching(/^attributes: z\.object/),
  ]);
});

test('rejects a table without entities', () => {
  expect(found({ ...posts, entities: {}, patterns: {} })[0]).toEqual(['entities', 'no-entities']);
});

test.each([
  [{ id: 'string' }, 'schema'],
  [z.string(), 'schema-kind'],
  [{ _def: { typeName: 'ZodObject' } }, 'zod-3'],
  [[], 'schema'],
])('rejects attributes that are not a zod 4 object: %p', (attributes, cause) => {
  expect(found({ ...posts, entities: { Post: { ...posts.entities.Post, attributes } } })).toEqual([
    ['entities.Post.attributes', cause],
  ]);
});

test('rejects an attribute that zod would silently drop, at any depth', () => {
  const own = z.object({ id: z.string(), at: z.string(), ['__proto__']: z.string() });
  // Zod drops the value of `__proto__`.
  expect(Object.keys(own.partial().parse(JSON.parse('{ "id": "x", "__proto__": "y" }')))).toEqual(['id']);
  const withAttributes = (attributes: z.ZodObject) =>
    ({ ...posts, entities: { Post: { ...posts.entities.Post, attributes } } }) as unknown as TableDesign;
  const finding = (attributes: z.ZodObject) => malformed(withAttributes(attributes))[0];
  expect(found(withAttributes(own))).toEqual([['entities.Post.attributes', 'unkept-name']]);
  expect(finding(own)).toMatchObject({
    cause: 'unkept-name',
    path: 'entities.Post.attributes',
    message: "'__proto__' has a special meaning in JavaScript: zod drops the attribute, so no item ever stores it",
    fix: "rename '__proto__'",
  });
  const { id, at, ['__proto__']: __, ...none } = own.shape;
  const inner = z.object({ ['__proto__']: z.string() });
  for (const more of [{ map: inner.optional() }, { map: z.array(inner) }, { map: z.record(z.string(), inner) }]) {
    expect(finding(z.object({ ...none, id, at, ...more }))?.fix).toBe("rename 'map.__proto__'");
  }
  // Other built-in names are ordinary attribute names.
  expect(finding(z.object({ id, at, constructor: z.string(), prototype: z.string() }))).toBeUndefined();
});

describe('unknown fields', () => {
  test.each([
    ['filters', { at: 'x' }, ['filter']],
    ['indexx', 'GSI1', ['index']],
    ['limit', 5, []],
  ])('reports the unknown field %s, and proposes a similar field if there is one', (field, value, meant) => {
    expect(withPattern({ ...posts.patterns.list, [field]: value })).toEqual([
      [`patterns.list.${field}`, 'unknown-field', ...meant],
    ]);
  });

  test('reports an unknown field of a table, and proposes a similar one', () => {
    expect(found({ ...posts, index: {} })).toEqual([['index', 'unknown-field', 'indexes']]);
  });
});

describe('a choice between conditions', () => {
  const filtered = (filter: unknown) => withPattern({ ...posts.patterns.list, filter });
  const place = 'patterns.list.filter';

  test('accepts a list of conditions in `any` and `none`, but no list as the test of an attribute', () => {
    expect(
      filtered({ any: [{ at: '2026-03-01T12:00:00.000Z' }, { none: [{ id: { size: { atLeast: 1 } } }] }] }),
    ).toEqual([]);
    expect(filtered({ at: ['x'] })).toEqual([[`${place}.at`, 'kind', "{ in: ['…'] }"]]);
  });

  test.each([
    [{ any: [] }, 'any', 'kind'],
    [{ none: [{}] }, 'none.0', 'kind'],
    [{ any: ['x'] }, 'any.0', 'kind'],
    [{ any: [{ at: { none: [{ id: 'x' }] } }] }, 'any.0.at.none', 'operator'],
    [{ any: [{ none: [{ at: { like: 'x' } }] }] }, 'any.0.none.0.at.like', 'operator'],
    [{ at: { size: 'x' } }, 'at.size', 'kind'],
    [{ at: { size: { atLeast: -1 } } }, 'at.size.atLeast', 'kind'],
    [{ at: { size: { between: [1] } } }, 'at.size.between', 'kind'],
  ])('rejects the faulty condition %j', (filter, at, cause) => {
    expect(filtered(filter)[0]?.slice(0, 2)).toEqual([`${place}.${at}`, cause]);
  });
});

describe('words', () => {
  test.each([
    [{ order: 'desc' }, ['order', 'word', 'descending']],
    [{ order: -1 }, ['order', 'word']],
    [{ pageSize: '20' }, ['pageSize', 'kind', '20']],
    [{ returns: 'Post' }, ['returns', 'kind', "['Post']"]],
    [{ returns: [] }, ['returns', 'returns-nothing']],
    [{ op: 'querry' }, ['op', 'operation', 'query']],
    [{ op: 'sweep' }, ['op', 'operation']],
  ])('rejects the pattern field %j', (change, [field, ...expected]) => {
    expect(withPattern({ ...posts.patterns.list, ...change })).toEqual([[`patterns.list.${field}`, ...expected]]);
  });

  test.each([
    ['ALL', ['all']],
    ['KEYS_ONLY', ['keys']],
    ['some', []],
  ])('rejects the projection %s', (projection, meant) => {
    expect(found({ ...posts, indexes: { GSI1: { partition: 'GSI1PK', projection } } })).toEqual([
      ['indexes.GSI1.projection', 'word', ...meant],
    ]);
  });

  test.each([[[]], [[7]], [7], [['region', null]]])('rejects %j as an index key', (side) => {
    expect(found({ ...posts, indexes: { GSI1: { partition: side } } })).toEqual([
      ['indexes.GSI1.partition', 'kind', "'GSI1PK'"],
    ]);
    expect(found({ ...posts, indexes: { GSI1: { partition: 'GSI1PK', sort: side } } })).toEqual([
      ['indexes.GSI1.sort', 'kind', "'GSI1SK'"],
    ]);
  });

  test('rejects a list of attributes as a key of the table itself', () => {
    const [finding] = check({ ...posts, key: { partition: ['PK', 'region'] } } as unknown as TableDesign);
    expect(finding).toMatchObject({ path: 'key.partition', cause: 'kind', rule: 'malformed' });
    expect(finding?.message).toMatch(/only an index can have multi-attribute keys/);
  });

  test('checks the cloud and all tables of a system at once', () => {
    const tables = { posts, carts: { ...carts, key: 'PK' } };
    expect(found({ name: 'web', cloud: 'gcp', tables })).toEqual([
      ['cloud', 'word'],
      ['tables.carts.key', 'kind', "{ partition: 'PK' }"],
    ]);
  });
});

describe('the operator of a condition', () => {
  test.each([
    [{ startsWith: 'a' }, ['.startsWith', 'operator', 'beginsWith']],
    [{ begins_with: 'a' }, ['.begins_with', 'operator', 'beginsWith']],
    [{ atLeast: 'a', lessThan: 'b' }, ['', 'one-operator']],
    [{}, ['', 'one-operator']],
    [{ between: 'a' }, ['.between', 'kind', "['…', '…']"]],
    [{ beginsWith: 5 }, ['.beginsWith', 'kind', "'5'"]],
    [5, ['', 'kind', "'5'"]],
    [undefined, ['', 'kind', "'…' or { beginsWith: '…' }"]],
  ])('rejects the faulty key condition %j', (condition, [place, ...expected]) => {
    expect(withWhere({ PK: 'POST#<id>', SK: condition })).toEqual([[`patterns.list.where.SK${place}`, ...expected]]);
  });

  test.each([
    [{ startsWith: 'a' }, ['startsWith', 'operator', 'beginsWith']],
    [{ in: 'a' }, ['in', 'kind', "['…']"]],
    [{ between: ['a'] }, ['between', 'kind', "['…', '…']"]],
    [{ exists: 'yes' }, ['exists', 'kind', 'true']],
  ])('rejects the faulty attribute condition %j', (test, [operator, ...expected]) => {
    expect(withPattern({ ...posts.patterns.list, filter: { at: test } })).toEqual([
      [`patterns.list.filter.at.${operator}`, ...expected],
    ]);
  });

  test('accepts a condition that compares two attributes', () => {
    expect(withPattern({ ...posts.patterns.list, filter: { at: { not: { attribute: 'id' } } } })).toEqual([]);
  });
});

test('checks each step of a transaction separately', () => {
  const steps = { a: { op: 'put', entity: 'Post' }, b: { op: 'query', entity: 'Post' }, c: 1, d: { op: 'update' } };
  expect(withPattern({ op: 'transaction', steps })).toEqual([
    ['patterns.list.steps.b.op', 'operation'],
    ['patterns.list.steps.c', 'kind', "{ op: 'put', … }"],
    ['patterns.list.steps.d.entity', 'missing', "entity: 'Post'"],
    ['patterns.list.steps.d.where', 'missing', "where: { PK: '…', SK: '…' }"],
  ]);
});

test('runs no other rule on a malformed design, and ignores acknowledgements of `malformed` findings', () => {
  const acknowledge = { malformed: { patterns: 'meant' } };
  const design = { ...posts, name: 'a b', acknowledge, patterns: { list: { op: 'scan' } } };
  expect(found(design)).toHaveLength(1);
  expect(review(design as unknown as TableDesign).acknowledged).toEqual([]);
});

test('assertSound throws for a malformed design', () => {
  expect(() => assertSound({} as TableDesign)).toThrow(DesignError);
  expect(() => assertSound(undefined as unknown as TableDesign)).toThrow(DesignError);
});

test("rejects an entity's index if its `while` is missing or lists no values", () => {
  const of = (indexes: unknown) =>
    malformed(trips(undefined, { indexes: indexes as never })).map(({ path, cause }) => [path, cause]);
  const at = 'entities.Trip.indexes';
  expect(of({ byDay: { while: { called: ['on'] } } })).toEqual([]);
  expect(of({ byDay: {} })).toEqual([[`${at}.byDay.while`, 'missing']]);
  expect(of({ byDay: { when: { called: ['on'] }, while: {} } })).toEqual([[`${at}.byDay.when`, 'unknown-field']]);
  expect(of(['byDay'])).toEqual([[at, 'kind']]);
  for (const values of ['on', [], [null], [{}]]) {
    expect(of({ byDay: { while: { called: values } } })).toEqual([[`${at}.byDay.while.called`, 'kind']]);
  }
});
