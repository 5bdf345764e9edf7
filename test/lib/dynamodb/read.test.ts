import { z } from 'zod';
import type { KeyCondition, PatternDesign } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { KeyError } from '../../../lib/design/template';
import { entities, ItemError, requests } from '../../../lib/dynamodb';
import { transporteAppTable } from '../../../lib/systems/transporte/design';
import { orders } from '../../fixtures/designs';
import { book, buildOf, library } from './designs';

const patterns = requests(library, 'library');
const { item } = entities(library, 'library');

describe('get', () => {
  test('requests one item by the whole key', () => {
    expect(patterns.getBook({ shelf: 's1', number: 7 })).toEqual({
      TableName: 'library',
      Key: { PK: 'SHELF#s1', SK: 'BOOK#7' },
    });
    expect(patterns.getBook.command).toBe('Get');
  });

  test('requests a consistent read if the pattern is consistent', () => {
    const attributes = z.object({ id: z.string() });
    const pattern = { op: 'get', where: { PK: '<id>', SK: 'A' }, returns: ['Thing'], consistent: true } as const;
    expect(buildOf({ attributes, keys: { PK: '<id>', SK: 'A' } }, pattern, { id: 'x' })).toEqual({
      TableName: 'things',
      Key: { PK: 'x', SK: 'A' },
      ConsistentRead: true,
    });
  });

  test('refuses values that cannot form a key, and names them in the error', () => {
    const attempt = (values: object) => () => patterns.getBook(values as never);
    expect(attempt({ number: 7 })).toThrow(KeyError);
    expect(attempt({ number: 7 })).toThrow('SHELF#<shelf>: <shelf> is missing; give a string or a number');
    expect(attempt({ shelf: 's#1', number: 7 })).toThrow('SHELF#<shelf>: <shelf> is "s#1"; it holds the separator');
    expect(attempt({ shelf: '', number: 7 })).toThrow('<shelf> is ""');
    expect(attempt({ shelf: 's1', number: Number.NaN })).toThrow('<number> is NaN');
    expect(attempt({ shelf: 'x'.repeat(3000), number: 7 })).toThrow('the key takes 3006 bytes');
  });

  test("renders both keys if they share a template, and checks each key's maximum length", () => {
    const keys = { PK: 'A#<id>', SK: 'A#<id>' };
    const entity = { attributes: z.object({ id: z.string() }), keys };
    const get: PatternDesign = { op: 'get', where: keys, returns: ['Thing'] };
    expect(buildOf(entity, get, { id: 'x' })).toMatchObject({ Key: { PK: 'A#x', SK: 'A#x' } });
    expect(() => buildOf(entity, get, { id: 'x'.repeat(1023) })).toThrow('at most 1024 are allowed');
    expect(() => buildOf(entity, get, { id: 'a#b' })).toThrow(KeyError);
  });

  test('sends a natural key unchanged even if another key has the same template', () => {
    const entity = { attributes: z.object({ id: z.string() }), keys: { SK: '<id>' } };
    const get: PatternDesign = { op: 'get', where: { id: '<id>', SK: '<id>' }, returns: ['Thing'] };
    const rest = { key: { partition: 'id', sort: 'SK' } };
    expect(buildOf(entity, get, { id: 'x' }, rest)).toMatchObject({ Key: { id: 'x', SK: 'x' } });
    expect(() => buildOf(entity, get, { id: 'a#b' }, rest)).toThrow('it holds the separator');
  });

  test('refuses a pattern that does not contain the whole key', () => {
    const pattern: PatternDesign = { op: 'get', where: { PK: 'A' }, returns: ['Thing'] };
    expect(() => buildOf({ attributes: z.object({}), keys: { PK: 'A', SK: 'B' } }, pattern)).toThrow(
      "'SK' is part of the primary key; add it to 'where'",
    );
  });

  test('returns the item, or undefined for a missing item', () => {
    expect(patterns.getBook.read({ Item: item('Book', book) })).toEqual({ ...book, kind: 'BOOK' });
    expect(patterns.getBook.read({})).toBeUndefined();
  });
});

