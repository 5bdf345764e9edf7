import { z } from 'zod';
import { azureTypes } from '../../../../lib/check/rules/azure-types';
import { findings, tableOf } from '../../../fixtures/designs';

const key = { partition: 'PartitionKey', sort: 'RowKey' };

function found(it: z.ZodType, keys = key) {
  const { partition, sort } = keys;
  const attributes = z.object({ id: z.string(), it });
  const table = tableOf({ attributes, keys: { [partition]: 'THINGS', [sort]: '<id>' } }, { key: keys });
  return findings(azureTypes, table).map(({ path, message, fix }) => `${path}: ${message}; ${fix}`);
}

const LOST = 'is not read from an Azure table as it was written';

test.each([
  ['a set', z.set(z.string()), `it: a Set ${LOST}; use z.array`],
  ['a set that may be missing', z.set(z.string()).optional(), `it: a Set ${LOST}; use z.array`],
  ['a Map', z.map(z.string(), z.int()), `it: a Map ${LOST}; use z.record or z.object`],
  ['a Date in a map', z.object({ at: z.date() }), `it.at: a Date ${LOST}; use z.iso.datetime, with a precision`],
  [
    'bytes in a list',
    z.array(z.instanceof(Uint8Array)),
    `it.[]: bytes in a map or a list ${LOST}; give them an attribute of their own`,
  ],
  [
    'a bigint in a record',
    z.record(z.string(), z.bigint()),
    `it.[]: a bigint in a map or a list ${LOST}; give it an attribute of its own`,
  ],
])('%s does not come back from an Azure table', (_, schema, finding) => {
  expect(found(schema)).toEqual([`entities.Thing.attributes.${finding}`]);
});

test.each([
  ['bytes of their own', z.instanceof(Uint8Array)],
  ['a bigint of its own', z.bigint()],
  ['a list of maps', z.array(z.object({ a: z.string() }))],
  ['a Date that is made of text', z.coerce.date()],
])('%s does', (_, schema) => {
  expect(found(schema)).toEqual([]);
});

test('a schema that holds itself is looked into once', () => {
  const tree: z.ZodType = z.lazy(() => z.object({ children: z.array(tree), at: z.date() }));
  expect(found(tree)).toEqual([expect.stringContaining('.it.at: a Date')]);
});

test('a table of DynamoDB is none of it', () => {
  expect(found(z.set(z.string()), { partition: 'PK', sort: 'SK' })).toEqual([]);
});
