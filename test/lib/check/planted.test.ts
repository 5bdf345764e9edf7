import { z } from 'zod';
import { check } from '../../../lib/check/check';
import type { KeyCondition, PatternDesign, UpdatePattern } from '../../../lib/design/pattern';
import type { TableDesign } from '../../../lib/design/table';
import { busy } from '../../support/planted';

const timestamp = z.iso.datetime({ precision: 3 });

/**
 * Returns the severity, rule and cause of each finding for a design. Likely oversights are left out, because they have
 * separate tests.
 */
const said = (design: TableDesign) =>
  check(design, { notes: true })
    .filter(({ rule }) => rule !== 'likely-oversight')
    .map(({ severity, rule, cause }) => `${severity} ${rule} ${cause}`);

const table = (rest: Partial<TableDesign>): TableDesign => ({
  name: 'things',
  key: { partition: 'PK', sort: 'SK' },
  entities: {},
  ...rest,
});

/** Returns a table with one entity, which has an id and the given attribute. */
const holding = (value: z.ZodType) =>
  table({
    entities: { Thing: { attributes: z.object({ id: z.string(), value }), keys: { PK: 'T#<id>', SK: 'T' } } },
  });

describe('types that DynamoDB cannot store or return', () => {
  test.each<[string, z.ZodType, string]>([
    ['a Date', z.date(), 'error dynamodb-types refused'],
    ['a Date coerced from text', z.coerce.date(), 'error dynamodb-types refused'],
    ['an optional Date', z.date().optional(), 'error dynamodb-types refused'],
    ['a Date in a map', z.object({ at: z.date() }), 'error dynamodb-types refused'],
    ['a list of Dates', z.array(z.date()).max(9), 'error dynamodb-types refused'],
    ['a bigint', z.bigint(), 'error dynamodb-types unread'],
    ['a Map', z.map(z.string(), z.string()), 'error dynamodb-types unread'],
    ['a set of booleans', z.set(z.boolean()).min(1).max(2), 'error dynamodb-types refused'],
    ['a set with an empty default', z.set(z.string()).max(9).default(new Set()), 'error dynamodb-types empty-default'],
    ['a set that may be empty', z.set(z.string()).max(9), 'note dynamodb-types may-be-empty'],
    ['a transform to a number', z.string().transform((text) => text.length), 'error dynamodb-types unread'],
    ['a transform that is not idempotent', z.string().transform((text) => `${text}!`), 'error dynamodb-types changed'],
    ['a string parsed as a boolean', z.stringbool(), 'error dynamodb-types unread'],
    [
      'a codec to a Date',
      z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() }),
      'error dynamodb-types refused',
    ],
    ['a string or a Date', z.union([z.string(), z.date()]), 'warning dynamodb-types may-be-refused'],
    ['a string larger than the item size limit', z.string().min(500_000), 'error unbounded-item always-too-large'],
  ])('reports a type that DynamoDB cannot store or return: %s', (_, value, finding) => {
    expect(said(holding(value))).toEqual([finding]);
  });

  test.each<[string, z.ZodType]>([
    ['a number coerced from text', z.coerce.number()],
    ['a bigint coerced from a number', z.coerce.bigint()],
    ['a string that is trimmed', z.string().trim().toLowerCase()],
    ['an idempotent transform', z.string().transform((text) => text.toUpperCase())],
    ['a set of strings', z.set(z.string()).min(1).max(9)],
    ['a list of maps', z.array(z.object({ a: z.number(), b: z.string().optional() })).max(9)],
    ['a union of types', z.union([z.string(), z.number(), z.null()])],
    ['a default', z.string().default('a')],
    ['bytes', z.instanceof(Uint8Array)],
  ])('accepts a type that DynamoDB stores: %s', (_, value) => {
    expect(said(holding(value))).toEqual([]);
  });
});

