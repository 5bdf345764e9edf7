import { z } from 'zod';
import { type AbilityFault, faultsOnAzure } from '../../../lib/blueprint/abilities';
import { outline, type PatternBlueprint } from '../../../lib/blueprint/outline';
import type { PatternDesign, QueryPattern, UpdatePattern } from '../../../lib/design/pattern';
import { requests } from '../../../lib/dynamodb';
import { tableOf } from '../../fixtures/designs';

const where = { PK: 'THING#<id>', SK: 'THING' };
const entity = {
  attributes: z.object({ id: z.string(), n: z.int(), note: z.string().optional(), map: z.object({ a: z.string() }) }),
  keys: where,
};

const inTable = (pattern: PatternDesign): PatternBlueprint =>
  outline(tableOf(entity, { patterns: { it: pattern } })).patterns[0] as PatternBlueprint;
const onAzure = (pattern: PatternDesign) =>
  faultsOnAzure(inTable(pattern)).map(({ cause, ...at }) => [cause, placeOf(at)]);
const placeOf = ({ step, field, place }: Omit<AbilityFault, 'cause'>) =>
  ['', ...[step, field, place].filter((name) => name !== undefined)].join('.');

const query = (rest: Partial<QueryPattern>): PatternDesign => ({
  op: 'query',
  where: { PK: 'A' },
  returns: ['Thing'],
  ...rest,
});
const update = (rest: Partial<UpdatePattern>): PatternDesign => ({ op: 'update', entity: 'Thing', where, ...rest });

describe('patterns that Azure Tables supports', () => {
  test.each<[string, PatternDesign]>([
    ['get', { op: 'get', where, returns: ['Thing'] }],
    ['query a partition', query({ order: 'ascending', pageSize: 1000 })],
    [
      'filter by a property',
      query({ filter: { n: { between: [1, 2] }, note: { in: ['a', '<b>'] }, id: { not: 'x' } } }),
    ],
    ['put', { op: 'put', entity: 'Thing' }],
    ['replace an unchanged item', { op: 'put', entity: 'Thing', replace: true, unchanged: true }],
    ['merge', update({ set: { note: '<note>', map: '<map>' }, unchanged: true, upsert: true })],
    ['delete an unchanged item', { op: 'delete', entity: 'Thing', where, unchanged: true }],
    [
      'write several items',
      { op: 'transaction', steps: { a: { op: 'put', entity: 'Thing' }, b: { op: 'delete', entity: 'Thing', where } } },
    ],
    ['write with an empty condition', { op: 'delete', entity: 'Thing', where, condition: {} }],
  ])('Azure Tables can %s', (_, pattern) => {
    expect(onAzure(pattern)).toEqual([]);
  });
});

