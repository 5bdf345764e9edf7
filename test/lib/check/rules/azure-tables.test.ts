import { z } from 'zod';
import { azureTables } from '../../../../lib/check/rules/azure-tables';
import type { TransactionStep } from '../../../../lib/design/pattern';
import type { SystemDesign } from '../../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { findings, tableOf } from '../../../fixtures/designs';

const acme: SystemDesign = { name: 'acme', cloud: 'azure', tables: {} };

/** Returns the findings for a table in a system on Azure. */
const onAzure = (design: TableDesign) => findings(azureTables, design, acme);
const attributes = z.object({ id: z.string(), userId: z.string(), number: z.int() });
const key = { partition: 'PartitionKey', sort: 'RowKey' };
const rows = (rest: Partial<TableDesign> = {}, keys: EntityDesign['keys'] = {}) =>
  tableOf({ attributes, keys: { PartitionKey: 'user_<userId>', RowKey: '<id>', ...keys } }, { key, ...rest });

test('returns no findings for a DynamoDB table, because its Azure equivalent has other names and keys', () => {
  const design = { ...rows({ name: 'a-b', ttl: 'number' }, { RowKey: 'a/b' }), key: { partition: 'id' } };
  expect(findings(azureTables, design)).toEqual([]);
  expect(findings(azureTables, design, { ...acme, cloud: 'aws' })).toEqual([]);
});

test('returns no findings for a valid Azure table', () => {
  expect(onAzure(rows({ typeAttribute: 'kind' }))).toEqual([]);
});

test("treats a single table with Azure's key names as an Azure table", () => {
  expect(findings(azureTables, rows({}, { RowKey: 'a#<id>' }))).toMatchObject([{ path: 'entities.Thing.keys.RowKey' }]);
  expect(findings(azureTables, rows({}, { RowKey: 'a_<id>' }))).toEqual([]);
  const onDynamoDb: SystemDesign = { name: 'acme', cloud: 'aws', tables: {} };
  expect(findings(azureTables, rows({}, { RowKey: 'a#<id>' }), onDynamoDb)).toEqual([]);
});

describe('the name of a table', () => {
  test.each(['controle-pgm', 'my_table', 'a.b', '1things', 'ab', 'a'.repeat(64), 'tables', 'Tables', 'ação'])(
    'rejects an Azure table with the name %s',
    (name) => {
      expect(onAzure(rows({ name }))).toEqual([{ path: 'name', cause: 'table-name' }]);
    },
  );

  test.each(['abc', 'A1b2', 'a'.repeat(63), 'tables1', 'NumberLogs'])(
    'accepts an Azure table with the name %s',
    (name) => {
      expect(onAzure(rows({ name }))).toEqual([]);
    },
  );
});

describe('the keys of a table', () => {
  const named = { path: 'key', cause: 'key-names' };

  test.each([
    { partition: 'PK', sort: 'SK' },
    { partition: 'PartitionKey' },
    { partition: 'PartitionKey', sort: 'SK' },
    { partition: 'RowKey', sort: 'PartitionKey' },
  ])('rejects %j as the key of an Azure table, because its keys must be PartitionKey and RowKey', (key) => {
    expect(onAzure({ ...rows(), key })).toEqual([named]);
  });
});

describe('the text of a key', () => {
  const illegal = (attribute: string, value: string) => ({
    path: `entities.Thing.keys.${attribute}`,
    cause: 'key-literal',
    value,
  });

  test.each(['/', '\\', '#', '?', '\t', '\n', '\u007f', '\u0085'])(
    'rejects %j in the literal text of an Azure key',
    (character) => {
      const text = `a${character}<id>`;
      expect(onAzure(rows({}, { RowKey: text }))).toEqual([illegal('RowKey', character)]);
    },
  );

  test.each(['_', '|', '-', ' ', '.', ':', '=', 'é'])('accepts the literal text %j in an Azure key', (character) => {
    expect(onAzure(rows({}, { RowKey: `a${character}<id>` }))).toEqual([]);
  });

  test('rejects a separator that Azure forbids in keys', () => {
    expect(onAzure(rows({}, { RowKey: '<userId>#<id>' }))).toEqual([illegal('RowKey', '#')]);
  });
});

