import { z } from 'zod';
import { entities, requests } from '../../../lib/azure-tables';
import { sizeOf } from '../../../lib/azure-tables/entity';
import { defineTable } from '../../../lib/design/table';
import { things } from './designs';

const patterns = requests(things, 'Things');
const { entity } = entities(things, 'Things');
const key = { shelf: 'a', id: '1' };

describe('types', () => {
  test('takes the type of a property from the design, not from the value', () => {
    const values = {
      ...{
        text: 'x',
        small: 1,
        large: 1,
        huge: 2n ** 60n,
        real: 1,
        flag: true,
        rank: 2,
        colour: 'red',
        day: '2025-01-01',
      },
      ...{ second: '2025-01-01T00:00:00Z', milli: '2025-01-01T00:00:00.120Z', loose: '2025-01-01T00:00:00Z' },
      ...{ local: '2025-01-01T00:00:00-03:00', bytes: new Uint8Array([1, 2]), tags: ['a'], place: { city: 'Itajaí' } },
    } as const;
    expect(entity('Thing', { ...key, ...values, rank: 2, colour: 'red', tags: ['a'] })).toEqual({
      partitionKey: 'SHELF_a',
      rowKey: 'THING_1',
      ...{ text: 'x', small: 1, flag: true, rank: 2, colour: 'red', day: '2025-01-01' },
      large: { type: 'Int64', value: '1' },
      huge: { type: 'Int64', value: '1152921504606846976' },
      real: { type: 'Double', value: '1' },
      second: { type: 'DateTime', value: '2025-01-01T00:00:00Z' },
      milli: { type: 'DateTime', value: '2025-01-01T00:00:00.120Z' },
      // Times with a variable precision or a time zone are stored verbatim, as strings.
      loose: '2025-01-01T00:00:00Z',
      local: '2025-01-01T00:00:00-03:00',
      bytes: new Uint8Array([1, 2]),
      tags: '["a"]',
      place: '{"city":"Itajaí"}',
    });
  });

  const read = (stored: object) =>
    patterns.getThing.read(patterns.getThing(key), {
      entity: { partitionKey: 'SHELF_a', rowKey: 'THING_1', ...stored },
    });

  test.each([
    [
      'a time with zeros that the service added',
      { milli: { type: 'DateTime', value: '2025-01-01T00:00:00.1200000Z' } },
      { milli: '2025-01-01T00:00:00.120Z' },
    ],
    [
      'a time without zeros that the service dropped',
      { milli: { type: 'DateTime', value: '2025-01-01T00:00:00Z' } },
      { milli: '2025-01-01T00:00:00.000Z' },
    ],
    [
      'a time of whole seconds',
      { second: { type: 'DateTime', value: '2025-01-01T00:00:00.0000000Z' } },
      { second: '2025-01-01T00:00:00Z' },
    ],
    [
      'a time that the SDK converted',
      { milli: new Date('2025-01-01T00:00:00.120Z') },
      { milli: '2025-01-01T00:00:00.120Z' },
    ],
    ['a number that the SDK converted', { large: 5n, small: 3 }, { large: 5, small: 3 }],
    [
      'a number as a string',
      { large: { type: 'Int64', value: '5' }, real: { type: 'Double', value: '1.5' } },
      { large: 5, real: 1.5 },
    ],
    ['a number that needs a bigint', { huge: { type: 'Int64', value: '1152921504606846976' } }, { huge: 2n ** 60n }],
    ['a boolean as a string', { flag: { type: 'Boolean', value: 'false' } }, { flag: false }],
    ['bytes as a string', { bytes: { type: 'Binary', value: 'AQI=' } }, { bytes: new Uint8Array([1, 2]) }],
    [
      'a map and a list',
      { place: '{"city":"x"}', tags: { type: 'String', value: '[]' } },
      { place: { city: 'x' }, tags: [] },
    ],
  ])('round-trips %s', (_, stored, expected) => {
    expect(read(stored)).toEqual({ ...key, maybe: null, ...expected });
  });

  test.each([
    [
      'a time with more digits than the design allows',
      { second: { type: 'DateTime', value: '2025-01-01T00:00:00.5Z' } },
      'second',
    ],
    ['a map that is not JSON', { place: 'Itajaí' }, 'place: the stored string is not JSON: Itajaí'],
    ['a value of the wrong type', { small: 'many' }, 'small'],
  ])('refuses to read %s', (_, stored, message) => {
    expect(() => read(stored)).toThrow(message);
  });

  test('does not store null, and returns null for a required attribute that is not stored', () => {
    const table = defineTable({
      name: 'Nulls',
      key: { partition: 'PartitionKey', sort: 'RowKey' },
      entities: {
        One: {
          attributes: z.object({ id: z.string(), gone: z.string().nullable() }),
          keys: { PartitionKey: 'P', RowKey: '<id>' },
        },
      },
      patterns: { get: { op: 'get', where: { PartitionKey: 'P', RowKey: '<id>' }, returns: ['One'] } },
    });
    const nulls = requests(table, 'Nulls');
    const made = entities(table, 'Nulls').entity('One', { id: 'a', gone: null });
    expect(made).toEqual({ partitionKey: 'P', rowKey: 'a', id: 'a' });
    expect(nulls.get.read(nulls.get({ id: 'a' }), { entity: made })).toEqual({ id: 'a', gone: null });
  });
});

