import { z } from 'zod';
import { type Access, boundsOfRange, type SortRange } from '../../../lib/blueprint/accesses';
import { outline } from '../../../lib/blueprint/outline';
import type { KeyCondition, PatternDesign } from '../../../lib/design/pattern';
import { template } from '../../../lib/design/template';
import { anyDesign, anyPattern } from '../../fixtures/any-design';
import { orders, tableOf } from '../../fixtures/designs';
import { accessesOf } from '../../support/accesses';
import fc from '../../support/fuzz';

const PROFILE = { PK: 'CUSTOMER#<customerId>', SK: 'PROFILE' };
const ORDER = { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<orderId>' };

/** Returns the expected `partition` for a partition key with a single attribute. */
const held = (name: string, text: string) => [{ attribute: { name, type: 'string' as const }, at: template(text) }];
const customerPartition = held('PK', 'CUSTOMER#<customerId>');
const profile: SortRange = { kind: 'equals', at: template('PROFILE') };
const order: SortRange = { kind: 'equals', at: template('ORDER#<orderId>') };

/** Returns the access of a pattern, which must have only one. */
function accessOf(pattern: PatternDesign): Access {
  const accesses = accessesOf(orders, pattern);
  expect(accesses).toHaveLength(1);
  return accesses[0] as Access;
}

describe('a get', () => {
  test('a get reads one item by its whole key', () => {
    expect(accessOf({ op: 'get', where: PROFILE, returns: ['Customer'] })).toMatchObject({
      action: 'get',
      partition: customerPartition,
      range: profile,
      entities: ['Customer'],
    });
  });

  test('a get on a table without a sort key reads the whole partition, which contains only one item', () => {
    const stock = tableOf({ attributes: z.object({ id: z.int() }) }, { key: { partition: 'id' } });
    const [access] = accessesOf(stock, { op: 'get', where: { id: '<id>' }, returns: ['Thing'] });
    expect(access).toMatchObject({
      partition: [{ attribute: { name: 'id', type: 'number' }, at: template('<id>') }],
      range: { kind: 'all' },
    });
  });
});

describe('a query', () => {
  const query = (sort?: KeyCondition) =>
    accessOf({
      op: 'query',
      where: { PK: 'CUSTOMER#<customerId>', ...(sort === undefined ? {} : { SK: sort }) },
      returns: ['Customer', 'Order'],
    });

  test('a query without a sort key condition reads the whole partition, and all entities that the pattern returns', () => {
    expect(query()).toMatchObject({
      action: 'query',
      index: undefined,
      partition: customerPartition,
      range: { kind: 'all' },
      entities: ['Customer', 'Order'],
    });
  });

  test('a query with a complete sort key reads only that key', () => {
    expect(query('ORDER#<orderId>').range).toEqual(order);
  });

  test.each(['beginsWith', 'atLeast', 'atMost', 'greaterThan', 'lessThan'] as const)(
    'a query with `%s` has a range of the same kind',
    (kind) => {
      const range = query({ [kind]: 'ORDER#<from>' } as unknown as KeyCondition).range;
      expect(range).toEqual({ kind, at: template('ORDER#<from>') });
    },
  );

  test('a query with `between` reads from one key to another', () => {
    expect(query({ between: ['ORDER#<from>', 'ORDER#<to>'] }).range).toEqual({
      kind: 'between',
      from: template('ORDER#<from>'),
      to: template('ORDER#<to>'),
    });
  });

  test('a query on an index uses the index key', () => {
    const where = { GSI1PK: 'STATUS#<status>', GSI1SK: { beginsWith: '<day>' } };
    expect(accessOf({ op: 'query', index: 'byStatus', where, returns: ['Order'] })).toMatchObject({
      action: 'query',
      index: 'byStatus',
      key: { partitionBy: [{ name: 'GSI1PK' }], sortBy: [{ name: 'GSI1SK' }] },
      partition: held('GSI1PK', 'STATUS#<status>'),
      sort: { name: 'GSI1SK' },
      range: { kind: 'beginsWith', at: template('<day>') },
      entities: ['Order'],
    });
  });

  test('a query on an index without a sort key reads the whole partition', () => {
    const byEmail = accessOf({ op: 'query', index: 'byEmail', where: { email: '<email>' }, returns: ['Customer'] });
    expect(byEmail).toMatchObject({ index: 'byEmail', partition: held('email', '<email>'), range: { kind: 'all' } });
  });

  test("a query on an index has no partition if its `where` contains only the table's key", () => {
    const lost = accessOf({ op: 'query', index: 'byStatus', where: PROFILE, returns: ['Order'] });
    expect(lost.partition).toBeUndefined();
  });

  test('the access of a query on an unknown index keeps the index name, so that a rule can report it', () => {
    const lost = accessOf({ op: 'query', index: 'byNobody', where: {}, returns: [] });
    expect(lost).toMatchObject({ index: 'byNobody', key: undefined, partition: undefined, range: { kind: 'all' } });
  });

  test('a query with a range on the partition key has no partition', () => {
    const where = { PK: { beginsWith: 'CUSTOMER#' } };
    expect(accessOf({ op: 'query', where, returns: ['Customer'] }).partition).toBeUndefined();
  });
});

describe('queries on an index with multi-attribute keys', () => {
  const attributes = z.object({
    id: z.string(),
    tenant: z.string(),
    region: z.string(),
    status: z.string(),
    amount: z.int(),
  });
  const byRegion = { partition: ['tenant', 'region'], sort: ['status', 'amount'] };
  const design = tableOf({ attributes }, { key: { partition: 'id' }, indexes: { byRegion } });
  const query = (where: Record<string, KeyCondition>) => {
    const [access] = accessesOf(design, { op: 'query', index: 'byRegion', where, returns: ['Thing'] });
    const { partition, sort, range } = access as Access;
    return [partition?.map(({ attribute, at }) => `${attribute.name} = ${at.text}`), sort?.name, range];
  };
  const place = { tenant: '<tenant>', region: '<region>' };
  const held = ['tenant = <tenant>', 'region = <region>'];

  test('a query that fixes the whole partition key can have a range on the first sort key attribute', () => {
    expect(query(place)).toEqual([held, 'status', { kind: 'all' }]);
    const range = { kind: 'beginsWith', at: template('<beginning>') };
    expect(query({ ...place, status: { beginsWith: '<beginning>' } })).toEqual([held, 'status', range]);
  });

  test('a query treats a fixed sort key attribute as part of the partition, and applies its range to the next sort key attribute', () => {
    const narrowed = [...held, 'status = <status>'];
    expect(query({ ...place, status: '<status>' })).toEqual([narrowed, 'amount', { kind: 'all' }]);
    const range = { kind: 'atLeast', at: template('<least>') };
    expect(query({ ...place, status: '<status>', amount: { atLeast: '<least>' } })).toEqual([
      narrowed,
      'amount',
      range,
    ]);
    const one = { kind: 'equals', at: template('<amount>') };
    expect(query({ ...place, status: '<status>', amount: '<amount>' })).toEqual([narrowed, 'amount', one]);
  });

  test('a query has no partition if a partition key attribute is missing or has a range', () => {
    expect(query({ tenant: '<tenant>' })).toEqual([undefined, 'status', { kind: 'all' }]);
    expect(query({ ...place, region: { beginsWith: 'eu' } })[0]).toBeUndefined();
  });

  test('a query ignores a condition on a sort key attribute if an earlier sort key attribute has no condition', () => {
    expect(query({ ...place, amount: '<amount>' })).toEqual([held, 'status', { kind: 'all' }]);
  });
});

describe('a batch of gets', () => {
  test('a `batchGet` has one access per key, named after the key', () => {
    const keys = { customer: PROFILE, order: ORDER };
    expect(accessesOf(orders, { op: 'batchGet', keys, returns: ['Customer', 'Order'] })).toMatchObject([
      {
        action: 'batchGet',
        part: 'customer',
        partition: customerPartition,
        range: profile,
        entities: ['Customer', 'Order'],
      },
      {
        action: 'batchGet',
        part: 'order',
        partition: customerPartition,
        range: order,
        entities: ['Customer', 'Order'],
      },
    ]);
  });
});

describe('a write', () => {
  test('a put of a new item uses the key templates of its entity', () => {
    expect(accessOf({ op: 'put', entity: 'Order' })).toMatchObject({
      action: 'put',
      partition: customerPartition,
      range: order,
      entities: ['Order'],
    });
  });

  test("a put of an item with natural keys uses the item's attributes as keys", () => {
    const attributes = z.object({ tenantId: z.string(), id: z.int() });
    const design = tableOf({ attributes }, { key: { partition: 'tenantId', sort: 'id' } });
    const [access] = accessesOf(design, { op: 'put', entity: 'Thing' });
    expect(access).toMatchObject({
      partition: held('tenantId', '<tenantId>'),
      range: { kind: 'equals', at: template('<id>') },
    });
  });

  test("the access of a write to an unknown entity has no partition, but keeps the entity's name, so that a rule can report it", () => {
    expect(accessOf({ op: 'put', entity: 'Nobody' })).toMatchObject({
      action: 'put',
      partition: undefined,
      range: { kind: 'all' },
      entities: ['Nobody'],
    });
  });

  test.each([
    { op: 'update', entity: 'Order', where: ORDER, set: { total: '<total>' } },
    { op: 'delete', entity: 'Order', where: ORDER },
  ] as const)('the access of the operation `$op` uses the key in `where`', (pattern) => {
    expect(accessOf(pattern)).toMatchObject({
      action: pattern.op,
      partition: customerPartition,
      range: order,
      entities: ['Order'],
    });
  });
});

test("a transaction has one access per step, with the step's name and action", () => {
  const accesses = accessesOf(orders, {
    op: 'transaction',
    steps: {
      order: { op: 'put', entity: 'Order' },
      counted: { op: 'update', entity: 'Customer', where: PROFILE, add: { orders: 1 } },
      old: { op: 'delete', entity: 'Order', where: { PK: 'CUSTOMER#<customerId>', SK: 'ORDER#<oldId>' } },
      customer: { op: 'require', entity: 'Customer', where: PROFILE, condition: { email: { exists: true } } },
    },
  });
  expect(accesses).toMatchObject([
    { part: 'order', action: 'put', partition: customerPartition, range: order, entities: ['Order'] },
    { part: 'counted', action: 'update', partition: customerPartition, range: profile, entities: ['Customer'] },
    {
      part: 'old',
      action: 'delete',
      partition: customerPartition,
      range: { kind: 'equals', at: template('ORDER#<oldId>') },
      entities: ['Order'],
    },
    { part: 'customer', action: 'require', partition: customerPartition, range: profile, entities: ['Customer'] },
  ]);
});

describe('an access', () => {
  const put = { op: 'put', entity: 'Order' } as const;
  const pattern: PatternDesign = { op: 'transaction', steps: { order: put } };

  test('an access contains its pattern or step, and the key that it uses', () => {
    const { key } = outline(orders);
    const get: PatternDesign = { op: 'get', where: PROFILE, returns: ['Customer'] };
    expect(accessOf(get)).toEqual({
      action: 'get',
      step: get,
      key,
      partition: customerPartition,
      sort: key.sortBy[0],
      range: profile,
      entities: ['Customer'],
    });
    expect(accessOf(pattern)).toMatchObject({ step: put, part: 'order', key });
  });

  test('each access of a `batchGet` is named after its key', () => {
    const batch: PatternDesign = { op: 'batchGet', keys: { customer: PROFILE }, returns: ['Customer'] };
    expect(accessOf(batch)).toMatchObject({ step: batch, part: 'customer' });
  });

  test('boundsOfRange returns no templates, one or two, depending on the kind of range', () => {
    expect(boundsOfRange({ kind: 'all' })).toEqual([]);
    expect(boundsOfRange(profile)).toEqual([template('PROFILE')]);
    const [from, to] = [template('<a>'), template('<b>')];
    expect(boundsOfRange({ kind: 'between', from, to })).toEqual([from, to]);
  });
});

describe('accesses of any design', () => {
  test('a key attribute that is named like a built-in object property has a value only if the pattern provides one', () => {
    const key = { partition: 'constructor', sort: '__proto__' };
    const [access] = accessesOf({ ...orders, key }, { op: 'query', where: {}, returns: [] });
    expect(access).toMatchObject({ action: 'query', partition: undefined, range: { kind: 'all' }, entities: [] });
  });

  test('any pattern has one access per step or key, even in a design that it was not written for', () => {
    fc.assert(
      fc.property(anyDesign, anyPattern, (design, stranger) => {
        for (const pattern of [stranger, ...Object.values(design.patterns ?? {})]) {
          const parts =
            pattern.op === 'transaction' ? pattern.steps : pattern.op === 'batchGet' ? pattern.keys : { one: pattern };
          expect(accessesOf(design, pattern)).toHaveLength(Object.keys(parts).length);
        }
      }),
    );
  });
});
