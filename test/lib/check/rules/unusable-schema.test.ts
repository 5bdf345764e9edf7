import * as z from 'zod';
import * as mini from 'zod/mini';
import { lossesOf } from '../../../../lib/blueprint/attributes/kept';
import type { Schema } from '../../../../lib/blueprint/attributes/schema';
import { check } from '../../../../lib/check';
import { unusableSchema } from '../../../../lib/check/rules/unusable-schema';
import type { TableDesign } from '../../../../lib/design/table';
import { findings } from '../../../fixtures/designs';

const design = (v: z.core.$ZodType, object: typeof z.object = z.object): TableDesign => ({
  name: 'notes',
  key: { partition: 'PK', sort: 'SK' },
  entities: { Note: { attributes: object({ id: z.string(), v }), keys: { PK: 'NOTE#<id>', SK: 'NOTE' } } },
  patterns: { put: { op: 'put', entity: 'Note' } },
});
const causesOf = (v: z.core.$ZodType) => findings(unusableSchema, design(v)).map(({ path, cause }) => [path, cause]);
const fail = async () => {
  throw new Error('nobody waits for this');
};

test.each<[string, z.core.$ZodType]>([
  ['never', z.never()],
  ['an empty enum', z.enum([])],
  ['a union of impossible schemas', z.union([z.never(), z.enum([])])],
  ['a length between 5 and 3', z.string().min(5).max(3)],
  ['two different lengths', z.string().length(2).length(3)],
  ['a number from 5 to 3', z.int().min(5).max(3)],
  ['a number above 3 and below 3', z.number().gt(3).lt(3)],
  ['two different prefixes', z.string().startsWith('a').startsWith('b')],
  ['two different suffixes', z.string().endsWith('a').endsWith('b')],
  ['an intersection of a string and a number', z.intersection(z.string(), z.number())],
  ['a tuple whose element has an impossible attribute', z.tuple([z.object({ a: z.never() })])],
  ['a non-empty list of impossible elements', z.array(z.never()).min(1)],
  ['a lazy schema without values', z.lazy(() => z.never())],
  ['contradictory bounds in zod/mini', mini.string().check(mini.minLength(5), mini.maxLength(3))],
])('reports %s, which no value satisfies', (_, schema) => {
  expect(causesOf(schema)).toEqual([['entities.Note.attributes.v', 'takes-nothing']]);
});

test('reports a faulty nested schema at the path of its attribute', () => {
  expect(causesOf(z.object({ a: z.object({ b: z.never() }) }))).toEqual([
    ['entities.Note.attributes.v.a.b', 'takes-nothing'],
  ]);
});

test.each<[string, z.core.$ZodType]>([
  ['an optional attribute whose schema no value satisfies', z.never().optional()],
  ['a default', z.string().min(5).max(3).default('abcd')],
  ['a list that may be empty', z.array(z.never())],
  ['bounds that allow exactly one value', z.int().min(3).max(3)],
  ['a prefix of another prefix', z.string().startsWith('a').startsWith('ab')],
  [
    'a tree',
    z.object({
      get child() {
        return z.lazy(() => z.object({ a: z.string() })).optional();
      },
    }),
  ],
  ['a synchronous refinement', z.string().refine((text) => text.length > 1)],
])('accepts %s', (_, schema) => {
  expect(causesOf(schema)).toEqual([]);
});

test.each<[string, z.core.$ZodType]>([
  ['a refinement', z.string().refine(fail)],
  ['a refinement of a number', z.int().refine(fail)],
  ['a transform', z.string().transform(fail)],
  ['a preprocess', z.preprocess(fail, z.string())],
  ['a promise', z.promise(z.string())],
])('reports an async schema, and leaves no unhandled rejection: %s', async (_, schema) => {
  expect(causesOf(schema)).toEqual([['entities.Note.attributes.v', 'asynchronous']]);
  expect(check(design(schema)).map(({ rule }) => rule)).toContain('unusable-schema');
  // An unhandled rejection would crash the process here.
  await new Promise(setImmediate);
});

test('reports an async schema of a whole entity', () => {
  const attributes = z.object({ id: z.string() }).refine(fail);
  const entities = { Note: { attributes, keys: { PK: 'NOTE#<id>', SK: 'NOTE' } } };
  expect(findings(unusableSchema, { ...design(z.string()), entities })).toEqual([
    expect.objectContaining({ path: 'entities.Note.attributes', cause: 'asynchronous' }),
  ]);
});

test('checks the schema inside `z.lazy`, and terminates even if `z.lazy` returns a new schema each time', () => {
  const told = (schema: z.core.$ZodType) =>
    lossesOf(schema as unknown as Schema).map(({ path, type }) => [path.join('.'), type]);
  expect(told(z.lazy(() => z.object({ at: z.date() })))).toEqual([['at', 'date']]);
  expect(told(z.literal([1n]))).toEqual([['', 'literal']]);
  const tree = (): z.ZodType => z.object({ at: z.string(), child: z.lazy(tree).optional() });
  expect(told(tree())).toEqual([]);
  expect(causesOf(tree())).toEqual([]);
});
