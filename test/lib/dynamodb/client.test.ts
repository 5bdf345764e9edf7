import { z } from 'zod';
import { defineSystem, defineTable } from '../../../lib';
import {
  type Client,
  CursorError,
  changes,
  client,
  entities,
  ItemError,
  type Observation,
  requests,
  system,
} from '../../../lib/dynamodb';
import { shopTable } from '../../fixtures/shop/design';
import { book, library } from './designs';

const patterns = requests(library, 'library');
const { item, put } = entities(library, 'library');

/** The option that a client with an observer adds to its requests. */
const COUNTED = { ReturnConsumedCapacity: 'TOTAL' };

/** Returns a client whose requests all return the same output, or all fail. */
function clientOf(answer: object | Error, context?: Record<string, unknown>) {
  const sent: unknown[] = [];
  const observed: Observation[] = [];
  const send = async (command: string, input: object) => {
    sent.push([command, input]);
    if (answer instanceof Error) throw answer;
    return answer as Record<string, unknown>;
  };
  const options = { observe: (observation: Observation) => observed.push(observation), context };
  return { books: client(library, 'library', send, options), sent, observed };
}

describe('a client', () => {
  test('sends the request of a pattern and parses the response', async () => {
    const { books, sent } = clientOf({ Item: item('Book', book) });
    expect(await books.getBook({ shelf: 's1', number: 7 })).toEqual({ ...book, kind: 'BOOK' });
    expect(sent).toEqual([['Get', { ...patterns.getBook({ shelf: 's1', number: 7 }), ...COUNTED }]]);
  });

  test('continues from one page to the next with the cursor', async () => {
    const LastEvaluatedKey = { PK: 'SHELF#s1', SK: 'BOOK#7' };
    const { books, sent } = clientOf({ Items: [item('Book', book)], LastEvaluatedKey });
    const { items, cursor } = await books.all({ shelf: 's1' });
    expect(items).toHaveLength(1);
    await books.all({ shelf: 's1' }, { cursor });
    expect(sent).toEqual([
      ['Query', { ...patterns.all({ shelf: 's1' }), ...COUNTED }],
      ['Query', { ...patterns.all({ shelf: 's1' }), ...COUNTED, ExclusiveStartKey: LastEvaluatedKey }],
    ]);
  });

  test('returns `undefined` for a write', async () => {
    const { books, sent } = clientOf({});
    expect(await books.addBook(book)).toBeUndefined();
    const shown = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };
    expect(sent).toEqual([['Put', { ...put('Book', book), ...COUNTED, ...shown }]]);
  });

  test('has a method for each pattern of the design, and requests the consumed capacity only if it has an observer', async () => {
    const sent: unknown[] = [];
    const alone = client(library, 'library', async (_, input) => {
      sent.push(input);
      return {};
    });
    expect(Object.keys(alone)).toEqual(Object.keys(library.patterns));
    expect(await alone.getBook({ shelf: 's1', number: 7 })).toBeUndefined();
    expect(sent).toEqual([patterns.getBook({ shelf: 's1', number: 7 })]);
  });
});

describe('items that a write returns', () => {
  const cart = (Attributes: object | undefined) =>
    client(shopTable, 'shop', async () => (Attributes === undefined ? {} : { Attributes }));
  const line = { PK: 'CART#ana', SK: 'LINE#cup', kind: 'CartLine', customerId: 'ana', sku: 'cup', count: 2 };

  test('returns the written item without its keys', async () => {
    const { count, ...rest } = await cart(line).addToCart({ customerId: 'ana', sku: 'cup', count: 1 });
    expect([count, rest]).toEqual([2, { customerId: 'ana', sku: 'cup', kind: 'CartLine' }]);
    expect(await cart(undefined).dropLine({ customerId: 'ana', sku: 'cup' })).toBeUndefined();
  });

  test('throws an error with the reason if a write returns an item that does not match the design', async () => {
    const added = cart({ ...line, count: 'two' }).addToCart({ customerId: 'ana', sku: 'cup', count: 1 });
    await expect(added).rejects.toThrow(/CartLine PK "CART#ana", SK "LINE#cup": count: /);
  });
});

