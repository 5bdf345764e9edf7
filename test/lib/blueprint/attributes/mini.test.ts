import { z } from 'zod';
import * as mini from 'zod/mini';
import { attributeAt, intakeAt } from '../../../../lib/blueprint/attributes/facts';
import { check } from '../../../../lib/check';
import { defineTable } from '../../../../lib/design/table';
import { client } from '../../../../lib/dynamodb/client';
import { entities, requests } from '../../../../lib/dynamodb/requests';

const isText = (value: string) => value !== '';
const length = (value: string) => value.length;

/** Each schema is written twice: with zod, and with zod/mini. */
const pairs = {
  'a string': [z.string(), mini.string()],
  'a minimum length': [z.string().min(1), mini.string().check(mini.minLength(1))],
  'a maximum length': [z.string().max(5), mini.string().check(mini.maxLength(5))],
  'a fixed length': [z.string().length(5), mini.string().check(mini.length(5))],
  'a prefix': [z.string().startsWith('usr_'), mini.string().check(mini.startsWith('usr_'))],
  'a pattern': [z.string().regex(/^usr_/), mini.string().check(mini.regex(/^usr_/))],
  'a trimmed string': [z.string().trim(), mini.string().check(mini.trim())],
  'a refinement': [z.string().refine(isText), mini.string().check(mini.refine(isText))],
  'a template': [z.templateLiteral(['usr_', z.string()]), mini.templateLiteral(['usr_', mini.string()])],
  'a timestamp': [z.iso.datetime({ precision: 3 }), mini.iso.datetime({ precision: 3 })],
  'a timestamp in any zone': [z.iso.datetime({ offset: true }), mini.iso.datetime({ offset: true })],
  'a date as a check': [z.string().check(z.iso.date()), mini.string().check(mini.iso.date())],
  'a UUID': [z.uuidv7(), mini.uuidv7()],
  'an email address': [z.email(), mini.email()],
  'a number': [z.number().nonnegative(), mini.number().check(mini.nonnegative())],
  'a whole number': [z.int().min(2020).max(2100), mini.int().check(mini.minimum(2020), mini.maximum(2100))],
  'a whole number above another': [z.int().gt(5), mini.int().check(mini.gt(5))],
  'a large number': [z.bigint(), mini.bigint()],
  'a boolean': [z.boolean(), mini.boolean()],
  'an enum': [z.enum(['a', 'b']), mini.enum(['a', 'b'])],
  'a literal': [z.literal('a'), mini.literal('a')],
  'a union': [z.union([z.literal('a'), z.literal(1)]), mini.union([mini.literal('a'), mini.literal(1)])],
  'a map': [z.object({ a: z.string() }), mini.object({ a: mini.string() })],
  'a record': [z.record(z.string(), z.int()), mini.record(mini.string(), mini.int())],
  'a list': [z.array(z.string()).max(3), mini.array(mini.string()).check(mini.maxLength(3))],
  'a tuple': [z.tuple([z.string()]), mini.tuple([mini.string()])],
  'an optional value': [z.string().optional(), mini.optional(mini.string())],
  'a nullable value': [z.string().nullable(), mini.nullable(mini.string())],
  'a nullish value': [z.string().nullish(), mini.nullish(mini.string())],
  'a default': [z.int().default(1), mini._default(mini.int(), 1)],
  'a default before parsing': [z.int().prefault(1), mini.prefault(mini.int(), 1)],
  'a fallback': [z.int().catch(1), mini.catch(mini.int(), 1)],
  'a transformation': [z.string().transform(length), mini.pipe(mini.string(), mini.transform(length))],
  'a coercion': [z.coerce.number(), mini.coerce.number()],
  'a lazy schema': [z.lazy(() => z.string()), mini.lazy(() => mini.string())],
  'a read-only string': [z.string().readonly(), mini.readonly(mini.string())],
  'a brand': [z.string().brand('Id'), mini.string().brand('Id')],
  'a Date': [z.date(), mini.date()],
  bytes: [z.instanceof(Uint8Array), mini.instanceof(Uint8Array)],
  anything: [z.any(), mini.any()],
} as const;

