import { z } from 'zod';
import { incompleteKey } from '../../../../lib/check/rules/incomplete-key';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { findings, orders, shop, tableOf } from '../../../fixtures/designs';

const found = (design: TableDesign) => findings(incompleteKey, design);

test.each(Object.values(shop.tables) as TableDesign[])('returns no findings for $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('the primary key', () => {
  test("every entity must have the table's primary key, as a template or an attribute", () => {
    const Note = { attributes: z.object({ text: z.string() }), keys: { PK: 'NOTE#<text>' } };
    expect(found({ ...orders, entities: { ...orders.entities, Note } })).toEqual([
      { path: 'entities.Note.keys', cause: 'missing', attribute: 'SK' },
    ]);
  });

  test('rejects an optional attribute in the primary key, whether in a template or as a natural key', () => {
    const attributes = z.object({ id: z.string().optional(), SK: z.string().nullable() });
    expect(found(tableOf({ attributes, keys: { PK: 'THING#<id>' } }))).toEqual([
      { path: 'entities.Thing.keys.PK', cause: 'optional-part' },
      { path: 'entities.Thing.attributes.SK', cause: 'optional-part' },
    ]);
  });

  test('accepts a key attribute with a default, because every item has the attribute', () => {
    const attributes = z.object({ id: z.string().default('none') });
    expect(found(tableOf({ attributes, keys: { PK: 'THING#<id>', SK: '<id>' } }))).toEqual([]);
  });
});

describe('the key of an index', () => {
  const attributes = z.object({ id: z.string(), at: z.string(), note: z.string().optional() });
  const indexed = (keys: EntityDesign['keys'], indexes: TableDesign['indexes']) =>
    tableOf({ attributes, keys: { PK: '<id>', SK: '<id>', ...keys } }, { indexes });
  const GSI1 = { partition: 'GSI1PK', sort: 'GSI1SK' };

  test('an entity must have both keys of an index, or neither', () => {
    expect(found(indexed({}, { GSI1 }))).toEqual([]);
    expect(found(indexed({ GSI1PK: '<id>', GSI1SK: '<at>' }, { GSI1 }))).toEqual([]);
    expect(found(indexed({ GSI1SK: '<at>' }, { GSI1 }))).toEqual([
      { path: 'entities.Thing.keys', cause: 'half-index-key', attribute: 'GSI1PK', index: 'GSI1' },
    ]);
  });

  test('accepts an optional attribute in an index key, which makes the index sparse', () => {
    expect(found(indexed({ GSI1PK: 'NOTE#<note>', GSI1SK: '<at>' }, { GSI1 }))).toEqual([]);
  });

  test('accepts an entity that has only one key of an index if that key is an ordinary attribute', () => {
    expect(found(indexed({}, { GSI1: { partition: 'GSI1PK', sort: 'at' } }))).toEqual([]);
    expect(found(indexed({ GSI1PK: '<id>' }, { GSI1: { partition: 'GSI1PK', sort: 'at' } }))).toEqual([]);
  });

  test('accepts an entity that has only one key of an index if that key is part of the primary key', () => {
    expect(found(indexed({}, { byRank: { partition: 'PK', sort: 'rank' } }))).toEqual([]);
    expect(found(indexed({}, { byRank: { partition: 'rank', sort: 'SK' } }))).toEqual([]);
  });

  test('accepts an entity that has only one key of an index if that key also belongs to another index that the entity is in', () => {
    const indexes = { GSI1, GSI2: { partition: 'GSI1PK', sort: 'GSI2SK' } };
    expect(found(indexed({ GSI1PK: '<id>', GSI1SK: '<at>' }, indexes))).toEqual([]);
    expect(found(indexed({ GSI1PK: '<id>' }, indexes))).toEqual([
      { path: 'entities.Thing.keys', cause: 'half-index-key', attribute: 'GSI1SK', index: 'GSI1' },
      { path: 'entities.Thing.keys', cause: 'half-index-key', attribute: 'GSI2SK', index: 'GSI2' },
    ]);
  });
});

describe('a natural key', () => {
  test.each([z.string(), z.enum(['A']), z.number(), z.bigint(), z.instanceof(Uint8Array)])(
    'accepts a natural key that is a string, a number or bytes (%#)',
    (id) => {
      expect(found(tableOf({ attributes: z.object({ id }) }, { key: { partition: 'id' } }))).toEqual([]);
    },
  );

  test.each([
    ['boolean', z.boolean()],
    ['map', z.object({ id: z.string() })],
    ['list', z.array(z.string())],
  ])('rejects a natural key that is a %s', (kind, id) => {
    expect(found(tableOf({ attributes: z.object({ id }) }, { key: { partition: 'id' } }))).toEqual([
      { path: 'entities.Thing.attributes.id', cause: 'kind', value: kind },
    ]);
  });

  test('rejects a boolean as an index key', () => {
    const design = tableOf(
      { attributes: z.object({ id: z.string(), open: z.boolean() }) },
      { key: { partition: 'id' }, indexes: { byOpen: { partition: 'open' } } },
    );
    expect(found(design).map(({ path }) => path)).toEqual(['entities.Thing.attributes.open']);
  });

  test('reports a key attribute only once if its type differs between entities', () => {
    const design: TableDesign = {
      name: 'mixed',
      key: { partition: 'id' },
      indexes: { GSI1: { partition: 'at', sort: 'id' }, GSI2: { partition: 'id', sort: 'at' } },
      entities: {
        Counted: { attributes: z.object({ id: z.int(), at: z.string() }) },
        Named: { attributes: z.object({ name: z.string(), at: z.string() }), keys: { id: 'NAME#<name>' } },
      },
    };
    expect(found(design)).toEqual([{ path: 'entities', cause: 'two-types', attribute: 'id' }]);
  });
});
