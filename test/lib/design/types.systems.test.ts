import { z } from 'zod';
import { defineSystem, defineTable } from '../../../lib';

/* Compile-time tests of systems, run by `npm run types`. */

const key = { partition: 'PK', sort: 'SK' } as const;
const Thing = { attributes: z.object({ id: z.string() }), keys: { PK: 'THING#<id>', SK: 'THING' } } as const;
const table = defineTable({
  name: 'things',
  key,
  entities: { Thing },
  patterns: { getThing: { op: 'get', where: { PK: 'THING#<id>', SK: 'THING' }, returns: ['Thing'] } },
});
const other = defineTable({ name: 'others', key, entities: { Thing } });
const system = defineSystem({
  name: 'good',
  cloud: 'aws',
  tables: { things: table, others: other },
  procedures: { findThing: { purpose: 'looks twice', uses: ['getThing'] } },
});
defineSystem({
  name: 'bad',
  cloud: 'aws',
  // @ts-expect-error tenant
  tenants: 'tenantId',
  tables: {
    things: table,
    // @ts-expect-error the table has a different name
    elsewhere: other,
  },
  procedures: {
    unknownPattern: {
      // @ts-expect-error no table has such a pattern
      uses: ['getThing', 'nope'],
    },
    misspelt: {
      uses: ['getThing'],
      // @ts-expect-error purpose
      purpos: 'nothing',
    },
  },
});
defineSystem({
  name: 'bad',
  // @ts-expect-error there is no cloud 'moon'
  cloud: 'moon',
  tables: {},
});

test('defineSystem returns a system unchanged', () => {
  expect(system.tables.things).toBe(table);
  expect(system.procedures.findThing.uses).toEqual(['getThing']);
  expect(table.patterns.getThing.where).toEqual({ PK: 'THING#<id>', SK: 'THING' });
});
