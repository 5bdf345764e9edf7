import { z } from 'zod';
import { check } from '../../../../lib/check/check';
import { cloudOperation } from '../../../../lib/check/rules/cloud-operation';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings, type Told, tableOf } from '../../../fixtures/designs';

const thing = {
  attributes: z.object({
    id: z.string(),
    count: z.int(),
    note: z.string().optional(),
    map: z.object({ a: z.string() }),
  }),
  keys: { PartitionKey: 'THINGS', RowKey: '<id>' },
};
const key = { partition: 'PartitionKey', sort: 'RowKey' };
const where = thing.keys;

/**
 * Returns the findings about a pattern of a table with Azure's key names. Checks the table in a system on the given
 * cloud, or alone if no cloud is given.
 */
function found(pattern: PatternDesign, cloud?: SystemDesign['cloud']) {
  const table = tableOf(thing, { key, patterns: { it: pattern } }) as TableDesign;
  const system = cloud === undefined ? undefined : { name: 's', cloud, tables: { things: table } };
  return findings(cloudOperation, table, system);
}

const update = (rest: object): PatternDesign => ({ op: 'update', entity: 'Thing', where, ...rest });
const query = (filter: object): PatternDesign =>
  ({ op: 'query', where: { PartitionKey: 'THINGS' }, filter, returns: ['Thing'] }) as PatternDesign;

test.each<[string, PatternDesign, Told]>([
  [
    'a condition',
    { op: 'put', entity: 'Thing', condition: { count: 1 } },
    { path: 'patterns.it.condition', cause: 'etag-alone' },
  ],
  ['an addition to a number', update({ add: { count: 1 } }), { path: 'patterns.it.add.count', cause: 'no-addition' }],
  ['the removal of an attribute', update({ remove: ['note'] }), { path: 'patterns.it.remove', cause: 'no-removal' }],
  [
    'a batchGet',
    { op: 'batchGet', keys: { a: where }, returns: ['Thing'] },
    { path: 'patterns.it', cause: 'one-at-a-time' },
  ],
  [
    'a filter by existence',
    query({ note: { exists: true } }),
    { path: 'patterns.it.filter.note', cause: 'no-such-test', value: 'exists' },
  ],
  [
    'a filter by contents',
    query({ note: { contains: 'x' } }),
    { path: 'patterns.it.filter.note', cause: 'no-such-test', value: 'contains' },
  ],
  [
    'a filter by size',
    query({ any: [{ count: 1 }, { note: { size: 1 } }] }),
    { path: 'patterns.it.filter.any.1.note', cause: 'no-such-test', value: 'size' },
  ],
  [
    'a filter by null',
    query({ note: null }),
    { path: 'patterns.it.filter.note', cause: 'no-such-test', value: 'null' },
  ],
  [
    'a filter by an attribute inside a map',
    query({ 'map.a': 'x' }),
    { path: 'patterns.it.filter.map.a', cause: 'inside-map' },
  ],
  ['an update inside a map', update({ set: { 'map.a': 'x' } }), { path: 'patterns.it.set.map.a', cause: 'inside-map' }],
  [
    'a copy of another property',
    update({ set: { note: { attribute: 'id' } } }),
    { path: 'patterns.it.set.note', cause: 'no-copy' },
  ],
  [
    'a page of more than 1,000 items',
    { op: 'query', where: { PartitionKey: 'THINGS' }, returns: ['Thing'], pageSize: 1001 },
    { path: 'patterns.it.pageSize', cause: 'page-size', value: 1001 },
  ],
  [
    'a query of every shard',
    { op: 'query', where: { PartitionKey: 'THINGS#<shard(4)>' }, returns: ['Thing'] },
    { path: 'patterns.it.where', cause: 'one-partition' },
  ],
  [
    'a put with `unchanged` that creates an item',
    { op: 'put', entity: 'Thing', unchanged: true },
    { path: 'patterns.it.unchanged', cause: 'new-item-unchanged' },
  ],
  [
    'a condition in a batch',
    { op: 'transaction', steps: { a: { op: 'require', entity: 'Thing', where, condition: { count: 1 } } } },
    { path: 'patterns.it.steps.a', cause: 'reads-in-batch' },
  ],
  [
    'a delete with `unchanged` in a batch',
    { op: 'transaction', steps: { a: { op: 'delete', entity: 'Thing', where, unchanged: true } } },
    { path: 'patterns.it.steps.a.unchanged', cause: 'batch-delete-unchanged' },
  ],
])('rejects %s on Azure, in a system and in a single table', (_, pattern, expected) => {
  expect(found(pattern, 'azure')).toEqual([expected]);
  expect(found(pattern)).toEqual([expected]);
});

test.each<PatternDesign>([
  { op: 'put', entity: 'Thing', replace: true, unchanged: true },
  { op: 'delete', entity: 'Thing', where, unchanged: true },
  update({ set: { note: '<note>' }, unchanged: true }),
  query({ count: { atLeast: 1 }, note: 'x' }),
  query({ any: [{ count: { atLeast: 1 } }, { none: [{ note: 'x' }] }] }),
])('accepts %j on Azure, but rejects `unchanged` on DynamoDB, which has no ETags', (pattern) => {
  expect(found(pattern, 'azure')).toEqual([]);
  const expected = pattern.op === 'query' ? [] : [{ path: 'patterns.it.unchanged', cause: 'no-etag' }];
  expect(found(pattern, 'aws')).toEqual(expected);
});

test.each(Object.values(systems))('returns no findings for $name, or for any of its tables alone', (system) => {
  for (const design of [system, ...Object.values(system.tables)]) {
    expect(check(design).filter(({ rule }) => rule === 'cloud-operation')).toEqual([]);
  }
});
