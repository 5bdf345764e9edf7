import { z } from 'zod';
import { orderUnserved } from '../../../../lib/check/rules/order-unserved';
import type { KeyCondition, QueryPattern } from '../../../../lib/design/pattern';
import type { TableDesign } from '../../../../lib/design/table';
import { findings, shop, tableOf } from '../../../fixtures/designs';
import { libraryWith } from '../../../fixtures/library';

const found = (design: TableDesign) => findings(orderUnserved, design);
const timestamp = z.iso.datetime({ precision: 3 });

/**
 * Returns the findings for a query of things whose sort key has the given template. The given pattern sets the order.
 */
function things(SK: string, pattern: Partial<QueryPattern>, sort: KeyCondition | undefined = undefined) {
  const attributes = z.object({
    uuid: z.uuid(),
    uuid4: z.uuidv4(),
    uuid6: z.uuidv6(),
    uuid7: z.uuidv7(),
    guid: z.guid(),
    nanoid: z.nanoid(),
    cuid2: z.cuid2(),
    ulid: z.ulid(),
    text: z.string(),
    state: z.enum(['open', 'done']),
    at: timestamp,
    data: z.object({ at: timestamp }),
  });
  const where = { PK: 'THING', ...(sort === undefined ? {} : { SK: sort }) };
  const mine: QueryPattern = { op: 'query', where, returns: ['Thing'], ...pattern };
  return found(tableOf({ attributes, keys: { PK: 'THING', SK } }, { patterns: { mine } }));
}

test.each(Object.values(shop.tables) as TableDesign[])('returns no findings for the sort orders in $name', (design) => {
  expect(found(design)).toEqual([]);
});

test('returns no findings if the pattern requests no order, or is not a query', () => {
  expect(things('<uuid>', {})).toEqual([]);
  expect(found(libraryWith({ op: 'get', where: {}, returns: ['Book'] }))).toEqual([]);
});

describe('rejects an order', () => {
  test('rejects an order in a table without a sort key', () => {
    const indexes = { byText: { partition: 'text' } };
    const attributes = z.object({ text: z.string() });
    const mine = {
      op: 'query',
      index: 'byText',
      where: { text: '<t>' },
      returns: ['Thing'],
      order: 'descending',
    } as const;
    const design = tableOf({ attributes, keys: { PK: 'X', SK: 'X' } }, { indexes, patterns: { mine } });
    expect(found(design)).toEqual([{ path: 'patterns.mine.order', cause: 'no-sort-key' }]);
    const { index: _, ...ofTable } = { ...mine, where: { PK: 'X' } };
    expect(found({ ...design, key: { partition: 'PK' }, patterns: { mine: ofTable } })).toMatchObject([
      { cause: 'no-sort-key' },
    ]);
  });

  test('rejects an order if the query reads a single sort key value', () => {
    expect(things('X#<at>', { order: 'ascending' }, 'X#<t>')).toEqual([
      { path: 'patterns.mine.order', cause: 'one-value' },
    ]);
  });

  test.each(['uuid', 'guid', 'nanoid', 'cuid2'])('rejects an order by a %s', (format) => {
    const order = 'descending';
    expect(things(`X#<${format}>`, { order })).toEqual([
      { path: 'patterns.mine.order', cause: 'random-id', entities: ['Thing'], part: format, severity: 'warning' },
    ]);
  });

  test('rejects an order by a version 4 UUID', () => {
    expect(things('X#<uuid4>', { order: 'descending' })).toHaveLength(1);
  });
});

describe('accepts an order', () => {
  test.each(['<uuid6>', '<uuid7>', '<ulid>', '<text>', '<at>#<uuid>', 'X#<state>#<uuid>', '<at:date>', 'CONSTANT'])(
    'accepts an order by the sort key %s',
    (SK) => {
      expect(things(SK, { order: 'descending' })).toEqual([]);
    },
  );

  test("accepts an order if the query's prefix contains the random id", () => {
    expect(things('X#<uuid>#<at>', { order: 'descending' }, { beginsWith: 'X#' })).toHaveLength(1);
    expect(things('X#<uuid>#<at>', { order: 'descending' }, { beginsWith: 'X#<uuid>#' })).toEqual([]);
  });
});

