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
  test('compliant: twenty indexes', () => {
    expect(findings(soundTable({ GlobalSecondaryIndexes: indexes(20) }))).toEqual([]);
  });

  test('non-compliant: 21 indexes, or two with the same name', () => {
    expect(findings(soundTable({ GlobalSecondaryIndexes: indexes(21) }))).toEqual([
      'index-limits Stack/Table Properties.GlobalSecondaryIndexes: 21 indexes, but a table has at most 20 of this kind',
    ]);
    expect(findings(soundTable({ GlobalSecondaryIndexes: [index('GSI1'), index('GSI1')] }))).toEqual([
      "index-limits Stack/Table Properties.GlobalSecondaryIndexes.1.IndexName: two indexes are named 'GSI1'",
    ]);
  });

  test('non-compliant: more than five local indexes', () => {
    const found = findings(soundTable({ LocalSecondaryIndexes: indexes(6) }));
    expect(found[0]).toBe(
      'index-limits Stack/Table Properties.LocalSecondaryIndexes: 6 indexes, but a table has at most 5 of this kind',
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
    [include(), '0 projected attributes, but an index names 1 to 20'],
    [include(...names(21)), '21 projected attributes, but an index names 1 to 20'],
    [{ ...include('a'), ProjectionType: 'ALL' }, 'attributes are named, but ALL projects others'],
    [include('data.nombre'), "'data.nombre' is taken as the name of an attribute: only whole attributes are projected"],
    [include('PK'), "'PK' is a key, which is always projected"],
    [include('SK', 'a'), "'SK' is a key, which is always projected"],
  ])('non-compliant: %j', (projection, message) => {
    expect(projecting(projection)).toEqual([`${at} ${message}`]);
  });

  test('non-compliant: more than a hundred attributes over all indexes', () => {
    const some = (count: number) =>
      findings(soundTable({ GlobalSecondaryIndexes: indexes(count, include(...names(20))) }));
    expect(some(5)).toEqual([]);
    expect(some(6)).toEqual([
      'projection Stack/Table Properties: 120 projected attributes over all indexes, but at most 100 are allowed',
    ]);
  });
});