describe('an entity', () => {
  const wide = (count: number, rest: Partial<TableDesign> = {}) =>
    tableOf(
      {
        attributes: z.object(Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, z.string()]))),
        keys: { PartitionKey: '<a0>', RowKey: '<a1>' },
      },
      { key, ...rest },
    );
  const tooWide = { path: 'entities.Thing.attributes', cause: 'too-many-properties', count: 253 };

  test('accepts an Azure entity with 252 properties, and rejects one with 253', () => {
    expect(onAzure(wide(252))).toEqual([]);
    expect(onAzure(wide(253))).toEqual([tooWide]);
  });

  test('rejects a property name that Azure does not allow', () => {
    const named = (name: string) =>
      tableOf(
        { attributes: z.object({ id: z.string(), [name]: z.string() }), keys: { PartitionKey: '<id>', RowKey: 'X' } },
        { key },
      );
    expect(onAzure(named('full_name2'))).toEqual([]);
    expect(onAzure(named('descrição'))).toEqual([]);
    for (const name of ['full-name', '2nd', 'Timestamp', 'a'.repeat(256)]) {
      expect(onAzure(named(name))).toEqual([{ path: `entities.Thing.attributes.${name}`, cause: 'property-name' }]);
    }
  });

  test('counts the type attribute as a property', () => {
    expect(onAzure(wide(252, { typeAttribute: 'kind' }))).toEqual([tooWide]);
    expect(onAzure(wide(251, { typeAttribute: 'kind' }))).toEqual([]);
  });
});

describe('a feature that Azure Tables lacks', () => {
  test('reports a time to live in an Azure table', () => {
    expect(onAzure(rows({ ttl: 'number' }))).toEqual([{ path: 'ttl', cause: 'ttl' }]);
  });

  test('reports an index in an Azure table', () => {
    const indexes = { byNumber: { partition: 'number' }, byUser: { partition: 'userId' } };
    expect(onAzure(rows({ indexes }))).toEqual([
      { cause: 'index', path: 'indexes.byNumber' },
      { cause: 'index', path: 'indexes.byUser' },
    ]);
  });
});

describe('a transaction', () => {
  const remove = (PartitionKey: string): TransactionStep => ({
    op: 'delete',
    entity: 'Thing',
    where: { PartitionKey, RowKey: 'X' },
  });
  const put: TransactionStep = { op: 'put', entity: 'Thing' };
  const written = (steps: Record<string, TransactionStep>, keys: EntityDesign['keys'] = {}, more = {}) => {
    const design = tableOf(
      {
        attributes: z.object({ id: z.string(), userId: z.string(), a: attributes, b: attributes }),
        keys: { PartitionKey: 'USER_<userId>', RowKey: '<id>', ...keys },
      },
      { key, patterns: { mine: { op: 'transaction', steps } } },
    );
    return onAzure({ ...design, entities: { ...design.entities, ...more } });
  };
  const across = (count: number) => ({
    path: 'patterns.mine.steps',
    cause: 'two-partitions',
    count,
  });

  test('rejects an Azure transaction that writes to two partitions', () => {
    expect(written({ one: remove('USER_<a>'), two: remove('USER_<a>') })).toEqual([]);
    expect(
      written({ one: remove('USER_<a>'), two: remove('USER_<b>'), three: remove('X'), four: remove('X') }),
    ).toEqual([across(3)]);
  });

  test('accepts a step whose partition key comes from an item that another step puts', () => {
    expect(written({ made: put, gone: remove('USER_<made.userId>') })).toEqual([]);
    expect(written({ made: put, gone: remove('USER_<made.id>') })).toEqual([across(2)]);
    expect(written({ made: put, gone: remove('THING_<made.userId>') })).toEqual([across(2)]);
  });

  test('accepts a step whose partition key comes from a map inside an item that another step puts', () => {
    const keys = { PartitionKey: 'USER_<a.id>' };
    expect(written({ made: put, gone: remove('USER_<made.a.id>') }, keys)).toEqual([]);
    expect(written({ made: put, gone: remove('USER_<made.b.id>') }, keys)).toEqual([across(2)]);
    expect(written({ one: remove('USER_<a.id>'), two: remove('USER_<b.id>') })).toEqual([across(2)]);
    const Other = { attributes: z.object({ b: attributes }), keys: { PartitionKey: 'USER_<b.id>', RowKey: 'OTHER' } };
    expect(written({ made: put, other: { op: 'put', entity: 'Other' } }, keys, { Other })).toEqual([across(2)]);
  });
});
