import { z } from 'zod';
import * as mini from 'zod/mini';
import { check } from '../../../../lib/check';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';

const common = { productId: z.string(), cents: z.int() };
const book = z.object({
  ...common,
  kind: z.literal('book'),
  author: z.string(),
  pages: z.int(),
  note: z.string().optional(),
});
const film = z.object({ ...common, kind: z.literal('film'), minutes: z.int() });
const where = { PK: 'PRODUCT#<productId>' };

function shop(entity: Partial<EntityDesign>, patterns: Readonly<Record<string, PatternDesign>> = {}): TableDesign {
  const attributes = z.discriminatedUnion('kind', [book, film]);
  return {
    name: 'shop',
    key: { partition: 'PK' },
    indexes: { byAuthor: { partition: 'GSI1PK', sort: 'PK' } },
    entities: { Product: { attributes, keys: { ...where, GSI1PK: 'AUTHOR#<author>' }, ...entity } },
    patterns: {
      ofAuthor: { op: 'query', index: 'byAuthor', where: { GSI1PK: 'AUTHOR#<author>' }, returns: ['Product'] },
      add: { op: 'put', entity: 'Product' },
      ...patterns,
    },
  };
}

const faults = (design: TableDesign) =>
  check(design)
    .filter(({ rule }) => rule === 'unsound-union')
    .map(({ cause, path, fix }) => ({ cause, path, fix }));
const update = (change: object): TableDesign =>
  shop({}, { change: { op: 'update', entity: 'Product', where, ...change } as PatternDesign });

test('a union whose members agree on keys is sound, and an attribute of one member makes an index sparse', () => {
  expect(check(shop({}))).toEqual([]);
});

test('every member has the attributes of the primary key', () => {
  const lacking = mini.object({ cents: mini.int(), kind: mini.literal('film') });
  const found = check(shop({ attributes: z.discriminatedUnion('kind', [book, lacking as never]) }));
  expect(found.map(({ cause, path, message }) => ({ cause, path, message }))).toEqual([
    {
      cause: 'key-lacks',
      path: 'entities.Product.keys.PK',
      message: "every item needs PK, but a Product whose kind is 'film' has no productId",
    },
  ]);
});

test.each([
  ['numbers in one member and texts in another', z.int()],
  ['another format', z.uuid()],
])('members disagree on a key that is made of %s', (_, productId) => {
  const found = check(shop({ attributes: z.discriminatedUnion('kind', [book, film.extend({ productId })]) }));
  expect(found.map(({ cause, path, fix }) => ({ cause, path, fix }))).toEqual([
    {
      cause: 'key-differs',
      path: 'entities.Product.keys.PK',
      fix: 'declare it once, and use it in every member: const productId = z.…; z.object({ productId, … })',
    },
  ]);
});

test('the discriminator and other listed values can be in a key, though each member has its own', () => {
  const keys = { PK: 'PRODUCT#<kind>#<productId>', GSI1PK: 'AUTHOR#<author>' };
  expect(faults(shop({ keys }))).toEqual([]);
});

test('the discriminator is a text or a number', () => {
  const truth = z.discriminatedUnion('kind', [
    z.object({ ...common, author: z.string(), kind: z.literal(true) }),
    z.object({ ...common, kind: z.literal(false) }),
  ]);
  expect(faults(shop({ attributes: truth })).map(({ cause }) => cause)).toEqual(['values-unknown']);
});

test('every member has the attributes that the library writes', () => {
  const rev = z.int();
  const attributes = z.discriminatedUnion('kind', [book.extend({ rev }), film]);
  expect(faults(shop({ attributes, version: 'rev' })).map(({ cause, path }) => [cause, path])).toEqual([
    ['written-lacks', 'entities.Product.version'],
  ]);
  const both = z.discriminatedUnion('kind', [book.extend({ rev }), film.extend({ rev })]);
  expect(faults(shop({ attributes: both, version: 'rev' }))).toEqual([]);
});