describe('a value', () => {
  const of = (attribute: z.ZodType) => {
    const table = defineTable({
      name: 'Odd',
      key: { partition: 'PartitionKey', sort: 'RowKey' },
      entities: {
        One: { attributes: z.object({ id: z.string(), it: attribute }), keys: { PartitionKey: 'P', RowKey: '<id>' } },
      },
      patterns: {
        get: { op: 'get', where: { PartitionKey: 'P', RowKey: '<id>' }, returns: ['One'] },
        change: {
          op: 'update',
          entity: 'One',
          where: { PartitionKey: 'P', RowKey: '<id>' },
          set: { it: '<it>' },
        },
      },
    });
    return { patterns: requests(table, 'Odd'), ...entities(table, 'Odd') };
  };

  test.each([
    ['a set', z.set(z.string()), new Set(['a']), 'it: a Set would not survive a round trip; use a list (z.array)'],
    ['a Map', z.map(z.string(), z.string()), new Map([['a', 'b']]), 'it: a Map would not survive a round trip'],
    ['a Date', z.date(), new Date(0), 'it: a Date would not survive a round trip; use a string (z.iso.datetime)'],
    [
      'bytes in a list',
      z.array(z.instanceof(Uint8Array)),
      [new Uint8Array([1])],
      'it.0: bytes would not survive a round trip',
    ],
    ['a bigint in a map', z.object({ n: z.bigint() }), { n: 5n }, 'it.n: a bigint would not survive a round trip'],
    ['a transformation', z.string().transform(Number), '5', 'it: the schema refuses its own output'],
    [
      'a transformation that is not idempotent',
      z
        .string()
        .transform((text) => `${text}!`)
        .pipe(z.string()),
      'a',
      'it: the schema',
    ],
    [
      'a string instead of bytes',
      z.custom(() => true),
      'text',
      'it: the value must be bytes (a Uint8Array), got: text',
    ],
  ] as const)('refuses a value that would not round-trip: %s', (_, schema, value, message) => {
    const { entity, patterns } = of(schema);
    expect(() => entity('One', { id: 'a', it: value })).toThrow(message);
    expect(() => patterns.change({ id: 'a', it: value })).toThrow(message);
  });

  test.each([
    ['an idempotent transformation', z.string().transform((text) => text.trim()), 'a'],
    ['a date that is coerced from a string', z.coerce.date(), new Date(0)],
    ['a list of maps', z.array(z.object({ a: z.string().optional() })), [{ a: 'x' }, {}]],
    ['a union of types', z.union([z.string(), z.number()]), 5],
  ])('accepts a value that round-trips: %s', (_, schema, value) => {
    const { entity, patterns } = of(schema);
    const stored = entity('One', { id: 'a', it: value });
    expect(patterns.get.read(patterns.get({ id: 'a' }), { entity: stored })).toEqual({ id: 'a', it: value });
  });
});

