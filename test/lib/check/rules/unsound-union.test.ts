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

test('accepts a union whose members have the same key attributes, and an index on an attribute of a single member', () => {
  expect(check(shop({}))).toEqual([]);
});

test('requires every member to have the attributes of the primary key', () => {
  const lacking = mini.object({ cents: mini.int(), kind: mini.literal('film') });
  const found = check(shop({ attributes: z.discriminatedUnion('kind', [book, lacking as never]) }));
  expect(found.map(({ cause, path, message }) => ({ cause, path, message }))).toEqual([
    {
      cause: 'key-lacks',
      path: 'entities.Product.keys.PK',
      message:
        "every item needs 'PK', which contains 'productId', but a Product whose kind is 'film' has no 'productId'",
    },
  ]);
});

test.each([
  ['a number in one member and a string in another', z.int()],
  ['a different format', z.uuid()],
])('reports members with different schemas for a key attribute: %s', (_, productId) => {
  const found = check(shop({ attributes: z.discriminatedUnion('kind', [book, film.extend({ productId })]) }));
  expect(found.map(({ cause, path, fix }) => ({ cause, path, fix }))).toEqual([
    {
      cause: 'key-differs',
      path: 'entities.Product.keys.PK',
      fix: "declare 'productId' once, and use it in every member: const productId = z.…; z.object({ productId, … })",
    },
  ]);
});

test('accepts the discriminator in a key, although each member has a different value', () => {
  const keys = { PK: 'PRODUCT#<kind>#<productId>', GSI1PK: 'AUTHOR#<author>' };
  expect(faults(shop({ keys }))).toEqual([]);
});

test('requires a discriminator that is a string or a number', () => {
  const truth = z.discriminatedUnion('kind', [
    z.object({ ...common, author: z.string(), kind: z.literal(true) }),
    z.object({ ...common, kind: z.literal(false) }),
  ]);
  expect(faults(shop({ attributes: truth })).map(({ cause }) => cause)).toEqual(['values-unknown']);
});

test('requires every member to have the attributes that the library writes', () => {
  const rev = z.int();
  const attributes = z.discriminatedUnion('kind', [book.extend({ rev }), film]);
  expect(faults(shop({ attributes, version: 'rev' })).map(({ cause, path }) => [cause, path])).toEqual([
    ['written-lacks', 'entities.Product.version'],
  ]);
  const both = z.discriminatedUnion('kind', [book.extend({ rev }), film.extend({ rev })]);
  expect(faults(shop({ attributes: both, version: 'rev' }))).toEqual([]);
});

test('requires a computed attribute only in members that have its sources', () => {
  const computed = { sortAuthor: '<author:lower>' };
  const own = z.discriminatedUnion('kind', [book.extend({ sortAuthor: z.string() }), film]);
  expect(faults(shop({ attributes: own, computed }))).toEqual([]);
  const other = z.discriminatedUnion('kind', [book, film.extend({ sortAuthor: z.string() })]);
  expect(faults(shop({ attributes: other, computed })).map(({ cause }) => cause)).toEqual(['written-lacks']);
});