describe('batch reads that a throttled table completes only partially', () => {
  const values = { shelf: 's1', number: 7, readerId: 'r1' };
  const [bookKey, readerKey] = patterns.some(values).RequestItems.library?.Keys ?? [];
  const left = { library: { Keys: [readerKey] } };
  const stored = item('Book', book);
  const reader = item('Reader', { readerId: 'r1', name: 'Ana' });

  /** Returns a client whose table returns these outputs in order, and then repeats the last output. */
  function answered(...answers: object[]) {
    const sent: unknown[] = [];
    const observed: Observation[] = [];
    const send = async (_: string, input: object) => {
      sent.push(input);
      return { ...(answers[Math.min(sent.length, answers.length) - 1] as Record<string, unknown>) };
    };
    return { books: client(library, 'library', send, { observe: (one) => observed.push(one) }), sent, observed };
  }

  test('retries a batch with only the keys that were not read', async () => {
    const { books, sent, observed } = answered(
      { Responses: { library: [stored] }, UnprocessedKeys: left },
      { UnprocessedKeys: left },
      { Responses: { library: [reader] }, UnprocessedKeys: {} },
    );
    const { items } = await books.some(values);
    expect(items.map(({ kind }) => kind)).toEqual(['BOOK', 'Reader']);
    expect(sent).toEqual([
      { RequestItems: { library: { Keys: [bookKey, readerKey] } }, ...COUNTED },
      { RequestItems: left, ...COUNTED },
      { RequestItems: left, ...COUNTED },
    ]);
    expect(observed.map(({ operation }) => operation)).toEqual(['BatchGet', 'BatchGet', 'BatchGet']);
  });

  test('throws an error after several retries, instead of returning part of a batch', async () => {
    const { books, sent } = answered({ Responses: { library: [stored] }, UnprocessedKeys: left });
    await expect(books.some(values)).rejects.toThrow('some: keys not read: 1; retry the call');
    expect(sent).toHaveLength(6);
  });
});

describe('cursors sealed with a secret', () => {
  const cursors = { secret: 'a secret of some length' };
  const LastEvaluatedKey = { PK: 'SHELF#s1', SK: 'BOOK#7' };
  const sent: Record<string, unknown>[] = [];
  const send = async (_: string, input: Record<string, unknown>) => {
    sent.push(input);
    return { Items: [], LastEvaluatedKey };
  };
  const books = client(library, 'library', send, { cursors });

  test('reads the next page with a sealed cursor, which cannot be read without the secret', async () => {
    const { cursor } = await books.all({ shelf: 's1' });
    await books.all({ shelf: 's1' }, { cursor });
    expect(sent.at(-1)).toHaveProperty('ExclusiveStartKey', LastEvaluatedKey);
    expect(() => patterns.all({ shelf: 's1' }, { cursor })).toThrow(CursorError);
  });

  test('refuses an unsealed cursor, and a sealed cursor from another pattern, partition or table', async () => {
    const { cursor } = await books.all({ shelf: 's1' });
    await expect(books.booksOfShelf({ shelf: 's1' }, { cursor })).rejects.toThrow(CursorError);
    await expect(books.all({ shelf: 's2' }, { cursor })).rejects.toThrow(CursorError);
    await expect(client(library, 'other', send, { cursors }).all({ shelf: 's1' }, { cursor })).rejects.toThrow(
      CursorError,
    );
    const plain = patterns.all.read({ Items: [], LastEvaluatedKey }).cursor;
    await expect(books.all({ shelf: 's1' }, { cursor: plain })).rejects.toThrow(CursorError);
  });
});

