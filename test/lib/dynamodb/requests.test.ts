import { z } from 'zod';
import { defineTable, type EntityValues, type PatternItem } from '../../../lib';
import {
  type BatchGetInput,
  entities,
  type GetInput,
  type Page,
  type PatternResult,
  type PutInput,
  type QueryInput,
  reads,
  requests,
  type TransactWriteInput,
  type UpdateInput,
  type Values,
} from '../../../lib/dynamodb';
import { unique } from '../../../lib/dynamodb/unique';
import { blogTable } from '../../../lib/systems/blog/design';
import { book, library } from './designs';

/* Compile-time tests of the inferred types, run by `npm run types`. */

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Compiles only if every `Equal` in the list is true: the types must be identical, including every `readonly`. */
function expectTypes<_Proofs extends readonly true[]>(): void {}

type Library = typeof library;
type Result<P extends keyof Library['patterns']> = PatternResult<Library, P>;

const patterns = requests(library, 'library');
const { item, put } = entities(library, 'library');

// Each operation has the input type that the SDK's document client expects.
expectTypes<
  [
    Equal<ReturnType<typeof patterns.getBook>, GetInput>,
    Equal<ReturnType<typeof patterns.all>, QueryInput>,
    Equal<ReturnType<typeof patterns.some>, BatchGetInput>,
    Equal<ReturnType<typeof patterns.addBook>, PutInput>,
    Equal<ReturnType<typeof patterns.lend>, UpdateInput>,
    Equal<ReturnType<typeof patterns.welcome>, TransactWriteInput>,
    Equal<ReturnType<typeof put>, PutInput>,
    Equal<ReturnType<typeof item>, Values>,
  ]
>();

// The result type of each operation, which depends on `returns` and `select`.
expectTypes<
  [
    Equal<Result<'getBook'>, PatternItem<Library, 'getBook'> | undefined>,
    Equal<NonNullable<Result<'getBook'>>['number'], number>,
    Equal<NonNullable<Result<'getBook'>>['status'], 'LENT' | 'LOST' | undefined>,
    Equal<NonNullable<Result<'getBook'>>['kind'], 'BOOK'>,
    Equal<Result<'all'>, Page<PatternItem<Library, 'all'>>>,
    Equal<Result<'all'>['items'][number]['kind'], 'BOOK' | 'Reader'>,
    Equal<keyof Result<'booksByStatus'>['items'][number], 'shelf' | 'number' | 'title' | 'kind'>,
    Equal<Result<'booksByStatus'>['items'][number]['number'], number>,
    Equal<keyof Result<'booksOfPlace'>['items'][number], 'shelf' | 'title' | 'kind'>,
    Equal<Result<'some'>['items'][number]['kind'], 'BOOK' | 'Reader'>,
    Equal<Result<'addBook'>, undefined>,
    Equal<Result<'lend'>, undefined>,
    Equal<Result<'welcome'>, undefined>,
    Equal<Parameters<typeof put<'Reader'>>[1], EntityValues<Library, 'Reader'>>,
    Equal<ReturnType<(typeof patterns)['getBook']['read']>, Result<'getBook'>>,
  ]
>();

