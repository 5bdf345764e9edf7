import { z } from 'zod';
import * as mini from 'zod/mini';
import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { type Item, makeItem } from '../../../lib/items/item';
import { writerOf } from '../../../lib/items/writers';

/** All attributes are strings, so items of this entity can skip zod. Each schema below has these attributes. */
const attributes = {
  id: z.string().min(1),
  status: z.enum(['DRAFT', 'PUBLISHED']),
  at: z.iso.datetime({ precision: 3 }).optional(),
  title: z.string().max(20),
};
const light = {
  id: mini.string().check(mini.minLength(1)),
  status: mini.enum(['DRAFT', 'PUBLISHED']),
  at: mini.optional(mini.iso.datetime({ precision: 3 })),
  title: mini.string().check(mini.maxLength(20)),
};
const schemas = {
  object: z.object(attributes),
  looseObject: z.looseObject(attributes),
  strictObject: z.strictObject(attributes),
  mini: mini.object(light),
} as const;

const tableOf = (schema: EntityDesign['attributes']): TableDesign => ({
  name: 'posts',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byStatus: { partition: 'GSI1PK', sort: 'GSI1SK' }, half: { partition: 'GSI2PK', sort: 'GSI2SK' } },
  typeAttribute: 'type',
  entities: {
    Post: {
      attributes: schema,
      keys: {
        ...{ PK: 'POST#<id>', SK: 'POST#<id>', GSI1PK: 'STATUS#<status>', GSI1SK: 'POST#<at>#<id>' },
        // Items have no GSI2SK, so they are not in this index, and this key is not stored either.
        GSI2PK: 'HALF#<id>',
      },
      indexes: { byStatus: { while: { status: ['PUBLISHED'] } } },
    },
  },
  patterns: {},
});

const made = (schema: EntityDesign['attributes'], values: object): Item | string => {
  const table = outline(tableOf(schema));
  try {
    return makeItem(table, entityNamed(table, 'Post') as EntityOutline, values);
  } catch (error) {
    return String(error);
  }
};

const post = { id: '1', status: 'PUBLISHED', at: '2026-01-31T12:00:00.000Z', title: 'First' };

describe.each(Object.entries(schemas))('%s: an item is the same with and without zod', (_, schema) => {
  test('items of an entity with only string attributes can skip zod', () => {
    const table = outline(tableOf(schema));
    expect(writerOf(table, entityNamed(table, 'Post') as EntityOutline).quick).toBeDefined();
  });

  test.each<[string, object]>([
    ['all attributes', post],
    ['attributes in a different order', { title: 'First', at: post.at, status: 'PUBLISHED', id: '1' }],
    ['an item without optional attributes', { id: '1', status: 'PUBLISHED', title: 'First' }],
    ['an undefined attribute', { ...post, at: undefined }],
    ['an item in no index', { ...post, status: 'DRAFT' }],
    ['an extra name', { ...post, other: 'x' }],
    ['an extra attribute in place of an optional one', { id: '1', status: 'PUBLISHED', title: 'First', other: 'x' }],
    ['the name of a key attribute', { ...post, PK: 'x' }],
    ['a number', { ...post, title: 1 }],
    ['null', { ...post, title: null }],
    ['a value that is not listed', { ...post, status: 'OTHER' }],
    ['a date in a different format', { ...post, at: '2026-01-31' }],
    ['a string that is too long', { ...post, title: 'x'.repeat(21) }],
    ['empty', { ...post, id: '' }],
    ['the separator', { ...post, id: 'a#b' }],
  ])('%s', (_, values) => {
    // Only plain objects can skip zod, so an object without a prototype shows what zod would return.
    const asked = made(schema, Object.assign(Object.create(null), values));
    expect(made(schema, values)).toStrictEqual(asked);
    if (values === post) {
      expect(asked).toStrictEqual({
        ...post,
        ...{ PK: 'POST#1', SK: 'POST#1', GSI1PK: 'STATUS#PUBLISHED', GSI1SK: `POST#${post.at}#1`, type: 'Post' },
      });
    }
  });
});

test('the items of an entity never skip zod if its schema has a refinement across attributes', () => {
  const schema = z.object(attributes).refine(({ id, title }) => id !== title);
  expect(made(schema, { ...post, title: '1' })).toMatch(/^ItemError: Post: /);
});

test('an attribute with the same name as the type attribute does not replace the type', () => {
  const schema = z.object({ ...attributes, type: z.string() });
  expect(made(schema, { ...post, type: 'Other' })).toMatchObject({ type: 'Post' });
});

test('the quick path does not modify the given values', () => {
  const given = Object.freeze({ ...post });
  expect(made(schemas.object, given)).not.toBe(given);
  expect(given).toEqual(post);
});