describe('an order by an attribute', () => {
  const orderBy = 'at';

  test('accepts an order by the first attribute of the sort key', () => {
    expect(things('X#<at>#<uuid>', { orderBy })).toEqual([]);
    expect(things('<at:date>#<uuid>', { orderBy })).toEqual([]);
    expect(things('X#<data.at>', { orderBy: 'data.at' })).toEqual([]);
  });

  test.each([
    ['X#<text>#<at>', { cause: 'by-another', part: 'text' }],
    ['<data.at>', { cause: 'by-another', part: 'data.at' }],
    ['X', { cause: 'by-nothing' }],
  ])('rejects an order that differs from the order of the sort key %s: %j', (SK, why) => {
    expect(things(SK, { orderBy })).toEqual([
      {
        path: 'patterns.mine.orderBy',
        ...why,
        attribute: 'at',
        entities: ['Thing'],
      },
    ]);
  });

  test.each<KeyCondition>([
    { beginsWith: 'X#<state>#' },
    { beginsWith: 'X#<state>' },
    { beginsWith: 'X#open#' },
    { beginsWith: 'X#open#2020' },
    { between: ['X#<state>#<from>', 'X#<state>#<to>'] },
    { between: ['X#open#2020', 'X#open#2021'] },
  ])('accepts an order by the first part that varies within the range: %j', (range) => {
    expect(things('X#<state>#<at>#<text>', { orderBy }, range)).toEqual([]);
    expect(things('X#<state>#<text>#<at>', { orderBy }, range)).toHaveLength(1);
  });

  test.each<KeyCondition>([
    { beginsWith: 'X#' },
    { beginsWith: 'X#op' },
    { between: ['X#<state>#<from>', 'X#<other>#<to>'] },
    { between: ['X#done#2020', 'X#open#2021'] },
    { atLeast: 'X#<state>#<from>' },
    { lessThan: 'X#open#<to>' },
  ])('rejects an order by a part if an earlier part also varies within the range: %j', (range) => {
    expect(things('X#<state>#<at>', { orderBy }, range)).toHaveLength(1);
  });

  test('rejects an order that is not the order of the queried index', () => {
    const where = { status: 'free' };
    const mine = { op: 'query', index: 'byStatus', where, returns: ['Copy'] } as const;
    expect(found(libraryWith({ ...mine, orderBy: 'since' }))).toEqual([]);
    expect(found(libraryWith({ ...mine, orderBy: 'number' }))).toMatchObject([
      { cause: 'by-another', attribute: 'number', entities: ['Copy'] },
    ]);
  });
});

describe('an order over several entities', () => {
  const attributes = z.object({ parent: z.string(), id: z.string(), at: timestamp });
  const query = (keys: Record<string, string>, orderBy = 'at') => {
    const entities = Object.entries(keys).map(([name, SK]) => [name, { attributes, keys: { PK: 'X#<parent>', SK } }]);
    return found({
      name: 'things',
      key: { partition: 'PK', sort: 'SK' },
      entities: {
        ...Object.fromEntries(entities),
        Bare: { attributes: z.object({}), keys: { PK: 'X', SK: '<x>#<y>' } },
      },
      patterns: {
        mine: { op: 'query', where: { PK: 'X#<p>' }, returns: [...Object.keys(keys), 'Bare', 'Gone'], orderBy },
      },
    });
  };

  test('rejects an `orderBy` over several entities if one of them is not sorted by that attribute', () => {
    expect(query({ A: '<at>#A#<id>', B: '<at>#B#<id>' })).toEqual([]);
    expect(query({ A: '<at>#A#<id>', B: '<id>#<at>' })).toMatchObject([
      { cause: 'by-another', attribute: 'at', entities: ['B'] },
    ]);
  });

  test('rejects an order if the query returns all items of one entity before any item of the other', () => {
    expect(query({ A: 'A#<at>', B: 'B#<at>' })).toEqual([
      { path: 'patterns.mine.orderBy', cause: 'one-after-another', attribute: 'at', entities: ['A', 'B'] },
    ]);
  });

  test('ignores a parent item, and entities without the attribute in `orderBy`', () => {
    expect(query({ Head: 'A', Line: 'LINE#<at>' })).toEqual([]);
    expect(query({ Line: 'LINE#<id>' }, 'id')).toEqual([]);
  });

  test('accepts an order if the query returns only a parent item', () => {
    expect(query({ Head: 'A' })).toEqual([]);
  });

  test('accepts an order if one of the returned entities is not in the queried index', () => {
    const where = { GSI1PK: 'AUTHOR#<id>' };
    const mine = { op: 'query', index: 'byAuthor', where, returns: ['Copy', 'Book'], order: 'descending' } as const;
    expect(found(libraryWith(mine))).toEqual([]);
  });
});

test('reports an order by the second part of a sort key if the separator is empty', () => {
  const attributes = z.object({ a: z.string(), b: z.string() });
  const mine = { op: 'query', where: { PK: 'X', SK: { beginsWith: 'a' } }, returns: ['Thing'], orderBy: 'b' } as const;
  const design = tableOf({ attributes, keys: { PK: 'X', SK: '<a>#<b>' } }, { separator: '', patterns: { mine } });
  expect(found(design)).toHaveLength(1);
});