describe('items that do not match the design', () => {
  const strange = { PK: 'SHELF#s1', SK: 'LAMP' };
  const send = async () => ({ Items: [strange, item('Book', book)] });

  test('skips and counts an unknown item, and prints a warning if the client has no observer', async () => {
    const warn = jest.spyOn(console, 'warn').mockImplementation();
    const page = await client(library, 'library', send).all({ shelf: 's1' });
    expect(page).toEqual({ items: [{ ...book, kind: 'BOOK' }], unknown: 1 });
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('the item PK "SHELF#s1", SK "LAMP" is unknown to the design')],
    ]);
    warn.mockRestore();
  });

  test("throws on an unknown item if the client's policy is `throw`", async () => {
    const books = client(library, 'library', send, { onUnknown: 'throw' });
    await expect(books.all({ shelf: 's1' })).rejects.toThrow(ItemError);
  });

  test('skips an unknown item in every kind of read, so that `count` equals the number of returned items', async () => {
    const books = client(library, 'library', send, { onUnknown: () => undefined });
    const found: unknown[] = [];
    for await (const one of books.all.all({ shelf: 's1' })) found.push(one);
    expect(found).toHaveLength(1);
    expect(await books.all.count({ shelf: 's1' })).toBe(1);
    expect(await books.all.first({ shelf: 's1' })).toMatchObject({ title: book.title });
  });

  test("throws on an unknown item, despite the client's handler, if the call sets the policy `throw`", async () => {
    const unknown: unknown[] = [];
    const books = client(library, 'library', send, { onUnknown: (one) => unknown.push(one) });
    const strict = { onUnknown: 'throw' } as const;
    const all = async () => {
      for await (const _ of books.all.all({ shelf: 's1' }, strict));
    };
    const message = 'library: all: the item PK "SHELF#s1", SK "LAMP" is unknown to the design';
    await expect(books.all({ shelf: 's1' }, strict)).rejects.toThrow(message);
    await expect(all()).rejects.toThrow(message);
    await expect(books.all.count({ shelf: 's1' }, strict)).rejects.toThrow(message);
    await expect(books.all.first({ shelf: 's1' }, strict)).rejects.toThrow(message);
    expect(unknown).toEqual([]);
    expect((await books.all({ shelf: 's1' })).unknown).toBe(1);
  });

  test('refuses an invalid policy for unknown items', async () => {
    const make = (): unknown => client(library, 'library', send, { onUnknown: 'ignore' as unknown as 'throw' });
    expect(make).toThrow("onUnknown must be 'throw' or a function");
    const call = client(library, 'library', send).all({ shelf: 's1' }, { onUnknown: 'ignore' as unknown as 'throw' });
    await expect(call).rejects.toThrow("library: all: onUnknown must be 'throw' or a function");
  });

  test('reports an unknown item to the observer', async () => {
    const observed: Observation[] = [];
    const books = client(library, 'library', send, { observe: (one) => observed.push(one) });
    await books.all({ shelf: 's1' });
    expect(observed).toEqual([expect.objectContaining({ pattern: 'all', unknown: [expect.any(ItemError)] })]);
  });

  test('passes an unknown item to the given handler, and returns the other items', async () => {
    const unknown: unknown[] = [];
    const books = client(library, 'library', send, { onUnknown: (one, { message }) => unknown.push([one, message]) });
    expect((await books.all({ shelf: 's1' })).items).toEqual([{ ...book, kind: 'BOOK' }]);
    expect(unknown).toEqual([[strange, expect.stringContaining('is unknown to the design')]]);
  });
});

describe('an observer', () => {
  const seen = { table: 'library', milliseconds: expect.any(Number) };

  test('reports every request to the observer once, with its table, pattern, command and duration', async () => {
    const { books, observed } = clientOf({}, { tenantId: 't1' });
    await books.addBook(book);
    await books.giveBack({ shelf: 's1', number: 7 });
    const context = { tenantId: 't1' };
    expect(observed).toEqual([
      { ...seen, pattern: 'addBook', operation: 'Put', context },
      { ...seen, pattern: 'giveBack', operation: 'Update', context },
    ]);
    expect(observed[0]?.milliseconds).toBeGreaterThanOrEqual(0);
    expect(observed[0]).not.toHaveProperty('error');
  });

  test('reports a failed request to the observer, and throws the error', async () => {
    const error = new Error('throttled');
    const { books, observed } = clientOf(error);
    await expect(books.getBook({ shelf: 's1', number: 7 })).rejects.toBe(error);
    expect(observed).toEqual([{ ...seen, pattern: 'getBook', operation: 'Get', error, context: {} }]);
  });

  test('reports a request to the observer if `send` fails before sending it', async () => {
    const observed: Observation[] = [];
    const send = () => {
      throw new Error('no credentials');
    };
    const books = client(library, 'library', send, { observe: (observation) => observed.push(observation) });
    await expect(books.getBook({ shelf: 's1', number: 7 })).rejects.toThrow('no credentials');
    expect(observed).toHaveLength(1);
  });

  test('reports a request to the observer once, with the error, if the response does not match the design', async () => {
    const { books, observed } = clientOf({ Item: { PK: 'LAMP#1', SK: 'LAMP' } });
    await expect(books.getBook({ shelf: 's1', number: 7 })).rejects.toThrow(ItemError);
    expect(observed).toEqual([
      { ...seen, pattern: 'getBook', operation: 'Get', error: expect.any(ItemError), context: {} },
    ]);
  });

  test('reports a request to the observer if the client refuses to send it', async () => {
    const { books, observed, sent } = clientOf({});
    await expect(books.addBook({ ...book, title: 1 } as never)).rejects.toThrow('Book: title: Invalid input');
    await expect(books.all({ shelf: 's1' }, { cursor: 'x' })).rejects.toThrow(CursorError);
    expect(sent).toEqual([]);
    expect(observed).toEqual([
      { ...seen, pattern: 'addBook', operation: 'Put', error: expect.any(ItemError), context: {} },
      { ...seen, pattern: 'all', operation: 'Query', error: expect.any(CursorError), context: {} },
    ]);
  });

  test.each([
    ['one table', { TableName: 'library', CapacityUnits: 2.5 }, 2.5],
    ['several', [{ CapacityUnits: 2 }, { CapacityUnits: 0.5 }], 2.5],
    ['nothing', { TableName: 'library', CapacityUnits: 0 }, 0],
  ])("reports a request's consumed capacity to the observer: %s", async (_, ConsumedCapacity, capacity) => {
    const { books, observed } = clientOf({ ConsumedCapacity });
    await books.giveBack({ shelf: 's1', number: 7 });
    expect(observed).toEqual([{ ...seen, pattern: 'giveBack', operation: 'Update', capacity, context: {} }]);
  });
});

