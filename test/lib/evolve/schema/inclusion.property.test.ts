import { z } from 'zod';
import { dataOf } from '../../../../lib/blueprint/attributes/data';
import type { Schema } from '../../../../lib/blueprint/attributes/schema';
import { canonical, digest } from '../../../../lib/evolve/canonical';
import { included } from '../../../../lib/evolve/schema/inclusion';
import { rebuild } from '../../../../lib/evolve/schema/rebuild';
import fc from '../../../support/fuzz';

const RUNS = Number(process.env.RUNS ?? 40);
const data = (schema: z.ZodType) => dataOf(schema as unknown as Schema, digest);

/**
 * zod throws if the two sides of an intersection parse a value differently. The tests treat this error as a refusal.
 */
const takes = (schema: z.ZodType, given: unknown) => {
  try {
    return schema.safeParse(given).success;
  } catch {
    return false;
  }
};

const size = fc.integer({ min: 0, max: 3 });
const texts = fc.constantFrom('', 'a', 'ab', 'abc', 'b', '2026-01-31T12:00:00Z', '2026-01-31T12:00:00.123Z');
const numbers = fc.constantFrom(-1, 0, 1, 1.5, 2, 3, 4, 6);

/** The generators draw from few values, so that schemas often include each other. */
const { schema } = fc.letrec<{ schema: z.ZodType; scalar: z.ZodType }>((tie) => ({
  scalar: fc.oneof(
    fc.constant(z.string()),
    size.map((n) => z.string().min(n)),
    size.map((n) => z.string().max(n)),
    fc.tuple(size, size).map(([n, m]) =>
      z
        .string()
        .min(n)
        .max(n + m),
    ),
    size.map((n) => z.string().length(n)),
    fc.constantFrom('a', 'ab', 'b').map((text) => z.string().startsWith(text)),
    fc.constantFrom('a', 'b').map((text) => z.string().includes(text)),
    fc.constantFrom(/^a/, /b$/, /^[a-z]*$/).map((form) => z.string().regex(form)),
    fc.constantFrom(undefined, 0, 3).map((precision) => z.iso.datetime({ precision })),
    fc.constantFrom(z.iso.datetime({ offset: true }), z.iso.datetime({ local: true }), z.uuid(), z.uuidv4(), z.guid()),
    fc.constantFrom(z.string().trim(), z.string().min(1).trim(), z.string().toLowerCase().max(2)),
    fc.constant(z.number()),
    numbers.map((n) => z.number().min(n)),
    numbers.map((n) => z.number().gt(n)),
    numbers.map((n) => z.int().lt(n)),
    numbers.map((n) => z.int().gte(n)),
    fc.constantFrom(1, 2, 4).map((n) => z.number().multipleOf(n)),
    fc.constantFrom(
      z.int32(),
      z.uint32(),
      z.int(),
      z.boolean(),
      z.null(),
      z.undefined(),
      z.any(),
      z.unknown(),
      z.never(),
    ),
    fc.subarray(['a', 'ab', 'b'], { minLength: 1 }).map((values) => z.enum(values)),
    fc.subarray(['a', 1, null, true], { minLength: 1 }).map((values) => z.literal(values)),
    fc.constantFrom(z.coerce.number(), z.coerce.string(), z.coerce.boolean()),
    fc.constant(z.templateLiteral(['a', z.string()])),
    fc.constantFrom(
      z.string().refine((text) => text !== 'ab'),
      z.number().refine((n) => n !== 2),
      z.string().min(2).catch(''),
      z.preprocess((value) => (value === 1 ? 'a' : value), z.string()),
      z.string().pipe(z.string().max(2)),
    ),
  ),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    tie('scalar'),
    tie('schema').map((inner) => inner.optional()),
    tie('schema').map((inner) => inner.nullable()),
    tie('scalar').map((inner) => z.nonoptional(inner)),
    tie('scalar').map((inner) => inner.readonly()),
    tie('scalar').map((inner) => z.lazy(() => inner)),
    fc.constantFrom('a', 'ab').map((text) => z.string().default(text)),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((options) => z.union(options)),
    fc.tuple(tie('schema'), tie('schema')).map(([a, b]) => z.intersection(a, b)),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')).map((shape) => z.object(shape)),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')).map((shape) => z.strictObject(shape)),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('scalar')).map((shape) => z.looseObject(shape)),
    fc
      .tuple(fc.dictionary(fc.constantFrom('a', 'b'), tie('scalar')), tie('scalar'))
      .map(([shape, rest]) => z.object(shape).catchall(rest)),
    tie('schema').map((element) => z.array(element)),
    fc.tuple(tie('scalar'), size).map(([element, n]) => z.array(element).min(n)),
    fc.array(tie('scalar'), { minLength: 1, maxLength: 2 }).map((items) => z.tuple(items as [z.ZodType])),
    tie('scalar').map((rest) => z.tuple([z.string()], rest)),
    tie('scalar').map((value) => z.record(z.string(), value)),
    tie('scalar').map((value) => z.record(z.enum(['a', 'b']), value)),
    tie('scalar').map((value) => z.partialRecord(z.enum(['a', 'b']), value)),
    tie('scalar').map((value) => z.set(value)),
  ),
}));

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    texts,
    numbers,
    numbers,
    fc.constantFrom(null, undefined, true, false, 'a7b1c2d3-0000-4000-8000-000000000000'),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(tie('value'), { maxLength: 2 }).map((values) => new Set(values)),
  ),
}));

/** Generates pairs of schemas. In most pairs, the second schema is derived from the first. */
const pair = fc.oneof(
  fc.tuple(schema, schema),
  fc.tuple(schema, schema).map(([a, b]) => [a, z.union([a, b])] as [z.ZodType, z.ZodType]),
  fc
    .tuple(schema, schema)
    .map(([a, b]) => [z.object({ a }), z.object({ a: a.optional(), b: b.optional() })] as [z.ZodType, z.ZodType]),
);

test('a schema that includes another schema accepts every value that the other schema outputs', () => {
  let positive = 0;
  fc.assert(
    fc.property(pair, fc.array(value, { minLength: 20, maxLength: 40 }), ([a, b], values) => {
      if (included(data(a), data(b)).verdict !== 'yes') return;
      if (canonical(data(a)) === canonical(data(b))) return;
      for (const one of values) {
        if (!takes(a, one)) continue;
        const stored = a.parse(one);
        positive++;
        if (!takes(b, stored)) throw new Error(`${canonical(data(b))} must take ${JSON.stringify(stored)}`);
      }
    }),
    { numRuns: RUNS * 6 },
  );
  expect(positive).toBeGreaterThan(RUNS);
});

test('every schema includes itself', () => {
  fc.assert(
    fc.property(schema, (one) => expect(included(data(one), data(one)).verdict).toBe('yes')),
    { numRuns: RUNS },
  );
});

test('a schema rebuilt from its data accepts the same values, unless it contains code', () => {
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 10, maxLength: 20 }), (one, values) => {
      const made = data(one);
      if (/"code":|"type":"(transform|catch|default)"/.test(canonical(made))) return;
      const again = rebuild(JSON.parse(canonical(made)));
      const differs = values.find((given) => takes(again, given) !== takes(one, given));
      if (differs !== undefined) throw new Error(`${canonical(made)} and ${JSON.stringify(differs)}`);
    }),
    { numRuns: RUNS },
  );
});
