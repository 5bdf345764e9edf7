import { z } from 'zod';
import { client as azureClient } from '../../../lib/azure-tables';
import { check } from '../../../lib/check';
import type { ScanPattern } from '../../../lib/design/pattern';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { client, reads, requests, scans } from '../../../lib/dynamodb';
import { GrantError, grantOf } from '../../../lib/permissions/grant';
import { callOf, things } from '../azure-tables/designs';

const notes = defineTable({
  name: 'notes',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { byTag: { partition: 'tag', sort: 'SK', projection: 'keys' } },
  entities: {
    Note: {
      attributes: z.object({
        tenantId: z.string(),
        id: z.string(),
        text: z.string().optional(),
        tag: z.string().optional(),
      }),
      keys: { PK: 'TENANT#<tenantId>', SK: 'NOTE#<id>' },
    },
    Rule: { attributes: z.object({ tenantId: z.string() }), keys: { PK: 'TENANT#<tenantId>', SK: 'RULE' } },
  },
  patterns: {
    all: { op: 'scan', returns: ['Note', 'Rule'] },
    tagged: { op: 'scan', index: 'byTag', returns: ['Note'], pageSize: 50 },
    about: { op: 'scan', filter: { text: { contains: '<word>' }, id: '<id?>' }, returns: ['Note'], consistent: true },
    ofTenant: { op: 'query', where: { PK: 'TENANT#<tenantId>' }, returns: ['Note', 'Rule'] },
  },
});
const patterns = requests(notes, 'notes', { scans });

describe('scan requests', () => {
  test('builds a scan request with only the fields that the pattern defines', () => {
    expect(patterns.all({})).toEqual({ TableName: 'notes' });
    expect(Object.keys(reads(notes, 'notes'))).toEqual(['ofTenant']);
    expect(patterns.tagged({})).toEqual({ TableName: 'notes', IndexName: 'byTag', Limit: 50 });
    expect(patterns.about({ word: 'tea' })).toEqual({
      ...{ TableName: 'notes', ConsistentRead: true },
      FilterExpression: 'contains(#0, :0)',
      ExpressionAttributeNames: { '#0': 'text' },
      ExpressionAttributeValues: { ':0': 'tea' },
    });
    expect(patterns.all.command).toBe('Scan');
  });

  test('adds the segment, the limit and the cursor that the call passes to a scan', () => {
    const last = { PK: 'TENANT#1', SK: 'NOTE#1', tag: 'red' };
    const { cursor } = patterns.tagged.read({ Items: [], LastEvaluatedKey: last });
    const options = { segment: 0, segments: 1, limit: 2, cursor };
    expect(patterns.tagged({}, options)).toEqual({
      ...{ TableName: 'notes', IndexName: 'byTag', Limit: 2, Segment: 0, TotalSegments: 1 },
      ExclusiveStartKey: last,
    });
  });

  test.each([
    { segment: 0 },
    { segments: 2 },
    { segment: 2, segments: 2 },
    { segment: -1, segments: 2 },
    { segment: 0.5, segments: 2 },
    { segment: 0, segments: 1_000_001 },
  ])('refuses the segment %j', (options) => {
    expect(() => patterns.all({}, options)).toThrow(
      /^notes: all: segments must be a whole number from 1 to 1000000, and segment from 0/,
    );
  });

  test('refuses an order for a scan, and a consistent scan of an index', () => {
    expect(() => patterns.all({}, { order: 'ascending' } as object)).toThrow(
      "all: a scan has no order; leave 'order' out",
    );
    expect(() => patterns.tagged({}, { consistent: true })).toThrow('the index has no consistent reads');
  });

  test('the compiler checks the types of filter values, and accepts segments only for scans', () => {
    // @ts-expect-error the parameter `word` is a string
    patterns.about({ word: 1 });
    // @ts-expect-error a query has no segments
    patterns.ofTenant({ tenantId: '1' }, { segment: 0, segments: 1 });
    // @ts-expect-error a scan has no order
    expect(() => patterns.all({}, { order: 'descending' })).toThrow();
  });
});

