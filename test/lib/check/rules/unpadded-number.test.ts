import { z } from 'zod';
import { unpaddedNumber } from '../../../../lib/check/rules/unpadded-number';
import type { KeyCondition, PatternDesign } from '../../../../lib/design/pattern';
import type { EntityDesign, TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings, orders, tableOf } from '../../../fixtures/designs';

const found = (design: TableDesign) => findings(unpaddedNumber, design);

/** A table whose sort key ends with a number. */
const numbered = (n: z.ZodType, SK = 'NO#<n>') =>
  tableOf({
    attributes: z.object({ id: z.string(), n, data: z.object({ order: z.int().min(0) }) }),
    keys: { PK: '<id>', SK },
  });
const unpadded = (width: number, part = 'n', cause = 'in-key') => ({
  path: 'entities.Thing.keys.SK',
  cause,
  part,
  proposed: `<${part}:${width}>`,
});

describe('a number in a sort key', () => {
  test('reports an unpadded number in a sort key, such as CATEGORY#<order>#… in the blog', () => {
    const SK = 'CATEGORY#<n>#<id>';
    expect(found(numbered(z.int().min(0).max(9999), SK))).toEqual([unpadded(4)]);
    expect(found(numbered(z.int().min(0).max(9999), 'CATEGORY#<n:4>#<id>'))).toEqual([]);
  });

  test.each([
    ['the width of its largest value', z.int().min(0).max(100), 3],
    ['the width of its largest value below an exclusive maximum', z.int().min(0).lt(100), 2],
    ['ten digits if it has no maximum', z.int().min(0), 10],
    ['the width of its largest listed value', z.literal([1, 2, 30]), 2],
    ['the width of its largest value if it is a bigint', z.bigint().min(0n).max(99n), 2],
  ])('proposes padding a number in a sort key to %s', (_, n, width) => {
    expect(found(numbered(n))).toEqual([unpadded(width)]);
  });

  test.each([
    ['may be negative', z.int().max(99), 2],
    ['may be a fraction', z.number().min(0).max(100), 3],
    ['has no bounds', z.number(), 10],
    ['has a negative listed value', z.literal([-1, 1]), 1],
  ])('proposes using a non-negative integer if a number in a sort key %s', (_, n, width) => {
    expect(found(numbered(n))).toEqual([unpadded(width, 'n', 'in-key-not-whole')]);
  });

  test('reports an unpadded number that is optional, has a default or is inside a map', () => {
    expect(found(numbered(z.int().min(0).optional()))).toHaveLength(1);
    expect(found(numbered(z.int().min(0).default(0)))).toHaveLength(1);
    expect(found(numbered(z.string(), '<data.order>'))).toEqual([unpadded(10, 'data.order')]);
  });

  test('reports an unpadded number once, even if several indexes sort by it', () => {
    const design = tableOf(
      { attributes: z.object({ id: z.string(), n: z.int().min(0) }), keys: { PK: '<id>', SK: '<id>', GSI1SK: '<n>' } },
      { indexes: { GSI1: { partition: 'PK', sort: 'GSI1SK' }, GSI2: { partition: 'SK', sort: 'GSI1SK' } } },
    );
    expect(found(design).map(({ path }) => path)).toEqual(['entities.Thing.keys.GSI1SK']);
  });

  test('reports every unpadded number in a key', () => {
    expect(found(numbered(z.int().min(0), '<n>#<data.order>'))).toEqual([unpadded(10), unpadded(10, 'data.order')]);
  });
});

describe('accepts a number', () => {
  test.each([
    ['between bounds with the same number of digits, such as a year', z.int().min(1900).max(2999)],
    ['whose listed values have the same number of digits', z.literal([10, 20])],
    ['from a numeric enum whose values have the same number of digits', z.enum({ Low: 1, High: 2 })],
  ])('accepts a number %s', (_, n) => {
    expect(found(numbered(n))).toEqual([]);
  });

  test.each([
    ['fractional values between bounds that have the same number of digits', z.number().min(1000).max(9999)],
    ['negative bounds with the same number of digits', z.int().min(-99).max(-10)],
    ['a listed fraction, because 2.5 would sort after 100', z.literal([2.5, 100])],
    ['bounds with different numbers of digits', z.int().min(999).max(1000)],
    ['only one bound', z.int().min(1000)],
  ])('reports a number with %s', (_, n) => {
    expect(found(numbered(n))).toHaveLength(1);
  });

  test('accepts a number that is a whole key, because DynamoDB compares it numerically', () => {
    const attributes = z.object({ id: z.string(), n: z.int() });
    expect(found(tableOf({ attributes }, { key: { partition: 'id', sort: 'n' } }))).toEqual([]);
  });

  test('accepts a number in a partition key, because partition keys are not sorted', () => {
    const attributes = z.object({ n: z.int(), id: z.string() });
    expect(found(tableOf({ attributes, keys: { PK: 'NO#<n>', SK: '<id>' } }))).toEqual([]);
  });

  test('ignores a number that is stored as a string', () => {
    expect(found(numbered(z.string().regex(/^\d+$/)))).toEqual([]);
    expect(found(numbered(z.enum(['1', '10'])))).toEqual([]);
    expect(found(numbered(z.int(), '<nothing>'))).toEqual([]);
  });
});

