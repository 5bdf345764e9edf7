import { z } from 'zod';
import { comparisonOf } from '../../../lib/costs/equivalents';
import { PRICES } from '../../../lib/costs/prices';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';

const where = { PK: 'ITEM#<id>', SK: 'ITEM' };

/** Returns a system in which `Item` is in three indexes, and `Line` is in none. The last index projects only keys. */
function systemWith(patterns: Readonly<Record<string, PatternDesign>>): SystemDesign {
  const by = (name: string) => ({ partition: name, sort: 'SK' });
  const attributes = z.object({ id: z.string(), a: z.string(), b: z.string(), c: z.string(), count: z.int() });
  const items = {
    name: 'items',
    key: { partition: 'PK', sort: 'SK' },
    indexes: { byA: by('a'), byB: by('b'), byC: { ...by('c'), projection: 'keys' as const } },
    entities: {
      Item: { attributes, keys: where },
      Line: { attributes: z.object({ id: z.string(), no: z.string() }), keys: { PK: 'ITEM#<id>', SK: 'LINE#<no>' } },
    },
    patterns,
  };
  return { name: 'shop', cloud: 'aws', tables: { items } };
}

function requestsFor(pattern: PatternDesign, items?: number): number | undefined {
  const loads = items === undefined ? undefined : { one: { perSecond: 1, items } };
  return comparisonOf(systemWith({ one: pattern }), loads, PRICES).patterns[0]?.requests;
}

const count = { op: 'update', entity: 'Item', where, add: { count: 1 } } as const;
const line = (part: string) => ({ PK: `ITEM#<${part}.id>`, SK: `LINE#<${part}.no>` });
const put = { op: 'put', entity: 'Line' } as const;
const item = {
  op: 'require',
  entity: 'Item',
  where: { ...where, PK: 'ITEM#<line.id>' },
  condition: { a: '<a>' },
} as const;

test.each<[string, number, PatternDesign]>([
  ['a get', 1, { op: 'get', where, returns: ['Item'] }],
  ['a page', 1, { op: 'query', where: { PK: 'ITEM#<id>' }, returns: ['Item'] }],
  ['a read of two items in a transaction', 4, { op: 'transactGet', keys: { a: where, b: where }, returns: ['Item'] }],
  ['a put of an item that is in no index', 1, put],
  ['a put with three index rows', 5, { op: 'put', entity: 'Item' }],
  ['an update of an attribute that two of three indexes contain', 7, count],
  ['an update that moves the row in the third index', 10, { ...count, set: { c: '<c>' } }],
  ['a delete', 9, { op: 'delete', entity: 'Item', where }],
  ['a transaction in one partition', 2, { op: 'transaction', steps: { line: put, item } }],
  [
    'a transaction over two partitions',
    2 + 6,
    { op: 'transaction', steps: { line: put, item, other: { ...item, where } } },
  ],
])('counts the requests of %s: %i', (_, requests, pattern) => {
  expect(requestsFor(pattern)).toBe(requests);
});

test('counts one write per item of a list, but counts the requests per partition only once if all items share a partition', () => {
  const each = { op: 'delete', entity: 'Line', each: 'lines' } as const;
  const some = { op: 'transaction', steps: { some: { ...each, where: line('lines') } } } as const;
  const same = {
    op: 'transaction',
    steps: { some: { ...each, where: { ...line('lines'), PK: 'ITEM#<id>' } } },
  } as const;
  expect(requestsFor(some, 3)).toBe(3 + 2 * 3 + 2);
  expect(requestsFor(same, 3)).toBe(3 + 1);
  expect(requestsFor({ op: 'batchWrite', steps: { some: { ...each, where: line('lines') } } }, 3)).toBe(6);
});

test('prices a put with three index rows on Azure at one fourteenth of its price on DynamoDB', () => {
  const { patterns } = comparisonOf(systemWith({ one: { op: 'put', entity: 'Item' } }), undefined, PRICES);
  const [{ azure, dynamodb }] = patterns as [(typeof patterns)[0]];
  expect(Math.round(dynamodb / azure)).toBe(14);
});

test('prices the load for a month, and omits patterns without a load', () => {
  const loads = { one: { perSecond: 10 } };
  const both = systemWith({ one: put, two: count });
  expect(comparisonOf(both, loads, { ...PRICES, azure: { ...PRICES.azure, requests10k: 1 } })).toEqual({
    patterns: [{ pattern: 'one', requests: 1, azure: 2628, dynamodb: 16.43 }],
    total: { azure: 2628, dynamodb: 16.43 },
  });
});
