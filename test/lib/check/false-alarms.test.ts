import { z } from 'zod';
import type { EntityOutline } from '../../../lib/blueprint/outline';
import { blueprint } from '../../../lib/blueprint/table';
import { check } from '../../../lib/check/check';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { makeItem } from '../../../lib/items/item';
import { changeMaker } from '../../../lib/items/update';

const timestamp = z.iso.datetime({ precision: 3 });

function table(
  entities: Readonly<Record<string, EntityDesign>>,
  patterns: Readonly<Record<string, PatternDesign>> = {},
  rest: Partial<TableDesign> = {},
): TableDesign {
  return { name: 'things', key: { partition: 'PK', sort: 'SK' }, entities, patterns, ...rest };
}

const said = (design: TableDesign) =>
  check(design)
    .filter(({ severity }) => severity !== 'note')
    .map(({ rule, path }) => `${rule} ${path}`);

/** Returns the partitions that the check guesses to be hot when no load is known. */
const guessed = (design: TableDesign) =>
  check(design, { notes: true })
    .filter(({ rule, guess }) => rule === 'hot-partition' && guess)
    .map(({ rule, path }) => `${rule} ${path}`);

describe('a query in descending order that returns the parent first', () => {
  const Repo = {
    attributes: z.object({ repoId: z.string(), createdAt: timestamp }),
    keys: { PK: 'REPO#<repoId>', SK: 'REPO#<repoId>' },
  };
  const Issue = {
    attributes: z.object({ repoId: z.string(), issueId: z.uuid(), createdAt: timestamp }),
    keys: { PK: 'REPO#<repoId>', SK: 'ISSUE#<issueId>' },
  };
  const query = { op: 'query', where: { PK: 'REPO#<repoId>' }, order: 'descending' } as const;

  test('accepts any order of children in a descending query that returns the parent first', () => {
    expect(said(table({ Repo, Issue }, { page: { ...query, returns: ['Repo', 'Issue'] } }))).toEqual([]);
  });

  test('accepts an explicit order of children, and ignores the parent that the query also returns', () => {
    const Post = { ...Issue, keys: { PK: 'REPO#<repoId>', SK: 'POST#<createdAt>#<issueId>' } };
    const page = { ...query, returns: ['Repo', 'Post'], orderBy: 'createdAt' } as const;
    expect(said(table({ Repo, Post }, { page }))).toEqual([]);
  });

  test('rejects an explicit order that the sort key does not provide if the query returns only one entity', () => {
    const issues = {
      ...query,
      where: { PK: 'REPO#<repoId>', SK: { beginsWith: 'ISSUE#' } },
      returns: ['Issue'],
    } as const;
    expect(said(table({ Repo, Issue }, { issues }))).toEqual(['order-unserved patterns.issues.order']);
  });
});

describe('an index on the type attribute', () => {
  const attributes = z.object({ id: z.string(), createdAt: timestamp, status: z.enum(['a', 'b']).optional() });
  const design = table(
    {
      Post: { attributes, keys: { PK: 'POST#<id>', SK: 'POST' } },
      Page: { type: 'PAGE', attributes, keys: { PK: 'PAGE#<id>', SK: 'PAGE' } },
    },
    {
      posts: { op: 'query', index: 'byType', where: { kind: 'Post' }, returns: ['Post'], order: 'descending' },
      pages: { op: 'query', index: 'byType', where: { kind: 'PAGE' }, returns: ['Page'] },
      touch: { op: 'update', entity: 'Post', where: { PK: 'POST#<id>', SK: 'POST' }, set: { createdAt: '<at>' } },
      clear: { op: 'update', entity: 'Post', where: { PK: 'POST#<id>', SK: 'POST' }, remove: ['status'] },
    },
    {
      typeAttribute: 'kind',
      indexes: { byType: { partition: 'kind', sort: 'createdAt' }, byStatus: { partition: 'kind', sort: 'status' } },
    },
  );

  test('reports only hot partitions for an index on the type attribute', () => {
    expect(said(design).filter((one) => !one.startsWith('unused-index'))).toEqual([]);
    expect(guessed(design)).toEqual(['hot-partition entities.Post.keys.kind', 'hot-partition entities.Page.keys.kind']);
  });

  test('rejects a query for a type that does not exist', () => {
    const patterns = { wrong: { op: 'query', index: 'byType', where: { kind: 'Pots' }, returns: ['Post'] } } as const;
    expect(said({ ...design, patterns })).toContain('pattern-unserved patterns.wrong.where.kind');
  });

  test('an update that removes an item from one index keeps the type attribute, which is also a key of another index', () => {
    const table = blueprint(design);
    const post = table.entities[0] as EntityOutline;
    expect(makeItem(table, post, { id: '1', createdAt: '2026-01-31T12:00:00.000Z' })).toMatchObject({ kind: 'Post' });
    const clear = changeMaker(table, post, 'clear', design.patterns?.clear as never);
    expect(clear({ id: '1' })).toMatchObject({ removed: ['status'] });
  });

  test("reports a key template for the type attribute that differs from the entity's type", () => {
    const Post = { attributes, keys: { PK: 'POST#<id>', SK: 'POST', kind: 'OTHER' } };
    expect(said({ ...design, entities: { ...design.entities, Post } })).toContain('limits typeAttribute');
  });
});