describe('patterns that Azure Tables does not support', () => {
  test.each<[string, PatternDesign, readonly string[]]>([
    ['get several items at once', { op: 'batchGet', keys: { a: where }, returns: ['Thing'] }, ['one-at-a-time', '']],
    ['use an index', query({ index: 'GSI1' }), ['no-index', '.index']],
    ['read in descending order', query({ order: 'descending' }), ['ascending-only', '.order']],
    ['fill a page of 1001', query({ pageSize: 1001 }), ['page-size', '.pageSize']],
    ['fill a page of 0', query({ pageSize: 0 }), ['page-size', '.pageSize']],
    ['fill a page of 1.5 items', query({ pageSize: 1.5 }), ['page-size', '.pageSize']],
    [
      'test whether a property exists',
      query({ filter: { note: { exists: false } } }),
      ['no-such-test', '.filter.note'],
    ],
    ['search inside a property', query({ filter: { note: { contains: 'x' } } }), ['no-such-test', '.filter.note']],
    ['compare two properties', query({ filter: { note: { attribute: 'id' } } }), ['no-such-test', '.filter.note']],
    [
      'compare the order of two properties',
      query({ filter: { n: { atLeast: { attribute: 'id' } } } }),
      ['no-such-test', '.filter.n'],
    ],
    [
      'compare with another property in a list',
      query({ filter: { n: { in: [1, { attribute: 'id' }] } } }),
      ['no-such-test', '.filter.n'],
    ],
    ['filter by a field of a map', query({ filter: { 'map.a': 'x' } }), ['inside-map', '.filter.map.a']],
    [
      'put with a condition other than the ETag',
      { op: 'put', entity: 'Thing', condition: { n: 1 } },
      ['etag-alone', '.condition'],
    ],
    [
      'update with a condition other than the ETag',
      update({ set: { note: 'x' }, condition: { n: 1 } }),
      ['etag-alone', '.condition'],
    ],
    [
      'delete with a condition other than the ETag',
      { op: 'delete', entity: 'Thing', where, condition: { n: 1 } },
      ['etag-alone', '.condition'],
    ],
    ['add to a number', update({ add: { n: 1 } }), ['no-addition', '.add.n']],
    ['remove a property', update({ remove: ['note'] }), ['no-removal', '.remove']],
    ['copy a property', update({ set: { note: { attribute: 'id' } } }), ['no-copy', '.set.note']],
    ['set a part of a map', update({ set: { 'map.a': 'x' } }), ['inside-map', '.set.map.a']],
    ['create an unchanged item', { op: 'put', entity: 'Thing', unchanged: true }, ['new-item-unchanged', '.unchanged']],
    [
      'test a condition on an item that the batch does not write',
      { op: 'transaction', steps: { a: { op: 'require', entity: 'Thing', where, condition: { n: 1 } } } },
      ['reads-in-batch', '.a'],
    ],
    [
      'delete an unchanged item in a batch',
      { op: 'transaction', steps: { a: { op: 'delete', entity: 'Thing', where, unchanged: true } } },
      ['batch-delete-unchanged', '.a.unchanged'],
    ],
    [
      'add to a number in a batch',
      { op: 'transaction', steps: { a: { op: 'update', entity: 'Thing', where, add: { n: 1 } } } },
      ['no-addition', '.a.add.n'],
    ],
  ])('Azure Tables cannot %s', (_, pattern, [cause, path]) => {
    expect(onAzure(pattern)).toEqual([[cause, path]]);
  });

  test('reports a batch of more than 100 items on Azure Tables', () => {
    const batch = (count: number): PatternDesign => ({
      op: 'transaction',
      steps: Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}`, { op: 'put', entity: 'Thing' }])),
    });
    expect(onAzure(batch(100))).toEqual([]);
    expect(onAzure(batch(101))).toEqual([['batch-size', '.steps']]);
  });

  test('reports each feature that Azure Tables does not support, with a message and a fix', () => {
    const all = faultsOnAzure(
      inTable(query({ index: 'GSI1', order: 'descending', filter: { 'map.a': { exists: true } } })),
    );
    expect(all.map(({ cause }) => cause)).toEqual(['no-index', 'ascending-only', 'inside-map', 'no-such-test']);
    for (const { message, fix } of all) expect([message, fix]).not.toContain('');
  });
});

describe('DynamoDB', () => {
  test.each<PatternDesign>([
    { op: 'put', entity: 'Thing', replace: true, unchanged: true },
    update({ set: { note: 'x' }, unchanged: true }),
    { op: 'delete', entity: 'Thing', where, unchanged: true },
    { op: 'transaction', steps: { a: { op: 'delete', entity: 'Thing', where, unchanged: true } } },
  ])('building a request with `unchanged` throws, because DynamoDB has no ETags: %j', (pattern) => {
    const { it } = requests(tableOf(entity, { patterns: { it: pattern } }), 'things') as Record<
      string,
      (values: object) => object
    >;
    expect(() => it?.({ id: 'x', n: 1, map: { a: 'x' }, a: {} })).toThrow('DynamoDB has no ETag');
  });
});
