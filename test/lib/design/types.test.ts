import { z } from 'zod';
import { defineTable } from '../../../lib';

/* Every mistake below must fail to compile; otherwise `npm run types` reports an unused `@ts-expect-error`. */

const key = { partition: 'PK', sort: 'SK' } as const;
const indexes = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } } as const;
const attributes = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  n: z.int(),
  place: z.object({ city: z.string() }),
});
const Thing = {
  attributes,
  keys: { PK: 'THING#<id>', SK: 'THING', GSI1PK: 'DAY#<at:date>', GSI1SK: '<n:4>' },
} as const;

// Mistakes in the membership conditions of an index.
const membership = z.object({
  id: z.string(),
  kind: z.enum(['a', 'b']).optional(),
  place: z.object({ city: z.string() }),
});
const memberKeys = { PK: 'A#<id>', SK: 'A', GSI1PK: '<kind>', GSI1SK: '<id>' } as const;
defineTable({
  name: 'membership',
  key,
  indexes,
  entities: {
    Good: {
      attributes: membership,
      keys: memberKeys,
      indexes: { GSI1: { while: { kind: ['a'], 'place.city': ['Lima', 'Quito'] } } },
    },
    Open: {
      attributes: z.looseObject({ id: z.string(), kind: z.enum(['a', 'b']) }),
      keys: memberKeys,
      indexes: { GSI1: { while: { kind: ['a'] } } },
    },
    OpenToAnything: {
      attributes: z.looseObject({ id: z.string() }),
      keys: {
        PK: 'A#<id>',
        // @ts-expect-error a key template may use only attributes that the design declares
        SK: '<anything>',
      },
    },
    NoIndex: {
      attributes: membership,
      keys: memberKeys,
      indexes: {
        // @ts-expect-error the table has no such index
        GSI2: { while: { kind: ['a'] } },
      },
    },
    NoAttribute: {
      attributes: membership,
      keys: memberKeys,
      indexes: {
        GSI1: {
          while: {
            // @ts-expect-error the entity has no such attribute
            sort: ['a'],
          },
        },
      },
    },
    NotInMap: {
      attributes: membership,
      keys: memberKeys,
      indexes: {
        GSI1: {
          while: {
            // @ts-expect-error the map has no such attribute
            'place.street': ['a'],
          },
        },
      },
    },
    NoValue: {
      attributes: membership,
      keys: memberKeys,
      indexes: {
        GSI1: {
          while: {
            // @ts-expect-error the attribute never has this value
            kind: ['c'],
          },
        },
      },
    },
    NoField: {
      attributes: membership,
      keys: memberKeys,
      indexes: {
        GSI1: {
          while: { kind: ['a'] },
          // @ts-expect-error `until` is not a field
          until: { kind: ['b'] },
        },
      },
    },
  },
});

// Mistakes in keys that contain the type attribute.
defineTable({
  name: 'typed',
  key: { partition: 'PK', sort: 'SK' },
  typeAttribute: 'kind',
  entities: {
    Good: { attributes: z.object({ id: z.string() }), keys: { PK: '<kind>#<id>', SK: '<kind>' } },
    Bad: {
      attributes: z.object({ id: z.string() }),
      keys: {
        // @ts-expect-error the entity has no such attribute
        PK: '<king>#<id>',
        SK: '<kind>',
      },
    },
  },
});

// Mistakes in key templates and in the names of key attributes.
defineTable({
  name: 'keys',
  key,
  indexes,
  entities: {
    Good: { attributes, keys: { PK: 'A#<id>', SK: '<place.city>#<n:4>', GSI1PK: '<at:date>', GSI1SK: '<at:month>' } },
    Plain: {
      attributes,
      keys: {
        // @ts-expect-error the entity has no such attribute
        PK: 'A#<nope>',
        SK: 'A',
      },
    },
    AfterGoodOnes: {
      attributes,
      keys: {
        PK: 'A#<id>',
        // @ts-expect-error the third attribute in the template does not exist
        SK: '<id>#<n>#<nope>',
      },
    },
    Nested: {
      attributes,
      keys: {
        PK: 'A#<id>',
        // @ts-expect-error the map has no such attribute
        SK: '<place.nope>',
      },
    },
    ThroughText: {
      attributes,
      keys: {
        PK: 'A#<id>',
        // @ts-expect-error `id` is not a map
        SK: '<id.city>',
      },
    },
    Formatted: {
      attributes,
      keys: {
        PK: 'A#<id>',
        // @ts-expect-error the entity has no such attribute, with or without a format
        SK: '<nope:date>',
      },
    },
    NoKey: {
      attributes,
      keys: {
        PK: 'A#<id>',
        SK: 'A',
        // @ts-expect-error GSI2PK is not a key attribute of the table or of an index
        GSI2PK: 'A#<id>',
      },
    },
    KeyOnly: {
      attributes,
      keys: { PK: 'A#<id>', SK: 'A' },
      // @ts-expect-error the entity has no such attribute
      keyOnly: ['id', 'nope'],
    },
  },
});

