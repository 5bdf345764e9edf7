import { findings, key, soundTable } from '../app';

const index = (IndexName: string, Projection: object = { ProjectionType: 'ALL' }) => ({
  IndexName,
  KeySchema: key('SK'),
  Projection,
});
const indexes = (count: number, projection?: object) =>
  Array.from({ length: count }, (_, i) => index(`GSI${i}`, projection));
const include = (...NonKeyAttributes: string[]) => ({ ProjectionType: 'INCLUDE', NonKeyAttributes });
const names = (count: number) => Array.from({ length: count }, (_, i) => `attribute${i}`);
const projecting = (projection: object) =>
  findings(soundTable({ GlobalSecondaryIndexes: [index('GSI1', projection)] }));

describe('index-limits', () => {
  test('accepts a table with twenty indexes', () => {
    expect(findings(soundTable({ GlobalSecondaryIndexes: indexes(20) }))).toEqual([]);
  });

  test('reports a table with 21 indexes, or with two indexes that have the same name', () => {
    expect(findings(soundTable({ GlobalSecondaryIndexes: indexes(21) }))).toEqual([
      'index-limits Stack/Table Properties.GlobalSecondaryIndexes: 21 GlobalSecondaryIndexes, but a table has at most 20',
    ]);
    expect(findings(soundTable({ GlobalSecondaryIndexes: [index('GSI1'), index('GSI1')] }))).toEqual([
      "index-limits Stack/Table Properties.GlobalSecondaryIndexes.1.IndexName: two indexes are named 'GSI1'",
    ]);
  });

  test('reports a table with more than five local indexes', () => {
    const found = findings(soundTable({ LocalSecondaryIndexes: indexes(6) }));
    expect(found[0]).toBe(
      'index-limits Stack/Table Properties.LocalSecondaryIndexes: 6 LocalSecondaryIndexes, but a table has at most 5',
    );
  });
});

describe('projection', () => {
  const at = 'projection Stack/Table Properties.GlobalSecondaryIndexes.0.Projection:';

  test.each([[{ ProjectionType: 'ALL' }], [{ ProjectionType: 'KEYS_ONLY' }], [include(...names(20))]])(
    'compliant: %j',
    (projection) => {
      expect(projecting(projection)).toEqual([]);
    },
  );

  test.each([
    [include(), '0 projected attributes, but an index must project 1 to 20'],
    [include(...names(21)), '21 projected attributes, but an index must project 1 to 20'],
    [{ ...include('a'), ProjectionType: 'ALL' }, 'NonKeyAttributes is set, but the projection type is ALL'],
    [include('data.nombre'), "'data.nombre' is a path, but an index can project only whole attributes"],
    [include('PK'), "'PK' is a key, which is always projected"],
    [include('SK', 'a'), "'SK' is a key, which is always projected"],
  ])('reports the projection %j', (projection, message) => {
    expect(projecting(projection)).toEqual([`${at} ${message}`]);
  });

  test('reports a table whose indexes together project more than 100 attributes', () => {
    const some = (count: number) =>
      findings(soundTable({ GlobalSecondaryIndexes: indexes(count, include(...names(20))) }));
    expect(some(5)).toEqual([]);
    expect(some(6)).toEqual([
      'projection Stack/Table Properties: 120 projected attributes across all indexes, but at most 100 are allowed',
    ]);
  });
});
