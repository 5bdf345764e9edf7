import { z } from 'zod';
import type { UpdateInput } from '../../../lib/dynamodb';
import { buildOf } from './designs';

describe('updates that build on the stored value', () => {
  const entity = {
    attributes: z.object({
      id: z.string(),
      madeAt: z.string().optional(),
      tags: z.array(z.string()).optional(),
      left: z.int(),
      state: z.enum(['A', 'B']),
    }),
    keys: { PK: 'THING#<id>', SK: 'THING', GSI1PK: 'LEFT#<left>', GSI1SK: '<id>' },
  };
  const indexes = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } };
  const where = { PK: 'THING#<id>', SK: 'THING' };
  const update = (set: object, values: object) =>
    buildOf(entity, { op: 'update', entity: 'Thing', where, set } as never, { id: '1', ...values });

  test('sets a value only if it is missing', () => {
    expect(update({ madeAt: { ifMissing: '<now>' } }, { now: 'today' })).toMatchObject({
      UpdateExpression: 'SET #0 = if_not_exists(#0, :0)',
      ExpressionAttributeValues: { ':0': 'today' },
    });
  });

  test('appends or prepends to a list, even if the list is missing', () => {
    expect(update({ tags: { append: '<more>' } }, { more: ['x'] })).toMatchObject({
      UpdateExpression: 'SET #0 = list_append(if_not_exists(#0, :0), :1)',
      ExpressionAttributeValues: { ':0': [], ':1': ['x'] },
    });
    expect(update({ tags: { prepend: '<more>' } }, { more: ['x'] })).toMatchObject({
      UpdateExpression: 'SET #0 = list_append(:1, if_not_exists(#0, :0))',
    });
    expect(() => update({ tags: { append: '<more>' } }, { more: 'x' })).toThrow(
      'Thing: tags: expected a list to append',
    );
    expect(() => update({ tags: { append: '<more>' } }, { more: [1] })).toThrow('Thing: tags.0: ');
  });

  test('validates only the added elements, and checks the length of the whole list in the condition', () => {
    const listed = (tags: z.ZodType, more: unknown) => {
      const attributes = z.object({ id: z.string(), tags });
      const set = { tags: { append: '<more>' } };
      const pattern = { op: 'update', entity: 'Thing', where, set, upsert: true } as const;
      const keys = { PK: 'THING#<id>', SK: 'THING' };
      return buildOf({ attributes, keys }, pattern, { id: '1', more }, {}) as UpdateInput;
    };
    const three = z.array(z.string()).min(2).max(3).optional();
    expect(listed(three, ['x'])).toMatchObject({
      ConditionExpression: 'NOT (size(#1) > :3) AND attribute_exists(#1)',
      ExpressionAttributeValues: { ':1': [], ':2': ['x'], ':3': 2 },
    });
    expect(listed(three, ['x', 'y', 'z'])).toMatchObject({
      ConditionExpression: 'NOT (size(#1) > :3)',
      ExpressionAttributeValues: { ':3': 0 },
    });
    expect(() => listed(three, ['1', '2', '3', '4'])).toThrow('at most 3 elements are allowed, got 4');
    expect(listed(z.array(z.string()).default([]), ['x'])).not.toHaveProperty('ConditionExpression');
    expect(listed(z.array(z.string()).length(2).default([]), ['x', 'y'])).toMatchObject({
      ConditionExpression: 'NOT (size(#1) > :3)',
    });
    const nested = z.array(z.object({ n: z.string().trim() })).default([]);
    expect(listed(nested, [{ n: ' a ' }]).ExpressionAttributeValues).toMatchObject({ ':2': [{ n: 'a' }] });
    expect(() => listed(nested, [{ n: 'a', m: 1 }])).toThrow("'tags.0.m' is not an attribute");
  });

  test('subtracts a number, and refuses to build an index key from the number before the subtraction', () => {
    const subtract = { left: '<count>' };
    const pattern = { op: 'update', entity: 'Thing', where, subtract } as const;
    expect(buildOf(entity, pattern, { id: '1', count: 2 })).toMatchObject({
      UpdateExpression: 'SET #0 = if_not_exists(#0, :0) + :1',
      ExpressionAttributeValues: { ':0': 0, ':1': -2 },
    });
    const held = { ...pattern, condition: { left: 5 } };
    expect(() => buildOf(entity, held, { id: '1', count: 2 }, { indexes })).toThrow(/left/);
  });
});