test('a computed attribute is needed only by members that have its parts', () => {
  const computed = { sortAuthor: '<author:lower>' };
  const own = z.discriminatedUnion('kind', [book.extend({ sortAuthor: z.string() }), film]);
  expect(faults(shop({ attributes: own, computed }))).toEqual([]);
  const other = z.discriminatedUnion('kind', [book, film.extend({ sortAuthor: z.string() })]);
  expect(faults(shop({ attributes: other, computed })).map(({ cause }) => cause)).toEqual(['written-lacks']);
});

describe('an update', () => {
  test('may change what all members share', () => {
    expect(faults(update({ set: { cents: '<cents>' } }))).toEqual([]);
    expect(faults(update({ add: { cents: 1 } }))).toEqual([]);
  });

  test.each([
    ['set', { set: { pages: '<pages>' } }, 'set.pages'],
    ['add', { add: { pages: 1 } }, 'add.pages'],
    ['remove', { remove: ['note'] }, 'remove'],
  ])('(%s) of what only one member has says which member it finds', (_, change, place) => {
    const [found, ...others] = faults(update(change));
    expect(others).toEqual([]);
    expect(found).toEqual({
      cause: 'member-differs',
      path: `patterns.change.${place}`,
      fix: "say which it changes: condition: { kind: 'book' }",
    });
    expect(faults(update({ ...change, condition: { kind: 'book' } }))).toEqual([]);
    expect(faults(update({ ...change, condition: { kind: { in: ['book'] } } }))).toEqual([]);
    expect(faults(update({ ...change, condition: { kind: { not: 'film' } } }))).toEqual([]);
    expect(faults(update({ ...change, condition: { kind: '<kind>' } }))).toHaveLength(1);
    expect(faults(update({ ...change, condition: { kind: 'film' } }))).toHaveLength(1);
  });

  test('that changes the discriminator gives the whole member, and removes the rest of the old one', () => {
    const condition = { kind: 'book' };
    expect(faults(update({ set: { kind: 'film' }, condition }))).toEqual([
      {
        cause: 'member-incomplete',
        path: 'patterns.change.set.kind',
        fix: "give the whole member: set: { minutes: '<minutes>' }; or put a new item with replace: true",
      },
      {
        cause: 'member-leftover',
        path: 'patterns.change.set.kind',
        fix: "remove them: remove: ['author', 'pages', 'note']",
      },
    ]);
    const remove = ['author', 'pages', 'note'];
    expect(faults(update({ set: { kind: 'film', minutes: '<minutes>' }, remove, condition }))).toEqual([]);
    expect(faults(update({ set: { kind: 'film', minutes: '<minutes?>' }, remove, condition }))).toHaveLength(1);
    expect(faults(update({ set: { kind: 'film', pages: 1, minutes: 1 }, remove, condition }))).toHaveLength(1);
  });

  test('sets the discriminator to a value that the design shows', () => {
    expect(faults(update({ set: { kind: '<kind>' } })).map(({ cause }) => cause)).toEqual(['member-unknown']);
    expect(faults(update({ set: { kind: 'game' } })).map(({ cause }) => cause)).toEqual(['member-unknown']);
  });
});

test('a put with values of its own gives a whole member, and nothing of another', () => {
  const put = (item: object) => faults(shop({}, { film: { op: 'put', entity: 'Product', item } as PatternDesign }));
  const given = { productId: '<productId>', cents: '<cents>', kind: 'film' };
  expect(put({ ...given, minutes: '<minutes>' })).toEqual([]);
  expect(put(given)).toEqual([
    { cause: 'put-incomplete', path: 'patterns.film.item', fix: "add minutes: '<minutes>'" },
  ]);
  expect(put({ ...given, minutes: '<minutes>', pages: '<pages>' })).toEqual([
    { cause: 'put-foreign', path: 'patterns.film.item.pages', fix: 'leave it out' },
  ]);
});
