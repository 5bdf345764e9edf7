import { z } from 'zod';
import type { PatternDesign, UpdatePattern } from '../../../lib/design/pattern';
import { KeyError } from '../../../lib/design/template';
import { ItemError } from '../../../lib/items/item';
import { buildOf } from '../dynamodb/designs';

const line = z.object({ sku: z.string(), qty: z.int().min(1), tags: z.array(z.string()).optional() });
const entity = {
  attributes: z.object({
    id: z.string(),
    lines: z.array(line).min(1),
    pair: z.tuple([z.string(), z.int()]).optional(),
    visits: z.record(z.string(), z.int()),
  }),
  keys: { PK: '<id>', SK: 'A' },
};
const update = (rest: Partial<UpdatePattern>): PatternDesign => ({
  ...{ op: 'update', entity: 'Thing', where: { PK: '<id>', SK: 'A' } },
  ...rest,
});
const ask = (rest: Partial<UpdatePattern>, values: object = {}) =>
  buildOf(entity, update(rest), { id: 'x', ...values });

describe('a position in a list', () => {
  test('an update sets a list element only if the element exists, because DynamoDB would otherwise append it', () => {
    expect(ask({ set: { 'lines[0].qty': '<qty>' } }, { qty: 3 })).toMatchObject({
      UpdateExpression: 'SET #0[0].#1 = :0',
      ConditionExpression: 'attribute_exists(#2) AND attribute_exists(#0[0])',
      ExpressionAttributeNames: { '#0': 'lines', '#1': 'qty', '#2': 'PK' },
      ExpressionAttributeValues: { ':0': 3 },
    });
  });

  test('a list position may be a parameter in changes and conditions', () => {
    const built = ask(
      {
        set: { 'lines[<at>].sku': { attribute: 'lines[<from>].sku' } },
        add: { 'lines[<at>].qty': 1 },
        condition: {
          any: [{ 'lines[<at>].qty': { lessThan: '<most>' } }, { 'lines[<at>].tags[1]': { exists: true } }],
        },
      },
      { at: 2, from: 0, most: 9 },
    );
    expect(built).toMatchObject({
      UpdateExpression: 'SET #0[2].#1 = #0[0].#1, #0[2].#2 = if_not_exists(#0[2].#2, :0) + :1',
      ConditionExpression:
        'attribute_exists(#3) AND attribute_exists(#0[2]) AND (#0[2].#2 < :2 OR attribute_exists(#0[2].#4[1]))',
    });
  });

  test('an update removes a list element only if the list keeps its minimum length', () => {
    expect(ask({ remove: ['lines[<at>]'] }, { at: 1 })).toMatchObject({
      UpdateExpression: 'REMOVE #0[1]',
      ConditionExpression: 'attribute_exists(#1) AND attribute_exists(#0[1]) AND NOT (size(#0) < :0)',
      ExpressionAttributeValues: { ':0': 2 },
    });
  });

  test('an update sets a list element only to a valid value', () => {
    expect(() => ask({ set: { 'lines[0].qty': '<qty>' } }, { qty: 0 })).toThrow(ItemError);
    expect(() => ask({ set: { 'lines[0]': '<line>' } }, { line: { sku: 'a' } })).toThrow('Thing: lines[0]: qty');
    expect(ask({ set: { 'pair[1]': '<n>' } }, { n: 4 })).toMatchObject({ ExpressionAttributeValues: { ':0': 4 } });
    expect(() => ask({ set: { 'pair[1]': '<n>' } }, { n: 'b' })).toThrow(ItemError);
    expect(() => ask({ set: { 'pair[2]': '<n>' } }, { n: 1 })).toThrow('unknown-attribute');
    expect(() => ask({ remove: ['pair[0]'] })).toThrow('required-removed');
  });

  test.each([undefined, -1, 1.5, '0', '0].sku', null])('a list position cannot be %p', (at) => {
    expect(() => ask({ remove: ['lines[<at>]'] }, { at })).toThrow(KeyError);
  });

  test('one update cannot change the same list element twice', () => {
    const set = { 'lines[<a>].qty': 1, 'lines[<b>].qty': 2 };
    expect(ask({ set }, { a: 0, b: 1 })).toMatchObject({ UpdateExpression: 'SET #0[0].#1 = :0, #0[1].#1 = :1' });
    expect(() => ask({ set }, { a: 1, b: 1 })).toThrow('lines[1].qty is changed twice');
  });

  test('a numeric name in a map is not treated as a list position', () => {
    expect(ask({ add: { 'visits.2026': 1 } })).toMatchObject({
      UpdateExpression: 'SET #0.#1 = if_not_exists(#0.#1, :0) + :1',
      ExpressionAttributeNames: { '#1': '2026' },
    });
  });
});
