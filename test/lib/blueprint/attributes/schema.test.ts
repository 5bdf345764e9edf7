import { z } from 'zod';
import * as mini from 'zod/mini';
import {
  isOpen,
  isPlainString,
  issueText,
  type Kind,
  kindOf,
  listedValues,
  mayLack,
  type Schema,
  schemaAt,
  takesNothing,
} from '../../../../lib/blueprint/attributes/schema';

/* Most cases give the schema in both zod and zod/mini, since a design may use either. */

const of = (schema: unknown) => schema as Schema;
const kindAt = (schema: unknown, path: string) => {
  const at = schemaAt(of(schema), path.split('.'));
  return at ? kindOf(at) : at;
};

describe('schemaAt', () => {
  interface Node {
    readonly [name: string]: Node;
  }
  const tree: z.ZodType<Node> = z.lazy(() => z.record(z.string(), tree));

  test.each<[string, z.ZodType, mini.ZodMiniType]>([
    ['an object', z.object({ a: z.int() }), mini.object({ a: mini.int() })],
    ['an optional map', z.object({ a: z.int() }).optional(), mini.optional(mini.object({ a: mini.int() }))],
    ['a nullable map', z.object({ a: z.int() }).nullable(), mini.nullable(mini.object({ a: mini.int() }))],
    [
      'a map with a default',
      z.object({ a: z.int() }).default({ a: 1 }),
      mini._default(mini.object({ a: mini.int() }), { a: 1 }),
    ],
    ['a lazy map', z.lazy(() => z.object({ a: z.int() })), mini.lazy(() => mini.object({ a: mini.int() }))],
    [
      'the output of a pipe',
      z.json().pipe(z.object({ a: z.int() })),
      mini.pipe(mini.json(), mini.object({ a: mini.int() })),
    ],
    [
      'a preprocessed map',
      z.preprocess((value) => value, z.object({ a: z.int() })),
      mini.pipe(
        mini.transform((value) => value),
        mini.object({ a: mini.int() }),
      ),
    ],
    [
      'a union in which only one option has the attribute',
      z.union([z.object({ a: z.int() }), z.object({ b: z.string() })]),
      mini.union([mini.object({ a: mini.int() }), mini.object({ b: mini.string() })]),
    ],
    [
      'either side of an intersection',
      z.intersection(z.object({ b: z.string() }), z.object({ a: z.int() })),
      mini.intersection(mini.object({ b: mini.string() }), mini.object({ a: mini.int() })),
    ],
    ['a record', z.record(z.string(), z.int()), mini.record(mini.string(), mini.int())],
    ['a record with that key', z.record(z.enum(['a', 'b']), z.int()), mini.record(mini.enum(['a', 'b']), mini.int())],
    ['a catchall', z.object({}).catchall(z.int()), mini.catchall(mini.object({}), mini.int())],
  ])('schemaAt finds a schema in %s', (_, classic, small) => {
    for (const schema of [classic, small]) {
      expect(kindAt(z.object({ map: schema as z.ZodType }), 'map.a')).toBe('number');
    }
  });

  test.each<[string, z.ZodType, mini.ZodMiniType]>([
    ['an object without the attribute', z.object({ b: z.int() }), mini.object({ b: mini.int() })],
    ['a strict object', z.strictObject({ b: z.int() }), mini.strictObject({ b: mini.int() })],
    ['a record of other keys', z.record(z.enum(['b']), z.int()), mini.record(mini.enum(['b']), mini.int())],
    ['a string', z.string(), mini.string()],
    ['a list', z.array(z.int()), mini.array(mini.int())],
    [
      'a union in which no option has the attribute',
      z.union([z.string(), z.object({})]),
      mini.union([mini.string(), mini.object({})]),
    ],
  ])('schemaAt finds no schema in %s', (_, classic, small) => {
    for (const schema of [classic, small]) {
      expect(schemaAt(of(z.object({ map: schema as z.ZodType })), ['map', 'a'])).toBeUndefined();
    }
  });

  test.each<[string, z.ZodType, mini.ZodMiniType]>([
    ['in z.any()', z.any(), mini.any()],
    ['if a custom check decides', z.custom<object>(), mini.custom<object>()],
    [
      'if a transform produces the attribute',
      z.string().transform((text) => ({ a: text })),
      mini.pipe(
        mini.string(),
        mini.transform((text) => ({ a: text })),
      ),
    ],
    [
      'if two options have the attribute, each with its own schema',
      z.union([z.object({ a: z.int() }), z.object({ a: z.string() })]),
      mini.union([mini.object({ a: mini.int() }), mini.object({ a: mini.string() })]),
    ],
  ])('schemaAt returns null (any value is possible) %s', (_, classic, small) => {
    for (const schema of [classic, small]) {
      expect(schemaAt(of(z.object({ map: schema as z.ZodType })), ['map', 'a'])).toBeNull();
    }
  });

  test('schemaAt finds schemas at any depth of a recursive schema, and for undeclared attributes of a loose object', () => {
    expect(kindAt(z.object({ tree }), 'tree.a.b.c.d')).toBe('map');
    expect(kindAt(z.looseObject({ a: z.int() }), 'a')).toBe('number');
    expect(kindAt(z.looseObject({ a: z.int() }), 'b')).toBe('other');
    expect(schemaAt(of(z.looseObject({})), ['b', 'c'])).toBeNull();
  });

  test('schemaAt returns undefined for the built-in properties of objects', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(schemaAt(of(z.object({ a: z.int() })), [name])).toBeUndefined();
    }
  });

  test('schemaAt returns the schema itself for an empty path', () => {
    const schema = z.object({});
    expect(schemaAt(of(schema), [])).toBe(schema);
  });
});