describe('natural keys', () => {
  const attributes = z.object({ id: z.string(), n: z.int(), at: z.string() });
  const key = { partition: 'id', sort: 'n' };
  const get: PatternDesign = { op: 'get', where: { id: '<id>', n: '<n>' }, returns: ['Thing'] };

  test('sends natural keys unchanged, including numbers and strings with separators', () => {
    expect(buildOf({ attributes }, get, { id: 'a#b', n: 7 }, { key })).toMatchObject({ Key: { id: 'a#b', n: 7 } });
    expect(buildOf({ attributes }, get, { id: 'a', n: 0 }, { key })).toMatchObject({ Key: { id: 'a', n: 0 } });
  });

  test("converts a constant in a natural key to the attribute's type", () => {
    const first: PatternDesign = { op: 'get', where: { id: '5', n: '5' }, returns: ['Thing'] };
    expect(buildOf({ attributes }, first, {}, { key })).toMatchObject({ Key: { id: '5', n: 5 } });
  });

  test('renders a natural key that the pattern builds from parts', () => {
    const made: PatternDesign = { op: 'get', where: { id: '<a>@<at:date>', n: '<n>' }, returns: ['Thing'] };
    const values = { a: 'x', at: '2026-01-31T00:00:00Z', n: 1 };
    expect(buildOf({ attributes }, made, values, { key })).toMatchObject({ Key: { id: 'x@2026-01-31', n: 1 } });
  });

  test('refuses a missing or empty natural key', () => {
    const attempt = (values: object) => () => buildOf({ attributes }, get, values, { key });
    expect(attempt({ n: 1 })).toThrow('id is missing; give it a value');
    expect(attempt({ id: '', n: 1 })).toThrow('id is empty; give it a value');
    expect(attempt({ id: 'a', n: null })).toThrow('n is missing; give it a value');
  });

  test('refuses a value that is not a number for a numeric natural key', () => {
    const text: PatternDesign = { op: 'get', where: { id: '<id>', n: '<number>' }, returns: ['Thing'] };
    const of = (number: string) => () => buildOf({ attributes }, text, { id: 'a', number }, { key });
    expect(of('7')()).toMatchObject({ Key: { n: 7 } });
    for (const number of ['seven', ' ', 'Infinity', '7.5']) {
      expect(of(number)).toThrow(KeyError);
      expect(of(number)).toThrow(`<number>: <number> is ${JSON.stringify(number)}; Invalid input: expected `);
    }
  });

  test('compares natural keys in the condition of a query', () => {
    const { ordersOfDay, customerByEmail } = requests(orders, 'orders');
    // A parameter that is not named after an attribute is typed as a string, but this key is a number.
    expect(ordersOfDay({ day: '2026-01-31', first: '7' })).toMatchObject({
      KeyConditionExpression: '#2 = :k0 AND #3 >= :k1',
      ExpressionAttributeValues: { ':k0': '2026-01-31', ':k1': 7 },
    });
    expect(customerByEmail({ email: 'a@b.co' }).ExpressionAttributeValues).toEqual({ ':k0': 'a@b.co' });
    expect(() => customerByEmail({ email: 'a#b@c.de' })).toThrow('Invalid email address');
  });
});