/** Contains mistakes that the compiler must report (`npm run types`); no test calls this function. */
function mistakes() {
  // @ts-expect-error the design has no such pattern
  patterns.getBok({ shelf: 's1', number: 7 });
  // @ts-expect-error a value is missing
  patterns.getBook({ shelf: 's1' });
  // @ts-expect-error a value is of the wrong type
  patterns.getBook({ shelf: 's1', number: '7' });
  // @ts-expect-error unknown parameter
  patterns.getBook({ shelf: 's1', number: 7, colour: 'red' });
  // @ts-expect-error the enum has no such value
  patterns.booksByStatus({ status: 'SOLD', from: '1', to: '2' });
  // @ts-expect-error the range has only one end
  patterns.booksByStatus({ status: 'LENT', from: '1' });
  // @ts-expect-error the filter needs a number
  patterns.booksOfShelf({ shelf: 's1', least: '1' });
  // @ts-expect-error a cursor is a string
  patterns.booksOfShelf({ shelf: 's1' }, { cursor: 1 });
  // @ts-expect-error unknown option
  patterns.booksOfShelf({ shelf: 's1' }, { page: 1 });
  // @ts-expect-error an attribute is missing
  patterns.addBook({ shelf: 's1', number: 7, title: 'x', author: 'y', since: '2026-01-31' });
  // @ts-expect-error an attribute inside a map is of the wrong type
  patterns.addBook({ ...book, stock: { left: '1', place: 'x' } });
  // @ts-expect-error unknown attribute
  patterns.addBook({ ...book, colour: 'red' });
  // @ts-expect-error the update sets a value of the wrong type
  patterns.edit({ shelf: 's1', number: 7, title: 1 });
  // @ts-expect-error a value that the update sets is missing
  patterns.lend({ shelf: 's1', number: 7 });
  // @ts-expect-error the item of a step is missing
  patterns.welcome({ shelf: 's1', number: 7, oldId: 'r0', inviterId: 'r2', books: 3 });
  // @ts-expect-error the design has no such entity
  put('Shelf', {});
  // @ts-expect-error the values belong to another entity
  put('Reader', book);
  // @ts-expect-error an attribute is missing
  item('Reader', { readerId: 'r1' });
  // @ts-expect-error the attribute is not selected
  void patterns.booksByStatus.read({}).items[0]?.author;
  // @ts-expect-error only one of the two entities has the attribute
  void patterns.all.read({}).items[0]?.author;
  // @ts-expect-error the item can be missing
  void patterns.getBook.read({}).title;
  // @ts-expect-error a write returns nothing
  void patterns.addBook.read({}).items;
}

void mistakes;

describe('requests', () => {
  test('creates one request function per pattern, with the command that sends the request', () => {
    const all = Object.entries(patterns as Readonly<Record<string, { readonly command: string }>>);
    expect(Object.keys(patterns)).toEqual(Object.keys(library.patterns));
    expect(Object.fromEntries(all.map(([name, { command }]) => [name, command]))).toEqual({
      getBook: 'Get',
      booksOfShelf: 'Query',
      booksByStatus: 'Query',
      booksOfAuthor: 'Query',
      booksOfPlace: 'Query',
      all: 'Query',
      some: 'BatchGet',
      addBook: 'Put',
      lend: 'Update',
      edit: 'Update',
      giveBack: 'Update',
      removeBook: 'Delete',
      welcome: 'TransactWrite',
    });
  });

  test('creates requests for two tables with the same design', () => {
    const other = requests(library, 'other');
    expect(other.getBook({ shelf: 's1', number: 7 }).TableName).toBe('other');
    expect(patterns.getBook({ shelf: 's1', number: 7 }).TableName).toBe('library');
    expect(entities(library, 'other').put('Book', book)).toEqual({ ...put('Book', book), TableName: 'other' });
  });

  test('creates items and puts, but no other requests, for a design without patterns', () => {
    const design = defineTable({
      name: 'plain',
      key: { partition: 'id' },
      entities: { Thing: { attributes: z.object({ id: z.string() }) } },
    });
    expect(requests(design, 'plain')).toEqual({});
    expect(entities(design, 'plain').put('Thing', { id: 'a' })).toEqual({
      TableName: 'plain',
      Item: { id: 'a' },
      ConditionExpression: 'attribute_not_exists(#0)',
      ExpressionAttributeNames: { '#0': 'id' },
    });
  });

  test('refuses to make a put or an item for an entity that the design does not have', () => {
    expect(() => put('Nope' as never, {} as never)).toThrow("'Nope' is not an entity of 'library'");
    expect(() => item('toString' as never, {} as never)).toThrow("'toString' is not an entity of 'library'");
  });

  test('refuses an impossible pattern only when it is called, so that the other patterns still work', () => {
    const where = { PK: 'SHELF#<shelf>', SK: 'BOOK#<number>' } as const;
    const broken = { op: 'update', entity: 'Book', where, remove: ['title'] } as const;
    const { getBook } = library.patterns;
    const some = requests({ ...library, patterns: { getBook, broken } }, 'library');
    expect(some.getBook({ shelf: 's1', number: 7 })).toHaveProperty('Key');
    expect(() => some.broken({ shelf: 's1', number: 7 })).toThrow(
      'broken.remove can never work (required-removed title): run the check',
    );
  });

  test('returns no item from the output of a write', () => {
    expect(patterns.addBook.read({ Attributes: {} })).toBeUndefined();
    expect(patterns.welcome.read({})).toBeUndefined();
  });
});