describe('a key that is a string after a transform', () => {
  const keyed = (email: z.ZodType) =>
    said(table({ User: { attributes: z.object({ email }) } }, {}, { key: { partition: 'email' } }));

  test.each([
    ['a transform', z.string().transform((text) => text.toLowerCase())],
    ['a codec', z.codec(z.string(), z.string(), { decode: (text) => text.trim(), encode: (text) => text })],
    ['a preprocess', z.preprocess((value) => String(value), z.string())],
    [
      'a transform followed by a check',
      z
        .string()
        .transform((text) => text.trim())
        .pipe(z.email()),
    ],
  ])('accepts a key that is a string after a transform: %s', (_, email) => {
    expect(keyed(email)).toEqual([]);
  });

  test('rejects a key that is an object after a transform, and a boolean key', () => {
    expect(keyed(z.string().transform((text) => ({ text })))).toContain(
      'dynamodb-types entities.User.attributes.email',
    );
    expect(keyed(z.boolean())).toEqual(['incomplete-key entities.User.attributes.email']);
  });
});

describe('a write shard', () => {
  const attributes = (name: string, schema: z.ZodType) => z.object({ id: z.string(), [name]: schema });
  const digits = z.enum(['0', '1', '2', '3']);

  test.each([
    ['shard', digits, 'ORDERS#<shard>'],
    ['shardId', z.int().min(0).max(9), 'ORDERS#<shardId>'],
    ['shard_number', z.int().min(0).max(9), 'ORDERS#<shard_number:2>'],
    ['writeShard', digits, '<writeShard>'],
    ['bucket', digits, 'FEED#<bucket>'],
    ['salt', digits, 'FEED#<salt>'],
  ])('recognizes that the write shard %s spreads the load', (name, schema, PK) => {
    expect(said(table({ Order: { attributes: attributes(name, schema), keys: { PK, SK: '<id>' } } }))).toEqual([]);
    expect(guessed(table({ Order: { attributes: attributes(name, schema), keys: { PK, SK: '<id>' } } }))).toEqual([]);
  });

  test('does not mistake an ordinary list of values for a write shard', () => {
    const Order = { attributes: attributes('status', digits), keys: { PK: 'ORDERS#<status>', SK: '<id>' } };
    expect(guessed(table({ Order }))).toEqual(['hot-partition entities.Order.keys.PK']);
  });
});

describe('a number or time that the partition key also contains', () => {
  const attributes = z.object({ number: z.int(), line: z.int().min(1), at: z.iso.datetime() });

  test('accepts an unpadded number in a sort key if the partition key also contains the number', () => {
    const Invoice = { attributes, keys: { PK: 'INVOICE#<number>', SK: 'INVOICE#<number>' } };
    const Day = { attributes, keys: { PK: 'DAY#<at>', SK: 'DAY#<at>' } };
    expect(said(table({ Invoice, Day })).filter((one) => !one.startsWith('key-collision'))).toEqual([]);
  });

  test('reports an unpadded number in a sort key if the partition key does not contain the number', () => {
    const Line = { attributes, keys: { PK: 'INVOICE#<number>', SK: 'LINE#<number>#<line>' } };
    expect(check(table({ Line })).map(({ rule, subject }) => [rule, subject.part])).toEqual([
      ['unpadded-number', 'line'],
    ]);
  });
});

describe('two items with the same key', () => {
  const Reading = {
    attributes: z.object({ sensorId: z.string(), at: timestamp }),
    keys: { PK: 'SENSOR#<sensorId>', SK: '<at>' },
  };
  const put = { op: 'put', entity: 'Reading' } as const;

  test.each<[string, Readonly<Record<string, PatternDesign>>, RegExp]>([
    ['every put refuses the second item', { put }, /the second item is refused$/],
    [
      'a put with `replace` overwrites the first item',
      { put, again: { ...put, replace: true } },
      /is refused, or overwrites the first item$/,
    ],
  ])('describes what happens to the second item with the same key: %s', (_, patterns, words) => {
    expect(check(table({ Reading }, patterns))).toMatchObject([
      { rule: 'key-collision', message: expect.stringMatching(words) },
    ]);
  });
});
