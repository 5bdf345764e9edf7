import { entities, ItemError, reads, requests } from '../../../lib/azure-tables';
import type { PatternDesign } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { callOf, one, shelf, things } from './designs';

const patterns = requests(things, 'Things');
const { entity } = entities(things, 'Things');
const STORED = { disableTypeConversion: true };
const key = { shelf: 'a', id: '1' };
const keys = { partitionKey: 'SHELF_a', rowKey: 'THING_1' };

describe('a read', () => {
  test('reads one entity with a point read', () => {
    expect(patterns.getThing(key)).toEqual({ method: 'getEntity', args: ['SHELF_a', 'THING_1', STORED] });
  });

  test('turns the partition key into a filter, and a prefix into a range', () => {
    expect(patterns.thingsOnShelf({ shelf: "o'neil" })).toEqual({
      method: 'listEntities',
      args: [
        {
          queryOptions: { filter: "PartitionKey eq 'SHELF_o''neil' and RowKey ge 'THING_' and RowKey lt 'THING`'" },
          ...STORED,
        },
      ],
      page: {},
    });
  });

  test('sets the page size of a read', () => {
    expect(patterns.pagesOfShelf({ shelf: 'a' }).page).toEqual({ maxPageSize: 2 });
  });

  test('selects the requested attributes, and the keys that some of them are parsed from', () => {
    const call = callOf({ op: 'query', where: shelf, select: ['id', 'text'], returns: ['Thing'] }, { shelf: 'a' });
    expect(call).toMatchObject({ args: [{ queryOptions: { select: ['PartitionKey', 'RowKey', 'text'] } }] });
  });
});

describe('a write', () => {
  test('a put of a new item creates an entity', () => {
    expect(patterns.addThing(key)).toEqual({ method: 'createEntity', args: [keys] });
  });

  test('a put with `replace` upserts an entity, or updates the entity if the caller passes an ETag', () => {
    expect(patterns.replaceThing(key)).toEqual({ method: 'upsertEntity', args: [keys, 'Replace'] });
    expect(patterns.replaceThing(key, { etag: 'W/"1"' })).toEqual({
      method: 'updateEntity',
      args: [keys, 'Replace', { etag: 'W/"1"' }],
    });
  });

  test('an update merges into an entity, and checks the ETag if the caller passes one', () => {
    const merged = { ...keys, text: 'x', small: 3 };
    expect(patterns.labelThing({ ...key, text: 'x', small: 3 })).toEqual({
      method: 'updateEntity',
      args: [merged, 'Merge', { etag: '*' }],
    });
    expect(patterns.labelThing({ ...key, text: 'x', small: 3 }, { etag: 'W/"1"' }).args[2]).toEqual({ etag: 'W/"1"' });
    expect(patterns.labelThing({ ...key, text: 'x' }).args[0]).toEqual({ ...keys, text: 'x' });
  });

  test('an update that may create the item upserts an entity', () => {
    const update = { op: 'update', entity: 'Thing', where: one, set: { text: '<text>' }, upsert: true } as const;
    expect(callOf(update, { ...key, text: 'x' })).toEqual({
      method: 'upsertEntity',
      args: [{ ...keys, text: 'x' }, 'Merge'],
    });
  });

  test('a delete removes an entity by its key, and checks the ETag if the caller passes one', () => {
    expect(patterns.removeThing(key)).toEqual({ method: 'deleteEntity', args: ['SHELF_a', 'THING_1', { etag: '*' }] });
    expect(patterns.removeThing(key, { etag: 'W/"1"' }).args[2]).toEqual({ etag: 'W/"1"' });
  });

  test('writes several items as a batch', () => {
    expect(patterns.addWithNote({ thing: { ...key, text: 'x' }, note: 'n' })).toEqual({
      method: 'submitTransaction',
      args: [
        [
          ['create', { ...keys, text: 'x' }],
          ['upsert', { partitionKey: 'SHELF_a', rowKey: 'NOTE', note: 'n' }, 'Replace'],
        ],
      ],
    });
  });

  test('accepts an ETag for each item of a batch', () => {
    const transaction: PatternDesign = {
      op: 'transaction',
      steps: {
        thing: { op: 'put', entity: 'Thing', replace: true, unchanged: true },
        other: { op: 'delete', entity: 'Thing', where: { ...shelf, RowKey: 'THING_<other>' } },
        label: { op: 'update', entity: 'Note', where: { ...shelf, RowKey: 'NOTE' }, set: { note: '<note>' } },
      },
    };
    const values = { shelf: 'a', other: '2', note: 'n', thing: key };
    expect(callOf(transaction, values, { etags: { thing: 'W/"1"' } })).toMatchObject({
      args: [
        [
          ['update', keys, 'Replace', { etag: 'W/"1"' }],
          ['delete', { partitionKey: 'SHELF_a', rowKey: 'THING_2' }],
          ['update', { rowKey: 'NOTE', note: 'n' }, 'Merge', { etag: '*' }],
        ],
      ],
    });
    expect(() => callOf(transaction, values)).toThrow('it.thing: the pattern writes the item only if it is unchanged');
  });
});

