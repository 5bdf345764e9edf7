import { z } from 'zod';
import * as mini from 'zod/mini';
import { defineTable } from '../../../lib';

/* Compile-time tests of zod/mini schemas, run by `npm run types`. */

const key = { partition: 'PK', sort: 'SK' } as const;

// The attributes of an entity can be a zod or a zod/mini object. The compiler checks attribute names in both cases.
const small = mini.object({ id: mini.string(), place: mini.object({ city: mini.string() }) });
const made = defineTable({
  name: 'mini',
  key,
  entities: {
    Good: { attributes: small, keys: { PK: 'A#<id>', SK: '<place.city>' }, keyOnly: ['id'] },
    Faulty: {
      attributes: small,
      keys: {
        PK: 'A#<id>',
        // @ts-expect-error the map has no such attribute
        SK: '<place.nope>',
      },
    },
    Lost: {
      attributes: small,
      // @ts-expect-error the entity has no such attribute
      keyOnly: ['nope'],
    },
  },
});
defineTable({
  name: 'neither',
  key,
  entities: {
    Shape: {
      // @ts-expect-error the attributes must be a zod object
      attributes: { id: mini.string() },
    },
    Text: {
      // @ts-expect-error a zod/mini string is not an object
      attributes: mini.string(),
    },
    ClassicText: {
      // @ts-expect-error a zod string is not an object
      attributes: z.string(),
    },
    Record: {
      // @ts-expect-error a record schema does not name its attributes
      attributes: mini.record(mini.string(), mini.string()),
    },
  },
});

test('defineTable returns a design with zod/mini schemas unchanged', () => {
  expect(made.entities.Good.attributes).toBe(small);
});