describe('query', () => {
  test('requests a partition of an index, with a range, an order and a page size', () => {
    expect(patterns.booksByStatus({ status: 'LENT', from: '2026-01', to: '2026-02' })).toEqual({
      TableName: 'library',
      IndexName: 'byStatus',
      KeyConditionExpression: '#6 = :k0 AND #7 BETWEEN :k1 AND :k2',
      ProjectionExpression: '#0, #1, #2, #3, #4, #5',
      ExpressionAttributeNames: {
        '#0': 'PK',
        '#1': 'SK',
        '#2': 'kind',
        '#3': 'shelf',
        '#4': 'number',
        '#5': 'title',
        '#6': 'GSI1PK',
        '#7': 'GSI1SK',
      },
      ExpressionAttributeValues: { ':k0': 'STATUS#LENT', ':k1': '2026-01', ':k2': '2026-02' },
      ScanIndexForward: false,
      Limit: 2,
    });
  });

  test('requests a partition of the table, with a consistent read if the pattern is consistent', () => {
    expect(patterns.all({ shelf: 's1' })).toEqual({
      TableName: 'library',
      KeyConditionExpression: '#0 = :k0',
      ExpressionAttributeNames: { '#0': 'PK' },
      ExpressionAttributeValues: { ':k0': 'SHELF#s1' },
      ConsistentRead: true,
    });
    expect(patterns.all.command).toBe('Query');
  });

  test('queries an index whose partition key is a template and whose sort key is an attribute', () => {
    expect(patterns.booksOfAuthor({ author: 'Borges', start: 'F#' })).toEqual({
      TableName: 'library',
      IndexName: 'byAuthor',
      KeyConditionExpression: '#0 = :k0 AND begins_with(#1, :k1)',
      ExpressionAttributeNames: { '#0': 'GSI2PK', '#1': 'title' },
      ExpressionAttributeValues: { ':k0': 'AUTHOR#Borges', ':k1': 'F#' },
    });
  });

  test.each<[KeyCondition, string, readonly string[]]>([
    ['B#<x>', '#1 = :k1', ['B#x']],
    ['B', '#1 = :k1', ['B']],
    [{ beginsWith: 'B#<x>' }, 'begins_with(#1, :k1)', ['B#x']],
    [{ between: ['B#<x>', 'B#<y>'] }, '#1 BETWEEN :k1 AND :k2', ['B#x', 'B#y']],
    [{ atLeast: 'B#<x>' }, '#1 >= :k1', ['B#x']],
    [{ atMost: 'B#<x>' }, '#1 <= :k1', ['B#x']],
    [{ greaterThan: 'B#<x>' }, '#1 > :k1', ['B#x']],
    [{ lessThan: 'B#<x>' }, '#1 < :k1', ['B#x']],
  ])('narrows the query with a condition on the sort key: %j', (SK, condition, values) => {
    const entity = { attributes: z.object({ x: z.string() }), keys: { PK: 'A', SK: 'B#<x>' } };
    const pattern: PatternDesign = { op: 'query', where: { PK: 'A', SK }, returns: ['Thing'] };
    expect(buildOf(entity, pattern, { x: 'x', y: 'y' })).toEqual({
      TableName: 'things',
      KeyConditionExpression: `#0 = :k0 AND ${condition}`,
      ExpressionAttributeNames: { '#0': 'PK', '#1': 'SK' },
      ExpressionAttributeValues: Object.fromEntries(
        [['A'], ...values.map((value) => [value])].map(([v], i) => [`:k${i}`, v]),
      ),
    });
  });

  test('builds requests that share no mutable state', () => {
    const first = patterns.booksOfShelf({ shelf: 's1' });
    Object.assign(first.ExpressionAttributeValues ?? {}, { ':k0': 'changed' });
    expect(() => Object.assign(first.ExpressionAttributeNames ?? {}, { '#0': 'changed' })).toThrow(TypeError);
    first.Limit = 1;
    expect(patterns.booksOfShelf({ shelf: 's1' })).toEqual({
      TableName: 'library',
      KeyConditionExpression: '#0 = :k0 AND begins_with(#1, :k1)',
      ExpressionAttributeNames: { '#0': 'PK', '#1': 'SK' },
      ExpressionAttributeValues: { ':k0': 'SHELF#s1', ':k1': 'BOOK#' },
    });
  });

  test('filters by the values that the caller passes', () => {
    expect(patterns.booksOfShelf({ shelf: 's1', least: 1, author: 'Borges' })).toEqual({
      TableName: 'library',
      KeyConditionExpression: '#0 = :k0 AND begins_with(#1, :k1)',
      FilterExpression: '#2.#3 >= :0 AND #4 = :1',
      ExpressionAttributeNames: { '#0': 'PK', '#1': 'SK', '#2': 'stock', '#3': 'left', '#4': 'author' },
      ExpressionAttributeValues: { ':k0': 'SHELF#s1', ':k1': 'BOOK#', ':0': 1, ':1': 'Borges' },
    });
    expect(patterns.booksOfShelf({ shelf: 's1', author: 'Borges' })).toMatchObject({
      FilterExpression: '#2 = :0',
      ExpressionAttributeNames: { '#0': 'PK', '#1': 'SK', '#2': 'author' },
    });
  });

  test('numbers the placeholders from zero in each request, even if the previous request omitted part of the filter', () => {
    patterns.booksOfShelf({ shelf: 's1', author: 'Borges' });
    const next = patterns.booksOfShelf({ shelf: 's1', least: 3 });
    expect(next.ExpressionAttributeNames).toEqual({ '#0': 'PK', '#1': 'SK', '#2': 'stock', '#3': 'left' });
    expect(next.ExpressionAttributeValues).toEqual({ ':k0': 'SHELF#s1', ':k1': 'BOOK#', ':0': 3 });
  });
});

