import { z } from 'zod';
import { defineTable } from '../../../lib';
import { outline } from '../../../lib/blueprint/outline';

/*
 * Every marked mistake must fail to compile. If one compiles, `npm run types` reports its `@ts-expect-error` as unused.
 */

const key = { partition: 'PK', sort: 'SK' } as const;
const attributes = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  n: z.int(),
  place: z.object({ city: z.string() }),
});

// An index whose partition key and sort key have two attributes each.
const several = { byPlace: { partition: ['id', 'n'], sort: ['GSI1SK', 'at'] } } as const;
defineTable({
  name: 'several',
  key,
  indexes: several,
  entities: {
    Thing: {
      attributes,
      // @ts-expect-error no index uses GSI1PK, so it is not a key attribute
      keys: { PK: 'THING#<id>', SK: 'THING', GSI1SK: '<n:4>', GSI1PK: 'DAY#<at:date>' },
    },
  },
  patterns: {
    right: {
      op: 'query',
      index: 'byPlace',
      where: { id: '<id>', n: '<n>', GSI1SK: '<x>', at: '<y>' },
      returns: ['Thing'],
    },
    wrong: {
      op: 'query',
      index: 'byPlace',
      where: {
        id: '<id>',
        n: '<n>',
        // @ts-expect-error `place` is not a key attribute of the index
        place: '<x>',
      },
      returns: ['Thing'],
    },
  },
});
defineTable({
  name: 'listed',
  // @ts-expect-error a table's partition key must be a single attribute
  key: { partition: ['PK', 'id'], sort: 'SK' },
  entities: { Thing: { attributes } },
});

test('a multi-attribute key keeps its attributes in the order in which the design declares them', () => {
  const keys = { PK: 'THING#<id>', SK: 'THING', GSI1SK: '<n:4>' } as const;
  const table = defineTable({ name: 'things', key, indexes: several, entities: { Thing: { attributes, keys } } });
  const [index] = outline(table).indexes;
  expect(index?.partitionBy.map(({ name }) => name)).toEqual(['id', 'n']);
  expect(index?.sortBy.map(({ name }) => name)).toEqual(['GSI1SK', 'at']);
});
