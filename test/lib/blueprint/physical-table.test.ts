import { z } from 'zod';
import type { TableDesign } from '../../../lib';
import { deploymentOf, keyAttributesOf, physicalTable } from '../../../lib/blueprint/physical-table';

const design: TableDesign = {
  name: 'notes',
  key: { partition: 'id' },
  indexes: {
    byTime: { partition: 'topic', sort: 'at', projection: ['title', 'author'] },
    byAuthor: { partition: 'author' },
  },
  ttl: 'expires',
  entities: {
    Note: {
      attributes: z.object({
        id: z.string(),
        topic: z.string(),
        at: z.number(),
        author: z.string(),
        title: z.string(),
        expires: z.number().optional(),
      }),
    },
  },
};

test("physicalTable returns a design's keys with their types, its indexes sorted by name, and its TTL", () => {
  expect(physicalTable(design)).toStrictEqual({
    key: { partitionBy: [{ name: 'id', type: 'string' }], sortBy: [] },
    indexes: [
      { name: 'byAuthor', partitionBy: [{ name: 'author', type: 'string' }], sortBy: [], projection: 'all' },
      {
        name: 'byTime',
        partitionBy: [{ name: 'topic', type: 'string' }],
        sortBy: [{ name: 'at', type: 'number' }],
        projection: ['author', 'title'],
      },
    ],
    ttl: 'expires',
  });
});

test('the order of indexes and projected names in a design does not affect the physical table', () => {
  const { byTime, byAuthor } = design.indexes as NonNullable<TableDesign['indexes']>;
  const indexes = { byAuthor, byTime: { ...byTime, projection: ['author', 'title'] } } as TableDesign['indexes'];
  expect(JSON.stringify(physicalTable({ ...design, indexes }))).toBe(JSON.stringify(physicalTable(design)));
});

test('a physical table survives a round trip through JSON', () => {
  const table = physicalTable(design);
  expect(JSON.parse(JSON.stringify(table))).toStrictEqual(table);
});

test('keyAttributesOf lists each key attribute only once', () => {
  expect(keyAttributesOf(physicalTable(design)).map(({ name }) => name)).toEqual(['id', 'author', 'topic', 'at']);
});

test('deploymentOf returns the names, ids, replicas and streams that only a deployed table has', () => {
  expect(deploymentOf(physicalTable(design))).toEqual({});
  const deployed = { name: 'shop-prod-notes', logicalId: 'Notes', stream: null };
  expect(deploymentOf({ ...physicalTable(design), ...deployed, billing: 'on-demand' })).toEqual(deployed);
});
