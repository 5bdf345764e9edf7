import { z } from 'zod';
import type { PatternDesign, PutPattern } from '../../../lib/design/pattern';
import { entities, ItemError, requests } from '../../../lib/dynamodb';
import { unique } from '../../../lib/dynamodb/unique';
import { bookingsTable } from '../../../lib/systems/booking/bookings';
import { cancelledOf } from '../../../lib/systems/booking/examples';
import { transporteAppTable } from '../../../lib/systems/transporte/design';
import { ruralCreditAITable, usersTable } from '../../../lib/systems/trimobe/design';
import { book, build, buildOf, library } from './designs';

const patterns = requests(library, 'library');
const { item, put } = entities(library, 'library');

const thing = {
  attributes: z.object({ id: z.string(), size: z.int().optional(), note: z.string().optional() }),
  keys: { PK: 'THING#<id>', SK: 'THING' },
};
const key = { PK: 'THING#<id>', SK: 'THING' };
const Item = { PK: 'THING#x', SK: 'THING', id: 'x' };

describe('put', () => {
  const putOf = (rest: Partial<PutPattern>, values: object) =>
    buildOf(thing, { op: 'put', entity: 'Thing', ...rest }, values);

  test('never overwrites', () => {
    const expected = {
      TableName: 'library',
      Item: item('Book', book),
      ConditionExpression: 'attribute_not_exists(#0)',
      ExpressionAttributeNames: { '#0': 'PK' },
    };
    expect(patterns.addBook(book)).toEqual(expected);
    expect(put('Book', book)).toEqual(expected);
    expect(patterns.addBook.command).toBe('Put');
  });

  test('requests share no mutable state', () => {
    const input = put('Book', book);
    expect(() => Object.assign(input.ExpressionAttributeNames ?? {}, { '#0': 'other' })).toThrow(TypeError);
    expect(put('Book', book).Item).not.toBe(input.Item);
  });

  test('overwrites an item only if the pattern has `replace`', () => {
    expect(putOf({ replace: true }, { id: 'x' })).toEqual({ TableName: 'things', Item });
    expect(putOf({ replace: false }, { id: 'x' })).toHaveProperty('ConditionExpression', 'attribute_not_exists(#0)');
  });

  test("adds the pattern's condition to a put", () => {
    const condition = { size: { exists: false }, note: { not: 'x' } };
    expect(putOf({ condition }, { id: 'x' })).toEqual({
      TableName: 'things',
      Item,
      ConditionExpression: 'attribute_not_exists(#0) AND attribute_not_exists(#1) AND #2 <> :0',
      ExpressionAttributeNames: { '#0': 'PK', '#1': 'size', '#2': 'note' },
      ExpressionAttributeValues: { ':0': 'x' },
    });
    const smaller = { condition: { size: { lessThan: '<most>' } }, item: { id: 'x' }, replace: true };
    expect(putOf(smaller, { most: 5 })).toEqual({
      TableName: 'things',
      Item,
      ConditionExpression: '#0 < :0',
      ExpressionAttributeNames: { '#0': 'size' },
      ExpressionAttributeValues: { ':0': 5 },
    });
    expect(() => putOf(smaller, { most: 'x' })).toThrow('size is compared with "x": Invalid input: expected number');
  });

  test('builds the item from constants and parameters, and preserves their types', () => {
    const spelt = { id: '<a>-<b>', size: '<size?>', note: 'new' };
    expect(putOf({ item: spelt }, { a: 1, b: 2, size: 3 })).toMatchObject({
      Item: { PK: 'THING#1-2', id: '1-2', size: 3, note: 'new' },
    });
    expect(putOf({ item: spelt }, { a: 1, b: 2 })).toHaveProperty('Item', {
      PK: 'THING#1-2',
      SK: 'THING',
      id: '1-2',
      note: 'new',
    });
    expect(() => putOf({ item: spelt }, { a: 1 })).toThrow('<b> is missing; give it a value');
    expect(() => putOf({ item: { ...spelt, size: 'big' } }, { a: 1, b: 2 })).toThrow('Thing: size: Invalid input');
    expect(() => putOf({ item: { id: 'a', size: { attribute: 'note' } } }, {})).toThrow(
      'size: a new item has no attribute to copy',
    );
  });

  test('refuses a put for an entity that the design does not have', () => {
    const attempt = () => buildOf(thing, { op: 'put', entity: 'Nope' }, {});
    expect(attempt).toThrow(ItemError);
    expect(attempt).toThrow("pattern: 'Nope' is not an entity of 'things'");
  });
});

