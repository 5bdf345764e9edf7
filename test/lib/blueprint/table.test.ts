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

describe('the blueprint of a table', () => {
  test("a blueprint has the table's name, and keys built from templates are strings", () => {
    expect(plan.name).toBe('orders');
    const [partition, sort] = ['PK', 'SK'].map((name) => ({ name, type: 'string' }));
    expect(plan.key).toEqual({ partition, sort, partitionBy: [partition], sortBy: [sort] });
  });

  test('a blueprint has no sort key if the design has none', () => {
    const { key } = blueprint(tableOf({ attributes: z.object({ id: z.string() }) }, { key: { partition: 'id' } }));
    const partition = { name: 'id', type: 'string' };
    expect(key).toEqual({ partition, partitionBy: [partition], sortBy: [] });
  });

  test("a blueprint's separator is # unless the design sets another", () => {
    expect(plan.separator).toBe('#');
    expect(blueprint({ ...orders, separator: '|' }).separator).toBe('|');
  });

  test('a blueprint has the TTL attribute of the design, if there is one', () => {
    expect(plan.ttl).toBe('expiresAt');
    expect(blueprint({ ...orders, ttl: undefined }).ttl).toBeUndefined();
  });

  test('the blueprint of a design is derived only once, so every caller gets the same object', () => {
    expect(blueprint(orders)).toBe(plan);
    expect(blueprint({ ...orders })).not.toBe(plan);
  });
});

describe('indexes', () => {
  test('indexes keep the order of the design, because CloudFormation templates and reports follow that order', () => {
    expect(plan.indexes.map(({ name }) => name)).toEqual(['byStatus', 'byDay', 'byEmail']);
  });

  test('indexes have their own keys, with types derived from the entities', () => {
    const [byStatus, byDay, byEmail] = plan.indexes;
    expect(byStatus).toMatchObject({ partitionBy: [{ name: 'GSI1PK', type: 'string' }], sortBy: [{ name: 'GSI1SK' }] });
    expect(byDay).toMatchObject({
      partitionBy: [{ name: 'day', type: 'string' }],
      sortBy: [{ name: 'number', type: 'number' }],
    });
    expect(byEmail?.sortBy).toEqual([]);
  });

  test('in a multi-attribute index key, the attributes keep the given order, and each has its own type', () => {
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

  test('an index projects everything unless the design sets a projection', () => {
    expect(plan.indexes.map(({ projection }) => projection)).toEqual([['total', 'kind'], 'keys', 'all']);
  });

  test('a blueprint has no indexes if the design has none', () => {
    expect(blueprint({ ...orders, indexes: undefined }).indexes).toEqual([]);
  });
});

describe('entities', () => {
  test("an entity's type defaults to its name", () => {
    expect(plan.entities.map(({ name, type }) => [name, type])).toEqual([
      ['Customer', 'CUSTOMER'],
      ['Order', 'Order'],
    ]);
  });

  test('each entity of a blueprint refers to its design', () => {
    expect(entity('Order').design).toBe(orders.entities.Order);
  });

  test("an entity has a template for each of its key attributes, first for the table's keys, then for each index", () => {
    expect([...entity('Order').keys].map(([name, { template }]) => [name, template.text])).toEqual([
      ['PK', 'CUSTOMER#<customerId>'],
      ['SK', 'ORDER#<orderId>'],
      ['GSI1PK', 'STATUS#<status>'],
      ['GSI1SK', '<day>#<orderId>'],
      ['day', '<day>'],
      ['number', '<number>'],
    ]);
  });

  test('an entity has no keys for an index that it is not in', () => {
    expect([...entity('Customer').keys.keys()]).toEqual(['PK', 'SK', 'email']);
  });

  test('an attribute that shares its name with a key attribute becomes a natural key', () => {
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

  test('a key template takes precedence over an attribute of the same name', () => {
    const attributes = z.object({ PK: z.int(), id: z.string() });
    const [thing] = blueprint(tableOf({ attributes, keys: { PK: 'THING#<id>', SK: 'X' } })).entities;
    expect(thing?.keys.get('PK')).toMatchObject({ natural: false, template: { text: 'THING#<id>' } });
  });

  test('an item may lack an index key that contains an optional attribute, which makes the index sparse', () => {
    expect(entity('Order').keys.get('GSI1PK')).toMatchObject({ natural: false, optional: true });
    expect(entity('Order').keys.get('GSI1SK')).toMatchObject({ natural: false, optional: false });
  });

  test('an item may lack a key that contains an optional part, but never a key that consists of literal text', () => {
    const attributes = z.object({ id: z.string(), note: z.string().optional() });
    const [thing] = blueprint(tableOf({ attributes, keys: { PK: 'THING#<id>#<note>', SK: 'THING' } })).entities;
    expect(thing?.keys.get('PK')?.optional).toBe(true);
    expect(thing?.keys.get('SK')?.optional).toBe(false);
  });

  test('an item may lack an optional natural key', () => {
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

  test('an item may lack a key that contains a value from inside an optional map', () => {
    const attributes = z.object({ data: z.object({ id: z.string() }).optional() });
    const [thing] = blueprint(tableOf({ attributes, keys: { PK: '<data.id>', SK: 'X' } })).entities;
    expect(thing?.keys.get('PK')?.optional).toBe(true);
  });

  test('entities have no template for a key attribute named like a built-in object property', () => {
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
  ])('the type of a natural key follows from %s', (_, id, type) => {
    const { key } = blueprint(tableOf({ attributes: z.object({ id }) }, { key: { partition: 'id' } }));
    expect(key.partition).toEqual({ name: 'id', type });
  });

  test.each([
    ['a boolean', z.boolean()],
    ['a map', z.object({})],
    ['a list', z.array(z.string())],
  ])('a natural key that is %s, which no key can be, gets the type string', (_, id) => {
    const { key } = blueprint(tableOf({ attributes: z.object({ id }) }, { key: { partition: 'id' } }));
    expect(key.partition).toEqual({ name: 'id', type: 'string' });
  });

  test('a key attribute that is missing from every entity gets the type string', () => {
    expect(blueprint({ ...orders, key: { partition: 'nobody' } }).key.partition.type).toBe('string');
  });

  test('a key attribute with several types gets the first one, and keyTypes lists them all for a rule to report', () => {
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
  test('keyOf lists the partition key attributes, then the sort key attributes', () => {
    expect(keyOf(plan.key).map(({ name }) => name)).toEqual(['PK', 'SK']);
    expect(keyOf({ partitionBy: [{ name: 'id', type: 'number' }], sortBy: [] })).toEqual([
      { name: 'id', type: 'number' },
    ]);
  });

  test("keyAttributes lists each key attribute once, even if an index inverts the table's key", () => {
    const inverted = blueprint({
      ...orders,
      indexes: { inverted: { partition: 'SK', sort: 'PK' }, ...orders.indexes },
    });
    const names = ['PK', 'SK', 'GSI1PK', 'GSI1SK', 'day', 'number', 'email'];
    expect(inverted.keyAttributes.map(({ name }) => name)).toEqual(names);
  });
});

test('any design has a blueprint, even an unsound one', () => {
  fc.assert(
    fc.property(anyDesign, (design) => {
      const { key, indexes, entities } = blueprint(design);
      expect(key.partition.name).toBe(design.key.partition);
      expect(indexes.map(({ name }) => name)).toEqual(Object.keys(design.indexes ?? {}));
      expect(entities.map(({ name }) => name)).toEqual(Object.keys(design.entities));
    }),
  );
});