describe('a grant', () => {
  const actions = (...names: string[]) => grantOf({ of: notes, names }).flatMap(({ statements }) => statements);

  test('allows dynamodb:Scan only for a scan, on its table or index', () => {
    expect(actions('all')).toEqual([{ actions: ['dynamodb:Scan'] }]);
    expect(actions('tagged')).toEqual([{ actions: ['dynamodb:Scan'], index: 'byTag' }]);
    expect(actions('ofTenant')).toEqual([{ actions: ['dynamodb:Query'], leadingKeys: ['TENANT#*'] }]);
    expect(actions('ofTenant', 'all')).toEqual([
      { actions: ['dynamodb:Query'], leadingKeys: ['TENANT#*'] },
      { actions: ['dynamodb:Scan'] },
    ]);
  });

  test('refuses a per-tenant grant for a scan', () => {
    const tenant = { variable: 'aws:PrincipalTag/tenantId' };
    const grant = () => grantOf({ of: notes, names: ['all'], tenant });
    expect(grant).toThrow(GrantError);
    expect(grant).toThrow('all: a scan reads the items of all tenants, so no policy can limit it to one tenant');
  });
});

describe('the check', () => {
  const found = (scan: Partial<ScanPattern> & object, more: Partial<TableDesign> = {}) => {
    const ofScan = { op: 'scan', returns: ['Note', 'Rule'], ...scan } as ScanPattern;
    const { all: _, tagged: __, ...rest } = notes.patterns;
    const design: TableDesign = { ...notes, indexes: {}, patterns: { ofTenant: rest.ofTenant, scan: ofScan }, ...more };
    return check(design).map(({ rule, cause, path, severity }) => [rule, cause, path, severity].join(' '));
  };
  const questioned = 'whole-scan table patterns.scan.op warning';
  const { indexes } = notes;

  test('reports a scan until the design acknowledges it', () => {
    expect(found({})).toEqual([questioned]);
    expect(found({}, { acknowledge: { 'whole-scan': { 'patterns.scan.op': 'the nightly export' } } })).toEqual([]);
    // The sparse index contains only notes with a tag, so reading all of it is fine.
    expect(found({ index: 'byTag', returns: ['Note'] }, { indexes })).toEqual([]);
  });

  test('reports invalid fields of a scan', () => {
    expect(found({ index: 'byTap' })).toEqual(['unknown-name index patterns.scan.index error']);
    expect(found({ filter: { txt: 'x' } })).toContain('unknown-name attribute patterns.scan.filter.txt error');
    expect(found({ pageSize: 0 })).toContain('refused-request page-size patterns.scan.pageSize error');
    expect(found({ index: 'byTag', returns: ['Note'], consistent: true }, { indexes })).toContain(
      'refused-request consistent-index patterns.scan.consistent error',
    );
    expect(found({ index: 'byTag', returns: ['Rule'] }, { indexes }).join()).toContain('pattern-unserved not-in-index');
    expect(found({ index: 'byTag', returns: ['Note'], filter: { text: 'x' } }, { indexes }).join()).toContain(
      'unprojected',
    );
    expect(found({ where: { PK: 'x' } } as object)).toEqual(['malformed unknown-field patterns.scan.where error']);
  });
});