describe('an update', () => {
  test('accepts an update of an attribute that all members share', () => {
    expect(faults(update({ set: { cents: '<cents>' } }))).toEqual([]);
    expect(faults(update({ add: { cents: 1 } }))).toEqual([]);
  });

  test.each([
    ['set', { set: { pages: '<pages>' } }, 'set.pages'],
    ['add', { add: { pages: 1 } }, 'add.pages'],
    ['remove', { remove: ['note'] }, 'remove'],
  ])(
    'requires an update to identify the member if only one member has the updated attribute: %s',
    (_, change, place) => {
      const [found, ...others] = faults(update(change));
      expect(others).toEqual([]);
      expect(found).toEqual({
        cause: 'member-differs',
        path: `patterns.change.${place}`,
        fix: "limit the update to one member with condition: { kind: 'book' }",
      });
      expect(faults(update({ ...change, condition: { kind: 'book' } }))).toEqual([]);
      expect(faults(update({ ...change, condition: { kind: { in: ['book'] } } }))).toEqual([]);
      expect(faults(update({ ...change, condition: { kind: { not: 'film' } } }))).toEqual([]);
      expect(faults(update({ ...change, condition: { kind: '<kind>' } }))).toHaveLength(1);
      expect(faults(update({ ...change, condition: { kind: 'film' } }))).toHaveLength(1);
    },
  );

  test('requires an update of the discriminator to set the whole new member, and to remove the rest of the old member', () => {
    const condition = { kind: 'book' };
    expect(faults(update({ set: { kind: 'film' }, condition }))).toEqual([
      {
        cause: 'member-incomplete',
        path: 'patterns.change.set.kind',
        fix: "set the whole member: set: { minutes: '<minutes>' }, or put a new item with replace: true",
      },
      {
        cause: 'member-leftover',
        path: 'patterns.change.set.kind',
        fix: "write remove: ['author', 'pages', 'note']",
      },
    ]);
    const remove = ['author', 'pages', 'note'];
    expect(faults(update({ set: { kind: 'film', minutes: '<minutes>' }, remove, condition }))).toEqual([]);
    expect(faults(update({ set: { kind: 'film', minutes: '<minutes?>' }, remove, condition }))).toHaveLength(1);
    expect(faults(update({ set: { kind: 'film', pages: 1, minutes: 1 }, remove, condition }))).toHaveLength(1);
  });

  test('requires an update to set the discriminator to a fixed value', () => {
    expect(faults(update({ set: { kind: '<kind>' } })).map(({ cause }) => cause)).toEqual(['member-unknown']);
    expect(faults(update({ set: { kind: { attribute: 'author' } } })).map(({ cause }) => cause)).toEqual([
      'member-unknown',
    ]);
    // One finding is enough for a value that no member has.
    expect(check(update({ set: { kind: 'game' } })).map(({ rule }) => rule)).toEqual(['impossible-value']);
  });

  test('reports an update that adds to the discriminator, because the item could become any member', () => {
    const members = [
      z.object({ ...common, level: z.literal(1) }),
      z.object({ ...common, level: z.literal(2) }),
    ] as const;
    const attributes = z.discriminatedUnion('level', members);
    const raise: PatternDesign = { op: 'update', entity: 'Product', where, add: { level: 1 } };
    const found = faults(shop({ attributes, keys: where }, { raise }));
    expect(found.map(({ cause, path }) => [cause, path])).toEqual([['member-unknown', 'patterns.raise.add.level']]);
  });

  test('considers only the members that the condition of an update allows', () => {
    const change = { set: { pages: '<pages>' } };
    expect(faults(update({ ...change, condition: { author: '<author>' } }))).toEqual([]);
    expect(faults(update({ ...change, condition: { author: { exists: true } } }))).toEqual([]);
    expect(faults(update({ ...change, condition: { author: { exists: false } } }))).toHaveLength(1);
    expect(faults(update({ ...change, condition: { author: '<author?>' } }))).toHaveLength(1);
  });

  test('considers only the member that the key of an update identifies', () => {
    const keys = { PK: '<kind>#<productId>' };
    const byKey = (PK: string): PatternDesign => ({
      op: 'update',
      entity: 'Product',
      where: { PK },
      set: { pages: '<pages>' },
    });
    expect(faults(shop({ keys }, { change: byKey('book#<productId>') }))).toEqual([]);
    expect(faults(shop({ keys }, { change: byKey('film#<productId>') }))).toHaveLength(1);
    expect(faults(shop({ keys }, { change: byKey('<kind>#<productId>') }))).toHaveLength(1);
  });

  test('does not require an update to set the other attribute of an index key if its condition shows whether the item is in the index', () => {
    const keys = { ...where, GSI1PK: 'AUTHOR#<author>', GSI1SK: '<cents:8>' };
    const indexes = { byAuthor: { partition: 'GSI1PK', sort: 'GSI1SK' } };
    const reprice = (condition: object): TableDesign => ({
      ...shop(
        { keys },
        { change: { op: 'update', entity: 'Product', where, set: { cents: '<cents>' }, condition } as PatternDesign },
      ),
      indexes,
    });
    const halves = (design: TableDesign) => check(design).filter(({ rule }) => rule === 'half-key');
    expect(halves(reprice({ kind: 'film' }))).toEqual([]);
    expect(halves(reprice({ kind: 'book' }))).toEqual([]);
    expect(halves(reprice({ cents: { atLeast: 1 } })).map(({ cause }) => cause)).toEqual(['may-lack']);
  });
});

