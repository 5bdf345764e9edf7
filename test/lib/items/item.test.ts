import { z } from 'zod';
import { type EntityOutline, entityNamed, outline } from '../../../lib/blueprint/outline';
import { defineTable, type EntityDesign, type TableDesign } from '../../../lib/design/table';
import { KeyError } from '../../../lib/design/template';
import { entities, ItemError, requests } from '../../../lib/dynamodb';
import { entityOf, makeItem, readItem } from '../../../lib/items/item';
import { tableOf } from '../../fixtures/designs';
import { shopTable } from '../../fixtures/shop/design';
import { book, library } from '../dynamodb/designs';

const { item } = entities(library, 'library');

/** Makes an item of an entity that is alone in its table. */
function itemOf(entity: EntityDesign, values: object, rest: Partial<TableDesign> = {}) {
  const plan = outline(tableOf(entity, rest));
  return makeItem(plan, entityNamed(plan, 'Thing') as EntityOutline, values);
}

/** Makes an item from the values, and reads the values back from the item. */
function roundTrip(entity: EntityDesign, values: object, rest: Partial<TableDesign> = {}) {
  const plan = outline(tableOf(entity, rest));
  const thing = entityNamed(plan, 'Thing') as EntityOutline;
  return readItem(plan, thing, makeItem(plan, thing, values));
}

describe('an item', () => {
  test('an item contains its type, its keys and all attributes, except attributes that are stored only in keys', () => {
    expect(item('Book', { ...book, status: 'LENT' })).toEqual({
      PK: 'SHELF#s1',
      SK: 'BOOK#7',
      GSI1PK: 'STATUS#LENT',
      GSI1SK: '2026-01-31#000007',
      GSI2PK: 'AUTHOR#Borges',
      GSI3PK: 'PLACE#north',
      kind: 'BOOK',
      title: 'Ficciones',
      author: 'Borges',
      status: 'LENT',
      since: '2026-01-31',
      stock: { left: 2, place: 'north' },
    });
  });

  test('an item has no keys of an index that it is not in', () => {
    const names = Object.keys(item('Book', book));
    expect(names).toEqual(expect.arrayContaining(['GSI2PK', 'title', 'GSI3PK']));
    expect(names).not.toContain('GSI1PK');
    expect(names).not.toContain('GSI1SK');
  });

  test('an item contains the defaults from the schema, and no undefined values', () => {
    expect(item('Reader', { readerId: 'r1', name: 'Ana' })).toMatchObject({ kind: 'Reader', books: 0 });
    expect(Object.keys(item('Book', { ...book, status: undefined, note: undefined }))).not.toContain('status');
    expect(item('Book', { ...book, note: null })).toMatchObject({ note: null });
  });

  test('makeItem does not modify the given values', () => {
    const values = Object.freeze({ ...book });
    item('Book', values);
    expect(values).toEqual(book);
    const reader = { readerId: 'r1', name: 'Ana' };
    expect(item('Reader', reader)).not.toBe(reader);
    expect(reader).toEqual({ readerId: 'r1', name: 'Ana' });
  });

  test('an item stores the values that the schema outputs, even in its keys', () => {
    const email = z.email().toLowerCase();
    const made = itemOf(
      { attributes: z.object({ email }), keys: { PK: 'MAIL#<email>', SK: 'A' } },
      { email: 'A@B.CO' },
    );
    expect(made).toEqual({ PK: 'MAIL#a@b.co', SK: 'A', email: 'a@b.co' });
  });

  test.each(['constructor', 'toString'])(
    'an item may have an attribute named %s, like a built-in property of every object',
    (name) => {
      const attributes = z.object({ [name]: z.string(), id: z.string() });
      const keys = { PK: `A#<${name}>`, SK: 'B#<id>' };
      const values = { [name]: 'x', id: 'y' };
      expect(itemOf({ attributes, keys }, values)).toEqual({ PK: 'A#x', SK: 'B#y', ...values });
      expect(roundTrip({ attributes, keys, keyOnly: [name] }, values)).toEqual(values);
    },
  );
});

