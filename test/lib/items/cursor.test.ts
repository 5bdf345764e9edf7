import type { KeyAttribute } from '../../../lib/blueprint/outline';
import { CursorError, requests } from '../../../lib/dynamodb';
import { isSame, readCursor, writeCursor } from '../../../lib/items/cursor';
import { anyText } from '../../support/arbitraries';
import fc from '../../support/fuzz';
import { library } from '../dynamodb/designs';

const KEY_TYPES = ['string', 'number', 'binary'] as const;
const SAFE = /^[A-Za-z0-9_-]+$/;

const types = { string: anyText, number: fc.oneof(numbers(), bigInts()), binary: fc.uint8Array({ minLength: 1 }) };

function numbers() {
  return fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0);
}

/** Generates bigints within DynamoDB's range of numbers. */
function bigInts() {
  return fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n });
}

/** Generates keys of every type as the SDK returns them, together with their key attributes. */
const keys = fc
  .uniqueArray(fc.tuple(fc.oneof(fc.constantFrom('PK', 'SK', 'number'), anyText), fc.constantFrom(...KEY_TYPES)), {
    selector: ([name]) => name,
    maxLength: 4,
  })
  .chain((named) =>
    fc.record({
      attributes: fc.constant(named.map(([name, type]): KeyAttribute => ({ name, type }))),
      values: fc.tuple(...named.map(([, type]) => types[type] as fc.Arbitrary<unknown>)),
    }),
  );

const POST: readonly KeyAttribute[] = [
  { name: 'PK', type: 'string' },
  { name: 'SK', type: 'string' },
];

test('a cursor survives a round trip with any key, and is safe in a URL', () => {
  fc.assert(
    fc.property(anyText, keys, (pattern, { attributes, values }) => {
      const key = Object.fromEntries(attributes.map(({ name }, i) => [name, values[i]]));
      const cursor = writeCursor(pattern, attributes, key);
      expect(cursor).toMatch(SAFE);
      expect(encodeURIComponent(cursor)).toBe(cursor);
      expect(readCursor(pattern, attributes, cursor)).toEqual(key);
    }),
  );
});

test('a cursor does not show its key in plain text', () => {
  const cursor = writeCursor('posts', POST, { PK: 'POST#1', SK: 'SECRET' });
  expect(cursor).not.toContain('SECRET');
  expect(cursor).not.toContain('posts');
});

test('a cursor can contain large keys', () => {
  const key = { PK: '漢'.repeat(682), SK: '\u0001'.repeat(1024), GSI1PK: '😀'.repeat(512), GSI1SK: 'y'.repeat(1024) };
  const attributes = Object.keys(key).map((name): KeyAttribute => ({ name, type: 'string' }));
  expect(readCursor('posts', attributes, writeCursor('posts', attributes, key))).toEqual(key);
});

describe('damaged cursors', () => {
  /** Returns the cursors that are not rejected as damaged, so that a single assertion covers all cursors. */
  const accepted = (cursors: readonly string[]) =>
    cursors.filter((cursor) => {
      try {
        readCursor('posts', THING, cursor);
        return true;
      } catch (error) {
        const { message } = error as Error;
        return !(error instanceof CursorError && message === DAMAGED);
      }
    });
  const THING: readonly KeyAttribute[] = [
    { name: 'PK', type: 'string' },
    { name: 'SK', type: 'number' },
  ];
  const DAMAGED = 'the cursor is damaged; pass cursors unchanged';
  const CHARACTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= #'];
  // The keys have different lengths, so that the last character of a cursor carries two, four or six bits.
  const cursors = ['', 'a', 'ab', 'abc'].map((more) => writeCursor('posts', THING, { PK: `POST#é${more}`, SK: 7 }));

  test.each(cursors)('rejects a cursor if any single character is changed: %s', (cursor) => {
    const changed = [...cursor].flatMap((character, i) =>
      CHARACTERS.filter((other) => other !== character).map(
        (other) => cursor.slice(0, i) + other + cursor.slice(i + 1),
      ),
    );
    expect(accepted(changed)).toEqual([]);
    expect(accepted([cursor])).toEqual([cursor]);
  });

  test.each(cursors)('rejects a cursor that is truncated at either end: %s', (cursor) => {
    const cut = [...cursor].flatMap((_, i) => [cursor.slice(0, i), cursor.slice(i + 1)]);
    expect(accepted(cut)).toEqual([]);
  });

  test.each(cursors)('rejects a cursor with added characters, even characters that decoders ignore: %s', (cursor) => {
    const longer = ['=', '==', ' ', '\n', 'A', '\u0000'].flatMap((more) => [cursor + more, more + cursor]);
    expect(accepted(longer)).toEqual([]);
  });

  test('rejects a random string as a cursor', () => {
    fc.assert(fc.property(fc.oneof(anyText, fc.base64String()), (text) => accepted([text]).length === 0));
  });

  test('rejects a cursor with an unknown shape, even if its checksum is valid', () => {
    const forged = [
      ...['null', '1', '{}', '"posts"', '["posts",1]', '["posts","a"]', '["posts","a",1,1]', '["posts",null,1]'],
      ...['["posts","a","1"]', '["posts","a",{}]', '["posts","a",[1]]', '["posts",{"bytes":{"length":1e9}},1]'],
      ...[
        '["posts","a",{"number":"1e9999999"}]',
        '["posts","a",{"number":{"length":1e9}}]',
        '["posts","a",{"bytes":[1]}]',
      ],
      `["posts","a",{"number":"${'9'.repeat(60_000)}"}]`,
    ].map(forge);
    expect(accepted(forged)).toEqual([]);
  });
});

