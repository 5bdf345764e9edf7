import { z } from 'zod';
import * as mini from 'zod/mini';
import type { PatternDesign, QueryPattern } from '../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../lib/design/table';
import { KeyError } from '../../../lib/design/template';
import { entities, ItemError, type QueryInput, requests, type UpdateInput } from '../../../lib/dynamodb';
import { tableOf } from '../../fixtures/designs';
import fc from '../../support/fuzz';
import { buildOf } from '../dynamodb/designs';

/** Returns the item that a put stores for the given values. */
function put(entity: EntityDesign, values: object, rest: Partial<TableDesign> = {}): Record<string, unknown> {
  return entities(tableOf(entity, rest), 'things').item('Thing', values as never);
}

describe('get, delete and update find an item by the values passed to its put', () => {
  const keys = { PK: 'MAIL#<email>', SK: 'CODE#<code>' };
  const classic = z.object({ email: z.string().trim().toLowerCase(), code: z.string().trim().toUpperCase() });
  const small = mini.object({
    email: mini.string().check(mini.trim(), mini.toLowerCase()),
    code: mini.string().check(mini.trim(), mini.toUpperCase()),
  });
  const note = { note: z.string().optional() };
  const values = { email: ' Ana@X.co ', code: ' a1 ' };
  const key = { PK: 'MAIL#ana@x.co', SK: 'CODE#A1' };

  test.each<[string, EntityDesign['attributes']]>([
    ['zod', classic.extend(note)],
    ['zod/mini', mini.extend(small, { note: mini.optional(mini.string()) })],
  ])('get, delete and update find an item by the values passed to its put with a %s schema', (_, attributes) => {
    const entity = { attributes, keys };
    expect(put(entity, values)).toMatchObject(key);
    const patterns: readonly PatternDesign[] = [
      { op: 'get', where: keys, returns: ['Thing'] },
      { op: 'delete', entity: 'Thing', where: keys },
      { op: 'update', entity: 'Thing', where: keys, set: { note: 'x' } },
    ];
    for (const pattern of patterns) expect(buildOf(entity, pattern, values)).toHaveProperty('Key', key);
    const batch: PatternDesign = { op: 'batchGet', keys: { one: keys }, returns: ['Thing'] };
    expect(buildOf(entity, batch, values)).toEqual({ RequestItems: { things: { Keys: [key] } } });
  });

  test('get finds an item by the values passed to its put, whatever the values are', () => {
    const attributes = z.object({
      a: z.string().trim().toLowerCase().min(1),
      b: z.enum(['x', 'y']),
      n: z.int(),
      at: z.iso.datetime(),
      day: z.iso.date(),
    });
    const entity = { attributes, keys: { PK: '<a>#<b>#<n>', SK: '<at:date>#<n:6>#<day>' } };
    const get: PatternDesign = { op: 'get', where: { PK: '<a>#<b>#<n>', SK: '<at>#<n>#<day>' }, returns: ['Thing'] };
    const moments = fc.date({ min: new Date(0), max: new Date('2099-01-01'), noInvalidDate: true });
    const anyValues = fc.record({
      a: fc
        .string({ unit: fc.constantFrom('a', 'B', ' ', 'É', '-'), minLength: 1 })
        .filter((text) => text.trim() !== ''),
      b: fc.constantFrom('x', 'y'),
      n: fc.nat(999_999),
      at: moments.map((at) => at.toISOString()),
      day: moments.map((at) => at.toISOString().slice(0, 10)),
    });
    fc.assert(
      fc.property(anyValues, (given) => {
        const { PK, SK } = put(entity, given);
        expect(buildOf(entity, get, given)).toHaveProperty('Key', { PK, SK });
      }),
    );
  });
});