describe('delete', () => {
  test("deletes one item under the pattern's condition", () => {
    expect(patterns.removeBook({ shelf: 's1', number: 7 })).toEqual({
      TableName: 'library',
      Key: { PK: 'SHELF#s1', SK: 'BOOK#7' },
      ConditionExpression: 'attribute_not_exists(#0)',
      ExpressionAttributeNames: { '#0': 'status' },
    });
    expect(patterns.removeBook.command).toBe('Delete');
    expect(buildOf(thing, { op: 'delete', entity: 'Thing', where: key }, { id: 'x' })).toEqual({
      TableName: 'things',
      Key: { PK: 'THING#x', SK: 'THING' },
    });
  });
});

describe('update', () => {
  const updateOf = (rest: object, values: object = {}) =>
    buildOf(thing, { op: 'update', entity: 'Thing', where: key, ...rest } as PatternDesign, { id: 'x', ...values });

  test('sets, adds and removes attributes of an existing item in one expression', () => {
    expect(patterns.lend({ shelf: 's1', number: 7, since: '2026-02-01' })).toEqual({
      TableName: 'library',
      Key: { PK: 'SHELF#s1', SK: 'BOOK#7' },
      UpdateExpression: 'SET #0 = :0, #1 = :1, #2 = :2, #3 = :3, #4.#5 = if_not_exists(#4.#5, :4) + :5',
      ConditionExpression: 'attribute_exists(#6) AND #4.#5 > :6',
      ExpressionAttributeNames: {
        '#0': 'status',
        '#1': 'since',
        '#2': 'GSI1PK',
        '#3': 'GSI1SK',
        '#4': 'stock',
        '#5': 'left',
        '#6': 'PK',
      },
      ExpressionAttributeValues: {
        ':0': 'LENT',
        ':1': '2026-02-01',
        ':2': 'STATUS#LENT',
        ':3': '2026-02-01#000007',
        ':4': 0,
        ':5': -1,
        ':6': 0,
      },
    });
    expect(patterns.lend.command).toBe('Update');
  });

  test('accepts constants, templates, copied attributes and amounts in an update', () => {
    expect(updateOf({ set: { note: 'by <who>' }, add: { size: '<more>' } }, { who: 'Ana', more: 2 })).toMatchObject({
      UpdateExpression: 'SET #0 = :0, #1 = if_not_exists(#1, :1) + :2',
      ExpressionAttributeValues: { ':0': 'by Ana', ':1': 0, ':2': 2 },
    });
    const attributes = z.object({ id: z.string(), a: z.string(), b: z.string() });
    const copy: PatternDesign = { op: 'update', entity: 'Thing', where: key, set: { a: { attribute: 'b' } } };
    expect(buildOf({ ...thing, attributes }, copy, { id: 'x' })).toMatchObject({
      UpdateExpression: 'SET #0 = #1',
      ExpressionAttributeNames: { '#0': 'a', '#1': 'b', '#2': 'PK' },
    });
    expect(updateOf({ remove: ['note', 'size'] })).toMatchObject({ UpdateExpression: 'REMOVE #0, #1' });
    expect(updateOf({ set: { size: 1 }, remove: ['note'] })).toMatchObject({
      UpdateExpression: 'SET #0 = :0 REMOVE #1',
    });
  });

  test('skips changes whose values the caller omits, and refuses an update without any changes', () => {
    const optional = { set: { note: '<note?>' }, add: { size: '<more?>' } };
    expect(updateOf(optional, { note: 'n' })).toMatchObject({ UpdateExpression: 'SET #0 = :0' });
    expect(updateOf(optional, { more: 1 })).toMatchObject({ UpdateExpression: 'SET #0 = if_not_exists(#0, :0) + :1' });
    expect(() => updateOf(optional)).toThrow('pattern: nothing to change; give at least one of note, size');
  });

  test('requires that the item exists unless the update may create it', () => {
    const make = { set: { note: 'n' }, upsert: true };
    expect(updateOf({ set: { note: 'n' } })).toHaveProperty('ConditionExpression', 'attribute_exists(#1)');
    expect(updateOf(make)).not.toHaveProperty('ConditionExpression');
    expect(updateOf({ ...make, condition: { size: { lessThan: 5 } } })).toHaveProperty(
      'ConditionExpression',
      '#2 < :2',
    );
    expect(updateOf({ set: { note: 'n' }, condition: { PK: { exists: false } } })).toHaveProperty(
      'ConditionExpression',
      'attribute_not_exists(#1)',
    );
  });

  test('validates each value against the schema, and names the entity and the attribute in the error', () => {
    const attempt =
      (rest: object, values: object = {}) =>
      () =>
        updateOf(rest, values);
    expect(attempt({ set: { size: '<size>' } }, { size: 'big' })).toThrow(ItemError);
    expect(attempt({ set: { size: '<size>' } }, { size: 'big' })).toThrow(
      'Thing: size: Invalid input: expected number',
    );
    expect(attempt({ set: { size: 1.5 } })).toThrow('Thing: size: Invalid input: expected int');
    expect(attempt({ set: { note: '<note>' } }, { note: null })).toThrow('Thing: note: Invalid input');
    expect(attempt({ set: { size: '<size>' } })).toThrow('<size> is missing; give it a value');
    expect(attempt({ add: { size: '<more>' } }, { more: '1' })).toThrow(
      'Thing: size: expected a number to add, got: "1"',
    );
  });

  test("stores the schema's output values, at any depth", () => {
    const attributes = z.object({
      id: z.string(),
      email: z.email().toLowerCase(),
      map: z.object({ a: z.string() }),
      record: z.record(z.string(), z.int()),
    });
    const set = { email: '<email?>', map: '<map?>', 'record.x': '<x?>' };
    const pattern: PatternDesign = { op: 'update', entity: 'Thing', where: key, set };
    const of = (values: object) => () => buildOf({ ...thing, attributes }, pattern, { id: 'x', ...values });
    expect(of({ email: 'A@B.CO' })()).toMatchObject({ ExpressionAttributeValues: { ':0': 'a@b.co' } });
    expect(of({ map: { a: 'a', b: 1 } })).toThrow("'map.b' is not an attribute of Thing");
    expect(of({ x: 'y' })).toThrow('Thing: record.x: Invalid input: expected number');
    expect(of({ x: 5 })()).toMatchObject({ UpdateExpression: 'SET #0.#1 = :0' });
  });

  test('refuses impossible changes as soon as the request is created', () => {
    const attempt = () => updateOf({ set: { colour: 'red' } });
    expect(attempt).toThrow(ItemError);
    expect(attempt).toThrow('pattern.set.colour can never work (unknown-attribute colour): run the check');
    expect(() => updateOf({ add: { size: 1 }, set: { PK: 'a' } })).toThrow(
      'pattern.set.PK can never work (written-by-table PK)',
    );
    const required = { ...thing, attributes: z.object({ id: z.string(), note: z.string() }) };
    const pattern: PatternDesign = { op: 'update', entity: 'Thing', where: key, remove: ['note'] };
    expect(() => buildOf(required, pattern, { id: 'x' })).toThrow(
      'pattern.remove can never work (required-removed note)',
    );
  });
});