test('builds exactly the post requests that the blog document shows', () => {
  const blog = requests(blogTable, 'blog-prod-blog', { unique });
  const at = '2026-01-31T12:00:00.000Z';
  const post = {
    postId: 'p1',
    authorId: 'a1',
    subcategoryId: 's1',
    status: 'PUBLISHED',
    publishedAt: at,
    title: 'Olá',
    content: '…',
    createdAt: at,
    updatedAt: at,
  } as const;
  expect(entities(blogTable, 'blog-prod-blog').put('Post', post)).toEqual({
    TableName: 'blog-prod-blog',
    Item: {
      PK: 'POST#p1',
      SK: 'POST#p1',
      GSI1PK: 'CATEGORY#s1',
      GSI1SK: `POST#${at}#p1`,
      GSI2PK: 'AUTHOR#a1',
      GSI2SK: `POST#${at}#p1`,
      GSI3PK: 'STATUS#PUBLISHED',
      GSI3SK: `POST#${at}#p1`,
      entityType: 'POST',
      ...post,
    },
    ConditionExpression: 'attribute_not_exists(#0)',
    ExpressionAttributeNames: { '#0': 'PK' },
  });
  expect(blog.getPost({ postId: 'p1' })).toEqual({
    TableName: 'blog-prod-blog',
    Key: { PK: 'POST#p1', SK: 'POST#p1' },
  });
  expect(blog.postsByCategory({ subcategoryId: 's1' })).toEqual({
    TableName: 'blog-prod-blog',
    IndexName: 'GSI1',
    KeyConditionExpression: '#0 = :k0 AND begins_with(#1, :k1)',
    ExpressionAttributeNames: { '#0': 'GSI1PK', '#1': 'GSI1SK' },
    ExpressionAttributeValues: { ':k0': 'CATEGORY#s1', ':k1': 'POST#' },
    ScanIndexForward: false,
    Limit: 10,
  });
});

describe('mistakes that the compiler cannot find', () => {
  test('refuses a missing table name, such as one from an unset environment variable', () => {
    const attempt = (name: string | undefined) => (): unknown => requests(library, name as string);
    expect(attempt(process.env.NO_SUCH_TABLE)).toThrow(
      "requests of 'library': the table name must be a string, got: undefined",
    );
    expect(attempt('')).toThrow('must be a string, got: ""');
  });

  test('refuses a request with missing values, and names them in the error', () => {
    for (const values of [undefined, null]) {
      expect(() => patterns.getBook(values as never)).toThrow('SHELF#<shelf>: <shelf> is missing');
    }
  });
});

test('`reads` contains only patterns that read', () => {
  const reading = reads(library, 'library');
  const names = Object.keys(reading);
  expect(names).toEqual(Object.keys(patterns).filter((name) => 'returns' in library.patterns[name as 'getBook']));
  expect(names).not.toContain('addBook');
  // @ts-expect-error addBook writes
  expect(reading.addBook).toBeUndefined();
  const values = { shelf: 'a', number: 1 };
  expect(reading.getBook(values)).toEqual(patterns.getBook(values));
  expect(() => reads(library, '')).toThrow("'library': the table name must be a string");
});
