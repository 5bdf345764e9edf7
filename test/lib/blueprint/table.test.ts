import { z } from 'zod';
import { blueprint, type EntityBlueprint, keyOf, keyTypes } from '../../../lib/blueprint/table';
import { template } from '../../../lib/design/template';
import { anyDesign } from '../../fixtures/any-design';
import { orders, tableOf } from '../../fixtures/designs';
import fc from '../../support/fuzz';

const plan = blueprint(orders);

function entity(name: string, design = plan): EntityBlueprint {
  return design.entities.find((one) => one.name === name) as EntityBlueprint;
}

describe('the table', () => {
  test('has its name, and a key of strings if templates build the key', () => {
    expect(plan.name).toBe('orders');
    const [partition, sort] = ['PK', 'SK'].map((name) => ({ name, type: 'string' }));
    expect(plan.key).toEqual({ partition, sort, partitionBy: [partition], sortBy: [sort] });
  });

  test('has no sort key if the design has none', () => {
    const { key } = blueprint(tableOf({ attributes: z.object({ id: z.string() }) }, { key: { partition: 'id' } }));
    const partition = { name: 'id', type: 'string' };
    expect(key).toEqual({ partition, partitionBy: [partition], sortBy: [] });
  });

  test('separates key parts with # unless the design says otherwise', () => {
    expect(plan.separator).toBe('#');
    expect(blueprint({ ...orders, separator: '|' }).separator).toBe('|');
  });

  test('has the TTL attribute of the design, if any', () => {
    expect(plan.ttl).toBe('expiresAt');
    expect(blueprint({ ...orders, ttl: undefined }).ttl).toBeUndefined();
  });

  test('is derived once per design, so that every reader gets the same blueprint', () => {
    expect(blueprint(orders)).toBe(plan);
    expect(blueprint({ ...orders })).not.toBe(plan);
  });
});

describe('indexes', () => {
  test('indexes keep the order of the design, which templates and reports follow', () => {
    expect(plan.indexes.map(({ name }) => name)).toEqual(['byStatus', 'byDay', 'byEmail']);
  });

  test('indexes have their own keys, with the types that the entities give them', () => {
    const [byStatus, byDay, byEmail] = plan.indexes;
    expect(byStatus).toMatchObject({ partitionBy: [{ name: 'GSI1PK', type: 'string' }], sortBy: [{ name: 'GSI1SK' }] });
    expect(byDay).toMatchObject({
      partitionBy: [{ name: 'day', type: 'string' }],
      sortBy: [{ name: 'number', type: 'number' }],
    });
    expect(byEmail?.sortBy).toEqual([]);
  });

  test('can have keys of several attributes, each with its own type, in the given order', () => {
    const attributes = z.object({ id: z.string(), region: z.string(), year: z.int(), mark: z.instanceof(Uint8Array) });
    const byYear = { partition: ['region', 'year'], sort: ['mark', 'id'] };
    const [index] = blueprint(tableOf({ attributes }, { key: { partition: 'id' }, indexes: { byYear } })).indexes;
    expect(index?.partitionBy).toEqual([
      { name: 'region', type: 'string' },
      { name: 'year', type: 'number' },
    ]);
    expect(index?.sortBy).toEqual([
      { name: 'mark', type: 'binary' },
      { name: 'id', type: 'string' },
    ]);
  });

  test('indexes project everything unless the design says otherwise', () => {
    expect(plan.indexes.map(({ projection }) => projection)).toEqual([['total', 'kind'], 'keys', 'all']);
  });

  test('indexes are an empty list if the design has none', () => {
    expect(blueprint({ ...orders, indexes: undefined }).indexes).toEqual([]);
  });
});