describe('a key', () => {
  const entity = {
    attributes: z.object({ status: z.enum(['paid', 'open']), day: z.iso.date(), n: z.int(), at: z.iso.datetime() }),
    keys: { PK: 'STATUS#<status>#<n>', SK: '<day>' },
  };
  const get: PatternDesign = { op: 'get', where: { PK: 'STATUS#<status>#<n>', SK: '<day>' }, returns: ['Thing'] };
  const given = { status: 'paid', day: '2026-01-01', n: 7 };

  test.each<[string, object, string]>([
    ['that is not listed', { status: 'paidd' }, 'status'],
    ['that is not a date', { day: '2026-1-1' }, 'day'],
    ['that is not a calendar date', { day: '2026-02-30' }, 'day'],
    ['that is not a number', { n: 'seven' }, 'n'],
    ['that is not whole', { n: 1.5 }, 'n'],
    ['of a different kind', { status: 7 }, 'status'],
  ])('a key rejects a value %s, because no item can have such a value', (_, wrong, attribute) => {
    const attempt = () => buildOf(entity, get, { ...given, ...wrong });
    expect(attempt).toThrow(KeyError);
    expect(attempt).toThrow(expect.objectContaining({ attribute }));
  });

  test('a numeric key accepts a numeric string, because a parameter has the type string unless it is named after the attribute', () => {
    expect(buildOf(entity, get, { ...given, n: '007' })).toMatchObject({ Key: { PK: 'STATUS#paid#7' } });
    const natural = { attributes: z.object({ id: z.string(), n: z.number() }) };
    const rest = { key: { partition: 'id', sort: 'n' } };
    const byNumber: PatternDesign = { op: 'get', where: { id: '<id>', n: '<number>' }, returns: ['Thing'] };
    expect(buildOf(natural, byNumber, { id: '007', number: '007' }, rest)).toMatchObject({ Key: { id: '007', n: 7 } });
  });

  test('a parameter is formatted like the key part that it fills', () => {
    const dated = { ...entity, keys: { PK: 'DAY#<at:date>', SK: '<n:4>#<at:year>-<at:month>' } };
    const where = { PK: 'DAY#<day>', SK: '<n>#<y>-<m>' };
    const values = { day: '2026-01-31T12:00:00Z', n: 7, y: '2026', m: '2026-01-31' };
    expect(buildOf(dated, { op: 'get', where, returns: ['Thing'] }, values)).toMatchObject({
      Key: { PK: 'DAY#2026-01-31', SK: '0007#2026-01' },
    });
    for (const day of ['today', '2026-01']) {
      expect(() => buildOf(dated, { op: 'get', where, returns: ['Thing'] }, { ...values, day })).toThrow(KeyError);
    }
  });

  test('a padded parameter for the year or month in a key accepts a number, but only a valid one', () => {
    const monthly = { ...entity, keys: { PK: 'LOG_<at:year>_<at:month>', SK: '<at:year>#<n>' } };
    const where = { PK: 'LOG_<year:4>_<month:2>', SK: { atLeast: '<from:4>' } };
    const query: PatternDesign = { op: 'query', where, returns: ['Thing'] };
    const { ExpressionAttributeValues } = buildOf(monthly, query, { year: 2026, month: 1, from: 2025 }) as QueryInput;
    expect(ExpressionAttributeValues).toEqual({ ':k0': 'LOG_2026_01', ':k1': '2025' });
    expect(() => buildOf(monthly, query, { year: 2026, month: 13, from: 2025 })).toThrow(KeyError);
  });

  test('a key with padded digits accepts a numeric string', () => {
    const padded = { ...entity, keys: { PK: 'A', SK: '<n:4>' } };
    const byNumber: PatternDesign = { op: 'get', where: { PK: 'A', SK: '<number>' }, returns: ['Thing'] };
    expect(buildOf(padded, byNumber, { number: '7' })).toMatchObject({ Key: { SK: '0007' } });
  });

  test('a key with padded digits accepts values that the schema coerces to a number, as a put does', () => {
    const attributes = z.object({ n: z.coerce.number() });
    const padded = { attributes, keys: { PK: 'A', SK: '<n:4>' } };
    expect(put(padded, { n: '7' })).toMatchObject({ SK: '0007' });
    const get: PatternDesign = { op: 'get', where: padded.keys, returns: ['Thing'] };
    expect(buildOf(padded, get, { n: '7' })).toMatchObject({ Key: { SK: '0007' } });
  });

  test('a key that several entities share accepts the values of each entity', () => {
    const design: TableDesign = {
      name: 'things',
      key: { partition: 'PK', sort: 'SK' },
      entities: {
        One: { attributes: z.object({ kind: z.literal('one') }), keys: { PK: 'A', SK: '<kind>' } },
        Two: { attributes: z.object({ kind: z.string().toLowerCase().length(3) }), keys: { PK: 'A', SK: '<kind>' } },
      },
      patterns: { it: { op: 'query', where: { PK: 'A', SK: '<kind>' }, returns: ['One', 'Two'] } },
    };
    const { it } = requests(design, 'things') as Record<string, (values: object) => QueryInput>;
    const keyOf = (kind: string) => it?.({ kind }).ExpressionAttributeValues?.[':k1'];
    expect([keyOf('one'), keyOf('TWO')]).toEqual(['one', 'two']);
    expect(() => keyOf('three')).toThrow(KeyError);
  });

  test('a natural key that several entities share accepts the values of each entity', () => {
    const design: TableDesign = {
      name: 'things',
      key: { partition: 'id' },
      entities: {
        One: { attributes: z.object({ id: z.literal('one') }) },
        Two: { attributes: z.object({ id: z.literal('two') }) },
      },
      patterns: { it: { op: 'query', where: { id: '<id>' }, returns: ['One', 'Two'] } },
    };
    const { it } = requests(design, 'things') as Record<string, (values: object) => QueryInput>;
    expect(it?.({ id: 'two' }).ExpressionAttributeValues).toEqual({ ':k0': 'two' });
  });
});

