import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { CursorError, client, type Observation } from '../../../lib/dynamodb';
import { defineCases, prove } from '../../../lib/proof';
import type { Proof } from '../../../lib/proof/prove';
import { embedded } from '../../support/embedded';
import { templateOf } from '../proof/notes';

const table = defineTable({
  name: 'library',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { lent: { partition: 'reader', sort: 'SK' } },
  entities: {
    Book: {
      attributes: z.object({ id: z.string(), pages: z.int(), reader: z.string().optional() }),
      keys: { PK: 'BOOK#<id>', SK: 'BOOK' },
    },
    Shelf: { attributes: z.object({ room: z.string() }), keys: { PK: 'SHELF#<room>', SK: 'SHELF' } },
  },
  patterns: {
    allBooks: { op: 'scan', returns: ['Book'] },
    longBooks: { op: 'scan', filter: { pages: { atLeast: '<least>' } }, returns: ['Book'] },
    unlentBooks: { op: 'scan', filter: { reader: { exists: false } }, returns: ['Book'] },
    booksByThree: { op: 'scan', returns: ['Book'], pageSize: 3 },
    everything: { op: 'scan', returns: ['Book', 'Shelf'] },
    lentBooks: { op: 'scan', index: 'lent', returns: ['Book'] },
    addBook: { op: 'put', entity: 'Book' },
    addShelf: { op: 'put', entity: 'Shelf' },
  },
});
const library = defineSystem({ name: 'library', cloud: 'aws', tables: { library: table } });
const tables = embedded(library);
const name = tables.nameOf('library');
const db = client(table, name, tables.send);
const ids = Array.from({ length: 9 }, (_, i) => `b${i}`);

async function fill() {
  for (const [i, id] of ids.entries()) await db.addBook({ id, pages: i * 100, ...(i < 2 ? { reader: 'ana' } : {}) });
  for (const room of ['north', 'south', 'west']) await db.addShelf({ room });
}

async function idsOf(books: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { id } of books) found.push(id);
  return found.sort();
}

test('returns only the items of the scanned entity, page by page', async () => {
  await fill();
  expect(await idsOf(db.allBooks.all({}))).toEqual(ids);
  expect(await idsOf(db.booksByThree.all({}))).toEqual(ids);
  expect(await idsOf(db.longBooks.all({ least: 700 }))).toEqual(['b7', 'b8']);
  expect(await idsOf(db.unlentBooks.all({}))).toEqual(ids.slice(2));
  expect(await idsOf(db.lentBooks.all({}))).toEqual(['b0', 'b1']);
  expect(await db.allBooks.count({})).toBe(9);
  expect(await db.everything.count({}, { limit: 2 })).toBe(12);
  expect(await db.longBooks.first({ least: 800 })).toEqual({ id: 'b8', pages: 800 });
});

test('returns each item in exactly one segment, and continues each segment with its own cursor', async () => {
  await fill();
  const segments = await Promise.all(
    [0, 1, 2].map((segment) => idsOf(db.allBooks.all({}, { segment, segments: 3, limit: 2 }))),
  );
  expect(segments.flat().sort()).toEqual(ids);
  expect(segments.filter((some) => some.length > 0).length).toBeGreaterThan(1);
});

test('accepts a sealed cursor only for the pattern that it came from', async () => {
  await fill();
  const sealed = client(table, name, tables.send, { cursors: { secret: 'x'.repeat(32) } });
  expect(await idsOf(sealed.booksByThree.all({}))).toEqual(ids);
  const { cursor } = await sealed.booksByThree({});
  expect(() => JSON.parse(atob(`${cursor}`))).toThrow();
  await expect(db.booksByThree({}, { cursor })).rejects.toThrow(CursorError);
  const open = await db.booksByThree({});
  await expect(db.allBooks({}, { cursor: open.cursor })).rejects.toThrow("not from 'allBooks'");
});

test('counts and reports unknown items, and returns the other items', async () => {
  await fill();
  await tables.send('Put', { TableName: name, Item: { PK: 'STRAY', SK: 'x' } });
  const observed: Observation[] = [];
  const watched = client(table, name, tables.send, { observe: (one) => observed.push(one) });
  const { items, unknown } = await watched.allBooks({});
  expect([items.length, unknown]).toEqual([9, 1]);
  expect(observed).toMatchObject([{ pattern: 'allBooks', operation: 'Scan' }]);
});

describe('the proof', () => {
  const book = (id: string, more: object = {}) => ['Book', { id, pages: 100, ...more }] as const;
  const cases = (returns: readonly string[]) =>
    defineCases(library, {
      tables: {
        library: {
          items: {
            a: book('a'),
            b: book('b', { pages: 300, reader: 'ana' }),
            c: book('c'),
            s: ['Shelf', { room: 'n' }],
          },
          written: { d: book('d'), t: ['Shelf', { room: 't' }] },
          stored: { a: { PK: 'BOOK#a', SK: 'BOOK' }, s: { PK: 'SHELF#n', SK: 'SHELF' } },
          patterns: {
            allBooks: { values: {}, returns },
            longBooks: { values: { least: 200 }, returns: ['b'] },
            unlentBooks: { values: {}, returns: ['a', 'c'] },
            booksByThree: { values: {}, returns: ['c', 'b', 'a'] },
            everything: { values: {}, returns: ['a', 'b', 'c', 's'] },
            lentBooks: { values: {}, returns: ['b'] },
            addBook: {
              values: book('d')[1],
              shows: [{ pattern: 'allBooks', values: {}, returns: ['a', 'b', 'c', 'd'] }],
            },
            addShelf: {
              values: { room: 't' },
              shows: [{ pattern: 'everything', values: {}, returns: ['a', 'b', 'c', 's', 't'] }],
            },
          },
        },
      },
    });
  const proved = async (returns: readonly string[]) => {
    // The proof creates the tables itself.
    await tables.engine().drop(name);
    const input = { system: library, cases: cases(returns), template: templateOf(library), environment: 'dev' };
    const proofs: Proof[] = [];
    for await (const proof of prove(tables.engine(), input)) proofs.push(proof);
    await tables.engine().provision(templateOf(library));
    return proofs;
  };

  test('proves scans whatever the order of the returned items', async () => {
    const proofs = await proved(['a', 'b', 'c']);
    expect(proofs.filter(({ failure }) => failure !== undefined)).toEqual([]);
    expect(proofs.find((one) => one.name === 'lentBooks')).toMatchObject({ operation: 'scan lent', requests: 1 });
    expect(proofs.find((one) => one.name === 'booksByThree')).toMatchObject({ operation: 'scan table', requests: 2 });
  });

  test('a scan that returns different items fails its proof', async () => {
    const failed = (await proved(['a', 'b'])).filter(({ failure }) => failure !== undefined);
    expect(failed).toMatchObject([{ name: 'allBooks', failure: expect.stringContaining('expected [a, b], got') }]);
  });
});