describe('keys with the same template', () => {
  const attributes = z.object({ id: z.string(), at: z.string().optional() });
  const keys = { PK: 'A#<id>', SK: 'A#<id>', GSI1PK: 'A#<id>', GSI1SK: 'T#<at>', GSI2PK: 'B#<id>', GSI2SK: 'T#<at>' };
  const indexes = {
    one: { partition: 'GSI1PK', sort: 'GSI1SK' },
    two: { partition: 'GSI2PK', sort: 'GSI2SK' },
  };

  test('keys with the same template have the same value, and are absent if the item is not in the index', () => {
    expect(itemOf({ attributes, keys }, { id: 'x', at: '1' }, { indexes })).toEqual({
      ...{ id: 'x', at: '1', PK: 'A#x', SK: 'A#x', GSI1PK: 'A#x', GSI1SK: 'T#1', GSI2PK: 'B#x', GSI2SK: 'T#1' },
    });
    expect(itemOf({ attributes, keys }, { id: 'x' }, { indexes })).toEqual({ id: 'x', PK: 'A#x', SK: 'A#x' });
  });

  test('keys with the same template keep their own length limits, because a sort key may be only half as long as a partition key', () => {
    const attempt = (length: number) => () => itemOf({ attributes, keys }, { id: 'x'.repeat(length) }, { indexes });
    expect(attempt(1022)()).toHaveProperty('SK', `A#${'x'.repeat(1022)}`);
    expect(attempt(1023)).toThrow('Thing: A#<id>: the key takes 1025 bytes, but at most 1024 are allowed');
  });

  test('an attribute with the same name as a key does not affect other keys with the same template', () => {
    const own = { attributes: attributes.extend({ GSI1SK: z.string() }), keys };
    const item = itemOf(own, { id: 'x', at: '1', GSI1SK: 'mine' }, { indexes });
    expect(item).toMatchObject({ GSI2SK: 'T#1' });
  });
});

describe('natural keys', () => {
  const key = { partition: 'id', sort: 'at' };
  const attributes = z.object({ id: z.string(), at: z.number() });

  test("natural keys are the attributes themselves, and keep the attributes' types", () => {
    expect(itemOf({ attributes }, { id: 'a#b', at: 1.5 }, { key })).toEqual({ id: 'a#b', at: 1.5 });
    expect(roundTrip({ attributes }, { id: 'a', at: 0 }, { key })).toEqual({ id: 'a', at: 0 });
  });

  test('natural keys stay on the item even if the design lists them in `keyOnly`', () => {
    expect(itemOf({ attributes, keyOnly: ['id'] }, { id: 'a', at: 1 }, { key })).toEqual({ id: 'a', at: 1 });
  });

  test('natural keys cannot be empty', () => {
    const attempt = () => itemOf({ attributes }, { id: '', at: 1 }, { key });
    expect(attempt).toThrow(KeyError);
    expect(attempt).toThrow('Thing: id is empty; give it a value');
  });

  test('an item omits a natural index key that is null, because no key can be null, and a read restores the null', () => {
    const entity = {
      attributes: z.object({ id: z.string(), owner: z.string().nullable() }),
      keys: { PK: '<id>', SK: 'A' },
    };
    const indexes = { byOwner: { partition: 'owner' } };
    expect(itemOf(entity, { id: 'a', owner: null }, { indexes })).toEqual({ PK: 'a', SK: 'A', id: 'a' });
    expect(roundTrip(entity, { id: 'a', owner: null }, { indexes })).toEqual({ id: 'a', owner: null });
    expect(roundTrip(entity, { id: 'a', owner: 'o' }, { indexes })).toEqual({ id: 'a', owner: 'o' });
  });
});

describe('values that exist only in keys', () => {
  test('readItem restores the type of each value in a key, whether or not a number is padded', () => {
    const entity = {
      attributes: z.object({ a: z.string(), n: z.int(), m: z.number(), p: z.number() }),
      keys: { PK: '<a>#<n:4>', SK: '<m>#<p>' },
      keyOnly: ['a', 'n', 'm', 'p'],
    };
    const values = { a: '12', n: 7, m: -1.5, p: 1e21 };
    expect(itemOf(entity, values)).toEqual({ PK: '12#0007', SK: '-1.5#1e+21' });
    expect(roundTrip(entity, values)).toEqual(values);
  });

  test("readItem reads a value from an index key, even if the item lacks the index's other key", () => {
    const plan = outline(library);
    const stored = { PK: 'SHELF#s1', SK: 'BOOK#7', GSI1SK: '2026-01-31#000007', title: 'Ficciones' };
    const read = readItem(plan, entityNamed(plan, 'Book') as EntityOutline, stored, ['shelf', 'number', 'since']);
    expect(read).toEqual({ shelf: 's1', number: 7, since: '2026-01-31', kind: 'BOOK' });
  });

  test('readItem reports a value as missing if no key contains it', () => {
    const plan = outline(library);
    const stored = { ...item('Book', book), PK: 'ELSEWHERE' };
    expect(() => readItem(plan, entityNamed(plan, 'Book') as EntityOutline, stored)).toThrow(
      'Book PK "ELSEWHERE", SK "BOOK#7": shelf: Invalid input: expected string, received undefined',
    );
  });
});