test.each(Object.entries(pairs))(
  'attributeAt and intakeAt return the same facts about %s with zod/mini as with zod',
  (_, [classic, small]) => {
    const ofZod = z.object({ it: classic });
    const ofMini = mini.object({ it: small });
    expect(attributeAt(ofMini, ['it'])).toEqual(attributeAt(ofZod, ['it']));
    expect(attributeAt(ofMini, ['it'])).toBeDefined();
    expect(intakeAt(ofMini, ['it'])).toEqual(intakeAt(ofZod, ['it']));
  },
);

describe('designs written with zod/mini', () => {
  const posts = defineTable({
    name: 'posts',
    key: { partition: 'PK' },
    indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } },
    entities: {
      Post: {
        attributes: mini.object({
          postId: mini.string().check(mini.minLength(1)),
          category: mini.string(),
          likes: mini._default(mini.int(), 0),
          note: mini.optional(mini.string()),
        }),
        keys: { PK: 'POST#<postId>', GSI1PK: 'CATEGORY#<category>', GSI1SK: 'POST#<likes:6>' },
      },
    },
    patterns: {
      getPost: { op: 'get', where: { PK: 'POST#<postId>' }, returns: ['Post'] },
      liked: {
        op: 'query',
        index: 'GSI1',
        where: { GSI1PK: 'CATEGORY#<category>', GSI1SK: { atLeast: 'POST#<likes:6>' } },
        returns: ['Post'],
      },
    },
  });
  const post = { postId: '1', category: 'a' };
  const stored = { PK: 'POST#1', GSI1PK: 'CATEGORY#a', GSI1SK: 'POST#000000', ...post, likes: 0 };

  test('a design with zod/mini gets the same findings as a design with zod', () => {
    const { Post } = posts.entities;
    const { shape } = Post.attributes;
    const faulty = {
      ...posts,
      entities: { Post: { ...Post, attributes: mini.object({ ...shape, category: mini.boolean() }) } },
    };
    const ofZod = z.object({
      postId: z.string().min(1),
      category: z.boolean(),
      likes: z.int().default(0),
      note: z.string().optional(),
    });
    expect(check(posts)).toEqual([]);
    expect(check(faulty).map(({ rule }) => rule)).toContain('unkeyable');
    expect(check(faulty)).toEqual(check({ ...posts, entities: { Post: { ...Post, attributes: ofZod } } }));
  });

  test('requests from a design with zod/mini apply the defaults of its schemas', () => {
    const patterns = requests(posts, 'posts');
    const { put } = entities(posts, 'posts');
    expect(put('Post', post)).toMatchObject({ Item: stored });
    expect(patterns.getPost({ postId: '1' })).toMatchObject({ Key: { PK: 'POST#1' } });
    const { ExpressionAttributeValues } = patterns.liked({ category: 'a', likes: 7 });
    expect(Object.values(ExpressionAttributeValues ?? {})).toEqual(['CATEGORY#a', 'POST#000007']);
  });

  test('a client of a zod/mini design validates the items that it reads', async () => {
    const { getPost } = client(posts, 'posts', async () => ({ Item: stored }));
    const found = await getPost({ postId: '1' });
    const likes: number | undefined = found?.likes;
    expect(likes).toBe(0);
    expect(found).toEqual({ ...post, likes: 0 });
  });

  test('a put rejects a value that the zod/mini schema rejects, and the error mentions the attribute', () => {
    const { put } = entities(posts, 'posts');
    expect(() => put('Post', { ...post, postId: '' })).toThrow(expect.objectContaining({ name: 'ItemError' }));
    expect(() => put('Post', { ...post, likes: 'many' as never })).toThrow(/likes/);
  });
});
