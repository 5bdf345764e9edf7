import fc from 'fast-check';
import { CursorError, requests } from '../../../lib/dynamodb';
import { isSame, readCursor, writeCursor } from '../../../lib/items/cursor';
import { anyText } from '../../support/arbitraries';
import { library } from '../dynamodb/designs';

const SAFE = /^[A-Za-z0-9_-]+$/;

/** Keys as the SDK gives them: text, numbers small and large, bytes. */
const keys = fc.dictionary(
  fc.oneof(fc.constantFrom('PK', 'SK', 'number', 'bytes'), anyText),
  fc.oneof(
    { weight: 4, arbitrary: anyText },
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.bigInt(),
    fc.uint8Array(),
  ),
  { noNullPrototype: true },
);

test('a cursor gives back the key it was made of, and is safe in a URL, whatever the key holds', () => {
  fc.assert(
    fc.property(anyText, keys, (pattern, key) => {
      const cursor = writeCursor(pattern, key);
      expect(cursor).toMatch(SAFE);
      expect(encodeURIComponent(cursor)).toBe(cursor);
      expect(readCursor(pattern, cursor)).toEqual(key);
    }),
  );
});

test('a cursor shows no key to whoever looks at it', () => {
  const cursor = writeCursor('posts', { PK: 'POST#1', SK: 'SECRET' });
  expect(cursor).not.toContain('SECRET');
  expect(cursor).not.toContain('posts');
});

test('large keys are no trouble', () => {
  const key = { PK: '漢'.repeat(682), SK: 'x'.repeat(1024), GSI1PK: '😀'.repeat(512), GSI1SK: 'y'.repeat(1024) };
  expect(readCursor('posts', writeCursor('posts', key))).toEqual(key);
});

describe('a damaged cursor is refused', () => {
  /** What is read, although it should not be: mostly nothing, and one assertion for all of them. */
  const accepted = (cursors: readonly string[]) =>
    cursors.filter((cursor) => {
      try {
        readCursor('posts', cursor);
        return true;
      } catch (error) {
        const { message } = error as Error;
        return !(error instanceof CursorError && message === DAMAGED);
      }
    });
  const DAMAGED = 'the cursor is damaged; give back the one that came with the page, unchanged';
  const CHARACTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/= #'];
  // Of every length, so that the last character carries two, four or six bits.
  const cursors = ['', 'a', 'ab', 'abc'].map((more) => writeCursor('posts', { PK: `POST#é${more}`, SK: 7 }));

  test.each(cursors)('with any one character changed: %s', (cursor) => {
    const changed = [...cursor].flatMap((character, i) =>
      CHARACTERS.filter((other) => other !== character).map(
        (other) => cursor.slice(0, i) + other + cursor.slice(i + 1),
      ),
    );
    expect(accepted(changed)).toEqual([]);
    expect(accepted([cursor])).toEqual([cursor]);
  });

  test.each(cursors)('cut off anywhere, at either end: %s', (cursor) => {
    const cut = [...cursor].flatMap((_, i) => [cursor.slice(0, i), cursor.slice(i + 1)]);
    expect(accepted(cut)).toEqual([]);
  });

  test.each(cursors)('with anything added, also what decoders overlook: %s', (cursor) => {
    const longer = ['=', '==', ' ', '\n', 'A', '\u0000'].flatMap((more) => [cursor + more, more + cursor]);
    expect(accepted(longer)).toEqual([]);
  });

  test('made up altogether', () => {
    fc.assert(fc.property(fc.oneof(anyText, fc.base64String()), (text) => accepted([text]).length === 0));
  });

  test('of a shape that none of ours has, even with a sum that is right', () => {
    const forged = ['null', '1', '{}', '["posts",1]', '["posts",["PK",{}]]', '["posts",null]'].map((text) => {
      let hash = 0x811c9dc5;
      for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
      return Buffer.from((hash >>> 0).toString(16).padStart(8, '0') + text).toString('base64url');
    });
    expect(accepted(forged)).toEqual([]);
  });
});

test('a cursor of another pattern is refused, and both are named', () => {
  const cursor = writeCursor('posts', { PK: 'POST#1' });
  const attempt = () => readCursor('comments', cursor);
  expect(attempt).toThrow(CursorError);
  expect(attempt).toThrow("the cursor is of 'posts', not of 'comments'; give back the one that came with the page");
});

test('key values are the same if what is stored would be', () => {
  expect(isSame('a', 'a')).toBe(true);
  expect(isSame('1', 1)).toBe(false);
  expect(isSame(1n, 1n)).toBe(true);
  expect(isSame(Uint8Array.of(1, 2), Buffer.from([1, 2]))).toBe(true);
  expect(isSame(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
  expect(isSame(undefined, 'a')).toBe(false);
});

describe('a query goes on', () => {
  const { booksByStatus, booksOfAuthor } = requests(library, 'library').patterns;
  const lastKey = { PK: 'SHELF#s1', SK: 'BOOK#7', GSI1PK: 'STATUS#LENT', GSI1SK: '2026-01-31#000007' };
  const { cursor } = booksByStatus.read({ Items: [], LastEvaluatedKey: lastKey });
  const values = { status: 'LENT', from: '2026-01', to: '2026-02' } as const;

  test('where its last page ended', () => {
    expect(booksByStatus(values, { cursor }).ExclusiveStartKey).toEqual(lastKey);
  });

  test('from the beginning, where there is no cursor', () => {
    expect(booksByStatus(values, {})).not.toHaveProperty('ExclusiveStartKey');
    expect(booksByStatus(values, { cursor: undefined })).not.toHaveProperty('ExclusiveStartKey');
    expect(() => booksByStatus(values, { cursor: '' })).toThrow(CursorError);
  });

  test('and not in another partition, nor with another pattern', () => {
    expect(() => booksByStatus({ ...values, status: 'LOST' }, { cursor })).toThrow(CursorError);
    expect(() => booksByStatus({ ...values, status: 'LOST' }, { cursor })).toThrow(
      "the cursor is of GSI1PK 'STATUS#LENT', not of 'STATUS#LOST'",
    );
    expect(() => booksOfAuthor({ author: 'Borges', start: 'F' }, { cursor })).toThrow(
      "the cursor is of 'booksByStatus', not of 'booksOfAuthor'",
    );
  });
});
