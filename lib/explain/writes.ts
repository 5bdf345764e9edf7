import { z } from 'zod';
import type { DeletePattern, PatternDesign, UpdatePattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { type Example, KEY } from './example';

const attributes = z.object({ taskId: z.string(), title: z.string(), note: z.string().optional() });
const onBoards = z.object({ taskId: z.string(), boardId: z.string(), state: z.string() });
const where = { PK: 'TASK#<taskId>', SK: 'TASK' };

/** Returns a table of tasks with the given update pattern. */
function tasks(update: Partial<UpdatePattern>): TableDesign {
  return {
    name: 'boards',
    key: KEY,
    entities: { Task: { attributes, keys: where } },
    patterns: { change: { op: 'update', entity: 'Task', where, ...update } },
  };
}

/** Returns a table of tasks with the given update pattern, and with an index that groups tasks by board and state. */
function onBoard(update: Partial<UpdatePattern>): TableDesign {
  const { patterns, ...table } = tasks(update);
  const keys = { ...where, GSI1PK: 'BOARD#<boardId>#<state>', GSI1SK: 'TASK#<taskId>' };
  const tasksOfBoard: PatternDesign = {
    op: 'query',
    index: 'byBoard',
    where: { GSI1PK: 'BOARD#<boardId>#<state>' },
    returns: ['Task'],
  };
  return {
    ...table,
    indexes: { byBoard: { partition: 'GSI1PK', sort: 'GSI1SK' } },
    entities: { Task: { attributes: onBoards, keys } },
    patterns: { tasksOfBoard, ...patterns },
  };
}

/** Returns a table of products (books and films), with an update pattern for an attribute that only books have. */
function products(update: Partial<UpdatePattern>): TableDesign {
  const attributes = z.discriminatedUnion('kind', [
    z.object({ productId: z.string(), kind: z.literal('book'), pages: z.int() }),
    z.object({ productId: z.string(), kind: z.literal('film'), minutes: z.int() }),
  ]);
  const keys = { PK: 'PRODUCT#<productId>', SK: 'PRODUCT' };
  return {
    name: 'shop',
    key: KEY,
    entities: { Product: { attributes, keys } },
    patterns: { change: { op: 'update', entity: 'Product', where: keys, ...update } },
  };
}

/** Returns a table of articles and how many are left, with a pattern that sells one. */
function stock(update: Partial<UpdatePattern>): TableDesign {
  const attributes = z.object({ articleId: z.string(), left: z.int().min(0) });
  const keys = { PK: 'ARTICLE#<articleId>', SK: 'ARTICLE' };
  const sell: PatternDesign = { op: 'update', entity: 'Article', where: keys, ...update };
  return { name: 'stock', key: KEY, entities: { Article: { attributes, keys } }, patterns: { sell } };
}

/** Returns a table of threads, each of which keeps all its posts in one string of at most `most` characters. */
function threads(most: number): TableDesign {
  const attributes = z.object({ threadId: z.string(), posts: z.string().max(most) });
  return {
    name: 'forum',
    key: KEY,
    entities: { Thread: { attributes, keys: { PK: 'THREAD#<threadId>', SK: 'THREAD' } } },
  };
}

/** Returns a table of members and their badges, with additional patterns. */
function members(...more: readonly [string, PatternDesign][]): TableDesign {
  const attributes = z.object({ memberId: z.string(), badge: z.string() });
  const Member = { attributes, keys: { PK: 'MEMBER#<memberId>', SK: 'MEMBER' } };
  const Badge = { attributes, keys: { PK: 'MEMBER#<memberId>', SK: 'BADGE#<badge>' } };
  const page: PatternDesign = { op: 'query', where: { PK: 'MEMBER#<memberId>' }, returns: ['Member', 'Badge'] };
  const join: PatternDesign = { op: 'put', entity: 'Member' };
  return {
    name: 'club',
    key: KEY,
    entities: { Member, Badge },
    patterns: Object.fromEntries([['page', page], ['join', join], ...more]),
  };
}

/** Returns a table of accounts with unique e-mail addresses, and with a pattern that closes an account. */
function accounts(close: Partial<DeletePattern>): TableDesign {
  const where = { PK: 'ACCOUNT#<accountId>', SK: 'ACCOUNT' };
  const Account = {
    attributes: z.object({ accountId: z.string(), email: z.email() }),
    keys: where,
    unique: { email: { keys: { PK: 'EMAIL#<email:lower>', SK: 'EMAIL' } } },
  };
  const patterns: Record<string, PatternDesign> = {
    open: { op: 'put', entity: 'Account' },
    close: { op: 'delete', entity: 'Account', where, ...close },
  };
  return { name: 'accounts', key: KEY, entities: { Account }, patterns };
}

/** Returns a table of contacts with a computed sort name, and with a pattern that renames a contact. */
function contacts(set: Readonly<Record<string, string>>): TableDesign {
  const where = { PK: 'CONTACT#<contactId>', SK: 'CONTACT' };
  const Contact = {
    attributes: z.object({ contactId: z.string(), name: z.string(), sortName: z.string() }),
    keys: where,
    computed: { sortName: '<name:lower>' },
  };
  const patterns: TableDesign['patterns'] = {
    contact: { op: 'get', where, returns: ['Contact'] },
    create: { op: 'put', entity: 'Contact' },
    rename: { op: 'update', entity: 'Contact', where, set },
  };
  return { name: 'contacts', key: KEY, entities: { Contact }, patterns };
}

/** Returns a table of notes that stores attributes under the given short names. */
function notes(stored: Readonly<Record<string, string>>): TableDesign {
  const keys = { PK: 'NOTE#<noteId>', SK: 'NOTE' };
  const Note = { attributes: z.object({ noteId: z.string(), title: z.string(), text: z.string() }), keys, stored };
  return {
    name: 'notes',
    key: KEY,
    entities: { Note },
    patterns: { note: { op: 'get', where: keys, returns: ['Note'] } },
  };
}

function rated(stars: z.ZodType): TableDesign {
  const Review = {
    attributes: z.object({ reviewId: z.string(), stars }),
    keys: { PK: 'REVIEW#<reviewId>', SK: 'REVIEW' },
  };
  return { name: 'reviews', key: KEY, entities: { Review }, patterns: { review: { op: 'put', entity: 'Review' } } };
}

/** Examples for the rules about writes. */
export const writes = {
  unwritable: { broken: tasks({ remove: ['title'] }), mended: tasks({ remove: ['note'] }) },
  'half-key': {
    broken: onBoard({ set: { state: '<state>' } }),
    mended: onBoard({ set: { state: '<state>' }, condition: { boardId: '<boardId>' } }),
  },
  'unacceptable-item': {
    broken: stock({ add: { left: -1 } }),
    mended: stock({ add: { left: -1 }, condition: { left: { atLeast: 1 } } }),
  },
  'unsound-unique': { broken: accounts({}), mended: accounts({ condition: { email: '<email>' } }) },
  'unsound-stored': { broken: notes({ title: 't', text: 't' }), mended: notes({ title: 't', text: 'x' }) },
  'unsound-written': {
    broken: contacts({ name: '<name>', sortName: '<sortName>' }),
    mended: contacts({ name: '<name>' }),
  },
  'unsound-union': {
    broken: products({ set: { pages: '<pages>' } }),
    mended: products({ set: { pages: '<pages>' }, condition: { kind: 'book' } }),
  },
  'unusable-schema': { broken: rated(z.int().min(5).max(1)), mended: rated(z.int().min(1).max(5)) },
  'unbounded-item': { broken: threads(1_000_000), mended: threads(10_000) },
  'unserved-entity': { broken: members(), mended: members(['award', { op: 'put', entity: 'Badge' }]) },
} satisfies Readonly<Record<string, Example>>;