describe('on Azure Tables', () => {
  const scan: ScanPattern = { op: 'scan', returns: ['Thing'], filter: { text: '<text?>' }, pageSize: 10 };
  const options = { disableTypeConversion: true };

  test('scans all partitions', () => {
    expect(callOf(scan, {})).toEqual({
      ...{ method: 'listEntities', args: [{ queryOptions: {}, ...options }] },
      page: { maxPageSize: 10 },
    });
    expect(callOf(scan, { text: 'x' }, { limit: 3 })).toEqual({
      ...{ method: 'listEntities', args: [{ queryOptions: { filter: "text eq 'x'" }, ...options }] },
      page: { maxPageSize: 3 },
    });
  });

  test('refuses segments, unitsPerSecond, an index and a page size of more than 1,000', () => {
    expect(() => callOf(scan, {}, { unitsPerSecond: 25 } as object)).toThrow('Azure Tables has no capacity units');
    expect(() => callOf(scan, {}, { segment: 0, segments: 2 })).toThrow(
      /not in segments; leave out 'segment' and 'segments'/,
    );
    expect(() => callOf({ ...scan, index: 'byText' }, {})).toThrow('Azure Tables has no indexes');
    expect(() => callOf({ ...scan, pageSize: 1001 }, {})).toThrow('1 to 1000 entities');
  });

  test('continues a scan only with a cursor from the same pattern', async () => {
    const continuationToken = btoa(JSON.stringify({ nextPartitionKey: 'SHELF_b', nextRowKey: 'NOTE' }));
    const design = defineTable({ ...things, patterns: { all: { op: 'scan', returns: ['Thing', 'Note'] } } });
    const pages: unknown[] = [];
    const db = azureClient(design, 'Things', async (_, call) => {
      pages.push((call as { page: unknown }).page);
      return pages.length === 1 ? { entities: [], continuationToken } : { entities: [] };
    });
    expect(await db.all.count({})).toBe(0);
    expect(pages).toEqual([{ maxPageSize: 1000 }, { maxPageSize: 1000, continuationToken }]);
  });
});

describe('a limit on units per second', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /**
   * A fake table with the given number of pages. Reading a page consumes 50 units. The table records the input
   * of each request, and its time in seconds, rounded to tenths.
   */
  function pagesOf(count: number) {
    const start = Date.now();
    const sent: { readonly at: number; readonly input: Record<string, unknown> }[] = [];
    const db = client(notes, 'notes', async (_, input) => {
      sent.push({ at: Math.round((Date.now() - start) / 100) / 10, input });
      const last = sent.length < count ? { LastEvaluatedKey: { PK: `TENANT#${sent.length}`, SK: 'RULE' } } : {};
      return { Items: [], ConsumedCapacity: { CapacityUnits: 50 }, ...last };
    });
    return { db, times: () => sent.map(({ at }) => at), sent };
  }

  const ended = async <T>(work: Promise<T>): Promise<T> => {
    await jest.advanceTimersByTimeAsync(60_000);
    return work;
  };

  test('delays the next page in proportion to the capacity that earlier pages consumed', async () => {
    const { db, times, sent } = pagesOf(5);
    expect(await ended(db.all.count({}, { unitsPerSecond: 25 }))).toBe(0);
    // The call may use 25 units at once, and 25 more every second. A page takes 50 units, so the second page waits one
    // second, and each later page waits two.
    expect(times()).toEqual([0, 1, 3, 5, 7]);
    expect(sent[0]?.input).toMatchObject({ ReturnConsumedCapacity: 'TOTAL' });
  });

  test('divides unitsPerSecond among the segments', async () => {
    const { db, times } = pagesOf(3);
    await ended(db.all.count({}, { unitsPerSecond: 50, segment: 0, segments: 2 }));
    expect(times()).toEqual([0, 1, 3]);
  });

  test('does not slow down a scan unless the call sets unitsPerSecond', async () => {
    const { db, times, sent } = pagesOf(5);
    await ended(db.all.count({}));
    expect(times()).toEqual([0, 0, 0, 0, 0]);
    expect(sent[0]?.input).not.toHaveProperty('ReturnConsumedCapacity');
  });

  test.each([0, -1, Number.NaN, '25' as never])(
    'refuses %p for unitsPerSecond, which must be greater than 0',
    async (unitsPerSecond) => {
      const { db, sent } = pagesOf(1);
      await expect(db.all.count({}, { unitsPerSecond })).rejects.toThrow(
        'all: unitsPerSecond must be a number greater than 0, such as 25, got: ',
      );
      expect(sent).toEqual([]);
    },
  );

  test('refuses unitsPerSecond for a single page', async () => {
    const { db, sent } = pagesOf(1);
    await expect(db.all({}, { unitsPerSecond: 25 })).rejects.toThrow(
      'all: a single page cannot be paced; pass unitsPerSecond to all.all(…) or all.pages(…)',
    );
    expect(sent).toEqual([]);
  });
});
