import { z } from 'zod';
import { azureTypes } from '../../../../lib/check/rules/azure-types';
import { findings, tableOf } from '../../../fixtures/designs';

const key = { partition: 'PartitionKey', sort: 'RowKey' };

function found(it: z.ZodType, keys = key) {
  const { partition, sort } = keys;
  const attributes = z.object({ id: z.string(), it });
  const table = tableOf({ attributes, keys: { [partition]: 'THINGS', [sort]: '<id>' } }, { key: keys });
  return findings(azureTypes, table);
}

test.each([
  ['a set', z.set(z.string()), 'it', 'set'],
  ['an optional set', z.set(z.string()).optional(), 'it', 'set'],
  ['a Map', z.map(z.string(), z.int()), 'it', 'map'],
  ['a Date in a map', z.object({ at: z.date() }), 'it.at', 'date'],
  ['bytes in a list', z.array(z.instanceof(Uint8Array)), 'it.[]', 'bytes'],
  ['a bigint in a record', z.record(z.string(), z.bigint()), 'it.[]', 'bigint'],
])('reports %s, which an Azure table cannot restore', (_, schema, place, cause) => {
  expect(found(schema)).toEqual([{ path: `entities.Thing.attributes.${place}`, cause }]);
});

test.each([
  ['a top-level byte array', z.instanceof(Uint8Array)],
  ['a top-level bigint', z.bigint()],
  ['a list of maps', z.array(z.object({ a: z.string() }))],
  ['a Date coerced from text', z.coerce.date()],
])('accepts %s, which an Azure table returns unchanged', (_, schema) => {
  expect(found(schema)).toEqual([]);
});

test('visits a recursive schema only once', () => {
  const tree: z.ZodType = z.lazy(() => z.object({ children: z.array(tree), at: z.date() }));
  expect(found(tree)).toEqual([{ path: 'entities.Thing.attributes.it.at', cause: 'date' }]);
});

test('accepts a set in a DynamoDB table', () => {
  expect(found(z.set(z.string()), { partition: 'PK', sort: 'SK' })).toEqual([]);
});