describe('transaction', () => {
  test('builds every step of a transaction from the values that the step refers to', () => {
    const reader = { readerId: 'r1', name: 'Ana' };
    const values = { reader, shelf: 's1', number: 7, oldId: 'r0', inviterId: 'r2', books: 3 };
    expect(patterns.welcome(values)).toEqual({
      TransactItems: [
        { Put: put('Reader', reader) },
        {
          Update: {
            TableName: 'library',
            Key: { PK: 'SHELF#s1', SK: 'BOOK#7' },
            UpdateExpression: 'SET #0 = :0',
            ConditionExpression: 'attribute_exists(#1)',
            ExpressionAttributeNames: { '#0': 'note', '#1': 'PK' },
            ExpressionAttributeValues: { ':0': 'kept for Ana' },
          },
        },
        { Delete: { TableName: 'library', Key: { PK: 'READER#r0', SK: 'READER' } } },
        {
          ConditionCheck: {
            TableName: 'library',
            Key: { PK: 'READER#r2', SK: 'READER' },
            ConditionExpression: '#0 <= :0',
            ExpressionAttributeNames: { '#0': 'books' },
            ExpressionAttributeValues: { ':0': 3 },
          },
        },
      ],
    });
    expect(patterns.welcome.command).toBe('TransactWrite');
  });

  test('names the entity in the error for a missing item', () => {
    expect(() => build(library, 'welcome', {})).toThrow('Reader: Invalid input: expected object, received undefined');
  });

  const id = (n: number) => `0195f3a2-7c1e-7b1a-9d5e-00000000000${n}`;
  const at = '2026-01-31T12:00:00.000Z';

  test('writes a user together with the item that claims the e-mail address', () => {
    const own = { tenantId: id(1), cognitoId: 'c1', email: 'a@b.co', name: 'Ana', role: 'USER' as const };
    const user = { ...own, status: 'ACTIVE', createdAt: at, updatedAt: at };
    const [first, second] = requests(usersTable, 'users', { unique }).createUser(user).TransactItems;
    expect(first?.Put?.Item).toMatchObject({ PK: `TENANT#${id(1)}`, SK: 'USER#c1', GSI1PK: 'USER#c1' });
    expect(second?.Put).toEqual({
      TableName: 'users',
      Item: { PK: 'EMAIL#a@b.co', SK: 'EMAIL#a@b.co', email: 'a@b.co', uniqueOwner: { cognitoId: 'c1' } },
      ConditionExpression: 'attribute_not_exists(#0) OR #1 = :0',
      ExpressionAttributeNames: { '#0': 'PK', '#1': 'uniqueOwner' },
      ExpressionAttributeValues: { ':0': { cognitoId: 'c1' } },
    });
  });

  test('moves a conversation to the head of both of its lists', () => {
    const said = { role: 'USER' as const, content: '', attachments: [], createdAt: at };
    const message = { id: id(3), tenantId: id(1), conversationId: id(2), ...said };
    const [, conversation] = requests(ruralCreditAITable, 't').addMessage({ message }).TransactItems;
    expect(conversation?.Update).toEqual({
      TableName: 't',
      Key: { PK: `TENANT#${id(1)}`, SK: `CONVERSATION#${id(2)}` },
      UpdateExpression: 'SET #0 = :0, #1 = :1, #2 = :2, #3 = :3',
      ConditionExpression: 'attribute_exists(#4) AND #0 <= :4',
      ExpressionAttributeNames: {
        '#0': 'lastMessageAt',
        '#1': 'updatedAt',
        '#2': 'GSI1SK',
        '#3': 'GSI2SK',
        '#4': 'PK',
      },
      ExpressionAttributeValues: { ':0': at, ':1': at, ':2': `CONVERSATION#${at}`, ':3': at, ':4': at },
    });
  });

  test('updates the day of a booking, and creates the day if it is missing', () => {
    const cancelled = cancelledOf('b', '2026-01-31T09:00', '2026-01-31T10:00', { tenantId: 't', providerId: 'p' });
    const { startTime } = cancelled;
    const [, , day] = requests(bookingsTable, 'b').cancelSlot({
      cancelled,
      startTime,
      status: 'PENDING',
    }).TransactItems;
    expect(day?.Update).toEqual({
      TableName: 'b',
      Key: { PK: 't#p', SK: 'DAY#2026-01-31' },
      UpdateExpression: 'SET #0 = if_not_exists(#0, :0) + :1',
      ExpressionAttributeNames: { '#0': 'version' },
      ExpressionAttributeValues: { ':0': 0, ':1': 1 },
    });
  });

  test('keeps a count within a limit that is stored in the same item', () => {
    const count = transporteAppTable.patterns.createTripWithWaybill.steps.usuario;
    const { name, key, typeAttribute, entities } = transporteAppTable;
    const design = { name, key, typeAttribute, entities, patterns: { count } };
    expect(build(design, 'count', { userId: 'u1', carta: { userId: 'u1' } })).toEqual({
      TableName: 'things',
      Key: { PK: 'USER#u1', SK: 'PROFILE#metadata' },
      UpdateExpression: 'SET #0.#1 = if_not_exists(#0.#1, :0) + :1',
      ConditionExpression: 'attribute_exists(#2) AND #3.#4 = :2 AND #0.#1 < #5.#6.#7',
      ExpressionAttributeNames: {
        '#0': 'credits',
        '#1': 'monthlyUsed',
        '#2': 'PK',
        '#3': 'data',
        '#4': 'id',
        '#5': 'subscription',
        '#6': 'limits',
        '#7': 'cartasPorteMes',
      },
      ExpressionAttributeValues: { ':0': 0, ':1': 1, ':2': 'u1' },
    });
  });
});

test('refuses `unchanged`, and suggests a condition instead', () => {
  expect(() => buildOf(thing, { op: 'put', entity: 'Thing', replace: true, unchanged: true }, { id: 'x' })).toThrow(
    "DynamoDB has no ETag for 'unchanged'; write a condition",
  );
});
