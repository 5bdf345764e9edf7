import { z } from 'zod';
import { check } from '../../../../lib/check/check';
import type { SystemDesign } from '../../../../lib/design/system';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { orders, told } from '../../../fixtures/designs';

const table = (entity: EntityDesign): TableDesign => ({
  name: 'things',
  key: { partition: 'PartitionKey', sort: 'RowKey' },
  separator: '|',
  entities: { Thing: entity },
});
const system = (entity: EntityDesign): SystemDesign => ({
  name: 'system',
  cloud: 'azure',
  tables: { things: table(entity) },
});
const found = (entity: EntityDesign) =>
  check(system(entity))
    .filter(({ rule }) => rule === 'azure-keys')
    .map(told);
const keyed = (value: z.ZodType, RowKey = '<value>|<id>') =>
  found({ attributes: z.object({ id: z.uuid(), value }), keys: { PartitionKey: '<id>', RowKey } });

describe('a key of an Azure table', () => {
  test('rejects a numeric key of an Azure table', () => {
    expect(found({ attributes: z.object({ id: z.uuid(), RowKey: z.int() }), keys: { PartitionKey: '<id>' } })).toEqual([
      {
        severity: 'error',
        path: 'tables.things.entities.Thing.attributes.RowKey',
        cause: 'number',
      },
    ]);
  });

  test.each([
    ['a listed value', z.enum(['a', 'b?']), 'illegal-value', 'b?'],
    ['a prefix', z.string().startsWith('a/'), 'illegal-prefix', 'a/'],
  ])('rejects %s with a character that Azure refuses in keys', (_, schema, cause, value) => {
    expect(keyed(schema)).toEqual([
      {
        severity: 'error',
        path: 'tables.things.entities.Thing.keys.RowKey',
        cause,
        part: 'value',
        value,
      },
    ]);
  });

  test.each([
    ['any text', z.string(), '<value>'],
    ['a list of legal values', z.enum(['a', 'b']), '<value>'],
    ['a padded number', z.int().min(0).max(99), '<value:2>'],
    ['a legal prefix', z.string().startsWith('a_'), 'x|<value>'],
  ])('accepts %s in a key of an Azure table', (_, value, text) => {
    expect(keyed(value, text)).toEqual([]);
  });
});

test('accepts any key in a DynamoDB table, because its Azure equivalent encodes keys', () => {
  const design: TableDesign = {
    ...table({ attributes: z.object({ id: z.string(), value: z.enum(['a', 'b?']) }) }),
    key: { partition: 'id', sort: 'value' },
  };
  expect(check(design).filter(({ rule }) => rule === 'azure-keys')).toEqual([]);
});

test('checks an acknowledgement of an Azure rule only in a system on Azure', () => {
  const acknowledge = { 'azure-keys': { 'entities.Order': 'it stays where it is' } };
  const tables = { orders: { ...orders, acknowledge: { ...orders.acknowledge, ...acknowledge } } };
  const idle = (cloud: 'aws' | 'azure') =>
    check({ name: 'acme', cloud, tables }).filter(
      ({ rule, path }) => rule === 'acknowledgement' && path.includes('azure-keys'),
    );
  expect(idle('aws')).toEqual([]);
  expect(idle('azure')).toHaveLength(1);
});
