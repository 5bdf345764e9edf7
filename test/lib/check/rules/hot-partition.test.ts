import { z } from 'zod';
import { check, review } from '../../../../lib/check/check';
import { hotPartition } from '../../../../lib/check/rules/hot-partition';
import { tableUnderCheck } from '../../../../lib/check/table-under-check';
import type { Loads } from '../../../../lib/design/config';
import type { PatternDesign } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { tableOf, told } from '../../../fixtures/designs';

/** Returns the rule's guesses for a design without a load. */
const found = (design: TableDesign) =>
  Array.from(hotPartition.check(tableUnderCheck(design)), (finding) => {
    expect(finding).toMatchObject({ severity: 'note', guess: true });
    const { severity: _, ...rest } = told(finding);
    return rest;
  });

const list = (count: number) => z.enum(Array.from({ length: count }, (_, i) => `V${i}`) as [string, ...string[]]);
const attributes = z.object({
  id: z.string(),
  tenantId: z.string(),
  status: z.enum(['OPEN', 'SENT', 'DONE']),
  level: z.union([z.literal(1), z.literal(2)]),
  paid: z.boolean(),
  at: z.iso.datetime({ precision: 3 }),
  shard: z.int().min(0).max(9),
  twenty: list(20),
  more: list(21),
  data: z.object({ estado: z.enum(['activo', 'inactivo']) }),
  review: z.enum(['YES', 'NO']).optional(),
});
const things = (PK: string, rest: Partial<EntityDesign> = {}) =>
  tableOf({ attributes, keys: { PK, SK: 'THING#<id>' }, ...rest });

describe('a partition key', () => {
  test('reports a partition key of literal text, which puts all items into one partition', () => {
    expect(found(things('USER'))).toEqual([{ path: 'entities.Thing.keys.PK', cause: 'one-value', count: 1 }]);
  });

  test.each([
    ['STATUS#<status>', 3],
    ['LEVEL#<level>', 2],
    ['PAID#<paid>', 2],
    ['<status>#<paid>', 6],
    ['<status>#AGAIN#<status>', 3],
    ['ESTADO#<data.estado>', 2],
    ['MONTH#<at:month>', 12],
    ['<twenty>', 20],
  ])('reports that the partition key %s has only %i values', (PK, count) => {
    expect(found(things(PK))).toEqual([{ path: 'entities.Thing.keys.PK', cause: 'few-values', count }]);
  });

  test.each([
    'THING#<id>',
    'TENANT#<tenantId>#<status>',
    'STATUS#<status>#<shard>',
    '<more>',
    '<twenty>#<paid>',
    'NOBODY#<nothing>',
  ])('accepts the partition key %s, which has many values', (PK) => {
    expect(found(things(PK))).toEqual([]);
  });
});

describe('an index', () => {
  const GSI1 = { partition: 'GSI1PK', sort: 'GSI1SK' };
  const indexed = (keys: EntityDesign['keys'], indexes: TableDesign['indexes'] = { GSI1 }) =>
    tableOf({ attributes, keys: { PK: 'THING#<id>', SK: 'THING', ...keys } }, { indexes });

  test('reports an index with a single partition', () => {
    expect(found(indexed({ GSI1PK: 'CATEGORY_ROOT', GSI1SK: '<id>' }))).toEqual([
      { path: 'entities.Thing.keys.GSI1PK', cause: 'one-value', index: 'GSI1', count: 1 },
    ]);
  });

  test('reports an index with few partitions even if some items are not in the index', () => {
    expect(found(indexed({ GSI1PK: 'REVIEW#<review>', GSI1SK: '<id>' }))).toMatchObject([
      { cause: 'few-values', index: 'GSI1', count: 2 },
    ]);
  });

  test("ignores an entity that lacks the index's sort key", () => {
    expect(found(indexed({ GSI1PK: 'CATEGORY_ROOT' }))).toEqual([]);
    expect(found(indexed({ GSI1PK: 'CATEGORY_ROOT' }, { GSI1: { partition: 'GSI1PK' } }))).toHaveLength(1);
  });

  test('reports a natural index key at its attribute', () => {
    expect(found(indexed({}, { byStatus: { partition: 'status', sort: 'at' } }))).toEqual([
      { path: 'entities.Thing.attributes.status', cause: 'few-values', index: 'byStatus', count: 3 },
    ]);
  });

  test('reports a partition key only once if two indexes share it', () => {
    const indexes = { GSI1: { partition: 'GSI1PK', sort: 'at' }, GSI2: { partition: 'GSI1PK', sort: 'tenantId' } };
    expect(found(indexed({ GSI1PK: 'ALL' }, indexes))).toEqual([
      { path: 'entities.Thing.keys.GSI1PK', cause: 'one-value', index: 'GSI1', count: 1 },
    ]);
  });

  test('reports a partition only once if it contains several entities', () => {
    const design = indexed({ GSI1PK: 'STATUS#<status>', GSI1SK: 'THING#<id>' });
    const shared = (kind: string, GSI1PK: string) => ({
      attributes,
      keys: { PK: `${kind}#<id>`, SK: kind, GSI1PK, GSI1SK: `${kind}#<id>` },
    });
    const entities = {
      ...design.entities,
      Note: shared('NOTE', 'STATUS#<tenantId>'),
      Task: shared('TASK', 'STATUS#<status>'),
    };
    expect(found({ ...design, entities })).toMatchObject([{ path: 'entities.Thing.keys.GSI1PK', entities: ['Task'] }]);
  });
});

