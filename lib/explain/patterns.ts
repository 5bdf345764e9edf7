import { z } from 'zod';
import type { PatternDesign, QueryPattern } from '../design/pattern';
import type { EntityDesign, TableDesign } from '../design/table';
import { type Example, KEY } from './example';

const at = z.iso.datetime({ precision: 3 });

const Post: EntityDesign = {
  attributes: z.object({ postId: z.string(), authorId: z.string(), title: z.string() }),
  keys: { PK: 'POST#<postId>', SK: 'POST' },
};
const Comment: EntityDesign = {
  attributes: z.object({ postId: z.string(), commentId: z.string(), text: z.string() }),
  keys: { PK: 'POST#<postId>', SK: 'COMMENT#<commentId>' },
};
const Author: EntityDesign = {
  attributes: z.object({ authorId: z.string(), name: z.string() }),
  keys: { PK: 'AUTHOR#<authorId>', SK: 'AUTHOR' },
};

function blog(entities: TableDesign['entities'], patterns: Record<string, PatternDesign>): TableDesign {
  return { name: 'blog', key: KEY, entities, patterns };
}

function query(
  where: QueryPattern['where'],
  returns: readonly string[],
  rest: Partial<QueryPattern> = {},
): PatternDesign {
  return { op: 'query', where, returns, ...rest };
}

/** Returns a table whose query for a post's comments has the given key condition. */
const comments = (where: QueryPattern['where']) => blog({ Post, Comment }, { comments: query(where, ['Comment']) });

/**
 * Returns a table of posts with the given sort key, and with a query that returns an author's posts, the latest first.
 */
function latest(SK: string): TableDesign {
  const attributes = z.object({ authorId: z.string(), postId: z.string(), publishedAt: at });
  const where = { PK: 'AUTHOR#<authorId>' };
  return blog(
    { Post: { attributes, keys: { PK: 'AUTHOR#<authorId>', SK } } },
    { latest: query(where, ['Post'], { orderBy: 'publishedAt', order: 'descending' }) },
  );
}

/** Returns a table with a query that finds the shops in a city by the given sort key prefix. */
function shops(beginsWith: string): TableDesign {
  const attributes = z.object({ country: z.string(), city: z.string(), shopId: z.string() });
  const keys = { PK: 'COUNTRY#<country>', SK: '<city>#<shopId>' };
  const where = { PK: 'COUNTRY#<country>', SK: { beginsWith } };
  return {
    name: 'shops',
    key: KEY,
    entities: { Shop: { attributes, keys } },
    patterns: { shops: query(where, ['Shop']) },
  };
}

/** Returns a table with a pattern that reads a customer's order by the given partition key. */
function order(PK: string): TableDesign {
  const attributes = z.object({ customerId: z.string(), orderId: z.string() });
  const keys = { PK: 'ORDER#<customerId>#<orderId>', SK: 'ORDER' };
  return {
    name: 'shop',
    key: KEY,
    entities: { Order: { attributes, keys } },
    patterns: { order: { op: 'get', where: { PK, SK: 'ORDER' }, returns: ['Order'] } },
  };
}

/** Returns a table with a query for a range of chapters that starts at the given sort key. */
function chapters(from: string): TableDesign {
  const attributes = z.object({ bookId: z.string(), number: z.int().min(1).max(999), title: z.string() });
  const where = { PK: 'BOOK#<bookId>', SK: { between: [from, 'CHAPTER#<last:3>'] } } as const;
  return {
    name: 'books',
    key: KEY,
    entities: { Chapter: { attributes, keys: { PK: 'BOOK#<bookId>', SK: 'CHAPTER#<number:3>' } } },
    patterns: { beginning: query(where, ['Chapter']) },
  };
}

/** Returns a table of tasks with the given sort key, and with a query for a board's tasks in one state. */
function tasks(SK: string, pattern: Partial<QueryPattern>): TableDesign {
  const attributes = z.object({ boardId: z.string(), taskId: z.string(), state: z.enum(['open', 'done']) });
  return {
    name: 'boards',
    key: KEY,
    entities: { Task: { attributes, keys: { PK: 'BOARD#<boardId>', SK } } },
    patterns: { tasks: query({ PK: 'BOARD#<boardId>' }, ['Task'], pattern) },
  };
}

/** Examples for the rules about reads. */
export const patterns = {
  'partition-incomplete': {
    broken: comments({ SK: { beginsWith: 'COMMENT#' } }),
    mended: comments({ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } }),
  },
  'pattern-unserved': {
    broken: comments({ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENTS#' } }),
    mended: comments({ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } }),
  },
  'mistaken-part': {
    broken: order('ORDER#<orderId>#<customerId>'),
    mended: order('ORDER#<customerId>#<orderId>'),
  },
  'not-colocated': {
    broken: blog({ Post, Author }, { post: query({ PK: 'POST#<postId>' }, ['Post', 'Author']) }),
    mended: blog({ Post, Author }, { post: query({ PK: 'POST#<postId>' }, ['Post']) }),
  },
  'pattern-pollution': {
    broken: comments({ PK: 'POST#<postId>' }),
    mended: comments({ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } }),
  },
  'order-unserved': { broken: latest('POST#<postId>'), mended: latest('POST#<publishedAt>#<postId>') },
  'truncated-order': { broken: latest('<publishedAt:date>#<postId>'), mended: latest('<publishedAt>#<postId>') },
  'impossible-value': {
    broken: tasks('TASK#<taskId>', { filter: { state: 'Done' } }),
    mended: tasks('TASK#<taskId>', { filter: { state: 'done' } }),
  },
  'unpadded-bound': { broken: chapters('CHAPTER#1'), mended: chapters('CHAPTER#001') },
  'filtered-read': {
    broken: tasks('TASK#<state>#<taskId>', { filter: { state: '<state>' } }),
    mended: tasks('TASK#<state>#<taskId>', { where: { PK: 'BOARD#<boardId>', SK: { beginsWith: 'TASK#<state>#' } } }),
  },
  'whole-scan': {
    broken: blog({ Post, Comment }, { comments: { op: 'scan', returns: ['Comment'] } }),
    mended: comments({ PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } }),
  },
  'misread-range': { broken: shops('<city>'), mended: shops('<city>#') },
} satisfies Readonly<Record<string, Example>>;
