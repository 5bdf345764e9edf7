import { z } from 'zod';
import { check } from '../../../lib/check/check';
import type { Condition, KeyCondition, PatternDesign, QueryPattern } from '../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';

const at = z.iso.datetime({ precision: 3 });
const id = z.uuid();

/** Returns the severity, rule and cause of each error and warning for a design. */
const said = (design: TableDesign) => check(design).map(({ severity, rule, cause }) => `${severity} ${rule} ${cause}`);

function table(
  entities: Readonly<Record<string, EntityDesign>>,
  patterns: Readonly<Record<string, PatternDesign>> = {},
  rest: Partial<TableDesign> = {},
): TableDesign {
  return { name: 'things', key: { partition: 'PK', sort: 'SK' }, entities, patterns, ...rest };
}

/** Returns a design for things that belong to an owner and have the given attributes and sort key. */
function things(own: z.ZodRawShape, SK: string, query?: Partial<QueryPattern>): TableDesign {
  const Thing = { attributes: z.object({ ownerId: id, thingId: id, ...own }), keys: { PK: 'OWNER#<ownerId>', SK } };
  const where = { PK: 'OWNER#<ownerId>' };
  return table({ Thing }, query && { list: { op: 'query', where, returns: ['Thing'], ...query } });
}

describe('random ids of two entities', () => {
  const named = (a: string, b: string, form: z.ZodType) =>
    table(
      {
        User: { attributes: z.object({ [a]: form }), keys: { PK: `<${a}>`, SK: `<${a}>` } },
        Team: { attributes: z.object({ [b]: form }), keys: { PK: `<${b}>`, SK: `<${b}>` } },
      },
      { user: { op: 'query', where: { PK: `<${a}>` }, returns: ['User'] } },
    );

  test.each([
    ['userId', 'teamId', z.uuid()],
    ['id', 'id', z.uuid()],
    ['id', 'teamId', z.ulid()],
    ['userId', 'teamId', z.nanoid()],
  ])('treats the random ids of two entities as never equal: %s and %s', (a, b, form) => {
    expect(said(named(a, b, form))).toEqual([]);
  });

  test.each([
    ["the first entity's id", 'userId', 'userId', z.uuid()],
    ['the id of an unknown entity', 'userId', 'ownerId', z.uuid()],
    ['plain text', 'userId', 'teamId', z.string()],
  ])('treats two ids as possibly equal if the second is %s', (_, a, b, form) => {
    expect(said(named(a, b, form))).toContain('error key-collision two-entities');
  });
});

describe('a string of a fixed length', () => {
  test.each([
    ['nine characters', z.string().length(9)],
    ['a geohash', z.string().regex(/^[0-9b-hjkmnp-z]{9}$/)],
    ['five characters or more', z.string().min(5)],
    ['ten characters', z.string().length(10)],
  ])('does not mistake a string for a date just because of its length: %s', (_, code) => {
    expect(said(things({ code }, 'CODE#<code>#<thingId>'))).toEqual([]);
  });

  test('recognizes a date by its regular expression', () => {
    const code = z.string().regex(/^\d\d\/\d\d\/\d{4}$/);
    expect(said(things({ code }, 'CODE#<code>#<thingId>'))).toEqual(['warning unsorted-text day-first']);
  });
});

describe('an explicit order', () => {
  test.each([
    ['a decimal stored as text', z.string().regex(/^\d+\.\d{2}$/), 'error unsorted-text numeric-text'],
    ['a number stored as text', z.string().regex(/^\d+$/), 'error unsorted-text numeric-text'],
    ['a number', z.int().min(0).max(999), 'error unpadded-number in-key'],
    ['a time in any time zone', z.iso.datetime({ offset: true }), 'error unordered-time any-zone'],
  ])('rejects an `orderBy` that the sort key does not provide: %s', (_, by, finding) => {
    expect(said(things({ by }, 'BY#<by>#<thingId>', { orderBy: 'by' }))).toEqual([finding]);
    expect(said(things({ by }, 'BY#<by>#<thingId>', {}))).toEqual([finding.replace('error', 'warning')]);
  });

  test('accepts an `orderBy` with padded numbers or UTC times', () => {
    expect(said(things({ by: z.int().min(0).max(999) }, 'BY#<by:3>#<thingId>', { orderBy: 'by' }))).toEqual([]);
    expect(said(things({ by: at }, 'BY#<by>#<thingId>', { orderBy: 'by' }))).toEqual([]);
  });
});