describe('template values that can never be rendered', () => {
  const keyed = (name: string, value: z.ZodType) =>
    table({
      entities: {
        Thing: { attributes: z.object({ id: z.string(), [name]: value }), keys: { PK: 'T#<id>', SK: `X#<${name}>` } },
      },
    });
  test.each<[string, string, z.ZodType, string]>([
    ['a set', 'tags', z.set(z.string()).min(1).max(9), 'error unkeyable other-kind'],
    ['bytes', 'hash', z.instanceof(Uint8Array), 'error unkeyable other-kind'],
    ['a boolean literal', 'done', z.literal(true), 'error unkeyable boolean'],
    ['a union of boolean literals', 'done', z.union([z.literal(true), z.literal(false)]), 'error unkeyable boolean'],
    ['the empty string', 'kind', z.literal(''), 'error unkeyable no-value'],
    ['no value', 'kind', z.enum([]), 'error unusable-schema takes-nothing'],
    ['a string that must contain the separator', 'tag', z.string().includes('#'), 'error unkeyable separator-needed'],
    ['a pattern that requires the separator', 'tag', z.string().regex(/^#[a-z]+$/), 'error unkeyable separator-needed'],
    ['free text, since it may be long', 'label', z.string().max(200), 'warning unkeyable separator-possible'],
    ['free text, since it is trimmed', 'tag', z.string().trim().max(80), 'warning unkeyable separator-possible'],
  ])('reports a value that a template cannot render: %s', (_, name, value, finding) => {
    expect(said(keyed(name, value))).toEqual([finding]);
  });

  test.each<[string, z.ZodType]>([
    ['title', z.string().regex(/^[a-z0-9-]+$/)],
    ['titleId', z.string()],
    ['slug', z.string()],
  ])('accepts the part <%s> in a template', (name, value) => {
    expect(said(keyed(name, value))).toEqual([]);
  });
});

describe('updates that the engine or a later read refuses', () => {
  const where = { PK: 'T#<id>', SK: 'T' };
  const attributes = z.object({
    id: z.string(),
    left: z.int().min(0),
    used: z.int().max(10),
    free: z.int(),
    note: z.string().optional(),
    map: z.object({ a: z.string() }).optional(),
    sure: z.object({ a: z.string() }),
  });
  const changing = (update: Partial<UpdatePattern>, schema = attributes) =>
    said(
      table({
        entities: { Thing: { attributes: schema, keys: where } },
        patterns: { change: { op: 'update', entity: 'Thing', where, ...update } },
      }),
    ).filter((one) => !one.startsWith('note'));

  test.each<[string, Partial<UpdatePattern>, string]>([
    ['a path inside an optional map', { set: { 'map.a': '<a>' } }, 'warning unwritable map-may-lack'],
    ['an addition that may go below the minimum', { add: { left: -1 } }, 'warning unacceptable-item below-minimum'],
    ['a subtraction below the minimum', { subtract: { left: 1 } }, 'warning unacceptable-item below-minimum'],
    ['an addition that may exceed the maximum', { add: { used: 1 } }, 'warning unacceptable-item above-maximum'],
    [
      'an addition of a parameter, which may exceed the maximum',
      { add: { used: '<by>' } },
      'warning unacceptable-item above-maximum',
    ],
    ['a fraction added to a whole number', { add: { free: 0.5 } }, 'error unacceptable-item fraction'],
    ['a copy of another type', { set: { note: { attribute: 'free' } } }, 'warning unacceptable-item copied'],
  ])('reports an update that the engine or a later read refuses: %s', (_, update, finding) => {
    expect(changing(update)).toEqual([finding]);
  });

  test.each<[string, Partial<UpdatePattern>]>([
    ['a subtraction with a condition', { add: { left: -1 }, condition: { left: { atLeast: 1 } } }],
    ['a change away from the bound', { add: { left: 1 } }],
    ['a change to an attribute without bounds', { add: { free: -1 } }],
    ['a path inside a required map', { set: { 'sure.a': '<a>' } }],
    [
      'a path inside an optional map that the condition requires',
      { set: { 'map.a': '<a>' }, condition: { map: { exists: true } } },
    ],
  ])('accepts an update: %s', (_, update) => {
    expect(changing(update)).toEqual([]);
  });

  test('warns about an update that changes only one of two attributes that a `refine` checks together', () => {
    const refined = attributes.refine(({ left, used }) => left > used);
    expect(changing({ set: { left: '<left>' } }, refined)).toEqual(['warning unacceptable-item refined']);
  });
});

describe('ranges', () => {
  const attributes = z.object({
    id: z.string(),
    city: z.string(),
    code: z.string().length(2),
    state: z.enum(['OPEN', 'OPEN_LATE', 'DONE']),
    at: timestamp,
    price: z.int().min(0).max(100),
  });
  const asking = (SK: string, condition: KeyCondition, rest: object = {}) =>
    said(
      table({
        entities: { Thing: { attributes, keys: { PK: 'T#<id>', SK } } },
        patterns: {
          some: { op: 'query', where: { PK: 'T#<id>', SK: condition }, returns: ['Thing'], ...rest } as PatternDesign,
        },
      }),
    ).filter((one) => !one.includes('key-collision'));

  test.each<[string, KeyCondition, string]>([
    ['<city>#<code>', { beginsWith: '<city>' }, 'warning misread-range inside-value'],
    ['<state>#<code>#<city>', { beginsWith: '<state>' }, 'warning misread-range listed-prefix'],
    ['<state>#<code>#<city>', { beginsWith: 'OPEN' }, 'warning misread-range listed-prefix'],
    ['<at>#<city>', { between: ['<to>', '<from>'] }, 'note misread-range names-reversed'],
    ['<at>#<city>', { between: ['<startDate>', '<endDate>'] }, 'note misread-range day-as-end'],
    ['<at>#<city>', { atMost: '<day>' }, 'note misread-range day-as-end'],
    ['<at>#<city>', { between: ['2026-01-01', '2026-01-31'] }, 'warning misread-range day-as-end'],
    ['<code>#<city>', { beginsWith: 'GERMANY' }, 'error pattern-unserved other-sort'],
  ])('reports a query of the sort key %s with the condition %j', (SK, condition, finding) => {
    expect(asking(SK, condition)).toEqual([finding]);
  });

  test.each<[string, KeyCondition]>([
    ['<city>#<code>', { beginsWith: '<city>#' }],
    ['<city>#<code>', { beginsWith: '<cityPrefix>' }],
    ['<code>#<city>', { beginsWith: '<code>' }],
    ['<at>#<city>', { beginsWith: '<at>' }],
    ['<at>#<city>', { between: ['<from>', '<to>'] }],
    ['<at:date>#<city>', { between: ['<startDate>', '<endDate>'] }],
  ])('accepts a query of the sort key %s with the condition %j', (SK, condition) => {
    expect(asking(SK, condition)).toEqual([]);
  });

  test.each<[object, string]>([
    [{ price: { between: [50, 10] } }, 'error impossible-value out-of-range'],
    [{ price: { greaterThan: 100 } }, 'error impossible-value out-of-range'],
    [{ price: { lessThan: 0 } }, 'error impossible-value out-of-range'],
  ])('reports the filter %j, which matches no item', (filter, finding) => {
    expect(asking('<at>#<city>', { beginsWith: '2026' }, { filter })).toEqual([finding]);
  });

  test('reports the page size of a filtered query, because it applies before the filter', () => {
    const filter = { price: { atLeast: 5 } };
    const paged = (pageSize: number) => asking('<at>#<city>', { beginsWith: '2026' }, { filter, pageSize });
    expect(paged(1)).toEqual(['warning filtered-read page']);
    expect(paged(20)).toEqual(['note filtered-read page']);
  });
});

describe('an expiry', () => {
  const expiring = (ttl: string, schema: z.ZodType, name = 'Session', keyOnly?: readonly string[]) =>
    said(
      table({
        ttl,
        entities: {
          [name]: {
            attributes: z.object({ id: z.string(), [ttl]: schema }),
            keys: { PK: 'S#<id>', SK: `S#<${ttl}>` },
            ...(keyOnly && { keyOnly }),
          },
        },
      }),
    ).filter((one) => one.includes('limits'));

  test.each<[string, string, z.ZodType, string]>([
    [
      'in milliseconds, judging by its bounds',
      'expiresAt',
      z.int().min(1_600_000_000_000),
      'error limits ttl-milliseconds',
    ],
    ['in milliseconds, judging by its name', 'expiresAtMs', z.int(), 'note limits ttl-milliseconds'],
    ['a duration', 'ttl', z.int().max(86_400), 'error limits ttl-duration'],
    ['a string', 'expiresAt', z.iso.datetime(), 'error limits ttl-not-number'],
  ])('reports an expiry attribute: %s', (_, ttl, schema, finding) => {
    expect(expiring(ttl, schema)).toEqual([finding]);
  });

  test('reports an expiry that is stored only in keys', () => {
    expect(expiring('expiresAt', z.int(), 'Session', ['expiresAt'])).toEqual(['error limits ttl-key-only']);
  });

  test('accepts an optional expiry attribute', () => {
    expect(expiring('expiresAt', z.int().optional(), 'Order')).toEqual([]);
    expect(expiring('expiresAt', z.int())).toEqual([]);
  });
});

describe('the order of a sort key', () => {
  const sorted = (name: string, value: z.ZodType, part = `<${name}>`) =>
    said(
      table({
        entities: {
          Thing: {
            attributes: z.object({ id: z.string(), owner: z.string(), [name]: value }),
            keys: { PK: 'O#<owner>', SK: `${part}#<id>` },
          },
        },
      }),
    );

  test.each<[string, string, z.ZodType, string]>([
    ['the day first', 'day', z.string().regex(/^\d{2}-\d{2}-\d{4}$/), 'warning unsorted-text day-first'],
    ['the day first, with slashes', 'day', z.string().regex(/^\d\d\/\d\d\/\d{4}$/), 'warning unsorted-text day-first'],
    ['a date or a timestamp', 'at', z.union([z.iso.date(), z.iso.datetime()]), 'warning unsorted-text mixed'],
    ['digits', 'number', z.string().regex(/^\d+$/), 'warning unsorted-text numeric-text'],
    ['ranks', 'priority', z.enum(['low', 'medium', 'high']), 'note unsorted-text ranks'],
    ['sizes', 'size', z.enum(['S', 'M', 'L', 'XL']), 'note unsorted-text ranks'],
    [
      'days of the week',
      'weekday',
      z.enum(['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']),
      'note unsorted-text ranks',
    ],
    ['a time without a format', 'createdAt', z.string(), 'note unsorted-text any-text'],
    ['a time without a format, under another name', 'order_date', z.string(), 'note unsorted-text any-text'],
    ['a decimal', 'price', z.number(), 'warning unpadded-number in-key-not-whole'],
    ['a negative number', 'degrees', z.int().min(-50).max(50), 'warning unpadded-number in-key-not-whole'],
  ])('reports a sort key that sorts in the wrong order: %s', (_, name, value, finding) => {
    expect(sorted(name, value)).toEqual([finding]);
  });

  test('reports a padded number without a maximum', () => {
    expect(sorted('n', z.int().min(0), '<n:4>')).toEqual(['warning unpadded-number no-maximum']);
    expect(sorted('n', z.int().min(0), '<n:10>')).toEqual(['note unpadded-number no-maximum']);
  });

  test.each<[string, z.ZodType]>([
    ['createdAt', timestamp],
    ['day', z.iso.date()],
    ['number', z.string().regex(/^\d{8}$/)],
    ['state', z.enum(['draft', 'published'])],
    ['priority', z.enum(['1-high', '2-low'])],
    ['format', z.string()],
  ])('accepts <%s> in a sort key', (name, value) => {
    expect(sorted(name, value)).toEqual([]);
  });
});

describe('a hot spot for writes', () => {
  const partition = (name: string, value: z.ZodType, PK: string) =>
    table({
      entities: { Thing: { attributes: z.object({ id: z.string(), [name]: value }), keys: { PK, SK: '<id>' } } },
    });
  const underLoad = (design: TableDesign) =>
    check(design, { load: busy(design) }).map(({ severity, rule, cause }) => `${severity} ${rule} ${cause}`);

  test.each<[string, z.ZodType, string, string]>([
    ['day', z.iso.date(), 'DAY#<day>', 'note hot-partition by-date'],
    ['at', timestamp, '<at:year>', 'note hot-partition by-date'],
    ['year', z.int().min(2000).max(2100), 'YEAR#<year>', 'note hot-partition by-date'],
    ['level', z.int().min(1).max(5), 'LEVEL#<level>', 'note hot-partition few-values'],
  ])('reports a hot spot for writes: %s', (name, value, PK, finding) => {
    const design = partition(name, value, PK);
    expect(said(design)).toEqual([finding]);
    expect(underLoad({ ...design, patterns: { write: { op: 'put', entity: 'Thing' } } })).toEqual([
      'warning hot-partition too-much-load',
    ]);
  });

  test('reports a single counter as a hot spot for writes', () => {
    const where = { PK: 'COUNTER', SK: 'COUNTER' };
    const Counter = { attributes: z.object({ count: z.int() }), keys: where };
    const count: PatternDesign = { op: 'update', entity: 'Counter', where, add: { count: 1 } };
    const design = table({ entities: { Counter }, patterns: { count } });
    expect(said(design)).toEqual(['note hot-partition one-counter']);
    expect(underLoad(design)).toEqual(['warning hot-partition too-much-load']);
  });
});

describe('items that grow', () => {
  const having = (name: string, value: z.ZodType) =>
    said(
      table({
        entities: {
          Thing: { attributes: z.object({ id: z.string(), [name]: value }), keys: { PK: 'T#<id>', SK: 'T' } },
        },
      }),
    );

  test.each<[string, z.ZodType, string]>([
    ['body', z.string().max(1_000_000), 'warning unbounded-item may-be-too-large'],
    ['pages', z.array(z.string().max(10_000)).max(1_000), 'warning unbounded-item may-be-too-large'],
  ])('reports an item that can grow too large: %s', (name, value, finding) => {
    expect(having(name, value)).toEqual([finding]);
  });

  test.each<[string, z.ZodType]>([
    ['comments', z.array(z.string()).max(20)],
    ['tags', z.array(z.enum(['a', 'b', 'c']))],
    ['comments', z.array(z.string())],
    ['settings', z.record(z.string(), z.string())],
    ['body', z.string()],
    ['flags', z.record(z.enum(['a', 'b']), z.boolean())],
  ])('accepts %s if no pattern makes it grow', (name, value) => {
    expect(having(name, value)).toEqual([]);
  });

  test('warns about a pattern that appends to a list without a maximum size', () => {
    const attributes = (notes: z.ZodType) => z.object({ id: z.string(), notes });
    const where = { PK: 'T#<id>', SK: 'T' };
    const add: PatternDesign = { op: 'update', entity: 'Thing', where, set: { notes: { append: '<notes>' } } };
    const grown = (notes: z.ZodType) =>
      said(table({ entities: { Thing: { attributes: attributes(notes), keys: where } }, patterns: { add } }));
    expect(grown(z.array(z.string()))).toEqual(['warning unbounded-item grows-with-use']);
    expect(grown(z.array(z.string()).max(50))).toEqual([]);
  });
});

test('notes an entity that no pattern reads or writes, and a copied attribute that can become stale', () => {
  const Customer = {
    attributes: z.object({ customerId: z.string(), name: z.string() }),
    keys: { PK: 'C#<customerId>', SK: 'C' },
  };
  const Order = {
    attributes: z.object({ orderId: z.string(), customer_id: z.string(), customerName: z.string() }),
    keys: { PK: 'O#<orderId>', SK: 'O' },
  };
  const patterns: Record<string, PatternDesign> = {
    customer: { op: 'get', where: Customer.keys, returns: ['Customer'] },
    rename: { op: 'update', entity: 'Customer', where: Customer.keys, set: { name: '<name>' } },
  };
  expect(said(table({ entities: { Customer, Order }, patterns }))).toEqual([
    'note unserved-entity unwritten',
    'note unserved-entity unread',
    'note unserved-entity copied',
  ]);
  expect(check(table({ entities: { Customer, Order }, patterns }))).toEqual([]);
});