describe('mistakes that JavaScript accepts, but TypeScript refuses', () => {
  const send = async () => ({});
  const shop = defineSystem({ name: 'shop', cloud: 'aws', tables: { library } });

  test.each<[string, () => unknown, string]>([
    [
      'a system in place of a table',
      () => client(shop as unknown as typeof library, 'shop', send),
      'write system(shop, …), or client(shop.tables.',
    ],
    [
      'a table in place of a system',
      () => system(library as unknown as typeof shop, { environment: 'prod' }, send),
      'write client(library, …)',
    ],
    [
      'no design',
      () => client(undefined as unknown as typeof library, 'library', send),
      'pass a result of defineTable',
    ],
    ['a bare environment name', () => system(shop, 'prod' as never, send), "{ environment: 'prod' }, got: 'prod'"],
    ['an SDK client', () => client(library, 'library', { send } as never), 'dynamo(client) from tablewright/dynamodb'],
    ['no send', () => client(library, 'library', undefined as never), 'send must be a function, got nothing'],
    [
      'a system in place of a table with a stream',
      () => changes(shop as unknown as typeof library, {}),
      'write system(shop, …)',
    ],
  ])('%s', (_, make, message) => {
    expect(make).toThrow(message);
  });

  test('states the position of a hole in a sparse list', async () => {
    const { products } = client(shopTable, 'shop', send);
    const sparse = ['a', 'b', 'c'];
    delete sparse[1];
    await expect(products({ sku: sparse })).rejects.toThrow('shop: products: sku[1] is missing');
    await expect(client(shopTable, 'shop', send).stock({ products: new Array(1) })).rejects.toThrow(
      'shop: stock.products: products[0] is missing',
    );
  });

  test('names the table and the pattern in the error for an invalid date', async () => {
    const at = z.iso.datetime({ precision: 3 });
    const design = defineTable({
      name: 'jobs',
      key: { partition: 'id', sort: 'at' },
      entities: { Job: { attributes: z.object({ id: z.string(), at }) } },
      patterns: { due: { op: 'query', where: { id: '<id>', at: { atMost: '<now>' } }, returns: ['Job'] } },
    });
    const due = client(design, 'jobs-prod', send).due({ id: 'a', now: '01/02/2026' });
    await expect(due).rejects.toThrow(/^jobs-prod: due: <now>: <now> is "01\/02\/2026"/);
  });
});

/** Contains mistakes that the compiler must report (`npm run types`); no test calls this function. */
async function mistakes(books: Client<typeof library>) {
  // @ts-expect-error a value is missing
  await books.getBook({ shelf: 's1' });
  // @ts-expect-error the item may be missing
  void (await books.getBook({ shelf: 's1', number: 7 })).title;
  // @ts-expect-error the attribute is not selected
  void (await books.booksOfPlace({ place: 'north' })).items[0]?.author;
  const title: string | undefined = (await books.booksOfPlace({ place: 'north' })).items[0]?.title;
  // @ts-expect-error the design has no such pattern
  return [title, await books.getBok({})];
}

void mistakes;
