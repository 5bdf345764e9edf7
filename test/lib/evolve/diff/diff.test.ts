import { z } from 'zod';
import { check } from '../../../../lib/check';
import { diff, lockOf, planFor } from '../../../../lib/evolve';
import { designOf } from '../../../../lib/evolve/lock/design';
import type { SystemDesign, TableDesign } from '../../../../lib/index';
import { systems } from '../../../../lib/systems';
import { deployed, thirteen } from '../../../fixtures/changes';
import { salesSystem } from '../../../fixtures/sound/sales';

const environment = 'prod';
const before = lockOf(deployed, { environment });

test.each(Object.values(systems))('$name does not differ from itself', (system) => {
  const lock = lockOf(system, { environment });
  expect(diff(lock, lockOf(system, { environment }))).toEqual([]);
});

test.each(thirteen)('reports the change with the rule $rule: $name', ({ after, answers, rule, path }) => {
  expect(check(after).filter(({ severity }) => severity === 'error')).toEqual([]);
  const changes = diff(before, lockOf(after, { environment }), answers);
  const found = changes.find((change) => change.rule === rule && change.path === path);
  expect(found?.verdict).not.toBe('safe');
  expect(found?.breaks).not.toEqual([]);
});

test('a key change on Azure affects no grants and needs no index', () => {
  const table = (RowKey: string) => ({
    name: 'Notes',
    key: { partition: 'PartitionKey', sort: 'RowKey' },
    entities: { Note: { attributes: z.object({ id: z.string() }), keys: { PartitionKey: 'NOTE', RowKey } } },
  });
  const system = (RowKey: string): SystemDesign => ({
    name: 'notes',
    cloud: 'azure',
    tables: { Notes: table(RowKey) },
  });
  const lock = lockOf(system('<id>'), { environment });
  const [change] = diff(lock, lockOf(system('N-<id>'), { environment }));
  expect(change).toMatchObject({ rule: 'primary-key-template', verdict: 'plan' });
  expect(change?.breaks.map(({ who }) => who)).not.toContain('iam');
  const because = { 'tables.Notes.entities.Note.keys.RowKey': 'no id begins with N-' };
  const { items, phases } = planFor(lock, system('N-<id>'), { because });
  expect(items).toMatchObject([{ moves: true, keys: { RowKey: { before: '<id>', after: 'N-<id>' } } }]);
  expect(phases.flatMap(({ wave }) => wave)).toEqual([]);
});

test('reports a changed index condition, because stored items do not enter or leave the index by themselves', () => {
  const system = (states?: readonly string[]): SystemDesign => ({
    name: 'shop',
    cloud: 'aws',
    tables: {
      orders: {
        name: 'orders',
        key: { partition: 'PK' },
        indexes: { byState: { partition: 'byStatePK' } },
        entities: {
          Order: {
            attributes: z.object({ id: z.string(), state: z.string() }),
            keys: { PK: 'ORDER#<id>', byStatePK: 'STATE#<state>' },
            ...(states === undefined ? {} : { indexes: { byState: { while: { state: states } } } }),
          },
        },
      },
    },
  });
  const lock = (states?: readonly string[]) => lockOf(system(states), { environment });
  const told = { rule: 'index-key-template', verdict: 'plan', path: 'tables.orders.entities.Order.indexes.byState' };
  for (const [was, is, ...who] of [
    [undefined, ['open'], 'old-readers', 'index-entries'] as const,
    [['open'], undefined, 'index-entries'] as const,
    [['open'], ['paid'], 'index-entries', 'old-readers'] as const,
  ]) {
    const [change, ...others] = diff(lock(was), lock(is));
    expect(change).toMatchObject(told);
    expect(change?.breaks.map((broken) => broken.who)).toEqual(who);
    expect(others).toEqual([]);
  }
  expect(diff(lock(['open']), lock(['open']))).toEqual([]);
});

describe('a local index', () => {
  const attributes = z.object({ shop: z.string(), id: z.string(), total: z.number(), city: z.string() });
  const byTotal = { local: true, partition: 'PK', sort: 'total' } as const;
  const system = (indexes: TableDesign['indexes'], keys: Readonly<Record<string, string>> = {}): SystemDesign => ({
    name: 'shop',
    cloud: 'aws',
    tables: {
      orders: {
        name: 'orders',
        key: { partition: 'PK', sort: 'SK' },
        indexes,
        entities: { Order: { attributes, keys: { PK: 'SHOP#<shop>', SK: 'ORDER#<id>', ...keys } } },
      },
    },
  });
  const lock = (...of: Parameters<typeof system>) => lockOf(system(...of), { environment });

  test.each([
    ['added', {}, { byTotal }],
    ['removed', { byTotal }, {}],
    ['given a different projection', { byTotal }, { byTotal: { ...byTotal, projection: 'keys' } }],
    ['created from a global index', { byTotal: { ...byTotal, local: false } }, { byTotal }],
  ] as const)('the plan replaces the table if a local index is %s', (_, was, is) => {
    const [change, ...others] = diff(lock(was), lock(is));
    expect(change).toMatchObject({ rule: 'local-index', verdict: 'replace', path: 'tables.orders.indexes.byTotal' });
    expect(others).toEqual([]);
    expect(() => planFor(lock(was), system(is))).toThrow('it destroys stored items');
    const because = { 'tables.orders.indexes.byTotal': 'all is copied' };
    const { edits, phases } = planFor(lock(was), system(is), { because });
    expect(edits).toEqual([{ kind: 'table', table: 'orders', from: 'orders', to: 'ordersv2' }]);
    const actions = phases.flatMap(({ wave }) => wave.map(({ action }) => action));
    expect(actions).toEqual(['create-table', 'delete-table']);
  });

  test('a change to the key of a local index requires a new table', () => {
    const indexes = { byCity: { local: true, partition: 'PK', sort: 'LSI1SK' } };
    const [was, is] = [{ LSI1SK: '<city>' }, { LSI1SK: '<city>#<id>' }];
    expect(diff(lock(indexes, was), lock(indexes, is))).toMatchObject([
      { rule: 'local-index', verdict: 'replace', path: 'tables.orders.entities.Order.keys.LSI1SK' },
    ]);
  });

  test('an index is unchanged after a round trip through a lock', () => {
    expect(designOf(lock({ byTotal })).tables.orders?.indexes).toEqual({ byTotal: { ...byTotal, projection: 'all' } });
  });
});

