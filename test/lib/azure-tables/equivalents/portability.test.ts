import { z } from 'zod';
import { portability, sentenceOf } from '../../../../lib/azure-tables/equivalents/portability';
import type { SystemDesign } from '../../../../lib/design/system';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';

const attributes = z.object({ id: z.string(), n: z.int(), at: z.string() });
const things = (rest: Partial<TableDesign> = {}): TableDesign => ({
  name: 'things',
  key: { partition: 'id' },
  entities: { Thing: { attributes } },
  ...rest,
});
const linesOf = (design: TableDesign) => portability({ name: 's', cloud: 'aws', tables: { things: design } }).lines;
const pathsOf = (rest: Partial<TableDesign>) => linesOf(things(rest)).flatMap(({ paths }) => paths);

test('reports for every design that Azure has no point-in-time recovery and allows only shorter keys', () => {
  expect(linesOf(things()).map(sentenceOf)).toEqual([
    'tables: Azure Tables has no point-in-time recovery and no backups',
    "tables: a key has at most 512 characters, and the key of an index row also contains the table's key; DynamoDB allows 2048 and 1024 bytes",
  ]);
});

test('reports no differences for a system that was designed for Azure', () => {
  const Rows = things({ name: 'Rows', key: { partition: 'PartitionKey', sort: 'RowKey' } });
  expect(portability({ name: 's', cloud: 'azure', tables: { Rows } })).toMatchObject({ lines: [] });
});

test('reports each cause on one line, which lists its places in the design', () => {
  const design: Partial<TableDesign> = {
    ttl: 'n',
    indexes: { byAt: { partition: 'at' }, byN: { partition: 'n' } },
    patterns: {
      latest: { op: 'query', index: 'byAt', where: { at: '<at>' }, order: 'descending', returns: ['Thing'] },
      count: { op: 'update', entity: 'Thing', where: { id: '<id>' }, add: { n: '<more>' } },
      both: { op: 'transaction', steps: { one: { op: 'put', entity: 'Thing' }, two: { op: 'put', entity: 'Thing' } } },
      some: { op: 'batchGet', keys: { one: { id: '<id>' } }, returns: ['Thing'] },
      make: { op: 'put', entity: 'Thing' },
    },
  };
  expect(pathsOf(design).slice(2)).toEqual([
    'tables.things.indexes.byAt',
    'tables.things.indexes.byN',
    'tables.things.patterns.latest',
    'tables.things.patterns.both',
    'tables.things.patterns.count',
    'tables.things.patterns.some',
    'tables.things.ttl',
  ]);
  expect(linesOf(things(design)).map(sentenceOf)).toContain(
    'tables.things.indexes.byAt and 1 more: the client writes the index rows, with one request for each new row and two for each changed row',
  );
});

test('reports a consistent read of a mirror, but not of the table', () => {
  const query = { op: 'query', where: { id: '<id>' }, consistent: true, returns: ['Thing'] } as const;
  const sorted = {
    key: { partition: 'id', sort: 'at' },
    patterns: { up: query, down: { ...query, order: 'descending' as const } },
  };
  const [line] = linesOf(things(sorted)).filter(({ message }) => message.includes('consistent read'));
  expect(line?.paths).toEqual(['tables.things.patterns.down']);
});

test('reports at most a dozen lines per bundled system, with paths that exist in the design', () => {
  for (const system of Object.values(systems) as SystemDesign[]) {
    const { lines } = portability(system);
    expect(lines.length).toBeLessThan(13);
    for (const path of lines.flatMap(({ paths }) => paths)) {
      const at = path.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown>)?.[step], system);
      expect(`${path} ${at === undefined}`).toBe(`${path} false`);
    }
  }
});
