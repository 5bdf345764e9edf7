import { z } from 'zod';
import type { PatternDesign } from '../../../lib/design/pattern';
import { defineTable, type EntityDesign, type TableDesign } from '../../../lib/design/table';
import { type Inputs, lists, type ReadOptions, requests, scans, unique } from '../../../lib/dynamodb';

/**
 * A design with every kind of key: templates, natural keys, a sparse index, numbers, paths, and attributes that exist
 * only in keys.
 */
export const library = defineTable({
  name: 'library',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    // A sparse index that contains only lent or lost books.
    byStatus: { partition: 'GSI1PK', sort: 'GSI1SK' },
    byAuthor: { partition: 'GSI2PK', sort: 'title' },
    byPlace: { partition: 'GSI3PK', projection: ['title'] },
  },
  typeAttribute: 'kind',
  entities: {
    Book: {
      type: 'BOOK',
      attributes: z.object({
        shelf: z.string(),
        number: z.int(),
        title: z.string(),
        author: z.string(),
        status: z.enum(['LENT', 'LOST']).optional(),
        since: z.iso.date(),
        stock: z.object({ left: z.int(), place: z.string() }),
        tags: z.array(z.object({ name: z.string() })).optional(),
        note: z.string().nullable().optional(),
      }),
      keys: {
        PK: 'SHELF#<shelf>',
        SK: 'BOOK#<number>',
        GSI1PK: 'STATUS#<status>',
        GSI1SK: '<since>#<number:6>',
        GSI2PK: 'AUTHOR#<author>',
        GSI3PK: 'PLACE#<stock.place>',
      },
      keyOnly: ['shelf', 'number'],
    },
    Reader: {
      attributes: z.object({ readerId: z.string(), name: z.string(), books: z.int().default(0) }),
      keys: { PK: 'READER#<readerId>', SK: 'READER' },
    },
  },
  patterns: {
    getBook: { op: 'get', where: { PK: 'SHELF#<shelf>', SK: 'BOOK#<number>' }, returns: ['Book'] },
    booksOfShelf: {
      op: 'query',
      where: { PK: 'SHELF#<shelf>', SK: { beginsWith: 'BOOK#' } },
      filter: { 'stock.left': { atLeast: '<least?>' }, author: '<author?>' },
      returns: ['Book'],
    },
    booksByStatus: {
      op: 'query',
      index: 'byStatus',
      where: { GSI1PK: 'STATUS#<status>', GSI1SK: { between: ['<from>', '<to>'] } },
      returns: ['Book'],
      select: ['shelf', 'number', 'title'],
      order: 'descending',
      pageSize: 2,
    },
    booksOfAuthor: {
      op: 'query',
      index: 'byAuthor',
      where: { GSI2PK: 'AUTHOR#<author>', title: { beginsWith: '<start>' } },
      returns: ['Book'],
    },
    booksOfPlace: {
      op: 'query',
      index: 'byPlace',
      where: { GSI3PK: 'PLACE#<place>' },
      returns: ['Book'],
      select: ['shelf', 'title'],
    },
    all: { op: 'query', where: { PK: 'SHELF#<shelf>' }, returns: ['Book', 'Reader'], consistent: true },
    some: {
      op: 'batchGet',
      keys: {
        book: { PK: 'SHELF#<shelf>', SK: 'BOOK#<number>' },
        reader: { PK: 'READER#<readerId?>', SK: 'READER' },
      },
      returns: ['Book', 'Reader'],
    },
    addBook: { op: 'put', entity: 'Book' },
    lend: {
      op: 'update',
      entity: 'Book',
      where: { PK: 'SHELF#<shelf>', SK: 'BOOK#<number>' },
      set: { status: 'LENT', since: '<since>' },
      add: { 'stock.left': -1 },
      condition: { 'stock.left': { greaterThan: 0 } },
    },
    edit: {
      op: 'update',
      entity: 'Book',
      where: { PK: 'SHELF#<shelf>', SK: 'BOOK#<number>' },
      set: {
        title: '<title?>',
        author: '<author?>',
        status: '<status?>',
        since: '<since?>',
        note: '<note?>',
        'stock.place': '<place?>',
      },
    },
    giveBack: {
      op: 'update',
      entity: 'Book',
      where: { PK: 'SHELF#<shelf>', SK: 'BOOK#<number>' },
      remove: ['status'],
    },
    removeBook: {
      op: 'delete',
      entity: 'Book',
      where: { PK: 'SHELF#<shelf>', SK: 'BOOK#<number>' },
      condition: { status: { exists: false } },
    },
    welcome: {
      op: 'transaction',
      steps: {
        reader: { op: 'put', entity: 'Reader' },
        book: {
          op: 'update',
          entity: 'Book',
          where: { PK: 'SHELF#<shelf>', SK: 'BOOK#<number>' },
          set: { note: 'kept for <reader.name>' },
        },
        other: { op: 'delete', entity: 'Reader', where: { PK: 'READER#<oldId>', SK: 'READER' } },
        shelf: {
          op: 'require',
          entity: 'Reader',
          where: { PK: 'READER#<inviterId>', SK: 'READER' },
          condition: { books: { atMost: '<books>' } },
        },
      },
    },
  },
});

export const book = {
  shelf: 's1',
  number: 7,
  title: 'Ficciones',
  author: 'Borges',
  since: '2026-01-31',
  stock: { left: 2, place: 'north' },
};

type Request = (values: object, options?: ReadOptions) => Inputs[keyof Inputs];

/** Builds the request for a pattern of the given design. */
export function build(
  design: TableDesign,
  pattern: string,
  values: object = {},
  options?: ReadOptions,
): Inputs[keyof Inputs] {
  const patterns = requests(design, 'things', { lists, scans, unique }) as unknown as Record<string, Request>;
  return (patterns[pattern] as Request)(values, options);
}

/**
 * Builds the request for a pattern of a table that has only the given entity. By default, the table key consists of
 * `PK` and `SK`.
 */
export function buildOf(
  entity: EntityDesign,
  pattern: PatternDesign,
  values: object = {},
  rest: Partial<TableDesign> = {},
): Inputs[keyof Inputs] {
  const key = { partition: 'PK', sort: 'SK' };
  return build({ name: 'things', key, entities: { Thing: entity }, patterns: { pattern }, ...rest }, 'pattern', values);
}
