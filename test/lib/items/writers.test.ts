import { z } from 'zod';
import * as mini from 'zod/mini';
import { type EntityOutline, entityNamed, type KeySource, outline } from '../../../lib/blueprint/outline';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { KeyError } from '../../../lib/design/template';
import { entities, ItemError, requests } from '../../../lib/dynamodb';
import { type Item, makeItem, readItem } from '../../../lib/items/item';
import { keyWriter, naturalKey, writerOf } from '../../../lib/items/writers';
import { tableOf } from '../../fixtures/designs';

const keys = { PK: 'THING#<id>', SK: 'THING' };

function thingOf(entity: EntityDesign, rest: Partial<TableDesign> = {}) {
  const table = outline(tableOf(entity, rest));
  const thing = entityNamed(table, 'Thing') as EntityOutline;
  return {
    ...{ table, thing, writer: writerOf(table, thing) },
    make: (values: object) => makeItem(table, thing, values),
    read: (item: Item, selected?: readonly string[]) => readItem(table, thing, item, selected),
  };
}

describe('open entities', () => {
  const rest = { typeAttribute: 'kind', indexes: { GSI1: { partition: 'GSI1PK' } } };

  test.each<[string, EntityDesign['attributes']]>([
    ['by a loose object', z.looseObject({ id: z.string() })],
    ['by a catchall', z.object({ id: z.string() }).catchall(z.any())],
    ['by a zod/mini loose object', mini.looseObject({ id: mini.string() })],
  ])('an entity opened %s keeps unknown attributes in writes and reads', (_, attributes) => {
    const { make, read } = thingOf({ attributes, keys }, rest);
    const values = { id: 'x', colour: 'red', nested: { a: [1] } };
    expect(make(values)).toEqual({ ...values, PK: 'THING#x', SK: 'THING', kind: 'Thing' });
    expect(read(make(values))).toEqual({ ...values, kind: 'Thing' });
  });

  const loose = thingOf({ attributes: z.looseObject({ id: z.string(), at: z.string().optional() }), keys }, rest);

  test('an open entity rejects an unknown attribute with the name of a key or the type attribute, which only the library writes', () => {
    for (const name of ['PK', 'SK', 'GSI1PK', 'kind']) {
      const attempt = () => loose.make({ id: 'x', [name]: 'mine' });
      expect(attempt).toThrow(ItemError);
      expect(attempt).toThrow(`Thing: ${name} is "mine", not `);
    }
  });

  test('a read of an open entity does not return stored keys', () => {
    expect(loose.read({ PK: 'THING#x', SK: 'THING', GSI1PK: 'A', kind: 'Thing', id: 'x', colour: 'red' })).toEqual({
      id: 'x',
      colour: 'red',
      kind: 'Thing',
    });
  });

  test('a read of an open entity returns only the selected attributes', () => {
    expect(loose.read({ ...loose.make({ id: 'x', colour: 'red' }) }, ['id'])).toEqual({ id: 'x', kind: 'Thing' });
  });

  test('an open entity validates unknown attributes with its catchall', () => {
    const attributes = z.object({ id: z.string() }).catchall(z.int());
    const { make } = thingOf({ attributes, keys });
    expect(make({ id: 'x', size: 7 })).toMatchObject({ size: 7 });
    expect(() => make({ id: 'x', size: 'large' })).toThrow('Thing: size: Invalid input');
  });

  test('an open entity drops no attribute silently, not even one named __proto__', () => {
    expect(() => loose.make(JSON.parse('{ "id": "x", "__proto__": { "a": 1 } }'))).toThrow(ItemError);
    expect(loose.make({ id: 'x', constructor: 'y' })).toMatchObject({ constructor: 'y' });
  });

  test('reading a response keeps the unknown attributes of an open entity', () => {
    const design = tableOf(
      { attributes: z.looseObject({ id: z.string() }), keys },
      {
        patterns: { get: { op: 'get', where: keys, returns: ['Thing'] } },
      },
    );
    const patterns = requests(design, 'things');
    const { item } = entities(design, 'things');
    const Item = item('Thing', { id: 'x', colour: 'red' } as never);
    const { get } = patterns as Record<string, { read(output: object): unknown }>;
    expect(get?.read({ Item })).toEqual({ id: 'x', colour: 'red' });
  });
});

test('a closed entity rejects unknown attributes in writes, and omits them from reads', () => {
  const { make, read } = thingOf({ attributes: z.object({ id: z.string() }), keys });
  expect(() => make({ id: 'x', colour: 'red' })).toThrow("'colour' is not an attribute of Thing");
  expect(read({ PK: 'THING#x', SK: 'THING', id: 'x', colour: 'red' })).toEqual({ id: 'x' });
});

describe('indexes of an entity', () => {
  const indexes = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' }, byCity: { partition: 'city' } };
  const attributes = z.object({
    id: z.string(),
    status: z.string().default('new').optional(),
    place: z.object({ city: z.string() }).optional(),
  });
  const { writer, make } = thingOf(
    { attributes, keys: { ...keys, GSI1PK: '<status>', GSI1SK: '<place.city>' } },
    { indexes },
  );

  test('writerOf lists the indexes whose keys the entity has, and can tell whether each index contains a given item', () => {
    expect(writer.indexes.map((index) => index.keys.map(({ name }) => name))).toEqual([['GSI1PK', 'GSI1SK']]);
    const [index] = writer.indexes;
    expect(index?.holds({ status: 'a', place: { city: 'Lima' } })).toBe(true);
    for (const place of [undefined, null, {}, { city: null }]) expect(index?.holds({ status: 'a', place })).toBe(false);
  });

  test('writerOf applies attribute defaults before it decides whether an index contains an item', () => {
    expect(make({ id: 'x', place: { city: 'Lima' } })).toMatchObject({ GSI1PK: 'new', GSI1SK: 'Lima' });
    expect(make({ id: 'x' })).not.toHaveProperty('GSI1PK');
  });
});

test('writerOf lists the attributes that contain maps, because zod would drop unknown fields inside them', () => {
  const attributes = z.object({
    id: z.string(),
    map: z.object({}).optional(),
    list: z.array(z.object({})),
    record: z.record(z.string(), z.int()),
    tags: z.array(z.string()),
    later: z.lazy(() => z.object({})),
  });
  expect(thingOf({ attributes, keys }).writer.maps).toEqual(['map', 'list', 'record', 'later']);
});

test("writerOf prepares an entity's writer only once", () => {
  const { table, thing, writer } = thingOf({ attributes: z.object({ id: z.string() }), keys });
  expect(writerOf(table, thing)).toBe(writer);
});

describe('a natural key', () => {
  test('a natural key may be any non-empty value', () => {
    for (const value of ['a#b', 0, 0n, new Uint8Array([1]), ' ']) expect(naturalKey('id', value)).toBe(value);
    for (const value of [undefined, null, '']) expect(() => naturalKey('id', value)).toThrow(KeyError);
    expect(() => naturalKey('id', 'a\ud800')).toThrow('lone surrogate');
  });

  test('a natural key is the attribute itself, while other keys come from their templates', () => {
    const attributes = z.object({ id: z.string(), n: z.int() });
    const { table, thing } = thingOf(
      { attributes, keys: { PK: '<id>#<n:4>' } },
      { key: { partition: 'PK', sort: 'n' } },
    );
    const written = (name: string) => keyWriter(table, thing, thing.keys.get(name) as KeySource)({ id: 'x', n: 7 });
    expect([written('PK'), written('n')]).toEqual(['x#0007', 7]);
  });
});