describe('optional attributes', () => {
  test.each<[string, z.ZodType, mini.ZodMiniType, boolean]>([
    ['required', z.string(), mini.string(), false],
    ['optional', z.string().optional(), mini.optional(mini.string()), true],
    ['nullable', z.string().nullable(), mini.nullable(mini.string()), true],
    ['with a default', z.string().default('x'), mini._default(mini.string(), 'x'), false],
    [
      'optional after its default',
      z.string().default('x').optional(),
      mini.optional(mini._default(mini.string(), 'x')),
      false,
    ],
    [
      'nullable with a default',
      z.string().nullable().default('x'),
      mini._default(mini.nullable(mini.string()), 'x'),
      true,
    ],
    [
      'optional, then required',
      z.string().optional().nonoptional(),
      mini.nonoptional(mini.optional(mini.string())),
      false,
    ],
    ['with a fallback', z.string().optional().catch('x'), mini.catch(mini.optional(mini.string()), 'x'), true],
    ['a listed value', z.enum(['a', 'b']), mini.enum(['a', 'b']), false],
    ['a literal', z.literal('a'), mini.literal('a'), false],
    ['a literal or null', z.literal(['a', null]), mini.literal(['a', null]), true],
    ['or null', z.union([z.string(), z.null()]), mini.union([mini.string(), mini.null()]), true],
    ['lazy', z.lazy(() => z.string()), mini.lazy(() => mini.string()), false],
    ['lazily optional', z.lazy(() => z.string().optional()), mini.lazy(() => mini.optional(mini.string())), true],
    ['anything', z.any(), mini.any(), true],
    ['piped into a string', z.any().pipe(z.string()), mini.pipe(mini.any(), mini.string()), false],
    [
      'piped into an optional',
      z.any().pipe(z.string().optional()),
      mini.pipe(mini.any(), mini.optional(mini.string())),
      true,
    ],
    [
      'transformed from a string',
      z.string().transform(Number),
      mini.pipe(mini.string(), mini.transform(Number)),
      false,
    ],
    [
      'transformed from an optional',
      z
        .string()
        .optional()
        .transform((text) => text),
      mini.pipe(
        mini.optional(mini.string()),
        mini.transform((text) => text),
      ),
      true,
    ],
  ])('mayLack tells whether an item can lack an attribute: %s', (_, classic, small, expected) => {
    for (const schema of [classic, small]) {
      expect(mayLack(of(z.object({ it: schema as z.ZodType })), ['it'])).toBe(expected);
    }
  });

  test.each<[string, z.ZodType, string, boolean]>([
    ['inside an optional map', z.object({ map: z.object({ a: z.string() }).optional() }), 'map.a', true],
    ['inside a map', z.object({ map: z.object({ a: z.string() }) }), 'map.a', false],
    ['in a record', z.object({ map: z.record(z.string(), z.string()) }), 'map.a', true],
    ['in a record with listed keys', z.object({ map: z.record(z.enum(['a']), z.string()) }), 'map.a', false],
    [
      'in a partial record with listed keys',
      z.object({ map: z.partialRecord(z.enum(['a']), z.string()) }),
      'map.a',
      true,
    ],
    [
      'in one option of a union',
      z.object({ map: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) }),
      'map.a',
      true,
    ],
    ['in a catchall', z.object({ map: z.object({}).catchall(z.string()) }), 'map.a', true],
    ['inside anything', z.object({ map: z.any() }), 'map.a', true],
    // A separate rule of the check reports a path that does not exist.
    ['nowhere', z.object({ map: z.object({}).optional() }), 'map.a', false],
  ])('mayLack depends on where the attribute is: %s', (_, schema, path, expected) => {
    expect(mayLack(of(schema), path.split('.'))).toBe(expected);
  });
});

