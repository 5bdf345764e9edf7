import { z } from 'zod';
import { hotPartition } from '../../../../lib/check/rules/hot-partition';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { findings, tableOf } from '../../../fixtures/designs';

const found = (design: TableDesign) => findings(hotPartition, design);

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
  test('of literal text puts all items into one partition', () => {
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
  ])('%s has %i values', (PK, count) => {
    expect(found(things(PK))).toEqual([{ path: 'entities.Thing.keys.PK', cause: 'few-values', count }]);
  });

  test.each([
    'THING#<id>',
    'TENANT#<tenantId>#<status>',
    'STATUS#<status>#<shard>',
    '<more>',
    '<twenty>#<paid>',
    'NOBODY#<nothing>',
  ])('%s has more', (PK) => {
    expect(found(things(PK))).toEqual([]);
  });
});

describe('an index', () => {
  const GSI1 = { partition: 'GSI1PK', sort: 'GSI1SK' };
  const indexed = (keys: EntityDesign['keys'], indexes: TableDesign['indexes'] = { GSI1 }) =>
    tableOf({ attributes, keys: { PK: 'THING#<id>', SK: 'THING', ...keys } }, { indexes });

  test("has few partitions too: the blog's root categories", () => {
    expect(found(indexed({ GSI1PK: 'CATEGORY_ROOT', GSI1SK: '<id>' }))).toEqual([
      { path: 'entities.Thing.keys.GSI1PK', cause: 'one-value', index: 'GSI1', count: 1 },
    ]);
  });

  test('has them also where an item need not be in it', () => {
    expect(found(indexed({ GSI1PK: 'REVIEW#<review>', GSI1SK: '<id>' }))).toMatchObject([
      { cause: 'few-values', index: 'GSI1', count: 2 },
    ]);
  });

  test('is not reported for an entity that lacks its sort key', () => {
    expect(found(indexed({ GSI1PK: 'CATEGORY_ROOT' }))).toEqual([]);
    expect(found(indexed({ GSI1PK: 'CATEGORY_ROOT' }, { GSI1: { partition: 'GSI1PK' } }))).toHaveLength(1);
  });

  test('on an attribute as it is has its place there', () => {
    expect(found(indexed({}, { byStatus: { partition: 'status', sort: 'at' } }))).toEqual([
      { path: 'entities.Thing.attributes.status', cause: 'few-values', index: 'byStatus', count: 3 },
    ]);
  });

  test('on a partition key that was found before is not found again', () => {
    const indexes = { GSI1: { partition: 'GSI1PK', sort: 'at' }, GSI2: { partition: 'GSI1PK', sort: 'tenantId' } };
    expect(found(indexed({ GSI1PK: 'ALL' }, indexes))).toEqual([
      { path: 'entities.Thing.keys.GSI1PK', cause: 'one-value', index: 'GSI1', count: 1 },
    ]);
  });

  test('that several entities share is one finding', () => {
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

describe('an entity of few items', () => {
  test.each([
    ['SETTINGS', 'SETTINGS'],
    ['SETTINGS', 'OF#<status>'],
    ['STATUS#<status>', 'COUNT'],
  ])('is small whatever its partition: %s, %s', (PK, SK) => {
    expect(found(tableOf({ attributes, keys: { PK, SK } }))).toEqual([]);
  });

  test('is one that its whole key says so of', () => {
    expect(found(tableOf({ attributes, keys: { PK: 'SETTINGS', SK: 'OF#<more>' } }))).toHaveLength(1);
    expect(found(tableOf({ attributes, keys: { PK: 'SETTINGS' } }, { key: { partition: 'PK' } }))).toEqual([]);
  });
});

test('it is a warning, since small tables stay small', () => {
  expect(hotPartition).toMatchObject({ id: 'hot-partition', severity: 'warning' });
});

describe('a partition by date', () => {
  test.each(['DATE#<at:date>', '<at:year>-<at:month>', 'YEAR#<at:year>'])('%s takes all writes of its time', (PK) => {
    expect(found(things(PK))).toEqual([{ path: 'entities.Thing.keys.PK', cause: 'by-date' }]);
  });
});
