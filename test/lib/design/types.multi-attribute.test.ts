import { z } from 'zod';
import { defineTable } from '../../../lib';
import { outline } from '../../../lib/blueprint/outline';

/*
 * Every mistake below must not compile: the compiler itself complains of a `@ts-expect-error` with no error on the line
 * after it, in `npm run types`.
 */

const key = { partition: 'PK', sort: 'SK' } as const;
const attributes = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  n: z.int(),
  place: z.object({ city: z.string() }),
});

// Index keys of several attributes.
const several = { byPlace: { partition: ['id', 'n'], sort: ['GSI1SK', 'at'] } } as const;
defineTable({
  name: 'several',
  key,
  indexes: several,
  entities: {
    Thing: {
      attributes,
      // @ts-expect-error the other index is not there, and so its key is none
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
        // @ts-expect-error not one of the attributes of the key
        place: '<x>',
      },
      returns: ['Thing'],
    },
  },
});
defineTable({
  name: 'listed',
  // @ts-expect-error the key of a table is one attribute for each side
  key: { partition: ['PK', 'id'], sort: 'SK' },
  entities: { Thing: { attributes } },
});

test('what compiles has its keys in the order they are written', () => {
  const keys = { PK: 'THING#<id>', SK: 'THING', GSI1SK: '<n:4>' } as const;
  const table = defineTable({ name: 'things', key, indexes: several, entities: { Thing: { attributes, keys } } });
  const [index] = outline(table).indexes;
  expect(index?.partitionBy.map(({ name }) => name)).toEqual(['id', 'n']);
  expect(index?.sortBy.map(({ name }) => name)).toEqual(['GSI1SK', 'at']);
});