// Mistakes in the names that a pattern uses.
defineTable({
  name: 'patterns',
  key,
  indexes,
  entities: { Thing },
  patterns: {
    good: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'DAY#<day>', GSI1SK: { atLeast: '<n:4>' } },
      returns: ['Thing'],
    },
    unknownIndex: {
      op: 'query',
      // @ts-expect-error the table has no such index
      index: 'GSI9',
      where: { PK: 'A' },
      returns: ['Thing'],
    },
    unknownReturn: {
      op: 'get',
      where: { PK: 'A', SK: 'A' },
      // @ts-expect-error the table has no such entity
      returns: ['Thing', 'Nope'],
    },
    unknownEntity: {
      op: 'put',
      // @ts-expect-error the table has no such entity
      entity: 'Nope',
    },
    keyOfAnother: {
      op: 'query',
      index: 'GSI1',
      where: {
        GSI1PK: 'DAY#<day>',
        // @ts-expect-error SK is a key of the table, not of this index
        SK: 'A',
      },
      returns: ['Thing'],
    },
    keyOfAnIndex: {
      op: 'get',
      where: {
        PK: 'A',
        // @ts-expect-error the attribute is a key of an index, not of the table
        GSI1SK: 'A',
      },
      returns: ['Thing'],
    },
    noKey: {
      op: 'delete',
      entity: 'Thing',
      where: {
        PK: 'A',
        SK: 'A',
        // @ts-expect-error n is an attribute, but not a key
        n: '<n>',
      },
    },
    transaction: {
      op: 'transaction',
      steps: {
        good: { op: 'put', entity: 'Thing' },
        unknownEntity: {
          op: 'delete',
          // @ts-expect-error the table has no such entity
          entity: 'Nope',
          where: { PK: 'A', SK: 'A' },
        },
        noKey: {
          op: 'require',
          entity: 'Thing',
          where: {
            // @ts-expect-error the attribute is a key of an index, not of the table
            GSI1PK: 'A',
          },
          condition: { n: 1 },
        },
      },
    },
  },
});

defineTable({
  name: 'noIndexes',
  key,
  entities: { Thing: { attributes, keys: { PK: 'A', SK: 'A' } } },
  patterns: {
    byIndex: {
      op: 'query',
      // @ts-expect-error the table has no indexes
      index: 'GSI1',
      where: { PK: 'A' },
      returns: ['Thing'],
    },
  },
});

// Misspelled fields at every level. If they compiled, the library would silently ignore them.
defineTable({
  name: 'misspelt',
  // @ts-expect-error ttl
  tll: 'expiresAt',
  key,
  entities: {},
});
defineTable({
  name: 'misspelt',
  key: {
    partition: 'PK',
    // @ts-expect-error sort
    srot: 'SK',
  },
  indexes: {
    GSI1: {
      partition: 'GSI1PK',
      // @ts-expect-error projection
      projections: 'keys',
    },
  },
  entities: {
    Thing: {
      attributes,
      keys: { PK: 'THING#<id>' },
      // @ts-expect-error keyOnly
      keysOnly: ['id'],
    },
  },
  patterns: {
    read: {
      op: 'query',
      where: { PK: 'THING#<id>' },
      returns: ['Thing'],
      // @ts-expect-error pageSize
      pagesize: 10,
    },
    ofAnotherOperation: {
      op: 'get',
      where: { PK: 'THING#<id>' },
      returns: ['Thing'],
      // @ts-expect-error only a query has an order
      order: 'descending',
    },
    write: {
      op: 'put',
      entity: 'Thing',
      // @ts-expect-error replace
      overwrite: true,
    },
    together: {
      op: 'transaction',
      // @ts-expect-error purpose
      purpos: 'nothing',
      steps: {},
    },
    steps: {
      op: 'transaction',
      steps: {
        one: {
          op: 'update',
          entity: 'Thing',
          where: { PK: 'THING#<id>' },
          // @ts-expect-error set
          sets: { n: 1 },
        },
      },
    },
  },
});

test('defineTable returns a design unchanged', () => {
  const design = { name: 'plain', key, entities: { Thing } } as const;
  // @ts-expect-error the entity has keys of an index that this table does not have
  expect(defineTable(design)).toBe(design);
});
