import { z } from 'zod';
import { defineTable } from '../../../lib/design/table';
import { lists, requests } from '../../../lib/dynamodb';

const where = { PK: 'NOTE#<id>' } as const;

const notes = defineTable({
  name: 'notes',
  key: { partition: 'PK' },
  entities: {
    Note: {
      attributes: z.object({
        id: z.string(),
        likes: z.int(),
        tags: z.set(z.string().trim().min(1)).min(1).max(3).optional(),
        pages: z.set(z.int()).min(1).max(9),
        pairs: z.set(z.string()).min(2).max(9).optional(),
      }),
      keys: { PK: 'NOTE#<id>' },
    },
  },
  patterns: {
    tag: { op: 'update', entity: 'Note', where, set: { likes: 0 }, add: { tags: ['<tag>', 'all', '<more?>'] } },
    untag: { op: 'update', entity: 'Note', where, subtract: { tags: ['<tag>'] } },
    tagAll: { op: 'update', entity: 'Note', where, add: { tags: '<tags>', likes: '<by>' } },
    maybe: { op: 'update', entity: 'Note', where, add: { tags: ['<tag?>'] } },
    mark: { op: 'update', entity: 'Note', where, add: { pages: ['<page>'] }, subtract: { pairs: ['<pair>'] } },
    unmark: { op: 'update', entity: 'Note', where, subtract: { pages: ['<page>', '<other>'] } },
    pair: { op: 'update', entity: 'Note', where, add: { pairs: ['<pair>'] } },
    markMany: {
      op: 'transaction',
      steps: {
        mark: {
          op: 'update',
          each: 'marks',
          entity: 'Note',
          where: { PK: 'NOTE#<marks.id>' },
          add: { pages: ['<marks.page>'] },
        },
      },
    },
  },
});
const made = requests(notes, 'notes', { lists });

test('adds elements to a set, and skips optional elements that the caller omits', () => {
  expect(made.tag({ id: '1', tag: 'red' })).toMatchObject({
    UpdateExpression: 'SET #0 = :0 ADD #1 :1',
    ConditionExpression: 'attribute_exists(#2) AND NOT (size(#1) > :2)',
    ExpressionAttributeNames: { '#1': 'tags' },
    ExpressionAttributeValues: { ':1': new Set(['red', 'all']), ':2': 1 },
  });
  expect(made.tag({ id: '1', tag: 'all', more: ' all ' }).ExpressionAttributeValues).toMatchObject({
    ':1': new Set(['all']),
  });
  expect(() => made.maybe({ id: '1' })).toThrow('maybe: nothing to change; give at least one of tags');
});

test('removes elements from a set', () => {
  expect(made.untag({ id: '1', tag: 'red' })).toMatchObject({
    UpdateExpression: 'DELETE #0 :0',
    ConditionExpression: 'attribute_exists(#1)',
    ExpressionAttributeValues: { ':0': new Set(['red']) },
  });
  expect(made.mark({ id: '1', page: 7, pair: 'a' })).toMatchObject({ UpdateExpression: 'ADD #0 :0 DELETE #1 :1' });
});

test('adds all elements of a set passed by the caller, and refuses an empty set', () => {
  expect(made.tagAll({ id: '1', tags: new Set(['a', 'b']), by: 2 })).toMatchObject({
    UpdateExpression: 'SET #0 = if_not_exists(#0, :0) + :1 ADD #1 :2',
    ExpressionAttributeValues: { ':2': new Set(['a', 'b']) },
  });
  for (const tags of [new Set<string>(), ['a'] as never])
    expect(() => made.tagAll({ id: '1', tags, by: 2 })).toThrow(
      'Note: tags: expected a Set with at least one element to add, got: ',
    );
});

test('prevents a required set from becoming empty, and keeps every set within its bounds', () => {
  expect(made.unmark({ id: '1', page: 7, other: 8 })).toMatchObject({
    ConditionExpression: 'attribute_exists(#1) AND NOT (size(#0) < :1) AND attribute_exists(#0)',
    ExpressionAttributeValues: { ':0': new Set([7, 8]), ':1': 3 },
  });
  expect(made.mark({ id: '1', page: 7, pair: 'a' })).toMatchObject({
    ConditionExpression: 'attribute_exists(#2) AND NOT (size(#0) > :2) AND NOT (size(#1) < :3)',
    ExpressionAttributeValues: { ':2': 8, ':3': 3 },
  });
  expect(made.pair({ id: '1', pair: 'a' }).ConditionExpression).toMatch(/AND attribute_exists\(#0\)$/);
  expect(() => made.tagAll({ id: '1', tags: new Set(['a', 'b', 'c', 'd']), by: 1 })).toThrow(
    'Note: tags: at most 3 elements are allowed, got 4',
  );
});

test("validates elements against the set's type and schema", () => {
  expect(() => made.tag({ id: '1', tag: ' ' })).toThrow('Note: tags.0: ');
  // @ts-expect-error: the pages are numbers
  expect(() => made.mark({ id: '1', page: '7', pair: 'a' })).toThrow('Note: pages.0: ');
  // @ts-expect-error: a tag is missing
  expect(() => made.untag({ id: '1' })).toThrow('<tag> is missing');
  // @ts-expect-error: the whole value must be a set
  expect(() => made.tagAll({ id: '1', tags: 'a', by: 1 })).toThrow('expected a Set');
  const { TransactItems } = made.markMany({ marks: [{ id: '1', page: 7 }] });
  expect(TransactItems).toMatchObject([{ Update: { ExpressionAttributeValues: { ':0': new Set([7]) } } }]);
  // @ts-expect-error: the pages are numbers
  expect(() => made.markMany({ marks: [{ id: '1', page: '7' }] })).toThrow('Note: pages.0: ');
});