describe('an ETag', () => {
  test.each([undefined, '*', ''])('requires an ETag for a pattern with `unchanged`, and rejects %p', (etag) => {
    expect(() => patterns.saveThing(key, { etag } as object)).toThrow(/^Things: saveThing: .*ETag/);
  });

  test('never passes an undefined ETag, because the SDK would then overwrite any version', () => {
    const calls = [
      patterns.replaceThing(key, { etag: undefined } as object),
      patterns.labelThing({ ...key, text: 'x' }, { etag: undefined } as object),
      patterns.removeThing(key, { etag: undefined } as object),
    ];
    expect(calls.map(({ args }) => args.at(-1))).toEqual(['Replace', { etag: '*' }, { etag: '*' }]);
  });

  test('rejects an ETag for a new item', () => {
    expect(() => patterns.addThing(key, { etag: 'W/"1"' })).toThrow(
      'addThing: the put creates a new item, which has no ETag',
    );
  });
});

describe('invalid requests', () => {
  const query = (rest: object): PatternDesign => ({ op: 'query', where: shelf, returns: ['Thing'], ...rest });
  const update = (rest: object): PatternDesign => ({ op: 'update', entity: 'Thing', where: one, ...rest });

  test.each<[string, string, PatternDesign]>([
    ['a condition', 'it.condition', { op: 'delete', entity: 'Thing', where: one, condition: { text: 'x' } }],
    ['an addition to a number', 'it.add.small', update({ add: { small: 1 } })],
    ['the removal of an attribute', 'it.remove', update({ remove: ['text'] })],
    ['an update of one field of a map', 'it.set.place.city', update({ set: { 'place.city': '<x>' } })],
    ['a value copied from another attribute', 'it.set.text', update({ set: { text: { attribute: 'colour' } } })],
    ['an index', 'it.index', query({ index: 'GSI1' })],
    ['descending order', 'it.order', query({ order: 'descending' })],
    ['a page of 1001', 'it.pageSize', query({ pageSize: 1001 })],
    ['a filter on the existence of an attribute', 'it.filter.text', query({ filter: { text: { exists: true } } })],
    ['a filter on the content of a property', 'it.filter.text', query({ filter: { text: { contains: 'x' } } })],
    ['a comparison of two properties', 'it.filter.text', query({ filter: { text: { attribute: 'colour' } } })],
    ['a filter on a map', 'it.filter.place', query({ filter: { place: '<x>' } })],
    ['a filter on a field of a map', 'it.filter.place.city', query({ filter: { 'place.city': '<x>' } })],
    ['a batchGet', 'it', { op: 'batchGet', keys: { a: one }, returns: ['Thing'] }],
    ['a new item with unchanged', 'it.unchanged', { op: 'put', entity: 'Thing', unchanged: true }],
    ['an unknown entity', 'it', { op: 'put', entity: 'Nothing' }],
    [
      'a transaction with a `require` step',
      'it.a',
      { op: 'transaction', steps: { a: { op: 'require', entity: 'Thing', where: one, condition: { text: 'x' } } } },
    ],
    [
      'a delete with `unchanged` in a batch',
      'it.a.unchanged',
      { op: 'transaction', steps: { a: { op: 'delete', entity: 'Thing', where: one, unchanged: true } } },
    ],
    ['a change to a key attribute', 'it.set.id', update({ set: { id: '<x>' } })],
    ['a change to an unknown attribute', 'it.set.nothing', update({ set: { nothing: '<x>' } })],
  ])('%s', (_, place, pattern) => {
    const attempt = () => callOf(pattern, { ...key, x: 'x' });
    expect(attempt).toThrow(ItemError);
    expect(attempt).toThrow(new RegExp(`^Things: ${place.replaceAll('.', '\\.')}(:| can never work)`));
  });

  test('rejects an update to null and an update without changes', () => {
    expect(() => callOf(update({ set: { maybe: '<maybe>' } }), { ...key, maybe: null })).toThrow('maybe is null');
    expect(() => callOf(update({ set: { text: '<text?>' } }), key)).toThrow(
      'nothing to change; give at least one of text',
    );
  });

  test('rejects a batch across two partitions', () => {
    const batch: PatternDesign = {
      op: 'transaction',
      steps: { a: { op: 'put', entity: 'Thing' }, b: { op: 'put', entity: 'Thing' } },
    };
    expect(() => callOf(batch, { a: key, b: { shelf: 'b', id: '1' } })).toThrow("the partitions 'SHELF_a', 'SHELF_b'");
    expect(() => callOf(batch, { a: key, b: key })).toThrow(
      "RowKey 'THING_1' occurs twice in the batch; combine the two writes",
    );
  });

  test('rejects a batch of more than 100 entities', () => {
    const steps = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`s${i}`, { op: 'put', entity: 'Thing' }]));
    expect(() => callOf({ op: 'transaction', steps } as PatternDesign, {})).toThrow('the batch contains 101 entities');
  });

  test('rejects a batch of more than 4 MiB', () => {
    const steps = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`s${i}`, { op: 'put', entity: 'Thing' }]));
    const text = 'x'.repeat(32_000);
    const values = Object.fromEntries(Object.keys(steps).map((step) => [step, { shelf: 'a', id: step, text }]));
    expect(() => callOf({ op: 'transaction', steps } as PatternDesign, values)).toThrow(
      /takes 5\d+ bytes, but Azure allows at most 4194304/,
    );
  });

  test.each(['controle-pgm', '1st', 'ab', 'tables', 'x'.repeat(64)])('rejects the table name %s', (name) => {
    const design: TableDesign = { name: 'Things', key: things.key, entities: {} };
    expect(() => void requests(design, name)).toThrow(`'${name}' is not a legal Azure table name; use 3 to 63 letters`);
  });

  test('rejects a table whose keys are not PartitionKey and RowKey', () => {
    const design: TableDesign = { name: 'blog', key: { partition: 'PK', sort: 'SK' }, entities: {} };
    expect(() => void requests(design, 'blog')).toThrow("write key: { partition: 'PartitionKey', sort: 'RowKey' }");
  });

  test.each(['etag', 'Timestamp', 'rowKey', 'two words', 'a-b'])('rejects the attribute name %s', (name) => {
    const { Note } = things.entities;
    const attributes = Note.attributes.extend({ [name]: Note.attributes.shape.note });
    const design = { ...things, entities: { Note: { ...Note, attributes } }, patterns: {} } as unknown as TableDesign;
    expect(() => void requests(design, 'Things')).toThrow(`Note: '${name}'`);
  });

  test('rejects an invalid value, an unknown attribute and an unknown entity', () => {
    expect(() => entity('Thing', { ...key, small: 1001 })).toThrow('Thing: small');
    expect(() => entity('Thing', { ...key, smal: 1 } as never)).toThrow("'smal' is not an attribute of Thing");
    expect(() => entity('Nothing' as never, {} as never)).toThrow("'Nothing' is not an entity of 'Things'");
  });
});

test('`reads` contains exactly the read patterns', () => {
  const reading = reads(things, 'Things');
  expect(Object.keys(reading)).toEqual(
    Object.keys(patterns).filter((name) => 'returns' in things.patterns[name as 'getThing']),
  );
  // @ts-expect-error `reads` omits addThing, which writes
  expect(reading.addThing).toBeUndefined();
  expect(reading.getThing(key)).toEqual(patterns.getThing(key));
  expect(() => reads(things, 'a-b')).toThrow(ItemError);
});