describe('members that declare an attribute separately', () => {
  const text = () => z.string().min(1).max(80);
  const title = (one: z.ZodType, other: z.ZodType) =>
    z.discriminatedUnion('kind', [book.extend({ title: one }), film.extend({ title: other })]);
  const retitle: PatternDesign = { op: 'update', entity: 'Product', where, set: { title: '<title>' } };

  test.each([
    ['the same string schema', text(), text()],
    ['an optional string', text().optional(), text()],
    ['a string with a default', text(), text().default('untitled')],
    ['maps', z.object({ en: text(), de: text().optional() }), z.object({ en: text(), de: text().optional() })],
    ['formats', z.iso.datetime({ precision: 3 }), z.iso.datetime({ precision: 3 })],
    ['a different error message', z.string().min(1, 'empty'), z.string().min(1)],
    ['zod and zod/mini', z.int(), mini.int() as never],
  ])('recognizes equivalent schemas of a shared attribute: %s', (_, one, other) => {
    expect(faults(shop({ attributes: title(one, other) }, { retitle }))).toEqual([]);
  });

  test.each([
    ['different bounds', text(), z.string().max(10)],
    ['different formats', z.iso.datetime({ precision: 3 }), z.iso.datetime({ precision: 0 })],
    ['code', z.string().refine((value) => value !== ''), z.string().refine((value) => value !== 'x')],
    ['a refinement', z.string().superRefine(() => undefined), z.string().superRefine(() => undefined)],
    ['a different type', text(), z.int()],
  ])('reports an update of an attribute whose schemas differ between members: %s', (_, one, other) => {
    expect(faults(shop({ attributes: title(one, other) }, { retitle }))).toEqual([
      {
        cause: 'member-differs',
        path: 'patterns.retitle.set.title',
        fix: "limit the update to one member with condition: { kind: 'book' }, or declare 'title' once, and use it in every member",
      },
    ]);
  });

  test('accepts an update that removes an attribute only if the attribute is optional in every member', () => {
    const attributes = title(text().optional(), text());
    const untitle = (condition?: object) =>
      faults(
        shop(
          { attributes },
          {
            untitle: {
              op: 'update',
              entity: 'Product',
              where,
              remove: ['title'],
              ...(condition && { condition }),
            } as PatternDesign,
          },
        ),
      );
    expect(untitle().map(({ cause, fix }) => [cause, fix])).toEqual([
      ['member-differs', "limit the update to one member with condition: { kind: 'book' }"],
    ]);
    expect(untitle({ kind: 'book' })).toEqual([]);
  });

  test('requires an update of the discriminator to set a shared attribute only if its old value may be missing or invalid in the new member', () => {
    const remove = ['author', 'pages', 'note'];
    const turn = (one: z.ZodType, other: z.ZodType, condition: object = {}) =>
      faults(
        shop(
          { attributes: title(one, other) },
          {
            turn: {
              op: 'update',
              entity: 'Product',
              where,
              set: { kind: 'film', minutes: 1 },
              remove,
              condition: { kind: 'book', ...condition },
            } as PatternDesign,
          },
        ),
      ).map(({ cause, fix }) => [cause, fix]);
    expect(turn(text(), text().optional())).toEqual([]);
    expect(turn(text().optional(), text().default('untitled'))).toEqual([]);
    const lacking = [
      'member-incomplete',
      "set the whole member: set: { title: '<title>' }, or put a new item with replace: true",
    ];
    expect(turn(text().optional(), text())).toEqual([lacking]);
    expect(turn(text().optional(), text(), { title: { exists: true } })).toEqual([]);
    expect(turn(text().optional(), text(), { title: { exists: false } })).toEqual([lacking]);
    expect(turn(text(), z.int())).toEqual([lacking]);
  });
});