describe('an entity with few items', () => {
  test.each([
    ['SETTINGS', 'SETTINGS'],
    ['SETTINGS', 'OF#<status>'],
    ['STATUS#<status>', 'COUNT'],
  ])('accepts any partition key for an entity with few items: %s, %s', (PK, SK) => {
    expect(found(tableOf({ attributes, keys: { PK, SK } }))).toEqual([]);
  });

  test('recognizes an entity with few items only by its whole key', () => {
    expect(found(tableOf({ attributes, keys: { PK: 'SETTINGS', SK: 'OF#<more>' } }))).toHaveLength(1);
    expect(found(tableOf({ attributes, keys: { PK: 'SETTINGS' } }, { key: { partition: 'PK' } }))).toEqual([]);
  });
});

describe('a known load', () => {
  const put: PatternDesign = { op: 'put', entity: 'Thing' };
  const query = (PK: string, rest: object = {}): PatternDesign => ({
    op: 'query',
    where: { PK },
    returns: ['Thing'],
    ...rest,
  });
  const underLoad = (design: TableDesign, patterns: Record<string, PatternDesign>, load: Loads) =>
    check({ ...design, patterns }, { load, notes: true })
      .filter(({ rule }) => rule === 'hot-partition')
      .map(({ severity, cause, path, subject: { count } }) => `${severity} ${cause} ${path} ${count}`);
  const hot = (path: string, shards: number) => [`warning too-much-load ${path} ${shards}`];
  const PK = 'entities.Thing.keys.PK';

  test.each<[string, string, PatternDesign, Loads[string], number]>([
    ['writes to one value', 'ALL', put, { perSecond: 2500, bytes: 500 }, 3],
    ['writes at the peak', 'ALL', put, { perSecond: 1, peak: 1001, bytes: 500 }, 2],
    ['large items', 'ALL', put, { perSecond: 400, bytes: 3000 }, 2],
    ['writes to three values', 'STATUS#<status>', put, { perSecond: 3600, bytes: 500 }, 2],
    ['writes to ten shards in an attribute', 'ALL#<shard>', put, { perSecond: 20_000, bytes: 500 }, 2],
    ['writes to declared shards', 'ALL#<shard(id, 4)>', put, { perSecond: 9000, bytes: 500 }, 3],
    ['all writes of a day', 'DAY#<at:date>', put, { perSecond: 1200, bytes: 500 }, 2],
    ['all writes of an hour', '<at:bucket(1h)>', put, { perSecond: 1200, bytes: 500 }, 2],
    ['reads of one value', 'ALL', query('ALL', { pageSize: 10 }), { perSecond: 5000, items: 10, bytes: 1000 }, 3],
    ['reads of one of three values', 'STATUS#<status>', query('STATUS#OPEN'), { perSecond: 9000, items: 1 }, 2],
  ])('reports a load of %s, which one partition cannot serve', (_, key, pattern, load, shards) => {
    expect(underLoad(things(key), { one: pattern }, { one: load })).toEqual(hot(PK, shards));
  });

  test.each<[string, string, PatternDesign, Loads[string]]>([
    ['few writes', 'ALL', put, { perSecond: 900, bytes: 500 }],
    ['writes to many values', 'TENANT#<tenantId>', put, { perSecond: 90_000 }],
    ['writes spread over three values', 'STATUS#<status>', put, { perSecond: 2900, bytes: 500 }],
    ['reads spread over three values', 'STATUS#<status>', query('STATUS#<status>'), { perSecond: 9000, items: 1 }],
    ['writes to enough shards', 'ALL#<shard(id, 16)>', put, { perSecond: 9000, bytes: 500 }],
  ])('accepts a load of %s, which one partition can serve', (_, key, pattern, load) => {
    expect(underLoad(things(key), { one: pattern }, { one: load })).toEqual([]);
  });

  test('adds up the load of all patterns on one partition, separately for each index', () => {
    const design = tableOf(
      { attributes, keys: { PK: 'THING#<id>', SK: 'THING', GSI1PK: 'ALL', GSI1SK: '<id>' } },
      { indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } } },
    );
    const patterns = { one: put, again: { ...put, replace: true } as PatternDesign };
    const load = { one: { perSecond: 600, bytes: 500 }, again: { perSecond: 600, bytes: 500 } };
    expect(underLoad(design, patterns, load)).toEqual(hot('entities.Thing.keys.GSI1PK', 2));
    expect(underLoad(design, patterns, { one: load.one })).toEqual([]);
  });

  test('counts only those steps of a transaction that write to the partition', () => {
    const design = {
      ...things('ALL'),
      entities: { ...things('ALL').entities, Log: { attributes, keys: { PK: 'LOG#<id>', SK: 'LOG' } } },
    };
    const both: PatternDesign = { op: 'transaction', steps: { one: put, log: { op: 'put', entity: 'Log' } } };
    expect(underLoad(design, { both }, { both: { perSecond: 450, bytes: 500 } })).toEqual([]);
    expect(underLoad(design, { both }, { both: { perSecond: 550, bytes: 500 } })).toEqual(hot(PK, 2));
  });

  test('counts the writes to a single counter item', () => {
    const where = { PK: 'COUNT', SK: 'COUNT' };
    const design = tableOf({ attributes: z.object({ count: z.int() }), keys: where });
    const count: PatternDesign = { op: 'update', entity: 'Thing', where, add: { count: 1 } };
    expect(underLoad(design, { count }, { count: { perSecond: 1500 } })).toEqual(hot(PK, 2));
    expect(underLoad(design, { count }, { count: { perSecond: 15 } })).toEqual([]);
    expect(underLoad(design, { count }, {})).toEqual(['note one-counter patterns.count.add undefined']);
  });

  test('guesses only about partitions whose patterns have no known load', () => {
    const design = {
      ...things('ALL'),
      entities: { ...things('ALL').entities, Log: { attributes, keys: { PK: 'LOGS', SK: 'LOG#<id>' } } },
    };
    expect(underLoad(design, { one: put, log: { op: 'put', entity: 'Log' } }, { one: { perSecond: 1 } })).toEqual([
      'note one-value entities.Log.keys.PK 1',
    ]);
  });

  test('counts the load of a system-wide pattern in each table that the pattern uses', () => {
    const system = {
      name: 'both',
      cloud: 'aws',
      tables: { things: things('ALL') },
      patterns: { both: { op: 'transaction', steps: { one: { ...put, table: 'things' } } } },
    } as const;
    const load = { both: { perSecond: 900, bytes: 500 } };
    expect(check(system as never, { load }).map(({ rule, path }) => [rule, path])).toEqual([
      ['hot-partition', `tables.things.${PK}`],
    ]);
  });

  test('does not report an acknowledgement as unmatched if its finding is absent only because of the load', () => {
    const design = {
      ...things('ALL'),
      patterns: { one: put },
      acknowledge: { 'hot-partition': { entities: 'small' } },
    };
    expect(check(design, { load: { one: { perSecond: 1 } } })).toEqual([]);
    expect(review(design, { load: { one: { perSecond: 9000 } } }).acknowledged).toHaveLength(1);
    expect(check(design)).toEqual([]);
  });

  test('reports the limit of a partition, and proposes a number of shards', () => {
    const [finding] = check(
      { ...things('ALL'), patterns: { one: put } },
      { load: { one: { perSecond: 2500, bytes: 500 } } },
    );
    expect(finding).toMatchObject({
      message:
        "one partition of 'ALL' must serve 2500 write units a second at the peak of 'one', but can serve only 1000 write and 3000 read units, so DynamoDB throttles requests",
      fix: "spread the partition key: PK: 'ALL#<shard(id, 3)>', and query 'ALL#<shard(3)>'",
    });
    const spread = things('ALL#<shard(id, 3)>');
    expect(underLoad(spread, { one: put }, { one: { perSecond: 2500, bytes: 500 } })).toEqual([]);
  });
});

describe('a partition by date', () => {
  test.each(['DATE#<at:date>', '<at:year>-<at:month>', 'YEAR#<at:year>'])(
    'reports the partition key %s, because all writes of a period share one partition',
    (PK) => {
      expect(found(things(PK))).toEqual([{ path: 'entities.Thing.keys.PK', cause: 'by-date' }]);
    },
  );
});
