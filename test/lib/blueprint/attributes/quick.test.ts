import { z } from 'zod';
import * as mini from 'zod/mini';
import { quickTest } from '../../../../lib/blueprint/attributes/quick';
import type { Schema } from '../../../../lib/blueprint/attributes/schema';
import fc from '../../../support/fuzz';

enum Level {
  low = 0,
  high = 1,
}

const quick: readonly [string, unknown, string][] = [
  ['a string', z.string(), 'x'],
  ['a non-empty string', z.string().min(1), 'x'],
  ['a string with length limits', z.string().min(2).max(4), 'abc'],
  ['a zod/mini string with length limits', mini.string().check(mini.minLength(2), mini.maxLength(4)), 'abc'],
  ['an optional string', z.string().min(1).optional(), 'x'],
  ['a string that may be null', mini.nullable(mini.string()), 'x'],
  ['an enum', z.enum(['open', 'paid']), 'paid'],
  ['a literal', z.literal('open'), 'open'],
  ['a UUID', z.uuid(), '0195f3a2-7c1e-7b1a-9d5e-000000000001'],
  ['a timestamp', z.iso.datetime({ precision: 3 }), '2026-01-31T12:00:00.000Z'],
  ['a date', mini.iso.date(), '2026-01-31'],
  ['a pattern', z.string().regex(/^a+$/), 'aa'],
];

test.each(quick)('quickTest checks %s without calling the schema', (_, schema, text) => {
  expect(quickTest(schema as Schema)?.(text)).toBe(true);
});

test.each<[string, unknown]>([
  ['is converted to lower case', z.string().toLowerCase()],
  ['is trimmed', mini.string().check(mini.trim())],
  ['is refined', z.string().refine((text) => text !== 'x')],
  ['is listed in an enum with a refinement', z.enum(['x', 'y']).refine((text) => text !== 'x')],
  ['is transformed', z.string().transform(Number)],
  ['goes through a pipe', z.string().pipe(z.string().toUpperCase())],
  ['has a default', z.string().default('x')],
  ['is a number', z.number()],
  ['is a union', z.union([z.string().toUpperCase(), z.literal('x')])],
  ['is a URL, which zod checks with more than a pattern', z.url()],
  ['matches a stateful pattern', z.string().regex(/x/g)],
])('quickTest returns undefined for a value that %s, because only the schema can check it', (_, schema) => {
  expect(quickTest(schema as Schema)).toBeUndefined();
});

test('the quick test rejects the member names of a numeric enum', () => {
  expect(quickTest(z.enum(Level) as unknown as Schema)?.('low')).toBe(false);
});

test('the quick test accepts only strings that the schema accepts and leaves unchanged', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom(...quick.map(([, , text]) => text), '', '🙂', '🙂🙂', 'open ', '2026-02-30', '2026-1-1'),
  );
  fc.assert(
    fc.property(fc.constantFrom(...quick), texts, ([, schema], text) => {
      const parsed = (schema as Schema).safeParse(text);
      if (quickTest(schema as Schema)?.(text)) expect(parsed).toMatchObject({ success: true, data: text });
    }),
    { numRuns: 500 },
  );
});
