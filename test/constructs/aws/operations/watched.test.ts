import { Table } from 'aws-cdk-lib/aws-dynamodb';
import { App, Stack } from 'aws-cdk-lib/core';
import { AdoptedTable } from '../../../../constructs/aws';
import { patternsOn, watched } from '../../../../constructs/aws/operations/watched';
import type { TableDesign } from '../../../../lib';
import { blog, booking, transporte } from '../../../../lib/systems';

const designed = (design: TableDesign) =>
  new AdoptedTable(new Stack(new App(), 'Test'), 'Table', { design, tableName: 'live' });

test('`watched` includes the indexes of a design, and each operation of its patterns once', () => {
  const { operations, indexes, expires } = watched(designed(transporte.tables.TransporteApp));
  expect([...operations].sort()).toEqual([
    ...['BatchGetItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query', 'TransactWriteItems', 'UpdateItem'],
  ]);
  expect(indexes).toEqual(['GSI1', 'GSI2', 'GSI3']);
  expect(expires).toBe(true);
});

test('`watched` excludes an operation that no pattern uses', () => {
  expect(watched(designed(booking.tables.ProviderAvailability)).operations).not.toContain('GetItem');
});

test('`watched` includes the usual operations for a table without a design unless the caller lists operations', () => {
  const table = Table.fromTableName(new Stack(new App(), 'Test'), 'Table', 'live');
  expect(watched({ table })).toEqual({
    table,
    indexes: [],
    operations: ['GetItem', 'Query', 'PutItem', 'UpdateItem', 'DeleteItem'],
    expires: false,
  });
  expect(watched({ table, operations: ['Scan'], expires: true })).toMatchObject({
    operations: ['Scan'],
    expires: true,
  });
});

test('`patternsOn` assigns every pattern to the table or to a single index', () => {
  const design: TableDesign = blog.tables.blog;
  const places = [undefined, 'GSI1', 'GSI2', 'GSI3'].map((index) => patternsOn(design, index).map(({ name }) => name));
  expect(places.flat().sort()).toEqual(Object.keys(design.patterns ?? {}).sort());
  expect(places[3]).toEqual(['latestPosts']);
});
