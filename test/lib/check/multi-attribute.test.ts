import { z } from 'zod';
import { filteredRead } from '../../../lib/check/rules/filtered-read';
import { hotPartition } from '../../../lib/check/rules/hot-partition';
import { limits } from '../../../lib/check/rules/limits';
import { orderUnserved } from '../../../lib/check/rules/order-unserved';
import { patternPollution } from '../../../lib/check/rules/pattern-pollution';
import { patternUnserved } from '../../../lib/check/rules/pattern-unserved';
import { redundantIndex } from '../../../lib/check/rules/redundant-index';
import { tenantLeak } from '../../../lib/check/rules/tenant-leak';
import { tenantUnscoped } from '../../../lib/check/rules/tenant-unscoped';
import type { QueryPattern } from '../../../lib/design/pattern';
import type { SystemDesign } from '../../../lib/design/system';
import type { IndexDesign, TableDesign } from '../../../lib/design/table';
import { findings, tableOf } from '../../fixtures/designs';
import { sales, salesSystem } from '../../fixtures/sound/sales';

/* These tests cover the findings that only multi-attribute index keys can cause. */

const attributes = z.object({
  id: z.string(),
  tenant: z.string(),
  region: z.enum(['north', 'south']),
  status: z.enum(['open', 'paid', 'sent']),
  day: z.iso.date(),
  at: z.iso.datetime({ precision: 3 }),
  amount: z.number(),
});

const things = (indexes: Record<string, IndexDesign>, query: Partial<QueryPattern> = {}): TableDesign =>
  tableOf(
    { attributes },
    {
      key: { partition: 'id' },
      indexes,
      patterns: {
        asked: { op: 'query', index: Object.keys(indexes)[0] as string, where: {}, returns: ['Thing'], ...query },
      },
    },
  );

describe('limits', () => {
  const found = (index: IndexDesign) =>
    findings(limits, things({ one: index })).map(({ path, cause }) => [path, cause]);
  const five = ['tenant', 'region', 'status', 'day', 'at'];

  test('accepts four attributes in a key, and rejects five', () => {
    expect(found({ partition: five.slice(0, 4), sort: ['at', 'amount', 'id'] })).toEqual([]);
    expect(found({ partition: five })).toEqual([['indexes.one.partition', 'too-many-attributes']]);
    expect(found({ partition: 'id', sort: five })).toEqual([['indexes.one.sort', 'too-many-attributes']]);
  });

  test('rejects a key that contains the same attribute twice', () => {
    expect(found({ partition: ['tenant', 'region', 'tenant'] })).toEqual([['indexes.one.partition', 'one-attribute']]);
    expect(found({ partition: 'tenant', sort: ['day', 'tenant'] })).toEqual([['indexes.one.sort', 'one-attribute']]);
  });
});

describe('the order of a query', () => {
  const index = { byRegion: { partition: ['tenant', 'region'], sort: ['status', 'at', 'amount'] } };
  const place = { tenant: '<tenant>', region: '<region>' };
  const found = (where: QueryPattern['where'], orderBy: string) =>
    findings(orderUnserved, things(index, { where: { ...place, ...where }, orderBy })).map(({ cause, part }) => [
      cause,
      part,
    ]);

  test('orders a query by the first sort key attribute that has no fixed value', () => {
    expect(found({}, 'status')).toEqual([]);
    expect(found({}, 'at')).toEqual([['by-another', 'status']]);
    expect(found({ status: 'open' }, 'at')).toEqual([]);
    expect(found({ status: 'open', at: '<at>' }, 'amount')).toEqual([]);
    expect(found({ status: 'open' }, 'amount')).toEqual([['by-another', 'at']]);
  });

  test('orders a query by the attribute that has a range, even if the range is a prefix of a time', () => {
    expect(found({ status: 'open', at: { beginsWith: '<day>' } }, 'at')).toEqual([]);
  });
});

