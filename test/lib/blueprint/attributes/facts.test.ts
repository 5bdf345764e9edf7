import { z } from 'zod';
import { attributeAt, attributeNames, intakeAt } from '../../../../lib/blueprint/attributes/facts';

/** Returns the facts about an attribute with the given schema. */
function factsOf(schema: z.ZodType) {
  const { patterns: _, ...facts } = attributeAt(z.object({ it: schema }), ['it']) ?? {};
  return facts;
}

describe('regular expressions of a string', () => {
  test.each<[string, z.ZodType, readonly (readonly [string, string])[] | undefined]>([
    ['without a format', z.string(), undefined],
    ['with a regular expression', z.string().regex(/^a+$/i), [['^a+$', 'i']]],
    ['with a format', z.nanoid(), [['^[a-zA-Z0-9_-]{21}$', '']]],
    ['with a format that other facts describe', z.uuid(), undefined],
    ['built from a template', z.templateLiteral(['v', z.enum(['1', '2'])]), [['^v(1|2)$', '']]],
    ['in lower case', z.string().lowercase(), [['^[^A-Z]*$', '']]],
  ])('lists the regular expressions of a string %s', (_, schema, patterns) => {
    expect(attributeAt(z.object({ it: schema }), ['it'])?.patterns).toEqual(patterns);
  });

  test.each([
    ['toLowerCase', z.string().toLowerCase(), 'upper'],
    ['toUpperCase', z.string().trim().toUpperCase(), 'lower'],
    ['trim', z.string().trim(), undefined],
  ])('the facts about a string with `%s` tell which letter case cannot occur, if any', (_, schema, lacks) => {
    expect(factsOf(schema)).toEqual({ kind: 'string', optional: false, ...(lacks && { lacks }) });
  });
});

describe('kinds of attributes', () => {
  test.each([
    ['string', z.string(), 'string'],
    ['template literal', z.templateLiteral(['v', z.number()]), 'string'],
    ['number', z.number(), 'number'],
    ['boolean', z.boolean(), 'boolean'],
    ['bytes', z.instanceof(Uint8Array), 'binary'],
    ['object', z.object({ a: z.string() }), 'map'],
    ['record', z.record(z.string(), z.number()), 'map'],
    ['array', z.array(z.string()), 'list'],
    ['tuple', z.tuple([z.string(), z.number()]), 'list'],
    ['date, which DynamoDB cannot store', z.date(), 'other'],
    ['union of one kind', z.union([z.email(), z.uuid()]), 'string'],
    ['union of two kinds', z.union([z.string(), z.number()]), 'other'],
    ['a literal or any string', z.union([z.literal('a'), z.string()]), 'string'],
    ['a literal or any number', z.union([z.literal('a'), z.number()]), 'other'],
  ])('finds the kind of an attribute: %s', (_, schema, kind) => {
    expect(factsOf(schema)).toMatchObject({ kind, optional: false });
    expect(factsOf(schema)).not.toHaveProperty('values');
  });

  test('a plain string has only the facts `kind` and `optional`', () => {
    expect(factsOf(z.string())).toEqual({ kind: 'string', optional: false });
  });
});

describe('optional attributes', () => {
  test.each([
    ['optional', z.string().optional(), true],
    ['exactly optional', z.string().exactOptional(), true],
    ['nullable', z.string().nullable(), true],
    ['nullish', z.string().nullish(), true],
    ['with a default', z.string().default('x'), false],
    ['optional with a default', z.string().optional().default('x'), false],
    ['optional with a prefault', z.string().optional().prefault('x'), false],
    ['nullable with a default, since null stays null', z.string().nullable().default('x'), true],
    ['optional around a default, which still applies', z.string().default('x').optional(), false],
    ['optional, then required', z.string().optional().nonoptional(), false],
    ['nullable, then required', z.nonoptional(z.string().nullish()), true],
    ['with a fallback', z.string().catch('x'), false],
    ['or null', z.string().or(z.null()), true],
    ['or undefined', z.union([z.undefined(), z.string()]), true],
    ['a union with an optional', z.union([z.string().optional(), z.email()]), true],
  ])('tells whether an attribute is optional: %s', (_, schema, optional) => {
    expect(factsOf(schema)).toEqual({ kind: 'string', optional });
  });

  test('an attribute inside an optional map is optional', () => {
    const schema = z.object({ map: z.object({ a: z.string() }).optional() });
    expect(attributeAt(schema, ['map', 'a'])).toEqual({ kind: 'string', optional: true });
  });
});

