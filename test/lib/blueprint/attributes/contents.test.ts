import { z } from 'zod';
import * as mini from 'zod/mini';
import { contentsOf, isTransformed } from '../../../../lib/blueprint/attributes/contents';
import type { Schema } from '../../../../lib/blueprint/attributes/schema';

const contents = (schema: unknown) =>
  Array.from(contentsOf(schema as Schema), ({ path, type }) => `${path.join('.')}: ${type}`);

test('contentsOf lists a schema, followed by every nested schema with its path', () => {
  const schema = z.object({
    a: z.string(),
    list: z.array(z.object({ n: z.int() })),
    map: z.record(z.string(), z.date()),
  });
  expect(contents(schema)).toEqual([
    ': object',
    'a: string',
    'list: array',
    'list.[]: object',
    'list.[].n: number',
    'map: record',
    'map.[]: date',
    'map.[]: string',
  ]);
});

test.each<[string, z.ZodType, string]>([
  ['an optional', z.set(z.string()).optional(), ': set'],
  ['a union', z.union([z.string(), z.set(z.string())]), ': set'],
  ['either side of an intersection', z.intersection(z.object({}), z.object({ a: z.set(z.string()) })), 'a: set'],
  ['both ends of a pipe', z.set(z.string()).pipe(z.any()), ': set'],
  ['a lazy schema', z.lazy(() => z.set(z.string())), ': set'],
  ['a tuple, and its rest', z.tuple([z.string()], z.set(z.string())), '[]: set'],
  ['a catchall', z.object({}).catchall(z.set(z.string())), '[]: set'],
])('contentsOf finds a schema inside %s', (_, schema, expected) => {
  expect(contents(schema)).toContain(expected);
});

test('contentsOf visits a recursive schema only once', () => {
  interface Tree {
    readonly children: readonly Tree[];
  }
  const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }));
  expect(contents(tree)).toEqual([': lazy', ': object', 'children: array']);
});

test('contentsOf marks coerced schemas', () => {
  const coerced = (schema: z.ZodType) => Array.from(contentsOf(schema as unknown as Schema), (one) => one.coerced);
  expect(coerced(z.object({ n: z.coerce.number() }))).toEqual([false, true]);
  expect(coerced(z.number())).toEqual([false]);
});

describe('schemas with user code that may change a value', () => {
  const codec = { decode: Number, encode: String };

  test.each<[string, unknown]>([
    ['by a transform', z.string().transform(Number)],
    ['by a zod/mini transform', mini.pipe(mini.string(), mini.transform(Number))],
    ['by a preprocess', z.preprocess((value) => value, z.string())],
    ['within a codec', z.codec(z.string(), z.number(), codec)],
    ['within a zod/mini codec', mini.codec(mini.string(), mini.number(), codec)],
    ['at any depth', z.object({ list: z.array(z.record(z.string(), z.string().transform(Number).optional())) })],
  ])('isTransformed returns true for a change %s', (_, schema) => {
    expect(isTransformed(schema as Schema)).toBe(true);
  });

  test.each<[string, unknown]>([
    ['a plain schema', z.object({ a: z.string() })],
    ['a zod trim or lowercase conversion', z.string().trim().toLowerCase()],
    ['a default of zod', z.string().default('x').catch('y')],
    ['a pipe without a function', z.string().pipe(z.email())],
  ])('isTransformed returns false for %s, because no user code changes the value', (_, schema) => {
    expect(isTransformed(schema as Schema)).toBe(false);
  });
});
