import { type AzureCall, client } from '../../../lib/azure-tables';
import { CursorError, fromBase64Url, readCursor, toBase64Url, writeCursor } from '../../../lib/items/cursor';
import { type CursorOptions, sealOf } from '../../../lib/items/sealed-cursor';
import { anyText } from '../../support/arbitraries';
import fc from '../../support/fuzz';
import { things } from '../azure-tables/designs';

const SECRET = 'a secret of 24 characters';
const seal = sealOf({ secret: SECRET });
const PLACE = 'library booksOfShelf';
const TOKEN = btoa('{"nextPartitionKey":"1!12!U0hFTEZfYQ--"}');

test('a seal opens every string that it has sealed, and a sealed string is safe in a URL', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyText.map((text) => text.toWellFormed()),
      anyText,
      async (cursor, place) => {
        const sealed = await seal.close(place, cursor);
        expect(sealed).toMatch(/^[\w-]+$/);
        expect(await seal.open(place, sealed)).toBe(cursor);
      },
    ),
  );
});

test('a seal seals the same cursor differently each time, and opens each result to the original cursor', async () => {
  const keys = [{ name: 'PK', type: 'string' }] as const;
  const cursor = writeCursor('posts', keys, { PK: 'POST#1' });
  const [one, other] = [await seal.close(PLACE, cursor), await seal.close(PLACE, cursor)];
  expect(one).not.toBe(other);
  for (const sealed of [one, other])
    expect(readCursor('posts', keys, await seal.open(PLACE, sealed))).toEqual({ PK: 'POST#1' });
});

test('a sealed cursor does not reveal its key', async () => {
  const cursor = writeCursor('posts', [{ name: 'PK', type: 'string' }], { PK: 'TENANT#andina' });
  const latin = (text: string) => Buffer.from(fromBase64Url(text)).toString('latin1');
  const sealed = await seal.close(PLACE, cursor);
  expect(latin(cursor)).toContain('andina');
  for (const text of ['andina', 'posts', cursor, PLACE]) expect(latin(sealed)).not.toContain(text);
});

describe('refused cursors', () => {
  const damaged = 'the cursor is damaged; pass cursors unchanged';
  const refused = async (opened: Promise<string>) => {
    await expect(opened).rejects.toThrow(CursorError);
    await expect(opened).rejects.toThrow(damaged);
  };

  test('a sealed cursor does not open with a different secret', async () => {
    await refused(sealOf({ secret: `${SECRET}.` }).open(PLACE, await seal.close(PLACE, 'x')));
  });

  test('a sealed cursor does not open for a different pattern or table', async () => {
    const sealed = await seal.close(PLACE, 'x');
    for (const place of ['library all', 'other booksOfShelf', '']) await refused(seal.open(place, sealed));
  });

  test('a sealed cursor does not open if any byte is changed, or if it is truncated at either end', async () => {
    const bytes = fromBase64Url(await seal.close(PLACE, 'POST#1'));
    for (let i = 0; i < bytes.length; i++) {
      for (const bit of [1, 128]) {
        await refused(seal.open(PLACE, toBase64Url(bytes.map((byte, at) => (at === i ? byte ^ bit : byte)))));
      }
      await refused(seal.open(PLACE, toBase64Url(bytes.slice(0, i))));
      if (i > 0) await refused(seal.open(PLACE, toBase64Url(bytes.slice(i))));
    }
  });

  test.each([undefined, null, 7, {}, '', 'x', 'ünicode', 'A'.repeat(70_000), 'AAAA'.repeat(100)])(
    'a seal refuses %p, which no seal produces',
    async (cursor) => {
      await refused(seal.open(PLACE, cursor));
    },
  );

  test('a seal refuses a cursor that was never sealed', async () => {
    await refused(seal.open(PLACE, writeCursor('posts', [], {})));
  });
});

describe('a secret', () => {
  test('after a rotation, the new secret seals cursors and the old secret still opens them', async () => {
    const next = 'another secret, and longer';
    const both = sealOf({ secret: [next, SECRET] });
    expect(await both.open(PLACE, await seal.close(PLACE, 'old'))).toBe('old');
    const sealed = await both.close(PLACE, 'new');
    expect(await sealOf({ secret: next }).open(PLACE, sealed)).toBe('new');
    await expect(seal.open(PLACE, sealed)).rejects.toThrow(CursorError);
  });

  test.each([['short'], ['x'.repeat(15)], [''], [[]], [[SECRET, 'short']], [undefined], [7], [[undefined]]])(
    'a client refuses the weak secret %j',
    (secret) => {
      expect(() => sealOf({ secret } as CursorOptions)).toThrow(
        'cursors.secret must be a string of at least 16 characters',
      );
    },
  );

  test('a secret must have at least 16 characters, and the error does not reveal a shorter one', () => {
    expect(sealOf({ secret: 'x'.repeat(16) })).toBeDefined();
    expect(() => sealOf({ secret: 'hunter2' })).not.toThrow('hunter2');
  });
});

test('the Azure Tables client seals its cursors', async () => {
  const tokens: unknown[] = [];
  const send = async (_: string, call: AzureCall) => {
    tokens.push(call.method === 'listEntities' ? call.page.continuationToken : undefined);
    return { entities: [], continuationToken: TOKEN };
  };
  const options = { cursors: { secret: SECRET } };
  const shelf = { shelf: 'a' };
  const { cursor = '' } = await client(things, 'Things', send, options).pagesOfShelf(shelf);
  await client(things, 'Things', send, options).pagesOfShelf(shelf, { cursor });
  expect(tokens).toEqual([undefined, TOKEN]);
  await expect(client(things, 'Things', send).pagesOfShelf(shelf, { cursor })).rejects.toThrow(CursorError);
  await expect(client(things, 'Other', send, options).pagesOfShelf(shelf, { cursor })).rejects.toThrow(CursorError);
});