describe('facts about wrapped schemas', () => {
  interface Node {
    readonly name: string;
    readonly child?: Node;
  }
  const Node: z.ZodType<Node> = z.object({ name: z.string(), child: z.lazy(() => Node).optional() });

  test.each([
    ['readonly', z.string().min(2).readonly()],
    ['a brand', z.string().min(2).brand('Id')],
    [
      'a refinement',
      z
        .string()
        .min(2)
        .refine((text) => text !== 'no'),
    ],
    ['a pipe, by its output', z.number().transform(String).pipe(z.string().min(2))],
    ['a preprocess, by its output', z.preprocess(String, z.string().min(2))],
    ['lazy', z.lazy(() => z.string().min(2))],
    ['several at once', z.lazy(() => z.string().min(2).readonly().default('xx')).catch('xx')],
  ])('finds the facts about the schema inside a wrapper: %s', (_, schema) => {
    expect(factsOf(schema)).toEqual({ kind: 'string', optional: false, minimum: 2 });
  });

  test('the facts about a codec describe its decoded output', () => {
    expect(factsOf(z.stringbool())).toEqual({ kind: 'boolean', optional: false });
  });

  test("the facts about a transform have the kind 'other'", () => {
    expect(factsOf(z.string().transform((text) => text.length))).toEqual({ kind: 'other', optional: false });
  });

  test('attributeAt follows a path of any depth into a recursive lazy map', () => {
    const schema = z.object({ root: Node });
    expect(attributeAt(schema, ['root', 'child', 'child', 'name'])).toEqual({ kind: 'string', optional: true });
  });
});

describe('listed values', () => {
  enum Level {
    Low = 1,
    High = 2,
  }
  test.each([
    ['an enum', z.enum(['DRAFT', 'PUBLISHED']), 'string', ['DRAFT', 'PUBLISHED']],
    ['an enum by name', z.enum({ draft: 'D', published: 'P' }), 'string', ['D', 'P']],
    ['a numeric TypeScript enum', z.enum(Level), 'number', [1, 2]],
    ['a literal', z.literal('POST'), 'string', ['POST']],
    ['several literals', z.literal([1, 2]), 'number', [1, 2]],
    ['literals of two kinds', z.literal(['a', 1]), 'other', ['a', 1]],
    ['a union of literals and enums', z.union([z.literal('a'), z.enum(['b', 'c'])]), 'string', ['a', 'b', 'c']],
    [
      'a union in a union',
      z.union([z.literal('a'), z.union([z.literal('b'), z.literal('c')])]),
      'string',
      ['a', 'b', 'c'],
    ],
  ])('lists the values of %s', (_, schema, kind, values) => {
    expect(factsOf(schema)).toEqual({ kind, optional: false, values });
  });

  test("a union of an enum and null is optional, and lists the enum's values", () => {
    expect(factsOf(z.enum(['a', 'b']).or(z.null()))).toEqual({ kind: 'string', optional: true, values: ['a', 'b'] });
    expect(factsOf(z.union([z.literal('a'), z.literal('b'), z.null()]))).toEqual({
      kind: 'string',
      optional: true,
      values: ['a', 'b'],
    });
  });
});

const utc = (options: object = {}) => z.iso.datetime({ offset: true, ...options }).regex(/(Z|\+00:00)$/);