describe('missing values', () => {
  test.each<[string, z.ZodType, boolean]>([
    ['a string', z.string(), false],
    ['a coerced string', z.coerce.string(), true],
    ['a nullable', z.string().nullable(), false],
    ['an optional', z.string().optional(), true],
    ['a default', z.string().default('x'), true],
    ['a fallback', z.string().catch('x'), true],
    ['undefined', z.undefined(), true],
    ['a transform of something', z.string().transform(Number), false],
    ['a transform of a missing value', z.preprocess((value) => value ?? 'x', z.string()), true],
    ['a required optional', z.string().optional().nonoptional(), false],
    [
      'an async schema, which cannot run here and is assumed to accept a missing value',
      z.custom(() => Promise.resolve(true)),
      true,
    ],
  ])('takesNothing tells whether a schema accepts a missing value: %s', (_, schema, expected) => {
    expect(takesNothing(of(schema))).toBe(expected);
  });
});

describe('kindOf', () => {
  test.each<[Kind, readonly z.ZodType[], readonly mini.ZodMiniType[]]>([
    [
      'string',
      [
        z.string(),
        z.email(),
        z.enum(['a']),
        z.literal('a'),
        z.templateLiteral(['a', z.string()]),
        z.iso.date().optional(),
      ],
      [mini.string(), mini.email(), mini.enum(['a']), mini.literal('a'), mini.optional(mini.iso.date())],
    ],
    [
      'number',
      [z.number(), z.int(), z.bigint(), z.literal([1, 2]), z.number().nullable()],
      [mini.number(), mini.bigint()],
    ],
    ['boolean', [z.boolean(), z.boolean().default(true)], [mini.boolean()]],
    ['binary', [z.instanceof(Uint8Array)], [mini.instanceof(Uint8Array)]],
    ['map', [z.object({}), z.record(z.string(), z.string()), z.looseObject({})], [mini.object({})]],
    ['list', [z.array(z.string()), z.tuple([z.string()])], [mini.array(mini.string())]],
    ['other', [z.any(), z.date(), z.literal(['a', 1]), z.union([z.string(), z.number()])], [mini.any(), mini.date()]],
  ])('kindOf returns %s', (kind, classic, small) => {
    for (const schema of [...classic, ...small]) expect(kindOf(of(schema))).toBe(kind);
  });

  test("kindOf returns the kind of a pipe's output, and the kind that all options of a union share", () => {
    expect(kindOf(of(z.string().pipe(z.coerce.number())))).toBe('number');
    expect(kindOf(of(z.preprocess((value) => value, z.boolean())))).toBe('boolean');
    expect(kindOf(of(z.string().transform(Number)))).toBe('other');
    expect(kindOf(of(z.union([z.email(), z.uuid(), z.null()])))).toBe('string');
    expect(kindOf(of(z.codec(z.string(), z.number(), { decode: Number, encode: String })))).toBe('number');
  });
});

test('listedValues returns undefined unless the schema lists every possible string or number', () => {
  enum Size {
    Small,
    Large = 7,
  }
  const listed = (schema: z.ZodType) => listedValues(of(schema)._zod.def);
  expect(listed(z.enum(['a', 'b']))).toEqual(['a', 'b']);
  expect(listed(z.enum(Size))).toEqual([0, 7]);
  expect(listed(z.union([z.literal('a'), z.enum(['b']), z.null()]))).toEqual(['a', 'b']);
  expect(listed(z.union([z.literal('a'), z.string()]))).toBeUndefined();
  expect(listed(z.literal(true))).toBeUndefined();
  expect(listed(z.string())).toBeUndefined();
});

test('isOpen returns true only for a loose object or an object with a catchall', () => {
  expect([z.looseObject({}), z.object({}).catchall(z.string())].map((schema) => isOpen(of(schema)))).toEqual([
    true,
    true,
  ]);
  expect([z.object({}), z.strictObject({})].map((schema) => isOpen(of(schema)))).toEqual([false, false]);
  expect([mini.looseObject({}), mini.object({}), mini.strictObject({})].map((schema) => isOpen(of(schema)))).toEqual([
    true,
    false,
    false,
  ]);
});

test('isPlainString returns true only for a string without further checks', () => {
  for (const schema of [z.string(), mini.string(), z.string().describe('x')])
    expect(isPlainString(of(schema))).toBe(true);
  const others = [
    z.string().min(1),
    z.string().trim(),
    z.email(),
    z.coerce.string(),
    z.string().optional(),
    mini.string().check(mini.trim()),
  ];
  for (const schema of others) expect(isPlainString(of(schema))).toBe(false);
});

test('issueText reports all problems with a value on one line, each with its path, even without a locale', () => {
  const wrong = (schema: unknown, value: unknown) => {
    const parsed = of(schema).safeParse(value);
    return parsed.success ? '' : issueText(parsed.error);
  };
  expect(wrong(z.object({ a: z.object({ b: z.int() }), c: z.email() }), { a: { b: 'x' }, c: 'y' })).toBe(
    'a: b: Invalid input: expected number, received string; c: Invalid email address',
  );
  expect(wrong(mini.object({ a: mini.enum(['x', 'y']) }), { a: 'z' })).toMatch(/^a: .*"x"\W+"y"/);
});
