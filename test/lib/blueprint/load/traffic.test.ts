import { z } from 'zod';
import { usesOf } from '../../../../lib/blueprint/load/traffic';
import { blueprint, type PatternBlueprint } from '../../../../lib/blueprint/table';
import type { PatternDesign } from '../../../../lib/design/pattern';

const where = { PK: 'ITEM#<id>' };

/**
 * Returns the capacity units that one call consumes if items have 3,000 bytes. The items are in two indexes: one
 * projects everything, and the other projects only keys.
 */
function unitsOf(pattern: PatternDesign) {
  const table = blueprint({
    name: 'items',
    key: { partition: 'PK' },
    indexes: { all: { partition: 'group' }, keys: { partition: 'group', projection: 'keys' } },
    entities: { Item: { attributes: z.object({ id: z.string(), group: z.string(), count: z.int() }), keys: where } },
    patterns: { one: pattern },
  });
  return usesOf(table, table.patterns[0] as PatternBlueprint, { bytes: 3000 });
}

describe('the item size of a union', () => {
  const long = z.literal('x'.repeat(3000));
  const kind = (name: string, more: object) => z.object({ id: z.string(), kind: z.literal(name), ...more });
  const table = blueprint({
    name: 'items',
    key: { partition: 'PK' },
    indexes: { byAuthor: { partition: 'author', projection: ['text', 'plot'] } },
    entities: {
      Item: {
        attributes: z.discriminatedUnion('kind', [
          kind('book', { author: z.literal('ana'), text: z.literal('short') }),
          kind('film', { plot: long }),
          kind('game', { rules: long }),
        ] as never) as never,
        keys: where,
      },
    },
    patterns: { put: { op: 'put', entity: 'Item' } },
  });
  const uses = usesOf(table, table.patterns[0] as PatternBlueprint);

  test('the cost of a put in the table is based on the largest union member, because no item has the attributes of several members', () => {
    expect(uses[0]).toEqual({ reads: 0, writes: 3 });
  });

  test('the cost of a put in an index is based on the largest item that the index can contain', () => {
    expect(uses[1]).toEqual({ index: 'byAuthor', reads: 0, writes: 1 });
  });
});

// DynamoDB Local reports these units for items of 3,000 bytes.
test.each<[string, PatternDesign, object[]]>([
  ['a put', { op: 'put', entity: 'Item' }, [{ writes: 3 }, { index: 'all', writes: 3 }, { index: 'keys', writes: 1 }]],
  [
    'an addition to a counter that is not part of any key',
    { op: 'update', entity: 'Item', where, add: { count: 1 } },
    [{ writes: 3 }, { index: 'all', writes: 3 }],
  ],
  [
    'a change to an index key, which deletes the old entry and writes a new one',
    { op: 'update', entity: 'Item', where, set: { group: '<group>' } },
    [{ writes: 3 }, { index: 'all', writes: 6 }, { index: 'keys', writes: 2 }],
  ],
  [
    'a delete',
    { op: 'delete', entity: 'Item', where },
    [{ writes: 3 }, { index: 'all', writes: 3 }, { index: 'keys', writes: 1 }],
  ],
  ['a get', { op: 'get', where, returns: ['Item'] }, [{ reads: 0.5 }]],
  ['a consistent get', { op: 'get', where, returns: ['Item'], consistent: true }, [{ reads: 1 }]],
  ['a read in a transaction', { op: 'transactGet', keys: { one: where }, returns: ['Item'] }, [{ reads: 2 }]],
])('counts the capacity units of %s', (_, pattern, uses) => {
  expect(unitsOf(pattern)).toEqual(uses.map((use) => ({ reads: 0, writes: 0, ...use })));
});

// For a transaction, DynamoDB Local reports four times the units of a single write, both in tables and in indexes. AWS
// documents only double the units, so these tests expect double units for the table, and single units for its indexes.
test.each<[string, PatternDesign, object[]]>([
  [
    'a put in a transaction',
    { op: 'transaction', steps: { one: { op: 'put', entity: 'Item' } } },
    [{ writes: 6 }, { index: 'all', writes: 3 }, { index: 'keys', writes: 1 }],
  ],
  [
    'a change to an index key in a transaction',
    { op: 'transaction', steps: { one: { op: 'update', entity: 'Item', where, set: { group: '<group>' } } } },
    [{ writes: 6 }, { index: 'all', writes: 6 }, { index: 'keys', writes: 2 }],
  ],
  [
    'a condition check in a transaction',
    { op: 'transaction', steps: { one: { op: 'require', entity: 'Item', where, condition: { count: 1 } } } },
    [{ writes: 6 }],
  ],
])('counts the capacity units of %s', (_, pattern, uses) => {
  expect(unitsOf(pattern)).toEqual(uses.map((use) => ({ reads: 0, writes: 0, ...use })));
});