describe('a key', () => {
  test.each(['/', '\\', '#', '?', '\t', '\u0000', '\u007f', '\u0085'])(
    'refuses a key that contains %j',
    (character) => {
      const shown = JSON.stringify(character);
      for (const make of [
        () => entity('Thing', { shelf: 'a', id: `x${character}` }),
        () => patterns.getThing({ shelf: `x${character}`, id: '1' }),
        () => patterns.thingsOnShelf({ shelf: `x${character}` }),
        () => patterns.removeThing({ shelf: 'a', id: `x${character}` }),
        () => patterns.labelThing({ shelf: 'a', id: `x${character}`, text: 'x' }),
      ]) {
        expect(make).toThrow(`contains ${shown}, which Azure Tables refuses in a key`);
      }
    },
  );

  test('refuses a key of more than 512 characters (1 KiB in UTF-16)', () => {
    const longest = 'x'.repeat(512 - 'SHELF_'.length);
    expect(entity('Thing', { shelf: longest, id: '1' }).partitionKey).toHaveLength(512);
    expect(() => entity('Thing', { shelf: `${longest}x`, id: '1' })).toThrow(
      /^PartitionKey "SHELF_x+…" has 513 characters, but Azure Tables allows at most 512 \(1 KiB\) in a key; shorten the key$/,
    );
  });
});

describe('an entity', () => {
  const wide = (count: number) => {
    const names = Array.from({ length: count }, (_, i) => `p${i}`);
    const attributes = z.object({ id: z.string(), ...Object.fromEntries(names.map((name) => [name, z.string()])) });
    const table = defineTable({
      name: 'Wide',
      key: { partition: 'PartitionKey', sort: 'RowKey' },
      entities: { Row: { attributes, keys: { PartitionKey: 'P', RowKey: '<id>' }, keyOnly: ['id'] } },
    });
    const values = Object.fromEntries(names.map((name) => [name, 'x'.repeat(2000)]));
    return (change: object = {}) => entities(table, 'Wide').entity('Row', { id: 'a', ...values, ...change });
  };

  test('refuses an entity with more than 252 properties', () => {
    expect(Object.keys(wide(252)())).toHaveLength(254);
    expect(() => wide(253)()).toThrow(
      'Row (P, a): 253 properties, but an Azure entity has at most 252; group some attributes in a map',
    );
  });

  test('refuses an entity with a property of more than 64 KiB', () => {
    expect(wide(1)({ p0: 'x'.repeat(32_768) })).toBeDefined();
    expect(() => wide(1)({ p0: 'x'.repeat(32_769) })).toThrow(
      'p0 takes 65538 bytes, but an Azure property is limited to 65536',
    );
    const bytes = new Uint8Array(65_537);
    expect(() => entity('Thing', { ...key, bytes })).toThrow('bytes takes 65537 bytes');
  });

  test('refuses an entity of more than 1 MiB', () => {
    const large = (count: number) =>
      wide(count)(Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 'x'.repeat(30_000)])));
    expect(sizeOf(large(17))).toBeLessThan(1024 * 1024);
    expect(() => large(18)).toThrow(
      /^Row \(P, a\): the item takes 108\d+ bytes, but an Azure entity is limited to 1048576; split the item/,
    );
  });
});

test("reads an item's stored type, even though the type is not an attribute", () => {
  const pets = defineTable({
    name: 'Pets',
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    typeAttribute: 'Kind',
    entities: { Dog: { attributes: z.object({ id: z.string() }), keys: { PartitionKey: 'PET', RowKey: '<id>' } } },
    patterns: { getDog: { op: 'get', where: { PartitionKey: 'PET', RowKey: '<id>' }, returns: ['Dog'] } },
  });
  const { getDog } = requests(pets, 'Pets');
  const text = (value: string) => ({ type: 'String', value });
  const stored = { partitionKey: 'PET', rowKey: '1', id: text('1'), Kind: text('Dog') };
  expect(getDog.read(getDog({ id: '1' }), { entity: stored })).toEqual({ id: '1', Kind: 'Dog' });
});
