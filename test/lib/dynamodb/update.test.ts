import { z } from 'zod';
import type { UpdatePattern } from '../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { ItemError, requests, type UpdateInput } from '../../../lib/dynamodb';
import { book, buildOf, library } from './designs';

/* Tests the changes that an update makes to index keys. */

const where = { PK: 'THING#<id>', SK: 'THING' };
const keys = { PK: 'THING#<id>', SK: 'THING' };
const indexes = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } };

/** Returns the changes that an update makes, keyed by attribute: the new value, or undefined for a removal. */
function changes(
  entity: EntityDesign,
  pattern: Partial<UpdatePattern>,
  values: object = {},
  rest: Partial<TableDesign> = { indexes },
): Record<string, unknown> {
  const update: UpdatePattern = { op: 'update', entity: 'Thing', where, ...pattern };
  return changesIn(buildOf(entity, update, { id: 'x', ...values }, rest) as UpdateInput);
}

function changesIn(input: UpdateInput): Record<string, unknown> {
  const { UpdateExpression, ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = input;
  const [, set = '', remove = ''] = /^(?:SET (.*?))?(?:(?:^| )REMOVE (.*))?$/.exec(UpdateExpression) ?? [];
  const nameOf = (path: string) => path.replace(/#\d+/g, (placeholder) => names[placeholder] as string);
  // Does not split at the comma inside `if_not_exists(…)`.
  const changed = set.split(/, (?=#[#\d.]+ = )/).filter((part) => part !== '');
  const gone = remove.split(', ').filter((part) => part !== '');
  return {
    ...Object.fromEntries(
      changed.map((part) => {
        const [path, value] = part.split(' = ') as [string, string];
        return [nameOf(path), value in values ? values[value] : nameOf(value)];
      }),
    ),
    ...Object.fromEntries(gone.map((path) => [nameOf(path), undefined])),
  };
}

describe('an index that contains every item', () => {
  const entity = {
    attributes: z.object({ id: z.string(), city: z.string(), day: z.iso.date(), note: z.string().optional() }),
    keys: { ...keys, GSI1PK: 'CITY#<city>', GSI1SK: '<day>#<id>' },
  };

  test('rewrites only the index key that changed, and takes its other values from the table key if possible', () => {
    expect(changes(entity, { set: { city: '<city>' } }, { city: 'Lima' })).toEqual({
      city: 'Lima',
      GSI1PK: 'CITY#Lima',
    });
    expect(changes(entity, { set: { day: '<day>' } }, { day: '2026-01-31' })).toEqual({
      day: '2026-01-31',
      GSI1SK: '2026-01-31#x',
    });
    expect(changes(entity, { set: { city: 'Lima', day: '2026-01-31' } })).toEqual({
      city: 'Lima',
      day: '2026-01-31',
      GSI1PK: 'CITY#Lima',
      GSI1SK: '2026-01-31#x',
    });
  });

  test('writes no index keys if the update touches none of their attributes', () => {
    expect(changes(entity, { set: { note: 'n' } })).toEqual({ note: 'n' });
    expect(changes(entity, { remove: ['note'] })).toEqual({ note: undefined });
  });

  test('matches parameters by their position in the key, not by their names', () => {
    const renamed = { where: { PK: 'THING#<thing.id>', SK: 'THING' }, set: { day: '<day>' } };
    expect(changes(entity, renamed, { thing: { id: 'y' }, day: '2026-01-31' })).toHaveProperty(
      'GSI1SK',
      '2026-01-31#y',
    );
  });

  test('refuses an update that sets only some of the values in an index key', () => {
    const halves = { ...entity, keys: { ...keys, GSI1PK: 'CITY#<city>#<day>', GSI1SK: 'THING#<id>' } };
    const attempt = () => changes(halves, { set: { city: 'Lima' } });
    expect(attempt).toThrow(ItemError);
    expect(attempt).toThrow("pattern: it changes part of GSI1PK 'CITY#<city>#<day>'; give day too");
    expect(changes(halves, { set: { city: 'Lima', day: '2026-01-31' } })).toHaveProperty(
      'GSI1PK',
      'CITY#Lima#2026-01-31',
    );
  });

  test('refuses a call that passes only some of the optional values that an index key is built from', () => {
    const halves = { ...entity, keys: { ...keys, GSI1PK: 'CITY#<city>#<day>', GSI1SK: 'THING#<id>' } };
    const set = { city: '<city?>', day: '<day?>', note: '<note?>' };
    expect(() => changes(halves, { set }, { city: 'Lima' })).toThrow(
      "pattern: it changes part of GSI1PK 'CITY#<city>#<day>'; give day too",
    );
    expect(changes(halves, { set }, { city: 'Lima', day: '2026-01-31' })).toHaveProperty('GSI1PK');
    expect(changes(halves, { set }, { note: 'n' })).toEqual({ note: 'n' });
  });

  test('refuses to change a value in an index key with `add` or by copying an attribute, because the result is unknown', () => {
    const counted = {
      attributes: z.object({ id: z.string(), n: z.int(), m: z.int() }),
      keys: { ...keys, GSI1PK: 'A', GSI1SK: '<n:4>' },
    };
    const message = "pattern: it changes part of GSI1SK '<n:4>'; give n too";
    expect(() => changes(counted, { add: { n: 1 } })).toThrow(message);
    expect(() => changes(counted, { set: { n: { attribute: 'm' } } })).toThrow(message);
    expect(changes(counted, { set: { n: '<n>' } }, { n: 7 })).toEqual({ n: 7, GSI1SK: '0007' });
    expect(changes(counted, { set: { m: { attribute: 'n' } } })).toEqual({ m: 'n' });
  });

  test('rewrites a key that contains a value from a map, whether the update sets the value or the whole map', () => {
    const deep = {
      attributes: z.object({ id: z.string(), at: z.object({ city: z.string(), zip: z.string().optional() }) }),
      keys: { ...keys, GSI1PK: 'CITY#<at.city>', GSI1SK: 'THING#<id>' },
    };
    expect(changes(deep, { set: { 'at.city': '<city>' } }, { city: 'Lima' })).toEqual({
      'at.city': 'Lima',
      GSI1PK: 'CITY#Lima',
    });
    expect(changes(deep, { set: { at: '<at>' } }, { at: { city: 'Lima' } })).toEqual({
      at: { city: 'Lima' },
      GSI1PK: 'CITY#Lima',
    });
    expect(changes(deep, { set: { 'at.zip': '<zip>' } }, { zip: '1' })).toEqual({ 'at.zip': '1' });
  });

  test("builds index keys from the schema's output, as for a new item", () => {
    const normal = { ...entity, attributes: entity.attributes.extend({ city: z.string().trim().toLowerCase() }) };
    expect(changes(normal, { set: { city: '<city>' } }, { city: ' Lima ' })).toEqual({
      city: 'lima',
      GSI1PK: 'CITY#lima',
    });
  });

  test('does not derive a time from a key that contains only the date', () => {
    const dated = {
      attributes: z.object({ id: z.string(), at: z.string(), city: z.string() }),
      keys: { PK: 'THING#<id>', SK: 'DAY#<at:date>', GSI1PK: 'CITY#<city>', GSI1SK: '<city>#<at>' },
    };
    const at = { where: { PK: 'THING#<id>', SK: 'DAY#<at:date>' }, set: { city: 'Lima' } };
    expect(() => changes(dated, at, { at: '2026-01-31' })).toThrow(
      "it changes part of GSI1SK '<city>#<at>'; give at too",
    );
  });
});

describe('a sparse index', () => {
  const entity = {
    attributes: z.object({
      id: z.string(),
      day: z.iso.date(),
      status: z.string().optional(),
      owner: z.string().nullable().optional(),
    }),
    keys: { ...keys, GSI1PK: 'STATUS#<status>', GSI1SK: '<day>#<id>' },
  };

  test('removes both keys of a sparse index when the values in the keys are removed', () => {
    expect(changes(entity, { remove: ['status'] })).toEqual({
      status: undefined,
      GSI1PK: undefined,
      GSI1SK: undefined,
    });
    expect(changes(entity, { remove: ['status'], set: { day: '2026-01-31' } })).toEqual({
      day: '2026-01-31',
      status: undefined,
      GSI1PK: undefined,
      GSI1SK: undefined,
    });
  });

  test('sets either both keys of a sparse index or neither', () => {
    expect(changes(entity, { set: { status: 'A', day: '<day>' } }, { day: '2026-01-31' })).toEqual({
      status: 'A',
      day: '2026-01-31',
      GSI1PK: 'STATUS#A',
      GSI1SK: '2026-01-31#x',
    });
    const attempt = () => changes(entity, { set: { status: 'A' } });
    expect(attempt).toThrow("it changes part of GSI1SK '<day>#<id>'; give day too");
  });

  test('refuses a call that sets one key of a sparse index but omits the optional value in the other key', () => {
    const set = { status: '<status?>', day: '<day?>' };
    expect(() => changes(entity, { set }, { status: 'A' })).toThrow(
      "pattern: it changes part of GSI1SK '<day>#<id>'; give day too",
    );
    expect(changes(entity, { set }, { status: 'A', day: '2026-01-31' })).toHaveProperty('GSI1SK', '2026-01-31#x');
    // If the item has no status, this update would give it only one of the two index keys.
    const dated = { day: '2026-01-31' };
    expect(() => changes(entity, { set }, dated)).toThrow('status decides if GSI1 has the item');
    expect(changes(entity, { set, condition: { status: { exists: true } } }, dated)).toEqual({
      ...dated,
      GSI1SK: '2026-01-31#x',
    });
    expect(changes(entity, { set, condition: { status: { exists: false } } }, dated)).toEqual(dated);
  });

  test('removes an item from a sparse index when a value in the index key becomes null, and adds the item when the value is set', () => {
    const owned = { ...entity, keys: { ...keys, GSI1PK: 'OWNER#<owner>', GSI1SK: 'THING#<id>' } };
    expect(changes(owned, { set: { owner: '<owner>' } }, { owner: null })).toEqual({
      owner: null,
      GSI1PK: undefined,
      GSI1SK: undefined,
    });
    expect(changes(owned, { set: { owner: '<owner>' } }, { owner: 'o' })).toEqual({
      owner: 'o',
      GSI1PK: 'OWNER#o',
      GSI1SK: 'THING#x',
    });
    const required = { ...owned, attributes: entity.attributes.extend({ owner: z.string().nullable() }) };
    expect(changes(required, { set: { owner: '<owner>' } }, { owner: 'o' })).toHaveProperty('GSI1SK', 'THING#x');
  });

  test('removes an item from a sparse index if an update sets a map without the value that the key needs', () => {
    const deep = {
      attributes: z.object({ id: z.string(), at: z.object({ city: z.string().optional(), zip: z.string() }) }),
      keys: { ...keys, GSI1PK: 'CITY#<at.city>', GSI1SK: 'THING#<id>' },
    };
    expect(changes(deep, { set: { at: '<at>' } }, { at: { zip: '1' } })).toEqual({
      at: { zip: '1' },
      GSI1PK: undefined,
      GSI1SK: undefined,
    });
    expect(changes(deep, { set: { at: '<at>' } }, { at: { zip: '1', city: 'Lima' } })).toMatchObject({
      GSI1PK: 'CITY#Lima',
      GSI1SK: 'THING#x',
    });
    expect(changes(deep, { remove: ['at.city'] })).toEqual({
      'at.city': undefined,
      GSI1PK: undefined,
      GSI1SK: undefined,
    });
  });

  test('keeps a key attribute that another index also uses when the item leaves a sparse index', () => {
    const shared = {
      ...entity,
      attributes: entity.attributes.extend({ owner: z.string() }),
      keys: { ...entity.keys, GSI2PK: 'OWNER#<owner>' },
    };
    const both = { indexes: { ...indexes, GSI2: { partition: 'GSI2PK', sort: 'GSI1SK' } } };
    expect(changes(shared, { remove: ['status'] }, {}, both)).toEqual({ status: undefined, GSI1PK: undefined });
    expect(changes(shared, { remove: ['status'], set: { day: '2026-01-31' } }, {}, both)).toEqual({
      day: '2026-01-31',
      status: undefined,
      GSI1PK: undefined,
      GSI1SK: '2026-01-31#x',
    });
  });

  test('handles an index that is sparse because its key uses a record or a transform', () => {
    const open = {
      attributes: z.object({
        id: z.string(),
        labels: z.record(z.string(), z.string()),
        day: z.string(),
        code: z.string().transform((code) => (code === '-' ? undefined : code)),
      }),
      keys: { ...keys, GSI1PK: 'TEAM#<labels.team>', GSI1SK: '<day>' },
    };
    expect(() => changes(open, { set: { 'labels.team': 'a' } })).toThrow('; give day too');
    const coded = { ...open, keys: { ...keys, GSI1PK: 'CODE#<code>', GSI1SK: 'THING#<id>' } };
    expect(changes(coded, { set: { code: '<code>' } }, { code: '-' })).toMatchObject({
      GSI1PK: undefined,
      GSI1SK: undefined,
    });
  });
});

describe('natural keys of an index', () => {
  const { edit } = requests(library, 'library');
  const at = { shelf: book.shelf, number: book.number };

  test("sets an index's natural key like any other attribute, and leaves other keys unchanged", () => {
    expect(changesIn(edit({ ...at, title: 'El Aleph' }))).toEqual({ title: 'El Aleph' });
    expect(changesIn(edit({ ...at, author: 'Bioy' }))).toEqual({ author: 'Bioy', GSI2PK: 'AUTHOR#Bioy' });
    expect(changesIn(edit({ ...at, place: 'south' }))).toEqual({ 'stock.place': 'south', GSI3PK: 'PLACE#south' });
  });

  test('refuses an empty natural key in an index, and removes a natural key that becomes null', () => {
    expect(() => edit({ ...at, title: '' })).toThrow('title is empty; give it a value');
    const entity = {
      attributes: z.object({ id: z.string(), owner: z.string().nullable(), city: z.string() }),
      keys: { ...keys, GSI1PK: 'CITY#<city>' },
    };
    const rest = { indexes: { byOwner: { partition: 'GSI1PK', sort: 'owner' } } };
    expect(changes(entity, { set: { owner: '<owner>', city: 'Lima' } }, { owner: null }, rest)).toEqual({
      city: 'Lima',
      owner: undefined,
      GSI1PK: undefined,
    });
    expect(changes(entity, { set: { owner: '<owner>', city: 'Lima' } }, { owner: 'o' }, rest)).toEqual({
      city: 'Lima',
      owner: 'o',
      GSI1PK: 'CITY#Lima',
    });
    expect(() => changes(entity, { set: { owner: '<owner>' } }, { owner: 'o' }, rest)).toThrow(
      "it changes part of GSI1PK 'CITY#<city>'; give city too",
    );
  });

  test("accepts `add` on an index's natural key", () => {
    const entity = { attributes: z.object({ id: z.string(), n: z.int() }), keys: { ...keys, GSI1PK: 'A' } };
    const rest = { indexes: { byN: { partition: 'GSI1PK', sort: 'n' } } };
    expect(Object.keys(changes(entity, { add: { n: 1 } }, {}, rest))).toEqual(['n']);
  });
});

describe('a primary key', () => {
  const entity = {
    attributes: z.object({ id: z.string(), at: z.object({ city: z.string() }), n: z.int() }),
    keys: { PK: 'THING#<id>', SK: 'AT#<at.city>#<n:4>' },
  };
  const sorted = { where: { PK: 'THING#<id>', SK: 'AT#<city>#<n:4>' } };

  test.each<[string, string, Partial<UpdatePattern>]>([
    ['set', 'set.id', { set: { id: '<id>' } }],
    ['set from another attribute', 'set.id', { set: { id: { attribute: 'n' } } }],
    ['removed', 'remove', { remove: ['id'] }],
    ['added to', 'add.n', { add: { n: 1 } }],
    ['set inside a map', 'set.at.city', { set: { 'at.city': 'Lima' } }],
    ['set with its map', 'set.at', { set: { at: '<at>' } }],
    ['set by an optional parameter', 'set.n', { set: { n: '<m?>' } }],
  ])('refuses an update in which an attribute of the key is %s', (_, place, pattern) => {
    const attempt = () => changes(entity, { ...sorted, ...pattern }, {}, {});
    expect(attempt).toThrow(ItemError);
    expect(attempt).toThrow(`pattern.${place} can never work (primary-key `);
  });

  test("refuses an update of the table's natural key", () => {
    const natural = { attributes: z.object({ id: z.string(), n: z.int() }) };
    const rest = { key: { partition: 'id' } };
    expect(() => changes(natural, { where: { id: '<id>' }, set: { id: '<id>' } }, {}, rest)).toThrow(
      'pattern.set.id can never work (primary-key id)',
    );
  });
});

describe('an update that may create the item', () => {
  const attributes = z.object({ id: z.string(), city: z.string(), note: z.string().optional(), n: z.int() });
  const entity = { attributes, keys: { ...keys, GSI1PK: 'CITY#<city>', GSI1SK: 'THING#<id>' } };
  const upsert = true;

  test('writes the type, the key attributes and all index keys in an update that may create the item', () => {
    const rest = { indexes, typeAttribute: 'kind' };
    expect(changes({ ...entity, type: 'T' }, { upsert, set: { city: 'Lima', n: 1 } }, {}, rest)).toEqual({
      id: 'x',
      city: 'Lima',
      n: 1,
      GSI1PK: 'CITY#Lima',
      GSI1SK: 'THING#x',
      kind: 'T',
    });
    const told = { ...entity, keys: { ...keys, GSI1PK: 'ALL', GSI1SK: 'THING#<id>' } };
    expect(changes(told, { upsert, set: { city: 'Lima' }, add: { n: 1 } })).toMatchObject({
      GSI1PK: 'ALL',
      GSI1SK: 'THING#x',
    });
  });

  test('writes no keys for an index that does not contain the new item', () => {
    const noted = { ...entity, keys: { ...keys, GSI1PK: 'NOTE#<note>', GSI1SK: 'THING#<id>' } };
    expect(changes(noted, { upsert, set: { city: 'Lima', n: 1 } })).toEqual({ id: 'x', city: 'Lima', n: 1 });
  });

  test('an update that creates an item also stores the attributes in its key', () => {
    const counter = {
      attributes: z.object({ shop: z.string(), year: z.int(), name: z.string(), n: z.int() }),
      keys: { PK: 'SHOP#<shop>#YEAR#<year>', SK: 'COUNTER#<name>', GSI1PK: 'NAME#<name>', GSI1SK: '<shop>#<year>' },
    };
    const update = { where: { PK: 'SHOP#main#YEAR#<of>', SK: 'COUNTER#orders' }, set: { n: 1 }, upsert };
    expect(changes(counter, update, { of: 2026 })).toEqual({
      ...{ shop: 'main', year: 2026, name: 'orders', n: 1 },
      ...{ GSI1PK: 'NAME#orders', GSI1SK: 'main#2026' },
    });
    const fixed = { ...update, where: { PK: 'SHOP#main#YEAR#2026', SK: 'COUNTER#orders' } };
    expect(changes(counter, fixed)).toMatchObject({ year: 2026, GSI1SK: 'main#2026' });
  });

  test('does not store an attribute that exists only in the key', () => {
    const set = { city: 'Lima', n: 1 };
    expect(changes({ ...entity, keyOnly: ['id'] }, { upsert, set })).not.toHaveProperty('id');
  });
});