describe('hot partitions', () => {
  const found = (partition: readonly string[]) =>
    findings(hotPartition, things({ one: { partition } })).map(({ cause, count }) => [cause, count]);

  test('multiplies the value counts of all partition key attributes to get the number of partitions', () => {
    expect(found(['region'])).toEqual([['few-values', 2]]);
    expect(found(['region', 'status'])).toEqual([['few-values', 6]]);
    expect(found(['region', 'tenant'])).toEqual([]);
  });

  test('reports a partition by date only if the key contains nothing else', () => {
    expect(found(['day'])).toEqual([['by-date', undefined]]);
    expect(found(['day', 'tenant'])).toEqual([]);
  });
});

describe('an index', () => {
  const found = (first: IndexDesign, second: IndexDesign) =>
    findings(redundantIndex, things({ first, second })).map(({ path }) => path);
  const byRegion = { partition: ['tenant', 'region'], sort: ['status', 'at'] };

  test("reports an index as redundant if its sort key is a prefix of another index's sort key", () => {
    expect(found(byRegion, byRegion)).toEqual(['indexes.second']);
    expect(found(byRegion, { ...byRegion, sort: 'status' })).toEqual(['indexes.second']);
  });

  test('accepts two indexes with different partition keys or sort orders', () => {
    expect(found(byRegion, { partition: 'tenant', sort: ['region', 'status', 'at'] })).toEqual([]);
    expect(found(byRegion, { ...byRegion, sort: ['at', 'status'] })).toEqual([]);
    expect(found({ ...byRegion, sort: 'status' }, byRegion)).toEqual([]);
  });
});

describe('the items that a pattern finds', () => {
  const withRefund = (status: string, where: QueryPattern['where']): TableDesign => ({
    ...sales,
    entities: {
      ...sales.entities,
      Refund: {
        attributes: z.object({
          ...{ tenantId: z.string(), refundId: z.string(), region: z.string(), status: z.literal(status) },
          ...{ createdAt: z.iso.datetime({ precision: 3 }), amount: z.number() },
        }),
        keys: { PK: 'TENANT#<tenantId>', SK: 'REFUND#<refundId>' },
      },
    },
    patterns: { asked: { op: 'query', index: 'byRegion', where, returns: ['Order'] } },
  });
  const place = { tenantId: '<tenantId>', region: '<region>' };

  test('finds items of every entity that has all key attributes', () => {
    const polluted = (where: QueryPattern['where']) => findings(patternPollution, withRefund('paid', where));
    expect(polluted(place)).toMatchObject([{ cause: 'whole-partition', entities: ['Refund'] }]);
    expect(polluted({ ...place, status: '<status>' })).toMatchObject([{ entities: ['Refund'] }]);
    expect(polluted({ ...place, status: 'open' })).toEqual([]);
  });

  test('reports a pattern that finds no items because an attribute never has the given value', () => {
    const asked = { ...place, status: 'lost' };
    expect(findings(patternUnserved, withRefund('paid', asked))).toMatchObject([
      { path: 'patterns.asked.where.status', cause: 'other-sort' },
    ]);
  });

  test('proposes a key condition instead of a filter by an attribute of a multi-attribute key', () => {
    const index = { byRegion: { partition: ['tenant', 'region'], sort: ['status', 'at'] } };
    const where = { tenant: '<tenant>', region: '<region>' };
    const found = findings(filteredRead, things(index, { where, filter: { status: 'open' } }));
    expect(found).toMatchObject([{ path: 'patterns.asked.filter.status', cause: 'key' }]);
  });
});

describe('the tenant', () => {
  const unscoped = (where: QueryPattern['where']) => {
    const patterns = { asked: { op: 'query', index: 'byRegion', where, returns: ['Order'] } };
    const tables = { sales: { ...sales, patterns } as TableDesign };
    const system: SystemDesign = { ...salesSystem, tables };
    return findings(tenantUnscoped, tables.sales, system);
  };

  test('accepts the tenant in any attribute of the partition key', () => {
    expect(unscoped({ tenantId: '<tenantId>', region: '<region>' })).toEqual([]);
    expect(unscoped({ region: '<region>', tenantId: '<who>' })).toEqual([]);
  });

  test('reports no leak in a sound system with multi-attribute keys', () => {
    expect(findings(tenantLeak, sales, salesSystem)).toEqual([]);
  });
});