describe('a member that is itself a union', () => {
  const disc = { ...common, kind: z.literal('disc') };
  const attributes = z.discriminatedUnion('kind', [
    film,
    z.discriminatedUnion('format', [
      z.object({ ...disc, format: z.literal('cd'), tracks: z.int() }),
      z.object({ ...disc, format: z.literal('dvd'), region: z.int() }),
    ]),
  ]);
  const change = (change: object) =>
    faults(
      shop(
        { attributes, keys: where },
        { change: { op: 'update', entity: 'Product', where, ...change } as PatternDesign },
      ),
    );

  test('identifies a member of a nested union by its inner discriminator, with or without the outer one', () => {
    expect(change({ set: { tracks: '<tracks>' }, condition: { kind: 'disc' } }).map(({ fix }) => fix)).toEqual([
      "limit the update to one member with condition: { kind: 'disc', format: 'cd' }",
    ]);
    expect(change({ set: { tracks: '<tracks>' }, condition: { kind: 'disc', format: 'cd' } })).toEqual([]);
    expect(change({ set: { tracks: '<tracks>' }, condition: { format: 'cd' } })).toEqual([]);
  });

  test('rejects an update that turns an item into a nested member without identifying that member', () => {
    const remove = ['minutes'];
    const condition = { kind: 'film' };
    expect(change({ set: { kind: 'disc' }, remove, condition }).map(({ cause, fix }) => [cause, fix])).toEqual([
      ['member-unknown', "also set 'format', or test 'format' in the condition"],
    ]);
    expect(change({ set: { kind: 'disc', format: 'cd', tracks: '<tracks>' }, remove, condition })).toEqual([]);
    expect(change({ set: { format: 'dvd', region: 1 }, remove: ['tracks'], condition: { format: 'cd' } })).toEqual([]);
    expect(
      change({ set: { format: 'dvd', region: 1 }, condition: { format: 'cd' } }).map(({ cause }) => cause),
    ).toEqual(['member-leftover']);
  });
});

test('requires all members to have the attributes in the key of a `unique`', () => {
  const unique = { byAuthor: { keys: { PK: 'BY#<author>' } } };
  const found = check(shop({ unique })).filter(({ path }) => path.includes('unique'));
  expect(found.map(({ rule, path, message, fix }) => ({ rule, path, message, fix }))).toEqual([
    {
      rule: 'unsound-union',
      path: 'entities.Product.unique.byAuthor.keys.PK',
      message:
        "every unique value needs 'PK', which contains 'author', but a Product whose kind is 'film' has no 'author'",
      fix: "add 'author' to that member, or build 'PK' from attributes that all members have",
    },
  ]);
  const attributes = z.discriminatedUnion('kind', [book, film.extend({ author: z.string() })]);
  expect(faults(shop({ attributes, unique }))).toEqual([]);
});

test('requires all members to declare the same schema for an attribute that the library writes', () => {
  const timestamps = { updated: 'at' };
  const iso = () => z.iso.datetime({ precision: 3 });
  const stamped = (one: z.ZodType, other: z.ZodType) =>
    faults(
      shop({
        attributes: z.discriminatedUnion('kind', [book.extend({ at: one }), film.extend({ at: other })]),
        timestamps,
      }),
    );
  expect(stamped(iso(), iso())).toEqual([]);
  expect(stamped(iso(), z.int()).map(({ cause, path }) => [cause, path])).toEqual([
    ['written-differs', 'entities.Product.timestamps'],
  ]);
});

test('names the type that an attribute has in the selected union member if an update assumes a different type', () => {
  const attributes = z.discriminatedUnion('kind', [book.extend({ size: z.int() }), film.extend({ size: z.string() })]);
  const add: PatternDesign = { op: 'update', entity: 'Product', where, add: { size: 1 }, condition: { kind: 'film' } };
  const [found] = check(shop({ attributes }, { grow: add })).filter(({ rule }) => rule === 'unwritable');
  expect(found?.message).toContain("'size' is a string");
});

test('requires a put with fixed values to set all attributes of one member, and no attributes of other members', () => {
  const put = (item: object) => faults(shop({}, { film: { op: 'put', entity: 'Product', item } as PatternDesign }));
  const given = { productId: '<productId>', cents: '<cents>', kind: 'film' };
  expect(put({ ...given, minutes: '<minutes>' })).toEqual([]);
  expect(put(given)).toEqual([
    { cause: 'put-incomplete', path: 'patterns.film.item', fix: "add minutes: '<minutes>'" },
  ]);
  expect(put({ ...given, minutes: '<minutes>', pages: '<pages>' })).toEqual([
    { cause: 'put-foreign', path: 'patterns.film.item.pages', fix: "remove 'pages'" },
  ]);
});