describe('the last day of a range', () => {
  const level = z.enum(['info', 'error']);
  const asked = (SK: KeyCondition) =>
    said(things({ level, at }, 'LOG#<level>#<at>#<thingId>', { where: { PK: 'OWNER#<ownerId>', SK } }));

  test.each<KeyCondition>([
    { between: ['LOG#info#2026-01-01', 'LOG#info#2026-01-31'] },
    { between: ['LOG#<level>#<from:date>', 'LOG#<level>#<to:date>'] },
    { between: ['LOG#info#<from:date>', 'LOG#info#<to:date>'] },
  ])('reports a range that leaves out the last day: %j', (SK) => {
    expect(asked(SK)).toEqual(['warning misread-range day-as-end']);
  });

  test.each<KeyCondition>([
    { between: ['LOG#info#2026-01-01', 'LOG#info#2026-01-31T23:59:59.999Z'] },
    { between: ['LOG#info#<from>', 'LOG#info#<to>'] },
    { beginsWith: 'LOG#info#2026-01' },
  ])('accepts a range that includes the last day: %j', (SK) => {
    expect(asked(SK)).toEqual([]);
  });
});

describe('a comparison that never holds', () => {
  const own = {
    price: z.number(),
    name: z.string().regex(/^[a-z]+$/),
    tags: z.array(z.string()).max(9),
    state: z.enum(['open', 'done']),
  };
  const filtered = (filter: Condition) => said(things(own, 'THING#<thingId>', { filter }));

  test.each<Condition>([
    { price: '5' },
    { price: { in: ['5'] } },
    { price: { atLeast: 'a' } },
    { price: { lessThan: { attribute: 'name' } } },
    { tags: { contains: 5 } },
    { name: { contains: 5 } },
    { state: { beginsWith: 'arch' } },
    { state: { contains: 'x' } },
    { price: 1e127 },
  ])('rejects the filter %j, which never holds', (filter) => {
    expect(filtered(filter)).toEqual([expect.stringMatching(/^error impossible-value/)]);
  });

  test.each<Condition>([
    { price: 5 },
    { price: { lessThan: { attribute: 'price' } } },
    { tags: { contains: 'a' } },
    { tags: { contains: '<tag>' } },
    { name: { contains: 'a' } },
    { state: { beginsWith: 'o' } },
    { price: 1e125 },
  ])('accepts the filter %j, which can hold', (filter) => {
    expect(filtered(filter)).toEqual([]);
  });
});

describe('the length of a key', () => {
  test.each([
    ['a minimum length', { a: z.string().min(1100).max(1200) }, '<a>', 'error limits long-sort-key'],
    [
      'the sum of two lengths',
      { a: z.string().length(600), b: z.string().length(600) },
      '<a>#<b>',
      'error limits long-sort-key',
    ],
    [
      'a maximum length',
      {
        a: z
          .string()
          .max(2000)
          .regex(/^[a-z]+$/),
      },
      '<a>',
      'warning limits may-be-too-long',
    ],
  ])('reports a key that is or may be too long because of %s', (_, own, SK, finding) => {
    expect(said(things(own, SK))).toContain(finding);
  });

  test('accepts a key within the length limit', () => {
    expect(said(things({ a: z.string().max(90) }, 'A#<a>#<thingId>'))).toEqual([]);
  });
});

describe('an addition', () => {
  const added = (value: z.ZodType, by: unknown = '<by>') => {
    const { entities } = things({ value }, 'THING#<thingId>');
    const where = { PK: 'OWNER#<ownerId>', SK: 'THING#<thingId>' };
    return said(table(entities, { add: { op: 'update', entity: 'Thing', where, add: { value: by } } } as never));
  };

  test('rejects an addition to a string, and accepts additions to numbers and bounded sets', () => {
    const tags = z.set(z.string()).min(1).max(9);
    for (const by of ['<by>', ['<by>'], ['a', '<by>']]) expect(added(tags, by)).toEqual([]);
    for (const by of [1, 'a', 'a<by>']) expect(added(tags.optional(), by)).toEqual(['error unwritable not-a-number']);
    expect(added(z.set(z.string()).min(1), ['<by>'])).toEqual(['warning unbounded-item grows-with-use']);
    expect(added(z.int(), ['<by>'])).toEqual(['error unwritable text-added']);
    expect(added(z.array(z.string()).max(9), ['<by>'])).toEqual(['error unwritable not-a-number']);
    expect(added(z.string())).toEqual(['error unwritable not-a-number']);
    expect(added(z.int())).toEqual([]);
  });
});

describe('all items of an entity under one key', () => {
  test('reports a key that allows only one item per owner if a pattern reads several', () => {
    expect(said(things({ at }, 'THING', { pageSize: 10 }))).toEqual(['warning key-collision nothing-apart']);
    expect(said(things({ at }, 'THING', { orderBy: 'at' }))).toContain('warning key-collision nothing-apart');
  });

  test('accepts a key that allows only one item per owner, such as a profile, if no pattern reads several', () => {
    expect(said(things({ at }, 'THING', {}))).toEqual([]);
  });
});

