import { z } from 'zod';
import { entities, requests } from '../../../lib/azure-tables';
import { check } from '../../../lib/check';
import { defineTable } from '../../../lib/design/table';

const at = z.iso.datetime({ precision: 3 });
const keys = { PartitionKey: 'SHELF|<shelf>', RowKey: '<kind>|<id>' } as const;
const shelf = defineTable({
  name: 'Shelf',
  key: { partition: 'PartitionKey', sort: 'RowKey' },
  separator: '|',
  typeAttribute: 'type',
  entities: {
    Product: {
      attributes: z.discriminatedUnion('kind', [
        z.object({ shelf: z.string(), id: z.string(), kind: z.literal('book'), pages: z.int(), printed: at }),
        z.object({ shelf: z.string(), id: z.string(), kind: z.literal('film'), minutes: z.int() }),
      ]),
      keys,
    },
  },
  patterns: {
    product: { op: 'get', where: keys, returns: ['Product'] },
    put: { op: 'put', entity: 'Product' },
    setPages: {
      op: 'update',
      entity: 'Product',
      where: { PartitionKey: keys.PartitionKey, RowKey: 'book|<id>' },
      set: { pages: '<pages>' },
    },
    onShelf: {
      op: 'query',
      where: { PartitionKey: keys.PartitionKey },
      filter: { minutes: { atMost: '<most>' } },
      returns: ['Product'],
    },
  },
});
const patterns = requests(shelf, 'Shelf');
const book = { shelf: 's', id: '1', kind: 'book', pages: 3, printed: '2026-01-02T03:04:05.006Z' } as const;

test('writes and reads each union member with its attributes', () => {
  const { entity } = entities(shelf, 'Shelf');
  const made = entity('Product', book);
  expect(made).toMatchObject({ partitionKey: 'SHELF|s', rowKey: 'book|1', kind: 'book' });
  expect(made).not.toHaveProperty('minutes');
  expect(() => patterns.put({ ...book, minutes: 3 } as never)).toThrow(
    "'minutes' is not an attribute of Product; it has shelf, id, kind, pages, printed",
  );
});

test('updates and filters can use an attribute that only one union member has', () => {
  expect(JSON.stringify(patterns.setPages({ shelf: 's', id: '1', pages: 4 }))).toContain('book|1');
  expect(() => patterns.setPages({ shelf: 's', id: '1', pages: 'many' as never })).toThrow('pages: ');
  expect(JSON.stringify(patterns.onShelf({ shelf: 's', most: 90 }))).toContain('minutes le 90');
});

test('the check proposes a put instead of a condition, because Azure Tables cannot test conditions', () => {
  const update = { op: 'update', entity: 'Product', where: keys, set: { pages: '<pages>' } } as const;
  const found = check({ ...shelf, patterns: { ...shelf.patterns, setPages: update } });
  expect(found.filter(({ rule }) => rule === 'unsound-union').map(({ fix, edits }) => [fix, edits])).toEqual([
    ['read the item, and put the whole item with replace: true and unchanged: true', undefined],
  ]);
});
