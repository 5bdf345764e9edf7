import { z } from 'zod';
import { lockOf, planFor } from '../../../../lib/evolve';
import type { PatternDesign, SystemDesign } from '../../../../lib/index';

const where = { PK: 'NOTE#<id>' };

/** A system with the given schema for `stars`, and with one additional pattern. */
const notes = (stars: z.ZodType, pattern: PatternDesign, cloud: SystemDesign['cloud'] = 'aws'): SystemDesign => ({
  name: 'diary',
  cloud,
  tables: {
    notes: {
      name: 'notes',
      key: { partition: 'PK' },
      entities: { Note: { attributes: z.object({ id: z.string(), stars }), keys: where } },
      patterns: { getNote: { op: 'get', where, returns: ['Note'] }, one: pattern },
    },
  },
});

const planned = (pattern: PatternDesign) => () =>
  planFor(lockOf(notes(z.string(), pattern), { environment: 'prod' }), notes(z.number(), pattern));

test.each<[string, PatternDesign, RegExp]>([
  ['a filter', { op: 'scan', filter: { stars: '<stars>' }, returns: ['Note'] }, /one filters by 'stars'/],
  [
    'a comparison',
    { op: 'delete', entity: 'Note', where, condition: { stars: { atLeast: '<stars>' } } },
    /one compares 'stars'/,
  ],
  ['a sum', { op: 'update', entity: 'Note', where, add: { stars: 1 } }, /one counts 'stars'/],
])('rejects a plan if %s would meet values of two types while the plan is under way', (_, pattern, refusal) => {
  expect(planned(pattern)).toThrow(refusal);
});

test("plans a change to an attribute's type if conditions test the attribute only for equality", () => {
  const pattern = { op: 'delete', entity: 'Note', where, condition: { stars: '<stars>' } } as const;
  expect(planned(pattern)().items).toMatchObject([{ needsUp: ['stars'], downs: ['stars'] }]);
});
