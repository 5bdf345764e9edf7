import { z } from 'zod';
import * as mini from 'zod/mini';
import type { Schema } from '../../../lib/blueprint/attributes/schema';
import type { Part } from '../../../lib/design/template';
import { isBeginning, isBeginningOfPart } from '../../../lib/items/prefixes';
import fc from '../../support/fuzz';

const isOf = (schema: unknown) => (value: unknown) => isBeginning(schema as Schema, value);
const part = (format: Part['format']): Part => ({ name: 'x', path: ['x'], optional: false, ...(format && { format }) });

const DATES = [z.iso.date(), z.string().date(), mini.iso.date(), z.iso.date().optional()];
const TIMES = [z.iso.datetime(), z.iso.datetime({ precision: 3 }), mini.iso.datetime(), z.iso.datetime().nullable()];

test.each([
  '2',
  '20',
  '2026-1',
  '2026-13',
  '2026-00',
  '2026-01-32',
  '2026-1-1',
  '26-01',
  'today',
  ' 2026',
  '2026-01-01 12',
])('isBeginning rejects %p as the beginning of a date', (text) => {
  for (const schema of [...DATES, ...TIMES]) expect(isOf(schema)(text)).toBe(false);
});

test('isBeginning accepts a prefix of a timestamp that includes the year and does not end inside a number', () => {
  const moments = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(moments, (moment) => {
      const text = moment.toISOString();
      for (const end of [4, 5, 7, 8, 10, 11, 13, 16, 19, 20, 23, 24]) {
        for (const schema of TIMES)
          expect([text.slice(0, end), isOf(schema)(text.slice(0, end))]).toEqual([text.slice(0, end), true]);
        if (end <= 10) for (const schema of DATES) expect(isOf(schema)(text.slice(0, end))).toBe(true);
      }
    }),
  );
});

test('isBeginning rejects an impossible hour, minute or second', () => {
  for (const text of ['2026-01-31T24', '2026-01-31T12:60', '2026-01-31T12:00:60', '2026-01-31T12:00:00Zx']) {
    expect(isOf(z.iso.datetime())(text)).toBe(false);
  }
});

test('isBeginning accepts a prefix of any listed value', () => {
  const isStatus = isOf(z.enum(['open', 'paid']));
  expect(['o', 'open', 'pai'].filter(isStatus)).toHaveLength(3);
  expect(['x', 'opened', 'O', 'pen'].filter(isStatus)).toEqual([]);
});

test('isBeginning accepts any non-empty prefix for other strings', () => {
  for (const schema of [z.string().min(5), z.email(), z.uuid(), mini.email()]) {
    expect(['a', '0195f3a2-', '#'].filter(isOf(schema))).toHaveLength(3);
    expect(isOf(schema)('')).toBe(false);
  }
});

test('isBeginning accepts only string prefixes of string values', () => {
  expect(isOf(z.int())('1')).toBe(false);
  for (const value of [1, null, undefined, {}]) expect(isOf(z.string())(value)).toBe(false);
});

test('isBeginningOfPart accepts fewer digits than a padded part has', () => {
  const isNumber = (text: string) => isBeginningOfPart(part(4), text);
  expect(['0', '00', '012'].filter(isNumber)).toHaveLength(3);
  expect(['0007', '00007', '', 'a', '-1', '1.'].filter(isNumber)).toEqual([]);
});

test('isBeginningOfPart accepts a year, or a year and a month, for a date part, but no prefix for other timestamp parts', () => {
  const isDate = (text: string) => isBeginningOfPart(part('date'), text);
  expect(['2026', '2026-', '2026-01', '2026-01-'].filter(isDate)).toHaveLength(4);
  expect(['2026-01-31', '2026-1', '2026-13', '20'].filter(isDate)).toEqual([]);
  expect(isBeginningOfPart(part('year'), '20')).toBe(false);
  expect(isBeginningOfPart(part('month'), '0')).toBe(false);
});