describe('select', () => {
  const namesOf = ({ ExpressionAttributeNames: names = {}, ProjectionExpression = '' }: SelectingInput) =>
    ProjectionExpression.split(', ').map((placeholder) => names[placeholder]);
  type SelectingInput = { ExpressionAttributeNames?: Record<string, string>; ProjectionExpression?: string };

  test('selects the attributes that an index projects, and the keys from which the other attributes can be parsed', () => {
    // AWS refuses to read attributes that an index does not project. This index contains `shelf` only as part of a key,
    // and does not contain `kind`.
    expect(namesOf(patterns.booksOfPlace({ place: 'north' }))).toEqual(['PK', 'SK', 'title']);
    const { tripsByStatus } = requests(transporteAppTable, 't');
    expect(namesOf(tripsByStatus({ estado: 'en_curso' }))).toEqual([
      'PK',
      'SK',
      'entityType',
      'nombre',
      'estado',
      'updatedAt',
    ]);
  });

  test('also selects an index key if a selected attribute is part of only that key', () => {
    const { ordersByStatus, ordersOfDay } = requests(orders, 'orders');
    expect(namesOf(ordersByStatus({ status: 'OPEN' }))).toEqual(['PK', 'SK', 'GSI1SK', 'kind', 'total']);
    expect(namesOf(ordersOfDay({ day: '2026-01-31', first: '1' }))).toEqual(['PK', 'SK', 'day', 'number']);
  });

  test('validates and returns only the selected attributes and the type', () => {
    const stored = item('Book', { ...book, status: 'LENT' });
    expect(patterns.booksByStatus.read({ Items: [stored] })).toEqual({
      items: [{ shelf: 's1', number: 7, title: 'Ficciones', kind: 'BOOK' }],
    });
    const { PK, SK, title } = stored;
    expect(patterns.booksOfPlace.read({ Items: [{ PK, SK, title }] })).toEqual({
      items: [{ shelf: 's1', title: 'Ficciones', kind: 'BOOK' }],
    });
    expect(() => patterns.booksOfPlace.read({ Items: [{ PK, SK }] }, 'throw')).toThrow(
      'Book PK "SHELF#s1", SK "BOOK#7": title: Invalid input: expected string, received undefined',
    );
  });

  test('returns only those selected attributes that the entity has', () => {
    const design = {
      ...library,
      patterns: { both: { op: 'query', where: { PK: 'A' }, returns: ['Book', 'Reader'], select: ['title', 'name'] } },
    } as const satisfies TableDesign;
    const output = { Items: [item('Book', book), item('Reader', { readerId: 'r1', name: 'Ana' })] };
    expect(requests(design, 'library').both.read(output)).toEqual({
      items: [
        { title: 'Ficciones', kind: 'BOOK' },
        { name: 'Ana', kind: 'Reader' },
      ],
    });
  });
});