describe('the last part of a range', () => {
  const entity = {
    attributes: z.object({ id: z.string(), at: z.iso.datetime(), status: z.enum(['open', 'paid']), n: z.int() }),
    keys: { PK: 'A', SK: '<status>#<at>' },
  };
  const valuesOf = (SK: QueryPattern['where'][string], values: object, keys: EntityDesign['keys'] = entity.keys) => {
    const pattern: PatternDesign = { op: 'query', where: { PK: 'A', SK }, returns: ['Thing'] };
    const { ':k0': _, ...rest } =
      (buildOf({ ...entity, keys }, pattern, values) as QueryInput).ExpressionAttributeValues ?? {};
    return Object.values(rest);
  };

  test('the last part of a range may be a prefix of a valid date', () => {
    const between = { between: ['<status>#<from>', '<status>#<to>'] } as const;
    expect(valuesOf(between, { status: 'open', from: '2026', to: '2026-01-31T12' })).toEqual([
      'open#2026',
      'open#2026-01-31T12',
    ]);
    expect(() => valuesOf(between, { status: 'open', from: '2026-1', to: '2026-02' })).toThrow(KeyError);
  });

  test('every part of a range except the last must be a whole value', () => {
    expect(valuesOf({ beginsWith: '<status>' }, { status: 'op' })).toEqual(['op']);
    expect(() => valuesOf({ beginsWith: '<status>#<from>' }, { status: 'op', from: '2026' })).toThrow(KeyError);
    expect(() => valuesOf({ beginsWith: '<status>' }, { status: 'shut' })).toThrow(KeyError);
  });

  test('the last part of a range may be a formatted value, or a prefix of a formatted value', () => {
    const keys = { PK: 'A', SK: '<status>#<n:4>' };
    expect(valuesOf({ atLeast: '<status>#<n>' }, { status: 'open', n: 7 }, keys)).toEqual(['open#0007']);
    expect(valuesOf({ beginsWith: '<status>#<n>' }, { status: 'open', n: '00' }, keys)).toEqual(['open#00']);
    const dated = { PK: 'A', SK: '<at:date>#<id>' };
    expect(valuesOf({ atLeast: '<from>' }, { from: '2026-01-31T12:00:00Z' }, dated)).toEqual(['2026-01-31']);
    expect(valuesOf({ atLeast: '<from>' }, { from: '2026-01' }, dated)).toEqual(['2026-01']);
  });
});