test('a new entity type changes every key that contains the type', () => {
  const system = (type: string): SystemDesign => ({
    name: 'log',
    cloud: 'aws',
    tables: {
      events: {
        name: 'events',
        key: { partition: 'PK', sort: 'SK' },
        typeAttribute: 'kind',
        entities: {
          Event: { type, attributes: z.object({ id: z.string() }), keys: { PK: '<kind>#<id>', SK: 'EVENT' } },
        },
      },
    },
  });
  const lock = lockOf(system('Event'), { environment });
  expect(diff(lock, lockOf(system('Event'), { environment }))).toEqual([]);
  const changes = diff(lock, lockOf(system('EVENT'), { environment }));
  expect(changes).toContainEqual(expect.objectContaining({ rule: 'primary-key-template' }));
});

test('two sharded keys differ only if their shard counts or their formats differ', () => {
  const system = (key: string): SystemDesign => ({
    name: 'log',
    cloud: 'aws',
    tables: {
      events: {
        name: 'events',
        key: { partition: 'PK', sort: 'SK' },
        entities: {
          Event: {
            attributes: z.object({ id: z.string(), day: z.string() }),
            keys: { PK: key, SK: '<id>' },
          },
        },
      },
    },
  });
  const shards = (count: number) => `DAY#<day>#<shard(id, ${count})>`;
  const lock = lockOf(system(shards(16)), { environment });
  expect(diff(lock, lockOf(system(shards(16)), { environment }))).toEqual([]);
  const rules = diff(lock, lockOf(system(shards(32)), { environment })).map(({ rule }) => rule);
  // The shard numbers of both designs have two digits, so an old key and a new key can be equal.
  expect(rules).toEqual(['primary-key-template', 'keys-meet']);
  for (const [before, after] of [
    ['DAY#<day>', 'DAY#<day:encoded>'],
    ['DAY#<day:lower>', 'DAY#<day:upper>'],
    ['DAY#<day:bucket(15m)>', 'DAY#<day:bucket(30m)>'],
  ] as const) {
    const changes = diff(lockOf(system(before), { environment }), lockOf(system(after), { environment }));
    expect(changes).toContainEqual(expect.objectContaining({ rule: 'primary-key-template' }));
  }
});

describe('a multi-attribute index key', () => {
  const lock = lockOf(salesSystem, { environment });
  const salesWith = (byRegion: object): SystemDesign => {
    const { sales } = salesSystem.tables;
    return { ...salesSystem, tables: { sales: { ...sales, indexes: { ...sales.indexes, byRegion } } as TableDesign } };
  };

  test('an index is unchanged after a round trip through a lock', () => {
    const [byAmount, byRegion] = lock.tables.sales?.physical.indexes ?? [];
    expect(byRegion).toMatchObject({
      name: 'byRegion',
      partitionBy: [{ name: 'tenantId' }, { name: 'region' }],
      sortBy: [{ name: 'status' }, { name: 'createdAt' }, { name: 'amount', type: 'number' }],
    });
    expect(byAmount).toMatchObject({ name: 'byAmount', partitionBy: [{ name: 'tenantId' }] });
    expect(diff(lock, lockOf(designOf(lock), { environment }))).toEqual([]);
    expect(designOf(lock).tables.sales?.indexes?.byRegion).toMatchObject(salesSystem.tables.sales.indexes.byRegion);
  });

  test.each([
    [{ partition: ['region', 'tenantId'], sort: ['status', 'createdAt', 'amount'] }],
    [{ partition: ['tenantId', 'region'], sort: ['createdAt', 'status', 'amount'] }],
    [{ partition: ['tenantId', 'region', 'status'], sort: ['createdAt', 'amount'] }],
    [{ partition: 'tenantId', sort: ['region', 'status', 'createdAt', 'amount'] }],
  ])('the plan creates a new index with a new name when a multi-attribute index key changes to %j', (byRegion) => {
    const after = salesWith(byRegion);
    const [change] = diff(lock, lockOf(after, { environment }));
    expect(change).toMatchObject({
      rule: 'index-key',
      verdict: 'plan',
      path: 'tables.sales.indexes.byRegion.partition',
    });
    expect(change?.message).toMatch(
      /^the key of index byRegion changes from tenantId \+ region \/ status \+ createdAt \+ amount: number to /,
    );
    expect(planFor(lock, after).edits).toEqual([{ kind: 'index', table: 'sales', from: 'byRegion', to: 'byRegionv2' }]);
  });
});
