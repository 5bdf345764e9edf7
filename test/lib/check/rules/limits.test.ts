import { z } from 'zod';
import { limits } from '../../../../lib/check/rules/limits';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { IndexDesign, TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { carts, findings, orders, shop, tableOf } from '../../../fixtures/designs';

const found = (design: TableDesign) => findings(limits, design);

/** Returns a record with `count` values. */
function many<T>(count: number, value: (i: number) => T): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`name${i}`, value(i)]));
}

test.each([
  ...Object.values(shop.tables),
  ...Object.values(systems).flatMap(({ tables }) => Object.values(tables)),
] as TableDesign[])('returns no findings for $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('names', () => {
  test.each(['ab', 'a b', 'a'.repeat(256), 'täble', 'a/b', 'abc\n', ''])('rejects %j as a table name', (name) => {
    expect(found({ ...carts, name })).toEqual([{ path: 'name', cause: 'table-name' }]);
  });

  test('ignores Azure table names, because the `azure-tables` rule checks them', () => {
    expect(findings(limits, { ...carts, name: 'a b' }, { name: 'acme', cloud: 'azure', tables: {} })).toEqual([]);
  });

  test.each(['abc', 'A.b_c-9', 'a'.repeat(255)])('accepts %j as a table name', (name) => {
    expect(found({ ...carts, name })).toEqual([]);
  });

  test('reports only invalid index names, each at the path of its index', () => {
    const indexes = { GSI1: { partition: 'SK' }, 'by day': { partition: 'SK' }, G2: { partition: 'SK' } };
    expect(found({ ...carts, indexes })).toEqual([
      { path: 'indexes.by day', cause: 'index-name' },
      { path: 'indexes.G2', cause: 'index-name' },
    ]);
  });

  test('rejects a key attribute whose name is empty or longer than 255 bytes', () => {
    const design = {
      ...carts,
      key: { partition: '', sort: 'a'.repeat(255) },
      indexes: { GSI1: { partition: 'a'.repeat(256), sort: 'é'.repeat(128) } },
    };
    expect(found(design)).toEqual([
      { path: 'key.partition', cause: 'attribute-name', attribute: '' },
      {
        path: 'indexes.GSI1.partition',
        cause: 'attribute-name',
        attribute: 'a'.repeat(256),
      },
      {
        path: 'indexes.GSI1.sort',
        cause: 'attribute-name',
        attribute: 'é'.repeat(128),
      },
    ]);
  });
});

describe('counts', () => {
  const indexes = (count: number, projection?: IndexDesign['projection']) =>
    many(count, () => ({ partition: 'SK', projection }));
  const attributes = (count: number) => Object.keys(many(count, () => 0));

  test('rejects a table with more than 20 indexes', () => {
    expect(found({ ...carts, indexes: indexes(20) })).toEqual([]);
    expect(found({ ...carts, indexes: indexes(21) })).toEqual([
      { path: 'indexes', cause: 'too-many-indexes', count: 21 },
    ]);
  });

  test('rejects a table whose indexes project more than 100 attributes in total', () => {
    const hundred = indexes(5, attributes(20));
    expect(found({ ...carts, indexes: { ...hundred, all: { partition: 'SK' } } })).toEqual([]);
    expect(found({ ...carts, indexes: { ...hundred, more: { partition: 'SK', projection: ['name0'] } } })).toEqual([
      { path: 'indexes', cause: 'too-many-projected', count: 101 },
    ]);
  });

  test.each([0, 21])('rejects an index that projects %i attributes', (count) => {
    expect(found({ ...carts, indexes: { GSI1: { partition: 'SK', projection: attributes(count) } } })).toEqual([
      { path: 'indexes.GSI1.projection', cause: 'projection-size', count },
    ]);
  });

  const transaction = (count: number): PatternDesign => ({
    op: 'transaction',
    steps: many(count, () => ({ op: 'put', entity: 'Cart' })),
  });
  const batch = (count: number): PatternDesign => ({
    op: 'batchGet',
    keys: many(count, () => ({ PK: 'CART#<cartId>', SK: 'CART' })),
    returns: ['Cart'],
  });

  test.each([
    ['transaction', transaction, 'steps'],
    ['batch', batch, 'keys'],
  ])('rejects a %s of more than 100 items', (_, pattern, field) => {
    expect(found({ ...carts, patterns: { large: pattern(100) } })).toEqual([]);
    expect(found({ ...carts, patterns: { large: pattern(101), small: pattern(1) } })).toEqual([
      { path: `patterns.large.${field}`, cause: 'too-many-items', count: 101 },
    ]);
  });
});