describe('the format of a string', () => {
  test.each([
    ['an email address', z.email(), { format: 'email' }],
    ['an email address, as a check', z.string().email(), { format: 'email' }],
    ['an id', z.uuid(), { format: 'uuid' }],
    ['a date', z.iso.date(), { format: 'date' }],
    ['a timestamp', z.iso.datetime(), { format: 'datetime', zoned: false }],
    [
      'a timestamp with milliseconds',
      z.iso.datetime({ precision: 3 }),
      { format: 'datetime', zoned: false, precision: 3 },
    ],
    [
      'a timestamp with whole seconds',
      z.iso.datetime({ precision: 0 }),
      { format: 'datetime', zoned: false, precision: 0 },
    ],
    ['a timestamp in any zone', z.iso.datetime({ offset: true }), { format: 'datetime', zoned: true }],
    ['a timestamp without a zone', z.iso.datetime({ local: true }), { format: 'datetime', zoned: true }],
    [
      'a timestamp, as a check',
      z.string().datetime({ offset: true, precision: 6 }),
      { format: 'datetime', zoned: true, precision: 6 },
    ],
    ['a timestamp in UTC, with Z or +00:00', utc(), { format: 'datetime', zoned: 'utc' }],
    ['a UTC timestamp with milliseconds', utc({ precision: 3 }), { format: 'datetime', zoned: 'utc', precision: 3 }],
    [
      'a timestamp with or without seconds',
      z.union([utc(), utc({ precision: -1 })]),
      { format: 'datetime', zoned: 'utc' },
    ],
    [
      'a timestamp with one of two precisions',
      z.union([utc({ precision: 0 }), z.iso.datetime({ precision: 3 })]),
      { format: 'datetime', zoned: 'utc', precisions: [0, 3] },
    ],
    [
      'a timestamp with another check',
      z.iso.datetime({ offset: true }).regex(/00$/),
      { format: 'datetime', zoned: true },
    ],
    ['a timestamp or a date', z.union([z.iso.datetime(), z.iso.date()]), {}],
    ['a timestamp in UTC or in any zone', z.union([utc(), z.iso.datetime({ offset: true })]), {}],
  ])('finds the format of a string: %s', (_, schema, form) => {
    expect(factsOf(schema)).toEqual({ kind: 'string', optional: false, ...form });
  });
});

describe('bounds', () => {
  test.each([
    ['a whole number', z.int(), { integer: true }],
    ['a whole number, as a check', z.number().int(), { integer: true }],
    ['inclusive', z.int().min(0).max(9999), { integer: true, minimum: 0, maximum: 9999 }],
    ['exclusive, of whole numbers', z.int().gt(0).lt(10_000), { integer: true, minimum: 1, maximum: 9999 }],
    [
      'exclusive, followed by a check for whole numbers',
      z.number().positive().lt(10).int(),
      { integer: true, minimum: 1, maximum: 9 },
    ],
    ['exclusive and fractional, of whole numbers', z.int().gt(0.5).lt(9.5), { integer: true, minimum: 1, maximum: 9 }],
    ['exclusive, of any numbers', z.number().gt(0).lt(10), { minimum: 0, maximum: 10 }],
    ['the narrowest of several', z.number().min(5).min(1).max(7).max(9), { minimum: 5, maximum: 7 }],
    ['large whole numbers', z.bigint().min(1n).lt(100n), { integer: true, minimum: 1, maximum: 99 }],
  ])('finds the bounds of a number: %s', (_, schema, bounds) => {
    expect(factsOf(schema)).toEqual({ kind: 'number', optional: false, ...bounds });
  });

  test.each([
    ['between two lengths', z.string().min(1).max(20), { minimum: 1, maximum: 20 }],
    ['of a fixed length', z.string().length(5), { minimum: 5, maximum: 5 }],
    ['not empty', z.string().nonempty(), { minimum: 1 }],
  ])('finds the bounds of the length of a string: %s', (_, schema, bounds) => {
    expect(factsOf(schema)).toEqual({ kind: 'string', optional: false, ...bounds });
  });

  test("a string with a custom format has no integer fact, even if the format's name contains 'int'", () => {
    const schema = z.stringFormat('fingerprint', /^[0-9a-f]+$/);
    expect(factsOf(schema)).toEqual({ kind: 'string', optional: false, format: 'fingerprint' });
  });
});