describe('invalid values', () => {
  const refuses = (values: object, message: string) => {
    expect(() => item('Book', values as never)).toThrow(ItemError);
    expect(() => item('Book', values as never)).toThrow(message);
  };

  test('makeItem reports all missing and wrong values in one error', () => {
    refuses({ ...book, title: undefined }, 'Book: title: Invalid input: expected string, received undefined');
    refuses(
      { ...book, title: 1, number: 'x' },
      'Book: number: Invalid input: expected number, received string; title: ',
    );
    refuses({ ...book, stock: { left: 1.5, place: 'a' } }, 'Book: stock: left: Invalid input: expected int');
    expect(() => item('Book', undefined as never)).toThrow('Book: Invalid input: expected object, received undefined');
  });

  test('makeItem rejects unknown attributes at any depth, which zod alone would silently drop', () => {
    const known = 'it has shelf, number, title, author, status, since, stock, tags, note';
    refuses({ ...book, colour: 'red' }, `'colour' is not an attribute of Book; ${known}`);
    refuses({ colour: 'red', ...book }, `'colour' is not an attribute of Book; ${known}`);
    refuses({ ...book, constructor: 'red' }, `'constructor' is not an attribute of Book`);
    refuses({ ...book, stock: { ...book.stock, right: 1 } }, `'stock.right' is not an attribute of Book`);
    refuses({ ...book, tags: [{ name: 'a' }, { name: 'b', size: 1 }] }, `'tags.1.size' is not an attribute of Book`);
  });

  test('makeItem rejects attributes named __proto__, which zod drops from open objects', () => {
    const attributes = z.object({ id: z.string(), open: z.record(z.string(), z.string()), loose: z.looseObject({}) });
    const attempt = (text: string) => () =>
      itemOf({ attributes, keys: { PK: '<id>', SK: 'A' } }, { id: 'a', open: {}, loose: {}, ...JSON.parse(text) });
    expect(attempt('{ "open": { "constructor": "x" } }')()).toMatchObject({ open: { constructor: 'x' } });
    expect(attempt('{ "open": { "__proto__": "x" } }')).toThrow("'open.__proto__' is not an attribute of Thing");
    expect(attempt('{ "loose": { "__proto__": "x" } }')).toThrow("'loose.__proto__' is not an attribute of Thing");
  });

  test('makeItem keeps unknown attributes if the schema is open', () => {
    const attributes = z.object({
      any: z.record(z.string(), z.json()),
      loose: z.looseObject({ a: z.string() }).optional(),
      either: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      maps: z.record(z.string(), z.object({ a: z.string() })),
    });
    const entity = { attributes, keys: { PK: 'A', SK: 'B' } };
    const values = { any: { x: { y: [1] } }, loose: { a: 'a', b: 1 }, either: { b: 'b' }, maps: { m: { a: 'a' } } };
    expect(roundTrip(entity, values)).toEqual(values);
    expect(() => itemOf(entity, { ...values, maps: { m: { a: 'a', b: 1 } } })).toThrow(
      `'maps.m.b' is not an attribute of Thing`,
    );
  });

  test('makeItem rejects values that cannot become a key', () => {
    const attempt = (shelf: string) => () => item('Book', { ...book, shelf });
    expect(attempt('a#b')).toThrow(KeyError);
    expect(attempt('a#b')).toThrow(`Book: SHELF#<shelf>: <shelf> is "a#b"; it holds the separator '#'`);
    expect(attempt('')).toThrow('Book: SHELF#<shelf>: <shelf> is ""; it is empty');
    expect(attempt('\ud800')).toThrow('it holds a lone surrogate');
    expect(attempt('x'.repeat(2049))).toThrow('Book: SHELF#<shelf>: the key takes 2055 bytes, but at most 2048');
    expect(() => item('Book', { ...book, status: 'LENT', number: -1 })).toThrow(
      'Book: <since>#<number:6>: <number> is -1; give a whole number of at most 6 digits',
    );
  });
});

test('makeItem handles a cyclic value that the schema accepts', () => {
  const loop: Record<string, unknown> = {};
  loop.loop = loop;
  const attributes = z.object({ id: z.string(), data: z.record(z.string(), z.any()) });
  const table = outline(tableOf({ attributes, keys: { PK: 'THING#<id>', SK: 'THING' } }));
  const make = () => makeItem(table, entityNamed(table, 'Thing') as EntityOutline, { id: '1', data: loop });
  expect(make).not.toThrow();
});