describe('a pattern', () => {
  const keyed = (PK: string, SK: string, mine: PatternDesign): TableDesign =>
    tableOf(
      {
        attributes: z.object({ id: z.string(), no: z.int().min(0).max(9999), at: z.string(), code: z.string() }),
        keys: { PK, SK },
      },
      { patterns: { mine } },
    );
  const asked = (SK: KeyCondition, key = 'NO#<no:4>') =>
    found(keyed('SHOP#<id>', key, { op: 'query', where: { PK: 'SHOP#<id>', SK }, returns: ['Thing'] }));
  const mismatch = (proposed: string) => ({
    severity: 'error',
    path: 'patterns.mine.where.SK',
    cause: 'in-pattern',
    part: 'n',
    proposed,
  });

  test.each([
    'NO#<n>',
    { beginsWith: 'NO#<n>' },
    { atLeast: 'NO#<n>' },
    { atMost: 'NO#<n>' },
    { greaterThan: 'NO#<n>' },
    { lessThan: 'NO#<n>' },
    { between: ['NO#<n>', 'NO#<n:4>'] },
    { between: ['NO#<n>', 'NO#<n>'] },
  ] as const)(
    'accepts an unpadded number in a pattern, because the pattern pads the number as the key does: %j',
    (SK) => {
      expect(asked(SK)).toEqual([]);
    },
  );

  test.each(['NO#<n:3>', { beginsWith: 'NO#<n:3>' }, { atLeast: 'NO#<n:5>' }])(
    'reports a pattern that pads a number differently than the key: %j',
    (SK) => {
      expect(asked(SK)).toEqual([mismatch('<n:4>')]);
    },
  );

  test('reports a pattern that can find only one of two entities that pad a number differently', () => {
    const where = { PK: 'SHOP#<id>', SK: 'NO#<n>' };
    const design = keyed('SHOP#<id>', 'NO#<no:4>', { op: 'get', where, returns: ['Thing', 'Other'] });
    const Other = { ...design.entities.Thing, keys: { PK: 'SHOP#<id>', SK: 'NO#<no:6>' } } as EntityDesign;
    expect(found({ ...design, entities: { ...design.entities, Other } })).toEqual([mismatch('<n:4>')]);
  });

  test.each(['NO#<n:4>', { beginsWith: 'NO#' }, 'NO#0007', { beginsWith: 'OTHER#<n>' }])(
    'accepts a pattern that queries for %j',
    (SK) => {
      expect(asked(SK)).toEqual([]);
    },
  );

  test('reports a pattern that pads a number to a different width than the key, or that pads a number although the key does not', () => {
    expect(asked('NO#<n:6>')).toEqual([mismatch('<n:4>')]);
    expect(asked('NO#<n:4>', 'NO#<no>')).toEqual([unpadded(4, 'no'), mismatch('<n>')]);
  });

  test('accepts part of a time in a pattern, and padding for an attribute that is not a number', () => {
    expect(asked('NO#<day:date>', 'NO#<at>')).toEqual([]);
    expect(asked('NO#<n:4>', 'NO#<code>')).toEqual([]);
    expect(asked('NO#<n:4>', 'NO#<nothing>')).toEqual([]);
  });

  test('reports a pattern that pads a number in the partition key differently than the entity does', () => {
    const get = (PK: string) =>
      found(keyed('NO#<no:4>', 'X', { op: 'get', where: { PK, SK: 'X' }, returns: ['Thing'] }));
    expect(get('NO#<n>')).toEqual([]);
    expect(get('NO#<n:3>')).toEqual([{ ...mismatch('<n:4>'), path: 'patterns.mine.where.PK' }]);
  });

  test.each<[string, PatternDesign]>([
    ['where', { op: 'update', entity: 'Thing', where: { PK: 'SHOP#<id>', SK: 'NO#<n:3>' } }],
    ['where', { op: 'delete', entity: 'Thing', where: { PK: 'SHOP#<id>', SK: 'NO#<n:3>' } }],
    ['keys.one', { op: 'batchGet', keys: { one: { PK: 'SHOP#<id>', SK: 'NO#<n:3>' } }, returns: ['Thing'] }],
    [
      'steps.one.where',
      {
        op: 'transaction',
        steps: { one: { op: 'delete', entity: 'Thing', where: { PK: 'SHOP#<id>', SK: 'NO#<n:3>' } } },
      },
    ],
  ])('reports mismatched padding at patterns.mine.%s', (path, mine) => {
    expect(found(keyed('SHOP#<id>', 'NO#<no:4>', mine))).toEqual([
      { ...mismatch('<n:4>'), path: `patterns.mine.${path}.SK` },
    ]);
  });

  test('accepts a put, because a put renders its own keys', () => {
    expect(found(keyed('SHOP#<id>', 'NO#<no:4>', { op: 'put', entity: 'Thing' }))).toEqual([]);
  });

  test('compares the padding in a pattern with the first entity whose padding differs', () => {
    const design = keyed('SHOP#<id>', 'NO#<no:4>', {
      op: 'query',
      where: { PK: 'SHOP#<id>', SK: 'NO#<n>' },
      returns: ['Nothing', 'Year', 'Thing'],
    });
    const Year = {
      attributes: z.object({ id: z.string(), year: z.int().min(1000).max(9999) }),
      keys: { PK: 'SHOP#<id>', SK: 'NO#<year>' },
    };
    expect(found({ ...design, entities: { Year, ...design.entities } })).toEqual([mismatch('<n:4>')]);
  });
});

test.each([orders, ...Object.values(systems).flatMap(({ tables }) => Object.values(tables))] as TableDesign[])(
  'returns no findings for the numbers of $name, except acknowledged findings',
  (design) => {
    const acknowledged = Object.keys(design.acknowledge?.['unpadded-number'] ?? {});
    expect(found(design).map(({ path }) => path)).toEqual(acknowledged);
  },
);

test('reports an unpadded number as a warning', () => {
  expect(unpaddedNumber).toMatchObject({ id: 'unpadded-number', severity: 'warning' });
});