describe('keys', () => {
  test('rejects a table whose partition key and sort key are the same attribute', () => {
    const design = { ...carts, key: { partition: 'PK', sort: 'PK' } };
    expect(found(design)).toEqual([{ path: 'key.sort', cause: 'one-attribute', attribute: 'PK' }]);
  });

  test('rejects an index whose partition key and sort key are the same attribute', () => {
    const design = { ...carts, indexes: { GSI1: { partition: 'SK', sort: 'SK' } } };
    expect(found(design)).toEqual([{ path: 'indexes.GSI1.sort', cause: 'one-attribute', attribute: 'SK' }]);
  });

  test("accepts an index that swaps the table's partition key and sort key", () => {
    expect(found({ ...carts, indexes: { GSI1: { partition: 'SK', sort: 'PK' } } })).toEqual([]);
  });

  test('rejects a type attribute that is also a key attribute', () => {
    expect(found({ ...orders, typeAttribute: 'GSI1SK' })).toEqual([
      { path: 'typeAttribute', cause: 'type-is-key', attribute: 'GSI1SK' },
    ]);
  });
});

describe('an attribute', () => {
  const attributes = z.object({ id: z.string(), SK: z.string(), kind: z.string() });
  const taken = (attribute: string) => ({ path: `entities.Thing.attributes.${attribute}`, cause: 'written-by-table' });

  test('rejects an attribute with the same name as a key attribute that has a template', () => {
    expect(found(tableOf({ attributes, keys: { PK: '<id>', SK: '<id>' } }))).toEqual([taken('SK')]);
    expect(found(tableOf({ attributes, keys: { PK: '<id>' } }))).toEqual([]);
  });

  test('rejects an attribute with the same name as the type attribute', () => {
    expect(found(tableOf({ attributes, keys: { PK: '<id>' } }, { typeAttribute: 'kind' }))).toEqual([taken('kind')]);
    expect(found(tableOf({ attributes, keys: { PK: '<id>' } }, { typeAttribute: 'type' }))).toEqual([]);
  });
});

describe('the minimum length of a key', () => {
  const things = (PK: string, SK: string, rest: Partial<TableDesign> = {}) =>
    tableOf({ attributes: z.object({ id: z.string() }), keys: { PK: `${PK}<id>`, SK: `<id>${SK}` } }, rest);
  const tooLong = (key: string, count: number, role: 'partition' | 'sort') => ({
    path: `entities.Thing.keys.${key}`,
    cause: `long-${role}-key`,
    count,
  });

  test('limits a partition key to 2048 bytes and a sort key to 1024 bytes', () => {
    expect(found(things('P'.repeat(2047), 'S'.repeat(1023)))).toEqual([]);
    expect(found(things('P'.repeat(2048), 'S'.repeat(1024)))).toEqual([
      tooLong('PK', 2049, 'partition'),
      tooLong('SK', 1025, 'sort'),
    ]);
  });

  test('counts the length of a key in bytes, as DynamoDB does', () => {
    expect(found(things('', 'é'.repeat(513)))).toEqual([tooLong('SK', 1027, 'sort')]);
  });

  test('counts the literal text on both sides of a value', () => {
    const keys = { PK: `${'a'.repeat(1500)}<id>${'b'.repeat(600)}`, SK: 'X' };
    expect(found(tableOf({ attributes: z.object({ id: z.string() }), keys }))).toEqual([
      tooLong('PK', 2101, 'partition'),
    ]);
  });

  test("applies the sort key limit to a table's partition key if an index sorts by it, and reports the key only once", () => {
    const indexes = { GSI1: { partition: 'SK', sort: 'PK' }, GSI2: { partition: 'PK' } };
    expect(found(things('P'.repeat(1500), 'S', { indexes }))).toEqual([tooLong('PK', 1501, 'sort')]);
  });
});

describe('TTL', () => {
  const expiring = (ttl: z.ZodType) =>
    tableOf(
      { attributes: z.object({ id: z.string(), ttl }), keys: { PK: '<id>', SK: '<id>' } },
      { ttl: 'ttl', indexes: { GSI1: { partition: 'GSI1PK' } } },
    );

  test.each(['SK', 'GSI1PK'])('rejects a TTL attribute that is a key: %s', (ttl) => {
    const design = { ...expiring(z.int()), ttl };
    expect(found(design)).toEqual([{ path: 'ttl', cause: 'ttl-is-key', attribute: ttl }]);
  });

  test.each([z.int(), z.number().optional(), z.bigint()])('accepts a numeric TTL attribute (%#)', (ttl) => {
    expect(found(expiring(ttl))).toEqual([]);
  });

  test.each([
    ['string', z.iso.datetime()],
    ['boolean', z.boolean()],
  ])('rejects a TTL attribute that is a %s, because DynamoDB would ignore it', (kind, ttl) => {
    expect(found(expiring(ttl))).toEqual([
      { path: 'entities.Thing.attributes.ttl', cause: 'ttl-not-number', value: kind },
    ]);
  });

  test('accepts a TTL attribute that only some entities have', () => {
    expect(found({ ...orders, ttl: 'expiresAt' })).toEqual([]);
  });
});

describe('the separator', () => {
  test.each(['', '##', 'a', 'é', '1', '-', '.', ' ', '\t', '<', '>', '?', '😀😀'])(
    'rejects %j as the separator',
    (separator) => {
      expect(found({ ...carts, separator })).toEqual([{ path: 'separator', cause: 'separator', value: separator }]);
    },
  );

  test.each(['#', '|', '/', '~', '§'])('accepts the separator %j', (separator) => {
    expect(found({ ...carts, separator })).toEqual([]);
  });
});