describe('paths', () => {
  const schema = z.object({
    name: z.string(),
    map: z.object({ deep: z.object({ n: z.int() }).readonly() }),
    byName: z.record(z.string(), z.object({ n: z.int() })),
    byDay: z.record(z.enum(['mon', 'tue']), z.string()),
    bySomeDay: z.partialRecord(z.enum(['mon', 'tue']), z.string()),
    list: z.array(z.string()),
  });

  test('attributeAt finds an attribute of a nested map', () => {
    expect(attributeAt(schema, ['map', 'deep', 'n'])).toEqual({ kind: 'number', integer: true, optional: false });
  });

  test('attributeAt accepts any key of a record, and treats the attributes under the key as optional', () => {
    expect(attributeAt(schema, ['byName', 'whatever', 'n'])).toEqual({ kind: 'number', integer: true, optional: true });
  });

  test('attributeAt finds only the listed keys of a record with an enum as its keys', () => {
    expect(attributeAt(schema, ['byDay', 'mon'])).toEqual({ kind: 'string', optional: false });
    expect(attributeAt(schema, ['bySomeDay', 'mon'])).toEqual({ kind: 'string', optional: true });
    expect(attributeAt(schema, ['byDay', 'sun'])).toBeUndefined();
  });

  test.each([
    ['nope'],
    ['map.nope'],
    ['map.deep.n.further'],
    ['name.length'],
    ['list.0'],
    ['byName.x.nope'],
    ['constructor'],
    ['map.toString'],
  ])('attributeAt returns undefined for the path %s', (path) => {
    expect(attributeAt(schema, path.split('.'))).toBeUndefined();
  });

  test('attributeNames lists the attributes of an object in order', () => {
    expect(attributeNames(schema)).toEqual(['name', 'map', 'byName', 'byDay', 'bySomeDay', 'list']);
  });
});

describe('intakeAt', () => {
  const intakeOf = (schema: z.ZodType) => intakeAt(z.object({ it: schema }), ['it']);

  test.each([
    ['a string', z.string(), true],
    ['a listed value', z.enum(['a', 'b']), true],
    ['a nullable', z.string().nullable(), true],
    ['a read-only map', z.object({ a: z.string() }).readonly(), true],
    ['a union', z.union([z.string(), z.number()]), true],
    ['a required optional', z.nonoptional(z.string().optional()), true],
    ['an optional', z.string().optional(), false],
    ['a default', z.string().default('a'), false],
    ['an optional in a union', z.union([z.string().optional(), z.number()]), false],
  ])(
    'intakeAt reports that the schema for %s leaves values unchanged, and whether it requires one',
    (_, schema, required) => {
      expect(intakeOf(schema)).toEqual({ required, exact: true });
      expect(schema.safeParse(undefined).success).toBe(!required);
    },
  );

  test.each([
    ['anything', z.any(), false],
    ['a custom value', z.custom<string>(), false],
    ['a value coerced to a string', z.coerce.string(), false],
    ['a transformed value', z.string().transform((text) => text.length), true],
    ['a preprocessed value', z.preprocess((value) => value ?? 'none', z.string()), false],
    ['a value with a catch', z.string().catch('none'), false],
    ['a lazy value', z.lazy(() => z.string().optional()), false],
  ])(
    'intakeAt reports that the schema for %s may change values, and whether it requires one',
    (_, schema, required) => {
      expect(intakeOf(schema)).toEqual({ required, exact: false });
      expect(schema.safeParse(undefined).success).toBe(!required);
    },
  );

  test('intakeAt follows a path into maps, and returns undefined for a missing path', () => {
    const schema = z.object({ map: z.object({ a: z.string() }).optional() });
    expect(intakeAt(schema, ['map', 'a'])).toEqual({ required: true, exact: true });
    expect(intakeAt(schema, ['map', 'b'])).toBeUndefined();
  });
});