test('accepts a scan of a sparse index, which is meant to be scanned', () => {
  const design = (flag: z.ZodType) => ({
    ...things({ flag }, 'THING#<thingId>'),
    indexes: { flagged: { partition: 'flag' } },
    patterns: { flagged: { op: 'scan', index: 'flagged', returns: ['Thing'] } } as const,
  });
  expect(said(design(z.string().optional()))).toEqual([]);
  expect(said(design(z.string()))).toEqual(['warning whole-scan index']);
});

describe('an expiry', () => {
  const ttl = (name: string, value: z.ZodType) =>
    check({ ...things({ [name]: value }, 'THING#<thingId>'), ttl: name }, { notes: true })
      .filter(({ rule }) => rule === 'limits')
      .map(({ severity, guess, cause }) => `${severity} ${guess} ${cause}`);

  test.each(['signedInUntil', 'checkInExpires', 'expiresAt'])('accepts an expiry attribute called %s', (name) => {
    expect(ttl(name, z.int())).toEqual([]);
  });

  test('reports an expiry that is a duration, as a note if only its name suggests so, and as an error if its bounds prove it', () => {
    expect(ttl('expiresIn', z.int())).toEqual(['note true ttl-duration']);
    expect(ttl('expiresAt', z.int().max(86_400))).toEqual(['error undefined ttl-duration']);
  });

  test('reports an expiry inside a map, where DynamoDB cannot see it', () => {
    const design = {
      ...things({ meta: z.object({ expires: z.int() }), tokens: z.int() }, 'THING#<thingId>'),
      ttl: 'expires',
    };
    expect(check(design)).toMatchObject([
      { cause: 'ttl', fix: "add a top-level attribute expires: z.int() to Thing, and write ttl: 'expires'" },
    ]);
  });
});

test('a guess based on English words is only a note', () => {
  const priority = z.enum(['low', 'medium', 'high']);
  const createdAt = z.string();
  for (const own of [{ priority }, { createdAt }] as readonly z.ZodRawShape[]) {
    const [name] = Object.keys(own) as [string];
    const found = check(things(own, `X#<${name}>#<thingId>`), { notes: true }).filter(
      ({ rule }) => rule === 'unsorted-text',
    );
    expect(found).toMatchObject([{ severity: 'note', guess: true }]);
  }
});

test('sorts findings by severity, then by their place in the design', () => {
  const broken = things({ at: z.iso.datetime() }, 'X#<at>#<thingId>', { index: 'none' });
  const found = check({ ...broken, indexes: { unread: { partition: 'thingId' } } }, { notes: true });
  const ranks = found.map(({ severity }) => ['error', 'warning', 'note'].indexOf(severity));
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  expect(new Set(ranks).size).toBeGreaterThan(1);
});

describe('a key part that may be empty', () => {
  test.each([
    ['because of its default', z.string().default('')],
    ['because of its fallback', z.string().catch('')],
    ['because of a listed value', z.enum(['', 'a'])],
    ['because of a union member', z.union([z.literal(''), z.uuid()])],
    ['because of its regular expression', z.string().regex(/^[a-z]*$/)],
  ])('reports a part of two keys only once if it may be empty %s', (_, part) => {
    const design = things({ part }, 'THING#<part>#<thingId>');
    const Thing = { ...design.entities.Thing, keys: { ...design.entities.Thing?.keys, byPart: 'PART#<part>' } };
    const indexes = { parts: { partition: 'byPart' } };
    const patterns: TableDesign['patterns'] = {
      parts: { op: 'query', index: 'parts', where: { byPart: 'PART#<part>' }, returns: ['Thing'] },
    };
    const found = said({ ...design, indexes, patterns, entities: { Thing } as TableDesign['entities'] });
    expect(found).toEqual(['warning unkeyable may-be-empty']);
  });

  test.each([
    ['a string with a minimum length', z.string().min(1).max(20)],
    ['a regular expression that requires a character', z.string().regex(/^[a-z]+$/)],
    ['a non-empty default', z.enum(['a', 'b']).default('a')],
  ])('accepts a key part that cannot be empty: %s', (_, part) => {
    expect(said(things({ part }, 'THING#<part>#<thingId>'))).toEqual([]);
  });
});

