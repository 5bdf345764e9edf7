import { z } from 'zod';
import * as mini from 'zod/mini';
import type { EntityValues, PatternItem, PatternValues } from '../../../lib';
import { defineTable } from '../../../lib';

const common = { productId: z.string(), title: z.string(), price: z.number() };

const shop = defineTable({
  name: 'shop',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byAuthor: { partition: 'G1', sort: 'SK' } },
  typeAttribute: 'type',
  entities: {
    Product: {
      attributes: z.discriminatedUnion('kind', [
        z.object({ ...common, kind: z.literal('book'), author: z.string(), pages: z.int() }),
        z.object({ ...common, kind: z.literal('film'), minutes: z.int() }),
      ]),
      keys: { PK: 'PRODUCT#<productId>', SK: 'PRODUCT', G1: 'AUTHOR#<author>' },
    },
    Stamped: {
      attributes: z.discriminatedUnion('kind', [
        z.object({ id: z.string(), rev: z.int(), kind: z.literal('a'), a: z.string() }),
        z.object({ id: z.string(), rev: z.int(), kind: z.literal('b'), b: z.string() }),
      ]),
      keys: { PK: 'S#<id>', SK: 'S' },
      version: 'rev',
    },
  },
  patterns: {
    product: { op: 'get', where: { PK: 'PRODUCT#<productId>', SK: 'PRODUCT' }, returns: ['Product'] },
    byAuthor: {
      op: 'query',
      index: 'byAuthor',
      where: { G1: 'AUTHOR#<author>' },
      returns: ['Product'],
      select: ['kind', 'author'],
    },
    add: { op: 'put', entity: 'Product' },
    addStamped: { op: 'put', entity: 'Stamped' },
    setAuthor: {
      op: 'update',
      entity: 'Product',
      where: { PK: 'PRODUCT#<productId>', SK: 'PRODUCT' },
      set: { pages: '<pages>' },
      condition: { kind: 'book' },
    },
  },
});

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const sure = <T extends true>(value: T) => value;

test('the compiler narrows a union item by its discriminator', () => {
  const item = {
    kind: 'book',
    productId: 'p',
    title: 't',
    price: 1,
    author: 'a',
    pages: 1,
    type: 'Product',
  } as PatternItem<typeof shop, 'product'>;
  if (item.kind === 'book') expect(item.author).toBe('a');
  // @ts-expect-error: a film has no pages.
  if (item.kind === 'film') expect(item.pages).toBeUndefined();
});

test('a put of a union requires all values of one member', () => {
  const film: PatternValues<typeof shop, 'add'> = { kind: 'film', productId: 'p', title: 't', price: 1, minutes: 90 };
  expect(film.kind).toBe('film');
  // @ts-expect-error: a book requires an author.
  const book: EntityValues<typeof shop, 'Product'> = { kind: 'book', productId: 'p', title: 't', price: 1, pages: 9 };
  expect(book.kind).toBe('book');
  const stamped: PatternValues<typeof shop, 'addStamped'> = { id: 'i', kind: 'b', b: 'x' };
  expect(stamped.kind).toBe('b');
});

test('the compiler narrows selected attributes, and types a parameter even if only one union member has its attribute', () => {
  const selected = { kind: 'book', author: 'a', type: 'Product' } as PatternItem<typeof shop, 'byAuthor'>;
  if (selected.kind === 'book') expect(selected.author).toBe('a');
  expect(sure<Equal<PatternValues<typeof shop, 'setAuthor'>['pages'], number>>(true)).toBe(true);
  expect(sure<Equal<PatternValues<typeof shop, 'byAuthor'>['author'], string>>(true)).toBe(true);
});

test('the compiler refuses a key template with an attribute that no union member has', () => {
  defineTable({
    name: 'x',
    key: { partition: 'PK' },
    entities: {
      A: {
        attributes: mini.discriminatedUnion('k', [
          mini.object({ id: mini.string(), k: mini.literal('a') }),
          mini.object({ id: mini.string(), k: mini.literal('b') }),
        ]),
        // @ts-expect-error: no member has the attribute `idd`.
        keys: { PK: 'A#<idd>' },
      },
    },
  });
});