describe('an index key that is computed by user code', () => {
  const indexes = { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK' } };
  const where = { PK: 'THING#<id>', SK: 'THING' };

  test.each<[string, z.ZodType, unknown, string]>([
    ['by a transform', z.string().transform((text) => text.toUpperCase()), 'ab', 'AB'],
    ['by a pipe', z.string().pipe(z.coerce.number()).pipe(z.int()), '007', '7'],
    ['by a preprocess', z.preprocess((value) => String(value).trim(), z.string().min(1)), ' ab ', 'ab'],
    [
      'by a codec',
      z.codec(z.string(), z.string(), { decode: (text) => text.trim(), encode: (text) => text }),
      ' x ',
      'x',
    ],
  ])('an index key computed %s is the same in a put, a query and an update', (_, code, given, stored) => {
    const attributes = z.object({ id: z.string(), code });
    const entity = { attributes, keys: { ...where, GSI1PK: 'CODE#<code>', GSI1SK: 'THING#<id>' } };
    const key = `CODE#${stored}`;
    expect(put(entity, { id: 'x', code: given }, { indexes })).toMatchObject({ GSI1PK: key, GSI1SK: 'THING#x' });
    const query: PatternDesign = { op: 'query', index: 'GSI1', where: { GSI1PK: 'CODE#<code>' }, returns: ['Thing'] };
    expect(buildOf(entity, query, { code: given }, { indexes })).toMatchObject({
      ExpressionAttributeValues: { ':k0': key },
    });
    const update: PatternDesign = { op: 'update', entity: 'Thing', where, set: { code: '<code>' } };
    const { ExpressionAttributeValues: changed } = buildOf(
      entity,
      update,
      { id: 'x', code: given },
      { indexes },
    ) as UpdateInput;
    expect(Object.values(changed ?? {})).toContain(key);
  });
});

describe('a filter or a condition', () => {
  const entity = {
    attributes: z.object({
      id: z.string(),
      email: z.string().trim().toLowerCase().optional(),
      status: z.enum(['open', 'paid']).optional(),
      n: z.int().optional(),
      at: z.iso.datetime().optional(),
      tags: z.array(z.string()).optional(),
      note: z.string().nullable().optional(),
    }),
    keys: { PK: '<id>', SK: 'A' },
  };
  const compared = (filter: QueryPattern['filter'], values: object = {}) => {
    const pattern: PatternDesign = { op: 'query', where: { PK: 'A' }, filter, returns: ['Thing'] };
    const { ':k0': _, ...rest } = (buildOf(entity, pattern, values) as QueryInput).ExpressionAttributeValues ?? {};
    return Object.values(rest);
  };

  test('a condition normalizes its value in the same way as a write to the attribute', () => {
    expect(compared({ email: '<email>' }, { email: ' ANA ' })).toEqual(['ana']);
    expect(compared({ n: { atLeast: '<n>' } }, { n: '007' })).toEqual([7]);
    expect(compared({ n: { in: ['<n>', 5] } }, { n: '1' })).toEqual([1, 5]);
    expect(compared({ at: { beginsWith: '<day>' } }, { day: '2026-01' })).toEqual(['2026-01']);
    expect(compared({ tags: { contains: '<tag>' }, note: null }, { tag: 'x' })).toEqual(['x', null]);
  });

  test.each<[string, QueryPattern['filter'], unknown]>([
    ['a value that is not listed', { status: '<x>' }, 'paidd'],
    ['a value that is not listed, in an `in` list', { status: { in: ['<x>'] } }, 'paidd'],
    ['the negation of a value that is not listed', { status: { not: '<x>' } }, 'paidd'],
    ['a string instead of a number', { n: { between: ['<x>', 9] } }, 'one'],
    ['part of a date instead of a whole date', { at: '<x>' }, '2026-01'],
    ['an invalid date', { at: { atLeast: '<x>' } }, '2026-1-1'],
  ])('a condition rejects %s, because no item can have such a value', (_, filter, x) => {
    expect(() => compared(filter, { x })).toThrow(ItemError);
  });

  test("a write's condition normalizes and rejects values in the same way as a filter", () => {
    const where = { PK: '<id>', SK: 'A' };
    const remove: PatternDesign = { op: 'delete', entity: 'Thing', where, condition: { email: '<email>' } };
    expect(buildOf(entity, remove, { id: 'x', email: 'ANA' })).toMatchObject({
      ExpressionAttributeValues: { ':0': 'ana' },
    });
    const update: PatternDesign = { op: 'update', entity: 'Thing', where, set: { note: 'x' }, condition: { n: '<n>' } };
    expect(() => buildOf(entity, update, { id: 'x', n: 'one' })).toThrow(ItemError);
  });
});
