import { z } from 'zod';
import { misreadRange } from '../../../../lib/check/rules/misread-range';
import { mistakenPart } from '../../../../lib/check/rules/mistaken-part';
import type { KeyCondition } from '../../../../lib/design/pattern';
import { findings, tableOf } from '../../../fixtures/designs';

const attributes = z.object({ id: z.string(), number: z.int().min(0).max(999) });
const table = (format: string, SK: KeyCondition) =>
  tableOf(
    { attributes, keys: { PK: 'LOG#<id>', SK: `NO#<number:${format}>` } },
    { patterns: { mine: { op: 'query', where: { PK: 'LOG#<id>', SK }, returns: ['Thing'] } } },
  );
const between = (from: string, to: string): KeyCondition => ({ between: [`NO#<${from}>`, `NO#<${to}>`] });

test('reports a range whose bounds have swapped names: from last to first, or from first to last if the numbers count down', () => {
  const reversed = [{ cause: 'names-reversed', path: 'patterns.mine.where.SK' }];
  expect(findings(misreadRange, table('3', between('first:3', 'last:3')))).toEqual([]);
  expect(findings(misreadRange, table('3', between('last:3', 'first:3')))).toMatchObject(reversed);
  expect(findings(misreadRange, table('down:3', between('last:down:3', 'first:down:3')))).toEqual([]);
  expect(findings(misreadRange, table('down:3', between('first:down:3', 'last:down:3')))).toMatchObject(reversed);
});

test('reports a number that counts down in either the pattern or the key, but not in both', () => {
  expect(findings(mistakenPart, table('down:3', 'NO#<number:3>'))).toMatchObject([{ path: 'patterns.mine.where.SK' }]);
  expect(findings(mistakenPart, table('3', 'NO#<number:down:3>'))).toMatchObject([{ path: 'patterns.mine.where.SK' }]);
  for (const asked of ['NO#<number>', 'NO#<number:down:3>'])
    expect(findings(mistakenPart, table('down:3', asked))).toEqual([]);
});
