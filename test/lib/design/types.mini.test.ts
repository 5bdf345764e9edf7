import { z } from 'zod';
import * as mini from 'zod/mini';
import { defineTable } from '../../../lib';

/* The compiler accepts or refuses these zod/mini schemas (`npm run types`). */

const key = { partition: 'PK', sort: 'SK' } as const;

// The attributes are an object of zod or of zod/mini, and the compiler checks their names in both flavors.
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
      // @ts-expect-error attributes without an object of zod
      attributes: { id: mini.string() },
    },
    Text: {
      // @ts-expect-error a string of zod/mini
      attributes: mini.string(),
    },
    ClassicText: {
      // @ts-expect-error a string of zod
      attributes: z.string(),
    },
    Record: {
      // @ts-expect-error a record has no names
      attributes: mini.record(mini.string(), mini.string()),
    },
  },
});

test('defineTable returns a design with zod/mini unchanged', () => {
  expect(made.entities.Good.attributes).toBe(small);
});