describe('a key part that may have several types', () => {
  test.each([
    [
      'text that matches a regular expression, or a number',
      z.union([z.string().regex(/^[a-f]{12}$/), z.int()]),
      'warning unkeyable mixed-kinds',
    ],
    ['any text or a number', z.union([z.string(), z.number()]), 'error unkeyable two-kinds'],
    ['a list or a boolean', z.union([z.enum(['a']), z.boolean()]), 'error unkeyable boolean'],
    ['an id or true', z.union([z.uuid(), z.literal(true)]), 'error unkeyable boolean'],
  ])('reports a key part that may have several types: %s', (_, part, finding) => {
    expect(said(things({ part }, 'THING#<part>#<thingId>'))).toEqual([finding]);
  });

  test('accepts a key part that is a string in one of two formats', () => {
    expect(said(things({ part: z.union([z.uuid(), z.ulid()]) }, 'THING#<part>#<thingId>'))).toEqual([]);
  });
});

describe('numbers of varying length within a string', () => {
  test.each([
    ['a version', z.string().regex(/^\d+\.\d+\.\d+$/), 'z.string().regex(/^\\d{3}\\.\\d{3}\\.\\d{3}$/)'],
    ['a number', z.string().regex(/^\d+$/), 'z.int().min(0)'],
  ])('reports numbers of varying length in a sort key, and does not mistake them for a date: %s', (_, by, schema) => {
    expect(check(things({ by }, 'BY#<by>#<thingId>'))).toMatchObject([
      { rule: 'unsorted-text', cause: 'numeric-text', fix: expect.stringContaining(schema) },
    ]);
  });

  test('accepts numbers of a fixed width in a sort key', () => {
    expect(said(things({ by: z.string().regex(/^\d{3}\.\d{3}\.\d{3}$/) }, 'BY#<by>#<thingId>'))).toEqual([]);
  });
});

describe('a parameter that is a string in the key', () => {
  const changed = (update: object) => {
    const { entities } = things({ count: z.int(), note: z.string(), other: id }, 'THING#<thingId>');
    const where = { PK: 'OWNER#<ownerId>', SK: 'THING#<thingId>' };
    return said(table(entities, { change: { op: 'update', entity: 'Thing', where, ...update } } as never));
  };

  test.each([
    { set: { count: '<thingId>' } },
    { set: { note: 'a' }, condition: { count: '<ownerId>' } },
    { set: { note: 'a' }, condition: { count: { atLeast: '<thingId>' } } },
  ])('rejects a parameter that is a string in the key and a number elsewhere: %j', (update) => {
    expect(changed(update)).toEqual(['error impossible-value two-kinds']);
  });

  test.each([
    { set: { count: '<count>' } },
    { set: { other: '<thingId>' } },
    { set: { note: '<thingId>' }, condition: { count: { atLeast: '<least>' } } },
  ])('accepts a parameter that has the same kind everywhere: %j', (update) => {
    expect(changed(update)).toEqual([]);
  });
});

describe('several consequences of one cause', () => {
  test('reports a single finding if an index projects neither the expiry nor other attributes', () => {
    const design = {
      ...things({ group: id, at, ends: z.int() }, 'THING#<thingId>', {
        index: 'groups',
        where: { group: '<group>' },
        unexpired: true,
      }),
      ttl: 'ends',
      indexes: { groups: { partition: 'group', projection: 'keys' as const } },
    };
    expect(said(design)).toEqual(['error unprojected returned']);
    expect(said({ ...design, indexes: { groups: { partition: 'group', projection: ['at'] } } })).toHaveLength(1);
  });

  test('reports a single finding if two entities with the same key also pollute a query', () => {
    const own = things({ at }, 'THING#<thingId>', { where: { PK: 'OWNER#<ownerId>' } });
    const Other = own.entities.Thing as EntityDesign;
    expect(said({ ...own, entities: { ...own.entities, Other } })).toEqual(['error key-collision two-entities']);
    const apart = { ...Other, keys: { ...Other.keys, SK: 'OTHER#<thingId>' } };
    expect(said({ ...own, entities: { ...own.entities, Other: apart } })).toEqual([
      'error pattern-pollution whole-partition',
    ]);
  });
});

test("recognizes an e-mail address in a key by its schema, even if the attribute's name gives no hint", () => {
  const guessed = (own: z.ZodRawShape, SK: string) =>
    check(things(own, SK), { notes: true })
      .filter(({ cause }) => cause === 'any-case')
      .map(({ severity, guess }) => [severity, guess]);
  for (const name of ['email', 'userId', 'contact'])
    expect(guessed({ [name]: z.email() }, `BY#<${name}>`)).toEqual([['note', true]]);
  expect(guessed({ userId: z.email() }, 'BY#<userId:lower>')).toEqual([]);
  expect(guessed({ userId: z.email().toLowerCase() }, 'BY#<userId>')).toEqual([]);
  expect(guessed({ userId: z.uuid() }, 'BY#<userId>')).toEqual([]);
});
