import { z } from 'zod';
import { impreciseTime } from '../../../../lib/check/rules/imprecise-time';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings, tableOf } from '../../../fixtures/designs';

const timed = (at: z.ZodType, SK: string) =>
  findings(impreciseTime, tableOf({ attributes: z.object({ id: z.string(), at }), keys: { PK: '<id>', SK } }));

describe('a time in a sort key', () => {
  test('reports a time in a sort key if its precision can vary', () => {
    expect(timed(z.iso.datetime(), 'AT#<at>#<id>')).toEqual([
      { path: 'entities.Thing.keys.SK', cause: 'any-precision', part: 'at' },
    ]);
    expect('2026-01-01T09:00:00.5Z' < '2026-01-01T09:00:00Z').toBe(true);
  });

  test.each([
    ['with a fixed precision', z.iso.datetime({ precision: 3 }), '<at>'],
    ['with whole seconds', z.iso.datetime({ precision: 0 }), '<at>'],
    ['if the key contains only its date', z.iso.datetime(), '<at:date>'],
    ['if it is a date', z.iso.date(), '<at>'],
    ['in any time zone, because another rule reports it', z.iso.datetime({ offset: true }), '<at>'],
  ])('accepts a time in a sort key %s', (_, at, text) => {
    expect(timed(at, text)).toEqual([]);
  });

  test('accepts an imprecise time in a partition key', () => {
    const attributes = z.object({ id: z.string(), at: z.iso.datetime() });
    expect(findings(impreciseTime, tableOf({ attributes, keys: { PK: '<at>', SK: '<id>' } }))).toEqual([]);
  });
});

const tables = Object.values(systems).flatMap((system) => Object.values(system.tables) as TableDesign[]);

// Some tables acknowledge the rule because their documents contain times in any format. The test skips these tables.
test.each(tables.filter(({ acknowledge }) => acknowledge?.['imprecise-time'] === undefined))(
  'all times in $name have the same precision',
  (design) => expect(findings(impreciseTime, design)).toEqual([]),
);

test('checks every format in a union of times', () => {
  const logs = tables.filter(({ name }) => name === 'NumberLogs');
  expect(logs.flatMap((design) => findings(impreciseTime, design))).toHaveLength(1);
});
