import { z } from 'zod';
import { assertSound, check, review } from '../../../../lib/check/check';
import type { TableDesign } from '../../../../lib/design/table';
import { carts, orders, shop, told } from '../../../fixtures/designs';

type Acknowledge = NonNullable<TableDesign['acknowledge']>;

const PLACE = 'entities.Order.keys.GSI1PK';
const reason = 'few orders are open at a time';

const found = (acknowledge: Acknowledge, design: TableDesign = orders) => shown({ ...design, acknowledge });

/** Returns the findings without their messages. Omits notes unless their cause is `few-values`. */
const shown = (design: Parameters<typeof check>[0]) =>
  check(design, { notes: true })
    .filter(({ severity, cause }) => severity !== 'note' || cause === 'few-values')
    .map((finding) => ({ rule: finding.rule, ...told(finding) }));

/** Returns the finding about an acknowledgement that matches no finding. */
const idle = (path: string) => ({
  rule: 'acknowledgement',
  severity: 'warning',
  path: `acknowledge.${path}`,
  cause: 'idle',
});

describe('an acknowledged finding', () => {
  test('reports a finding that the design does not acknowledge', () => {
    expect(found({})).toMatchObject([{ rule: 'hot-partition', path: PLACE }]);
  });

  test.each([PLACE, 'entities.Order.keys', 'entities.Order', 'entities'])(
    'an acknowledgement at %s matches the finding',
    (place) => {
      expect(found({ 'hot-partition': { [place]: reason } })).toEqual([]);
    },
  );

  test('returns an acknowledged finding with its reason', () => {
    const { acknowledged } = review({ ...orders, acknowledge: { 'hot-partition': { [PLACE]: reason } } });
    expect(acknowledged).toMatchObject([
      { rule: 'hot-partition', cause: 'few-values', severity: 'note', path: PLACE, reason },
    ]);
  });

  test('an acknowledgement of one finding does not cover another finding at the same place', () => {
    const indexes = { ...orders.indexes, byDayToo: { partition: 'day', sort: 'number' } };
    const design = { ...orders, indexes };
    const acknowledge = {
      ...orders.acknowledge,
      'unused-index': { indexes: reason },
      'redundant-index': { indexes: reason },
    };
    expect(found({ ...orders.acknowledge }, design).map(({ rule }) => rule)).toEqual(['redundant-index']);
    expect(found(acknowledge, design)).toEqual([]);
  });

  test('assertSound accepts a table whose error is acknowledged', () => {
    const design: TableDesign = {
      ...carts,
      entities: { ...carts.entities, Basket: carts.entities.Cart },
      acknowledge: { 'key-collision': { 'entities.Basket': 'the older name of a cart' } },
    };
    expect(() => assertSound({ ...design, acknowledge: {} })).toThrow('[key-collision]');
    expect(() => assertSound(design)).not.toThrow();
    expect(() => assertSound({ ...shop, tables: { carts: design } })).not.toThrow();
    expect(review(design).acknowledged).toMatchObject([{ severity: 'error' }]);
  });
});

describe('an acknowledgement without a finding', () => {
  test.each([
    'entities.Order.keys.GSI1SK',
    'entities.Order.keys.GSI1',
    'entities.Order.keys.GSI1PK.more',
    'entities.Ord',
    'Order.keys.GSI1PK',
    '',
  ])('reports an acknowledgement whose place matches no finding: %j', (place) => {
    expect(found({ 'hot-partition': { [place]: reason } })).toMatchObject([
      idle(`hot-partition.${place}`),
      { rule: 'hot-partition', path: PLACE },
    ]);
  });

  test.each(['limits', 'hot-partitions', 'constructor', '__proto__'])(
    'reports an acknowledgement with a rule that did not report the finding: %s',
    (rule) => {
      const acknowledge = Object.fromEntries([[rule, { [PLACE]: reason }]]);
      expect(found(acknowledge)).toMatchObject([idle(`${rule}.${PLACE}`), { rule: 'hot-partition', path: PLACE }]);
    },
  );

  test('reports an acknowledgement at a place without findings', () => {
    expect(found({ limits: { name: reason } }, carts)).toEqual([idle('limits.name')]);
  });

  test('reports an acknowledgement of a finding that an earlier acknowledgement already covers', () => {
    expect(found({ 'hot-partition': { entities: reason, [PLACE]: reason } })).toEqual([idle(`hot-partition.${PLACE}`)]);
  });
});

test.each(['', ' \n'])('rejects %j as the reason for an acknowledgement', (empty) => {
  expect(found({ 'hot-partition': { [PLACE]: empty } })).toEqual([
    { ...idle(`hot-partition.${PLACE}`), cause: 'no-reason' },
  ]);
});

describe('an acknowledgement in a system', () => {
  const system = (acknowledge: Acknowledge) => ({ ...shop, tables: { orders: { ...orders, acknowledge } } });

  test("the acknowledgements of a table match only paths without the table's name", () => {
    expect(shown(system({ 'hot-partition': { [PLACE]: reason } }))).toEqual([]);
    expect(shown(system({ 'hot-partition': { [`tables.orders.${PLACE}`]: reason } }))).toHaveLength(2);
  });

  test('reports an unmatched acknowledgement at its table', () => {
    expect(shown(system({ ...orders.acknowledge, limits: { name: reason } }))).toEqual([
      { ...idle('limits.name'), path: 'tables.orders.acknowledge.limits.name' },
    ]);
  });
});

describe('an acknowledgement for a rule that runs only in some designs', () => {
  const acknowledge = { 'tenant-unscoped': { 'entities.Cart.keys.PK': 'a cart belongs to nobody yet' } };
  const Cart = { ...carts.entities.Cart, attributes: z.object({ cartId: z.string(), tenantId: z.string() }) };
  const unscoped = { ...carts, entities: { Cart } };
  const design = { ...unscoped, acknowledge };

  test('applies an acknowledgement of `tenant-unscoped` in a system, and ignores it in a single table', () => {
    const system = { ...shop, tenant: 'tenantId', tables: { carts: design } };
    expect(check(system)).toEqual([]);
    expect(check(design)).toEqual([]);
    expect(
      check({ ...system, tables: { carts: { ...unscoped, acknowledge: { 'tenant-unscoped': { ttl: reason } } } } }),
    ).toMatchObject([{ rule: 'tenant-unscoped' }, { rule: 'acknowledgement' }]);
  });

  test('applies an acknowledgement of an Azure rule only in a system for Azure', () => {
    const portable = {
      ...orders,
      acknowledge: { ...orders.acknowledge, 'azure-tables': { ttl: 'a job deletes them' } },
    };
    expect(check(portable)).toEqual([]);
    expect(check({ ...shop, tables: { orders: portable } })).toEqual([]);
    const idleOne = { ...carts, acknowledge: { 'azure-tables': { ttl: reason } } };
    expect(check({ ...shop, cloud: 'azure', tables: { carts: idleOne } }).at(-1)).toMatchObject({
      rule: 'acknowledgement',
    });
  });
});