describe('entityOf', () => {
  const kindOf = (design: TableDesign, stored: object) => {
    const plan = outline(design);
    return entityOf(plan, stored as Record<string, unknown>, plan.entities.values())?.name;
  };

  test('entityOf identifies an item by its type, regardless of its keys', () => {
    expect(kindOf(library, { PK: 'SHELF#s1', SK: 'BOOK#7', kind: 'Reader' })).toBe('Reader');
    expect(kindOf(library, { PK: 'SHELF#s1', SK: 'BOOK#7', kind: 'Book' })).toBeUndefined();
  });

  test('entityOf identifies an item by its keys if the item has no type', () => {
    expect(kindOf(library, { PK: 'SHELF#s1', SK: 'BOOK#7' })).toBe('Book');
    expect(kindOf(library, { PK: 'READER#r1', SK: 'READER' })).toBe('Reader');
    expect(kindOf(library, { PK: 'SHELF#s1', SK: 'LAMP#7' })).toBeUndefined();
    expect(kindOf(library, { PK: 'SHELF#s1', SK: 7 })).toBeUndefined();
  });

  test('entityOf identifies an item by its natural key, even if the key is 0', () => {
    const design = defineTable({
      name: 'things',
      key: { partition: 'id' },
      entities: { Thing: { attributes: z.object({ id: z.int() }) } },
    });
    expect(kindOf(design, { id: 0 })).toBe('Thing');
    expect(kindOf(design, {})).toBeUndefined();
  });
});

describe('readItem', () => {
  const plan = outline(library);
  const bookPlan = entityNamed(plan, 'Book') as EntityOutline;

  test('readItem returns the written values and the type', () => {
    const values = { ...book, status: 'LOST', tags: [{ name: 'a' }], note: null };
    expect(readItem(plan, bookPlan, makeItem(plan, bookPlan, values))).toEqual({ ...values, kind: 'BOOK' });
  });

  test("readItem validates the stored item, and the error names the item's key", () => {
    const stored = { ...makeItem(plan, bookPlan, book), since: 'yesterday', stock: {} };
    expect(() => readItem(plan, bookPlan, stored)).toThrow(ItemError);
    expect(() => readItem(plan, bookPlan, stored)).toThrow(
      /^Book PK "SHELF#s1", SK "BOOK#7": since: Invalid ISO date; stock: left: .*; stock: place: /,
    );
  });

  test('readItem validates only the selected attributes, even if the schema has refinements', () => {
    const attributes = z.object({ a: z.string(), b: z.int(), c: z.string().optional() }).refine(({ b }) => b > 0);
    const things = outline(tableOf({ attributes, keys: { PK: '<a>', SK: 'B' } }));
    const thing = entityNamed(things, 'Thing') as EntityOutline;
    expect(readItem(things, thing, { PK: 'x', SK: 'B', b: -1 }, ['a', 'b', 'c'])).toEqual({ a: 'x', b: -1 });
    expect(() => readItem(things, thing, { PK: 'x', SK: 'B', b: 'no' }, ['a', 'b'])).toThrow(
      'Thing PK "x", SK "B": b: Invalid input: expected number, received string',
    );
    expect(() => makeItem(things, thing, { a: 'x', b: -1 })).toThrow('Thing: Invalid input');
  });
});

describe('an expiry time', () => {
  const carts = { update: requests(shopTable, 'shop').addToCart, item: entities(shopTable, 'shop').item };
  const line = { customerId: 'ana', sku: 'cup', count: 1 };
  const inSeconds = Math.floor(Date.now() / 1000);

  test.each([Date.now(), 100_000_000_000])(
    'an expiry time that is too large to be in seconds is rejected: %d',
    (expires) => {
      const message = `CartLine: expires is ${expires} milliseconds; give seconds`;
      expect(() => carts.item('CartLine', { ...line, expires })).toThrow(message);
      expect(() => carts.update({ ...line, expires })).toThrow(message);
    },
  );

  test('an expiry time in seconds is accepted, even if it is far in the future', () => {
    for (const expires of [0, inSeconds, 99_999_999_999]) {
      expect(carts.item('CartLine', { ...line, expires })).toMatchObject({ expires });
      expect(carts.update({ ...line, expires })).toBeDefined();
    }
    expect(carts.item('CartLine', line)).not.toHaveProperty('expires');
  });

  test('an expiry time in milliseconds is rejected, even in `ifMissing` and `add`', () => {
    const where = { PK: 'CART#<customerId>', SK: 'LINE#<sku>' };
    const design = {
      ...shopTable,
      patterns: {
        keep: { op: 'update', entity: 'CartLine', where, set: { expires: { ifMissing: '<expires>' } } },
        prolong: { op: 'update', entity: 'CartLine', where, add: { expires: '<expires>' } },
      },
    } as unknown as TableDesign;
    const { keep, prolong } = requests(design, 'shop') as unknown as Record<string, (values: object) => unknown>;
    for (const change of [keep, prolong])
      expect(() => change?.({ ...line, expires: Date.now() })).toThrow('milliseconds; give seconds');
  });
});
