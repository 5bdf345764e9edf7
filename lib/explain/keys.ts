import { z } from 'zod';
import type { EntityDesign, TableDesign } from '../design/table';
import { type Example, KEY } from './example';

const post = z.object({ authorId: z.string(), postId: z.string(), title: z.string() });

/** Returns a table of posts with the given keys. */
function posts(keys: EntityDesign['keys'], rest: Partial<EntityDesign> = {}): TableDesign {
  return { name: 'blog', key: KEY, entities: { Post: { attributes: post, keys, ...rest } } };
}

/** Returns a table of posts and drafts. A draft is in the same partition as its post, and has the given sort key. */
function drafts(SK: string): TableDesign {
  const { entities, ...blog } = posts({ PK: 'POST#<postId>', SK: 'POST' });
  return { ...blog, entities: { ...entities, Draft: { attributes: post, keys: { PK: 'POST#<postId>', SK } } } };
}

function published(at: z.ZodType, SK: string, keyOnly?: readonly string[]): TableDesign {
  const attributes = post.extend({ publishedAt: at });
  return posts({ PK: 'AUTHOR#<authorId>', SK }, { attributes, ...(keyOnly && { keyOnly }) });
}

function chapters(SK: string, most = 999): TableDesign {
  const attributes = z.object({ bookId: z.string(), number: z.int().min(1).max(most), title: z.string() });
  return { name: 'books', key: KEY, entities: { Chapter: { attributes, keys: { PK: 'BOOK#<bookId>', SK } } } };
}

/** Returns a table of players' scores on boards, with the given sort key. */
function scores(SK: string): TableDesign {
  const attributes = z.object({ boardId: z.string(), playerId: z.string(), score: z.int().min(0).max(9_999_999) });
  return { name: 'boards', key: KEY, entities: { Score: { attributes, keys: { PK: 'BOARD#<boardId>', SK } } } };
}

/**
 * Returns a table of files in folders. The regular expression for folder names is too complex for the check to analyze.
 */
function files(SK: string): TableDesign {
  const folder = z.string().regex(/^(\w{1,60}){1,60}$/);
  const attributes = z.object({ diskId: z.string(), folder, file: z.string().regex(/^!\w+$/) });
  return { name: 'disks', key: KEY, entities: { File: { attributes, keys: { PK: 'DISK#<diskId>', SK } } } };
}

const utc = z.iso.datetime({ precision: 3 });

/** Examples for the rules that check keys, whether or not a pattern uses them. */
export const keys = {
  'template-syntax': {
    broken: posts({ PK: 'POST#<postId', SK: 'POST' }),
    mended: posts({ PK: 'POST#<postId>', SK: 'POST' }),
  },
  'template-literal': {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the rule reports this notation
    broken: posts({ PK: 'POST#${postId}', SK: 'POST' }),
    mended: posts({ PK: 'POST#<postId>', SK: 'POST' }),
  },
  unkeyable: { broken: chapters('CHAPTER#<number:3>', 9999), mended: chapters('CHAPTER#<number:4>', 9999) },
  'incomplete-key': {
    broken: posts({ PK: 'POST#<postId>' }),
    mended: posts({ PK: 'POST#<postId>', SK: 'POST' }),
  },
  unstorable: {
    broken: published(utc, '<publishedAt:date>#<postId>', ['publishedAt']),
    mended: published(utc, '<publishedAt>#<postId>', ['publishedAt']),
  },
  'dynamodb-types': {
    broken: published(z.date(), 'POST#<postId>'),
    mended: published(utc, 'POST#<postId>'),
  },
  'unsorted-text': {
    broken: published(z.string(), '<publishedAt>#<postId>'),
    mended: published(utc, '<publishedAt>#<postId>'),
  },
  'ambiguous-key': {
    broken: posts({ PK: 'POST#<authorId><postId>', SK: 'POST' }),
    mended: posts({ PK: 'POST#<authorId>#<postId>', SK: 'POST' }),
  },
  'swapped-part': {
    broken: posts({ PK: 'AUTHOR#<postId>', SK: 'POST#<authorId>' }),
    mended: posts({ PK: 'AUTHOR#<authorId>', SK: 'POST#<postId>' }),
  },
  undecided: { broken: files('<folder><file>'), mended: files('<folder>#<file>') },
  'key-collision': { broken: drafts('POST'), mended: drafts('DRAFT') },
  'likely-oversight': { broken: scores('SCORE#<score:7>'), mended: scores('SCORE#<score:7>#<playerId>') },
  'constant-key': {
    broken: posts({ PK: 'POST', SK: 'POST' }),
    mended: posts({ PK: 'POST#<postId>', SK: 'POST' }),
  },
  'unpadded-number': { broken: chapters('CHAPTER#<number>'), mended: chapters('CHAPTER#<number:3>') },
  'unordered-time': {
    broken: published(z.iso.datetime({ offset: true, precision: 3 }), '<publishedAt>#<postId>'),
    mended: published(utc, '<publishedAt>#<postId>'),
  },
  'imprecise-time': {
    broken: published(z.iso.datetime(), '<publishedAt>#<postId>'),
    mended: published(utc, '<publishedAt>#<postId>'),
  },
  'hot-partition': {
    broken: posts({ PK: 'POSTS', SK: 'POST#<postId>' }),
    mended: posts({ PK: 'AUTHOR#<authorId>', SK: 'POST#<postId>' }),
  },
} satisfies Readonly<Record<string, Example>>;
