import { z } from 'zod';
import { check } from '../../../../lib/check';
import { localIndex } from '../../../../lib/check/rules/local-index';
import type { IndexDesign, TableDesign } from '../../../../lib/design/table';
import { findings, tableOf } from '../../../fixtures/designs';

const attributes = z.object({ shop: z.string(), id: z.string(), total: z.number(), city: z.string() });
const local = { local: true, partition: 'PK', sort: 'total' } as const;

function orders(indexes: TableDesign['indexes'], rest: Partial<TableDesign> = {}): TableDesign {
  return tableOf({ attributes, keys: { PK: 'SHOP#<shop>', SK: 'ORDER#<id>' } }, { indexes, ...rest });
}

const causes = (...args: Parameters<typeof orders>) => findings(localIndex, orders(...args)).map(({ cause }) => cause);
const NOTE = 'collection-size';

test('notes that a local index limits each partition to 10 GB', () => {
  expect(causes({ byTotal: local })).toEqual([NOTE]);
  expect(findings(localIndex, orders({ byTotal: local }))).toEqual([
    { path: 'indexes', cause: NOTE, severity: 'note', count: 1 },
  ]);
});

test('returns no findings for global indexes', () => {
  expect(causes({ byTotal: { partition: 'PK', sort: 'total' }, byCity: { partition: 'city', local: false } })).toEqual(
    [],
  );
});

test("rejects a local index whose partition key differs from the table's partition key, and proposes the latter", () => {
  const found = findings(localIndex, orders({ byCity: { ...local, partition: 'city' } }));
  expect(found[0]).toEqual({
    path: 'indexes.byCity.partition',
    cause: 'other-partition',
    attribute: 'city',
    proposed: 'PK',
  });
});

test('reports a multi-attribute key in a local index, and reports nothing else about that index', () => {
  expect(causes({ byTotal: { ...local, sort: ['total', 'city'] } })).toEqual(['several-attributes']);
  const found = findings(localIndex, orders({ byCity: { ...local, partition: ['PK', 'city'] } }));
  expect(found).toEqual([{ path: 'indexes.byCity.partition', cause: 'several-attributes' }]);
  expect(causes({ byTotal: { local: true, partition: ['PK'], sort: ['total'] } })).toEqual([NOTE]);
});

test('rejects a local index without a sort key, and a local index in a table without a sort key', () => {
  expect(causes({ bare: { local: true, partition: 'PK' } })).toEqual(['no-sort']);
  expect(causes({ byTotal: local }, { key: { partition: 'PK' } })).toEqual(['no-sort']);
});

test('rejects more than five local indexes, and does not count global indexes', () => {
  const many = (count: number, one: IndexDesign) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${one.local ? 'local' : 'global'}${i}`, one]));
  expect(causes(many(5, local))).toEqual([NOTE]);
  expect(causes(many(6, local))).toEqual(['too-many']);
  const limits = (indexes: TableDesign['indexes']) =>
    check(orders(indexes)).filter(({ rule, cause }) => rule === 'limits' && cause === 'too-many-indexes');
  expect(limits({ ...many(20, { partition: 'city' }), ...many(5, local) })).toEqual([]);
  expect(limits(many(21, { partition: 'city' }))).toHaveLength(1);
});