describe('entities', () => {
  test('entities are distinguished by their type, or else by their name', () => {
    expect(plan.entities.map(({ name, type }) => [name, type])).toEqual([
      ['Customer', 'CUSTOMER'],
      ['Order', 'Order'],
    ]);
  });

  test('entities keep their design', () => {
    expect(entity('Order').design).toBe(orders.entities.Order);
  });

  test('entities have a template for each key attribute on the item, in the order of the keys', () => {
    expect([...entity('Order').keys].map(([name, { template }]) => [name, template.text])).toEqual([
      ['PK', 'CUSTOMER#<customerId>'],
      ['SK', 'ORDER#<orderId>'],
      ['GSI1PK', 'STATUS#<status>'],
      ['GSI1SK', '<day>#<orderId>'],
      ['day', '<day>'],
      ['number', '<number>'],
    ]);
  });

  test('lack the keys of indexes that they are not in: a customer has no status and no day', () => {
    expect([...entity('Customer').keys.keys()]).toEqual(['PK', 'SK', 'email']);
  });

  test('use an attribute with the name of a key attribute as a natural key', () => {
    expect(entity('Customer').keys.get('email')).toEqual({
      entity: 'Customer',
      attribute: 'email',
      facts: [expect.objectContaining({ kind: 'string', format: 'email', optional: false })],
      template: template('<email>'),
      natural: true,
      holds: 'email',
      optional: false,
    });
  });

  test('prefer their template to an attribute of the same name', () => {
    const attributes = z.object({ PK: z.int(), id: z.string() });
    const [thing] = blueprint(tableOf({ attributes, keys: { PK: 'THING#<id>', SK: 'X' } })).entities;
    expect(thing?.keys.get('PK')).toMatchObject({ natural: false, template: { text: 'THING#<id>' } });
  });

  test('may lack a key built from an optional attribute, and so be missing from a sparse index', () => {
    expect(entity('Order').keys.get('GSI1PK')).toMatchObject({ natural: false, optional: true });
    expect(entity('Order').keys.get('GSI1SK')).toMatchObject({ natural: false, optional: false });
  });

  test('may lack a key with an optional part, but never a key of literal text alone', () => {
    const attributes = z.object({ id: z.string(), note: z.string().optional() });
    const [thing] = blueprint(tableOf({ attributes, keys: { PK: 'THING#<id>#<note>', SK: 'THING' } })).entities;
    expect(thing?.keys.get('PK')?.optional).toBe(true);
    expect(thing?.keys.get('SK')?.optional).toBe(false);
  });

  test('may lack an optional natural key', () => {
    const attributes = z.object({ id: z.string(), at: z.string().optional(), to: z.string().nullable() });
    const design = tableOf(
      { attributes },
      { key: { partition: 'id' }, indexes: { byAt: { partition: 'at', sort: 'to' } } },
    );
    const keys = blueprint(design).entities[0]?.keys;
    expect(keys?.get('id')?.optional).toBe(false);
    expect(keys?.get('at')?.optional).toBe(true);
    expect(keys?.get('to')?.optional).toBe(true);
  });

  test('may lack a key built from a value inside an optional map', () => {
    const attributes = z.object({ data: z.object({ id: z.string() }).optional() });
    const [thing] = blueprint(tableOf({ attributes, keys: { PK: '<data.id>', SK: 'X' } })).entities;
    expect(thing?.keys.get('PK')?.optional).toBe(true);
  });

  test('entities have no template for a key attribute named like a built-in property of objects', () => {
    const attributes = z.object({ id: z.string() });
    const design = tableOf(
      { attributes, keys: { SK: '<id>' } },
      { key: { partition: 'constructor', sort: '__proto__' } },
    );
    expect(blueprint(design).entities[0]?.keys).toEqual(new Map());
  });
});

describe('the type of a natural key', () => {
  test.each([
    ['a string', z.string(), 'string'],
    ['a string format', z.uuid(), 'string'],
    ['an enum', z.enum(['A', 'B']), 'string'],
    ['a number', z.number(), 'number'],
    ['a whole number', z.int(), 'number'],
    ['a big whole number', z.bigint(), 'number'],
    ['an optional number', z.number().optional(), 'number'],
    ['bytes', z.instanceof(Uint8Array), 'binary'],
  ])('is the type of %s', (_, id, type) => {
    const { key } = blueprint(tableOf({ attributes: z.object({ id }) }, { key: { partition: 'id' } }));
    expect(key.partition).toEqual({ name: 'id', type });
  });

  test.each([
    ['a boolean', z.boolean()],
    ['a map', z.object({})],
    ['a list', z.array(z.string())],
  ])('is string for %s, which a rule reports because it cannot be a key', (_, id) => {
    const { key } = blueprint(tableOf({ attributes: z.object({ id }) }, { key: { partition: 'id' } }));
    expect(key.partition).toEqual({ name: 'id', type: 'string' });
  });

  test('is string for an attribute that no entity has', () => {
    expect(blueprint({ ...orders, key: { partition: 'nobody' } }).key.partition.type).toBe('string');
  });

  test('is the first of several types, and keyTypes lists all of them for a rule to report', () => {
    const { key, entities } = blueprint({
      name: 'mixed',
      key: { partition: 'id' },
      entities: {
        Counted: { attributes: z.object({ id: z.int() }) },
        Named: { attributes: z.object({ name: z.string() }), keys: { id: 'NAME#<name>' } },
        Another: { attributes: z.object({ id: z.int() }) },
        Apart: { attributes: z.object({}) },
      },
    });
    expect(key.partition.type).toBe('number');
    expect(keyTypes('id', entities)).toEqual(['number', 'string']);
  });
});

describe('the attributes of keys', () => {
  test('the attributes of one key are listed from left to right', () => {
    expect(keyOf(plan.key).map(({ name }) => name)).toEqual(['PK', 'SK']);
    expect(keyOf({ partitionBy: [{ name: 'id', type: 'number' }], sortBy: [] })).toEqual([
      { name: 'id', type: 'number' },
    ]);
  });

  test("the attributes of all keys are listed once each, even if an index inverts the table's key", () => {
    const inverted = blueprint({
      ...orders,
      indexes: { inverted: { partition: 'SK', sort: 'PK' }, ...orders.indexes },
    });
    const names = ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'day', 'number', 'email'];
    expect(inverted.keyAttributes.map(({ name }) => name)).toEqual(names);
  });
});

test('any design has a blueprint, however unsound it is', () => {
  fc.assert(
    fc.property(anyDesign, (design) => {
      const { key, indexes, entities } = blueprint(design);
      expect(key.partition.name).toBe(design.key.partition);
      expect(indexes.map(({ name }) => name)).toEqual(Object.keys(design.indexes ?? {}));
      expect(entities.map(({ name }) => name)).toEqual(Object.keys(design.entities));
    }),
  );
});