describe('batchGet', () => {
  test('requests all keys in one batch, and omits a key whose optional part is missing', () => {
    const Keys = [{ PK: 'SHELF#s1', SK: 'BOOK#7' }];
    expect(patterns.some({ shelf: 's1', number: 7 })).toEqual({ RequestItems: { library: { Keys } } });
    expect(patterns.some({ shelf: 's1', number: 7, readerId: 'r1' })).toEqual({
      RequestItems: { library: { Keys: [...Keys, { PK: 'READER#r1', SK: 'READER' }] } },
    });
    expect(patterns.some.command).toBe('BatchGet');
  });

  const entity = { attributes: z.object({ id: z.string() }), keys: { PK: '<id>', SK: 'A' } };
  const pattern: PatternDesign = {
    op: 'batchGet',
    keys: { a: { PK: '<a?>', SK: 'A' }, b: { PK: '<b?>', SK: 'A' } },
    returns: ['Thing'],
    consistent: true,
  };

  test('requests a consistent read if the pattern is consistent', () => {
    expect(buildOf(entity, pattern, { b: 'x', a: null })).toEqual({
      RequestItems: { things: { Keys: [{ PK: 'x', SK: 'A' }], ConsistentRead: true } },
    });
  });

  test('removes duplicate keys from a batch, because DynamoDB refuses a batch with duplicates', () => {
    expect(buildOf(entity, pattern, { a: 'x', b: 'x' })).toMatchObject({
      RequestItems: { things: { Keys: [{ PK: 'x', SK: 'A' }] } },
    });
  });

  test('refuses an empty list of keys, as DynamoDB does', () => {
    expect(() => buildOf(entity, pattern)).toThrow('pattern: there is nothing to get; give at least one of <a>, <b>');
  });

  test('returns the items of a batch, and reports the keys that DynamoDB left unprocessed', () => {
    const stored = item('Book', book);
    expect(patterns.some.read({ Responses: { library: [stored] }, UnprocessedKeys: {} })).toEqual({
      items: [{ ...book, kind: 'BOOK' }],
    });
    expect(patterns.some.read({})).toEqual({ items: [] });
    const left = { library: { Keys: [{ PK: 'READER#r1', SK: 'READER' }] } };
    expect(() => patterns.some.read({ Responses: { library: [stored] }, UnprocessedKeys: left })).toThrow(
      'some: keys not read: 1; retry the call',
    );
  });
});

describe('a read', () => {
  const stored = item('Book', book);
  const reader = item('Reader', { readerId: 'r1', name: 'Ana' });
  const strange = { PK: 'LAMP#1', SK: 'LAMP' };
  const invalid = { ...stored, since: 'yesterday' };

  test('returns every item of the page, and the cursor of the next page', () => {
    const LastEvaluatedKey = { PK: 'SHELF#s1', SK: 'BOOK#7' };
    const page = patterns.all.read({ Items: [stored, reader], LastEvaluatedKey });
    expect(page.items).toEqual([
      { ...book, kind: 'BOOK' },
      { readerId: 'r1', name: 'Ana', books: 0, kind: 'Reader' },
    ]);
    expect(page.cursor).toMatch(/^[\w-]+$/);
    expect(patterns.all.read({ Items: [] })).toEqual({ items: [] });
    expect(patterns.all.read({})).toEqual({ items: [] });
  });

  test.each([
    [
      'an item that is unknown to the design',
      strange,
      'the item PK "LAMP#1", SK "LAMP" is unknown to the design, but the pattern returns Book',
    ],
    [
      'an item of a different kind',
      reader,
      'the item PK "READER#r1", SK "READER" is a Reader, but the pattern returns Book',
    ],
    ['an item that does not fit the design', invalid, 'Book PK "SHELF#s1", SK "BOOK#7": since: Invalid ISO date'],
  ])('counts %s, passes it to a handler or throws, but never drops it silently', (_, item, message) => {
    const output = { Items: [stored, item, stored] };
    expect(() => patterns.booksOfShelf.read(output, 'throw')).toThrow(ItemError);
    expect(() => patterns.booksOfShelf.read(output, 'throw')).toThrow(message);
    expect(patterns.booksOfShelf.read(output)).toMatchObject({ items: [{}, {}], unknown: 1 });
    const told: unknown[] = [];
    const page = patterns.booksOfShelf.read(output, (unknown, reason) => told.push([unknown, reason.message]));
    expect(page.items).toHaveLength(2);
    expect(told).toEqual([[item, `library: booksOfShelf: ${message}`]]);
  });

  test('a `get` always throws for an unknown item, because undefined would mean that the item does not exist', () => {
    const told: unknown[] = [];
    expect(() => patterns.getBook.read({ Item: strange })).toThrow(ItemError);
    expect(() => patterns.getBook.read({ Item: strange }, (unknown) => told.push(unknown))).toThrow(ItemError);
    expect(told).toEqual([]);
  });

  test('rethrows an error that the handler throws instead of counting another unknown item', () => {
    const fail = () => {
      throw new Error('the log is full');
    };
    expect(() => patterns.all.read({ Items: [strange] }, fail)).toThrow('the log is full');
  });
});
