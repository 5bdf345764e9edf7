import { z } from 'zod';
import { dataOf } from '../../../../lib/blueprint/attributes/data';
import type { Schema } from '../../../../lib/blueprint/attributes/schema';
import { digest } from '../../../../lib/evolve/canonical';
import { included } from '../../../../lib/evolve/schema/inclusion';

const data = (schema: z.ZodType) => dataOf(schema as unknown as Schema, digest);
const verdictOf = (from: z.ZodType, to: z.ZodType) => included(data(from), data(to)).verdict;

test.each<[string, z.ZodType, z.ZodType]>([
  ['a uuid and a ulid', z.uuid(), z.ulid()],
  ['a date and a time', z.iso.date(), z.iso.datetime()],
  ['timestamps in seconds and in milliseconds', z.iso.datetime({ precision: 0 }), z.iso.datetime({ precision: 3 })],
  ['strings with different prefixes', z.string().startsWith('a-'), z.string().startsWith('b-')],
  ['digits and letters', z.string().regex(/^\d+$/), z.string().regex(/^[a-z]+$/)],
])('neither schema includes the other, because %s have no value in common', (_, one, other) => {
  expect([verdictOf(one, other), verdictOf(other, one)]).toEqual(['no', 'no']);
});

test.each<[string, z.ZodType, z.ZodType]>([
  ['both accept the empty string', z.string().regex(/^a*$/), z.string().regex(/^b*$/)],
  ['one may accept some strings that the other accepts', z.string().regex(/^[a-z]+$/), z.string().regex(/^[m-z]{2}$/)],
])('cannot tell whether one schema includes the other if %s', (_, one, other) => {
  expect(verdictOf(one, other)).toBe('unknown');
});

test('the reason given for a changed format names both formats', () => {
  expect(included(data(z.uuid()), data(z.ulid())).why).toBe('a uuid is never a ulid');
});
