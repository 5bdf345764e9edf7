import { z } from 'zod';
import { defineSystem } from '../../../lib/design/system';
import { defineTable } from '../../../lib/design/table';
import { client } from '../../../lib/dynamodb';
import { embedded } from '../../support/embedded';

const where = { PK: 'NOTE#<id>' } as const;

const notes = defineTable({
  name: 'notes',
  key: { partition: 'PK' },
  entities: {
    Note: {
      attributes: z.object({
        id: z.string(),
        tags: z.set(z.string()).min(1).max(3).optional(),
        pages: z.set(z.int()).min(1).max(9),
      }),
      keys: { PK: 'NOTE#<id>' },
    },
  },
  patterns: {
    note: { op: 'get', where, returns: ['Note'] },
    write: { op: 'put', entity: 'Note' },
    tag: { op: 'update', entity: 'Note', where, add: { tags: ['<tag>'] } },
    tagAll: { op: 'update', entity: 'Note', where, add: { tags: '<tags>' } },
    untag: { op: 'update', entity: 'Note', where, subtract: { tags: ['<tag>'] } },
    turn: { op: 'update', entity: 'Note', where, add: { pages: ['<page>'] }, subtract: { tags: ['<tag>'] } },
    tear: { op: 'update', entity: 'Note', where, subtract: { pages: ['<page>'] } },
  },
});
const tables = embedded(defineSystem({ name: 'notes', cloud: 'aws', tables: { notes } }));
const db = client(notes, tables.nameOf('notes'), tables.send);
const id = '1';

beforeEach(async () => {
  await db.write({ id: '1', pages: new Set([1]) });
});

test('creates a set of strings with its first element, and removes the set along with its last element', async () => {
  await db.tag({ id, tag: 'a' });
  await db.tag({ id, tag: 'a' });
  await db.tagAll({ id, tags: new Set(['b']) });
  expect(await db.note({ id })).toEqual({ id, pages: new Set([1]), tags: new Set(['a', 'b']) });
  await db.untag({ id, tag: 'a' });
  await db.untag({ id, tag: 'x' });
  expect(await db.note({ id })).toEqual({ id, pages: new Set([1]), tags: new Set(['b']) });
  await db.untag({ id, tag: 'b' });
  expect(await db.note({ id })).toEqual({ id, pages: new Set([1]) });
});

test('updates a set of numbers and a set of strings in one update', async () => {
  await db.tagAll({ id, tags: new Set(['a', 'b']) });
  await db.turn({ id, page: 2.0, tag: 'a' });
  expect(await db.note({ id })).toEqual({ id, pages: new Set([1, 2]), tags: new Set(['b']) });
});

test('refuses an update that would leave a set with too many elements, or a required set empty', async () => {
  await db.tagAll({ id, tags: new Set(['a', 'b', 'c']) });
  await expect(db.tag({ id, tag: 'd' })).rejects.toThrow('does not meet the condition');
  await expect(db.tear({ id, page: 1 })).rejects.toThrow('does not meet the condition');
  await db.turn({ id, page: 2, tag: 'a' });
  await db.tear({ id, page: 1 });
  expect(await db.note({ id })).toEqual({ id, pages: new Set([2]), tags: new Set(['b', 'c']) });
});