test('rejects a forged cursor quickly, even if it is huge or claims to be', () => {
  const forged = ['["posts",{"bytes":{"length":1e9}}]', `["posts",${'['.repeat(20_000)}`].map(forge);
  const start = performance.now();
  for (const cursor of [...forged, 'A'.repeat(50_000_000)]) {
    expect(() => readCursor('posts', [{ name: 'PK', type: 'binary' }], cursor)).toThrow(CursorError);
  }
  expect(performance.now() - start).toBeLessThan(5_000);
});

test.each([undefined, null, 7, {}, ['a'], Symbol('a'), new String('a')])(
  'rejects a cursor that is not a string: %p',
  (cursor) => {
    expect(() => readCursor('posts', POST, cursor)).toThrow(CursorError);
  },
);

/** Returns a cursor with a valid checksum, which anyone can compute. */
function forge(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return Buffer.from((hash >>> 0).toString(16).padStart(8, '0') + text).toString('base64url');
}

test('rejects a cursor from a different pattern without revealing what the cursor contains', () => {
  const cursor = writeCursor('posts', POST, { PK: 'POST#1', SK: 'POST#1' });
  const attempt = () => readCursor('comments', POST, cursor);
  expect(attempt).toThrow(CursorError);
  expect(attempt).toThrow("the cursor is not from 'comments'; use the previous page's cursor");
});

test('isSame compares the stored forms of key values', () => {
  expect(isSame('a', 'a')).toBe(true);
  expect(isSame('1', 1)).toBe(false);
  expect(isSame(1n, 1n)).toBe(true);
  expect(isSame(Uint8Array.of(1, 2), Buffer.from([1, 2]))).toBe(true);
  expect(isSame(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
  expect(isSame(undefined, 'a')).toBe(false);
});

describe('continuing a query', () => {
  const { booksByStatus, booksOfAuthor } = requests(library, 'library');
  const lastKey = { PK: 'SHELF#s1', SK: 'BOOK#7', GSI1PK: 'STATUS#LENT', GSI1SK: '2026-01-31#000007' };
  const { cursor } = booksByStatus.read({ Items: [], LastEvaluatedKey: lastKey });
  const values = { status: 'LENT', from: '2026-01', to: '2026-02' } as const;

  test('a query continues after the page that returned the cursor', () => {
    expect(booksByStatus(values, { cursor }).ExclusiveStartKey).toEqual(lastKey);
  });

  test('a query continues from the beginning if there is no cursor', () => {
    expect(booksByStatus(values, {})).not.toHaveProperty('ExclusiveStartKey');
    expect(booksByStatus(values, { cursor: undefined })).not.toHaveProperty('ExclusiveStartKey');
    expect(() => booksByStatus(values, { cursor: '' })).toThrow(CursorError);
  });

  test('a query refuses a cursor from a different partition or pattern', () => {
    expect(() => booksByStatus({ ...values, status: 'LOST' }, { cursor })).toThrow(CursorError);
    expect(() => booksByStatus({ ...values, status: 'LOST' }, { cursor })).toThrow(
      "the cursor is from another partition of 'booksByStatus'; use the previous page's cursor",
    );
    expect(() => booksOfAuthor({ author: 'Borges', start: 'F' }, { cursor })).toThrow(
      "the cursor is not from 'booksOfAuthor'",
    );
  });
});
