import { client, type RequestError } from '../../../lib/dynamodb';
import type { Item } from '../../../lib/items/item';
import { library } from './designs';

const book = {
  ...{ shelf: 's1', number: 7, title: 'Ficciones', author: 'Borges', status: 'LENT', since: '2026-01-31' },
  ...{ stock: { left: 1, place: 'north' }, tags: [{ name: 'x' }] },
} as const;

/** Converts a value of the existing item to DynamoDB's own format. */
function stored(value: unknown): Record<string, unknown> {
  if (value === null) return { NULL: true };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value instanceof Set) return { SS: [...value].reverse() };
  if (Array.isArray(value)) return { L: value.map(stored) };
  return { M: Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, stored(one)])) };
}

/** Sends a put of an item that already exists; `unanswered` tells whether an earlier attempt got no response. */
async function put(unanswered: boolean, there: (item: Item) => unknown): Promise<string> {
  const books = client(library, 'library', async (_, input) => {
    expect(input.ReturnValuesOnConditionCheckFailure).toBe('ALL_OLD');
    const { M } = stored(there(input.Item as Item));
    throw Object.assign(new Error('refused'), {
      name: 'ConditionalCheckFailedException',
      $metadata: { attempts: 2 },
      unanswered,
      Item: M,
    });
  });
  return books.addBook(book as never).then(
    () => 'done',
    (error: RequestError) => `${error.kind}, ${error.writes[0]?.isEqual ? 'equal' : 'another'}`,
  );
}

test('accepts a put if an earlier attempt got no response and the stored item is equal', async () => {
  expect(await put(true, (item) => item)).toBe('done');
});

test('refuses a put if every attempt got a response, because another caller must have stored the equal item', async () => {
  expect(await put(false, (item) => item)).toBe('exists, equal');
});

test.each<[string, (item: Item) => Item]>([
  ['a value', (item) => ({ ...item, title: 'Otras' })],
  ['a value within a map', (item) => ({ ...item, stock: { left: 2, place: 'north' } })],
  ['a list', (item) => ({ ...item, tags: [{ name: 'x' }, { name: 'y' }] })],
  ['an extra attribute', (item) => ({ ...item, more: 1 })],
  ['a missing attribute', ({ title: _, ...item }) => item],
  ['a set instead of a list', (item) => ({ ...item, tags: new Set(['x']) })],
  ['the type of a value', (item) => ({ ...item, number: '7' })],
])('refuses a put after an attempt without a response if the stored item differs in %s', async (_, change) => {
  expect(await put(true, change)).toBe('exists, another');
});
