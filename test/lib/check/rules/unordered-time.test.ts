import { z } from 'zod';
import { unorderedTime } from '../../../../lib/check/rules/unordered-time';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings, orders, tableOf } from '../../../fixtures/designs';

const found = (design: TableDesign) => findings(unorderedTime, design);
const timed = (at: z.ZodType, keys: Record<string, string> = {}, rest: Partial<TableDesign> = {}) =>
  tableOf(
    {
      attributes: z.object({ id: z.string(), at, data: z.object({ at: z.iso.datetime({ offset: true }) }) }),
      keys: { PK: 'THING#<id>', SK: 'AT#<at>#<id>', ...keys },
    },
    rest,
  );

describe('a time in a sort key', () => {
  test.each([
    ['with an offset', z.iso.datetime({ offset: true, precision: 3 })],
    ['without a time zone', z.iso.datetime({ local: true, precision: 3 })],
    ['as a format check on a string', z.string().datetime({ offset: true })],
    ['that is optional', z.iso.datetime({ offset: true }).optional()],
  ])('reports a time in a sort key if its lexicographic order is not chronological: %s', (_, at) => {
    expect(found(timed(at))).toEqual([{ path: 'entities.Thing.keys.SK', cause: 'any-zone', part: 'at' }]);
  });

  test('reports a time inside a map, and names its path', () => {
    expect(found(timed(z.string(), { SK: '<data.at>' }))).toEqual([
      { path: 'entities.Thing.keys.SK', cause: 'any-zone', part: 'data.at' },
    ]);
  });

  test('reports a time in the sort key of an index', () => {
    const at = z.iso.datetime({ offset: true });
    const design = timed(at, { SK: 'X', GSI1SK: '<at>' }, { indexes: { GSI1: { partition: 'id', sort: 'GSI1SK' } } });
    expect(found(design).map(({ path }) => path)).toEqual(['entities.Thing.keys.GSI1SK']);
  });

  test('reports an unordered time in a natural key at the path of the attribute', () => {
    const at = z.iso.datetime({ offset: true });
    expect(found(timed(at, { SK: 'X' }, { indexes: { byTime: { partition: 'id', sort: 'at' } } }))).toEqual([
      { path: 'entities.Thing.attributes.at', cause: 'any-zone', part: 'at' },
    ]);
  });

  test('checks the time of each entity separately', () => {
    const design = timed(z.iso.datetime());
    const Late = {
      attributes: z.object({ id: z.string(), at: z.iso.datetime({ local: true }) }),
      keys: { PK: 'LATE#<id>', SK: '<at>' },
    };
    expect(found({ ...design, entities: { ...design.entities, Late } }).map(({ path }) => path)).toEqual([
      'entities.Late.keys.SK',
    ]);
  });
});

describe('times whose lexicographic order is chronological', () => {
  test.each([
    ['in UTC', z.iso.datetime({ precision: 3 })],
    ['as a date', z.iso.date()],
    ['as a time of day', z.iso.time()],
    ['as a string without a format', z.string()],
  ])('accepts a time whose lexicographic order is chronological: %s', (_, at) => {
    expect(found(timed(at))).toEqual([]);
  });

  test.each(['<at:date>#<id>', '<at:year>', '<at:month>'])(
    'accepts a sort key that contains only part of a time, such as its date, because that part has no time zone: %s',
    (SK) => {
      expect(found(timed(z.iso.datetime({ offset: true }), { SK }))).toEqual([]);
    },
  );

  test('accepts a time in any format in a partition key', () => {
    expect(found(timed(z.iso.datetime({ offset: true }), { PK: 'AT#<at>', SK: 'X' }))).toEqual([]);
  });

  test('accepts a time in any format outside keys', () => {
    expect(found(timed(z.iso.datetime({ offset: true }), { SK: 'X' }))).toEqual([]);
    expect(found(timed(z.iso.datetime({ offset: true }), { SK: '<nothing>' }))).toEqual([]);
  });
});

test.each([orders, ...Object.values(systems).flatMap(({ tables }) => Object.values(tables))] as TableDesign[])(
  'returns no findings for the times in $name',
  (design) => {
    expect(found(design)).toEqual([]);
  },
);

test('reports only a warning, because all values may use the same time zone', () => {
  expect(unorderedTime).toMatchObject({ id: 'unordered-time', severity: 'warning' });
});
