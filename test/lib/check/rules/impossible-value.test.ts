import { z } from 'zod';
import { impossibleValue } from '../../../../lib/check/rules/impossible-value';
import type { Condition, KeyCondition, Operand, PatternDesign, Test } from '../../../../lib/design/pattern';
import { requests } from '../../../../lib/dynamodb/requests';
import { findings, tableOf } from '../../../fixtures/designs';

const table = (pattern: PatternDesign) =>
  tableOf(
    {
      attributes: z.object({
        id: z.string(),
        n: z.int().min(1).max(9),
        state: z.enum(['open', 'done']),
        flag: z.boolean(),
        note: z.string().nullable(),
        loose: z.coerce.number(),
        cleaned: z.preprocess((value) => String(value), z.string()),
        made: z.string().transform((text) => text.length),
        any: z.any(),
        place: z.object({ city: z.string() }),
        list: z.array(z.string()),
      }),
      keys: { PK: '<id>', SK: 'X' },
    },
    { patterns: { one: pattern } },
  );
const where = { PK: '<id>', SK: 'X' };
const found = (pattern: PatternDesign) => findings(impossibleValue, table(pattern));
const set = (attribute: string, value: Operand): PatternDesign => ({
  op: 'update',
  entity: 'Thing',
  where,
  set: { [attribute]: value },
});
const condition = (attribute: string, test: Test): PatternDesign => ({
  op: 'delete',
  entity: 'Thing',
  where,
  condition: { [attribute]: test },
});
const made = (pattern: PatternDesign) => () =>
  (requests(table(pattern), 't') as unknown as Record<string, (values: object) => unknown>).one?.({ id: 'i' });

describe('a written constant', () => {
  test.each<readonly [string, Exclude<Operand, object>]>([
    ['state', 'closed'],
    ['n', 0],
    ['n', 1.5],
    ['n', 'one'],
    ['flag', 'yes'],
    ['id', null],
    ['place', 'here'],
    ['place.city', 5],
  ])('rejects a constant that %s can never have: %p', (attribute, value) => {
    expect(found(set(attribute, value))).toEqual([
      { path: `patterns.one.set.${attribute}`, cause: 'never-taken', value },
    ]);
    expect(made(set(attribute, value))).toThrow();
  });

  test.each<readonly [string, Operand]>([
    ['state', 'done'],
    ['n', 9],
    ['flag', false],
    ['note', null],
    ['loose', '5'],
    ['cleaned', 5],
    ['made', 'text'],
    ['any', true],
  ])('accepts a constant written to %s: %p', (attribute, value) => {
    expect(found(set(attribute, value))).toEqual([]);
    expect(made(set(attribute, value))).not.toThrow();
  });

  test('checks the fixed values of a new item, but neither its parameters nor its copied attributes', () => {
    const item = { id: '<id>', state: 'closed', n: '<n>', note: 'of <id>' };
    expect(found({ op: 'put', entity: 'Thing', item }).map(({ path }) => path)).toEqual(['patterns.one.item.state']);
    expect(found(set('note', { attribute: 'id' }))).toEqual([]);
  });
});

describe('a constant in a filter or condition', () => {
  test('rejects a filter or condition that compares an attribute with a constant it can never equal', () => {
    expect(found(condition('state', 'closed')).map(({ path }) => path)).toEqual(['patterns.one.condition.state']);
    expect(found(condition('state', { in: ['open', 'closed', '<state>'] }))).toEqual([
      { path: 'patterns.one.condition.state', cause: 'never-found', value: 'closed' },
    ]);
    const filter = { state: 'done', n: 'one' };
    expect(found({ op: 'query', where: { PK: '<id>' }, filter, returns: ['Thing'] }).map(({ path }) => path)).toEqual([
      'patterns.one.filter.n',
    ]);
  });

  test.each<readonly [string, Test]>([
    ['state', 'open'],
    ['state', '<state>'],
    ['state', { not: 'closed' }],
    ['note', null],
    ['id', null],
    ['list', { contains: 'x' }],
    ['made', 5],
    ['any', 'x'],
    ['nothing', 'x'],
  ])('accepts a constant compared with %s: %p', (attribute, test) => {
    expect(found(condition(attribute, test))).toEqual([]);
  });
});

test('rejects `beginsWith` and `contains` on attributes of the wrong type', () => {
  expect(found(condition('n', { beginsWith: '1' }))).toEqual([
    { path: 'patterns.one.condition.n', cause: 'never-holds' },
  ]);
  expect(found(condition('flag', { contains: 'x' }))).toHaveLength(1);
  expect(found(condition('list', { beginsWith: 'x' }))).toEqual([
    { path: 'patterns.one.condition.list', cause: 'never-holds', proposed: 'contains' },
  ]);
  expect(found(condition('id', { beginsWith: 'x' }))).toEqual([]);
  expect(found(condition('made', { contains: 'x' }))).toEqual([]);
});

describe('a numeric key', () => {
  const asked = (n: KeyCondition) =>
    findings(impossibleValue, {
      name: 'things',
      key: { partition: 'p', sort: 'n' },
      entities: { Thing: { attributes: z.object({ p: z.string(), n: z.int() }) } },
      patterns: { one: { op: 'query', where: { p: '<p>', n }, returns: ['Thing'] } },
    });

  test('rejects a comparison of a numeric key with a string that is not a number', () => {
    expect(asked({ greaterThan: 'many' })).toEqual([
      { path: 'patterns.one.where.n', cause: 'text-for-number', value: 'many' },
    ]);
    expect(asked({ between: ['1', 'N#<n>'] })).toHaveLength(1);
    expect(asked({ between: ['1', '<most>'] })).toEqual([]);
    expect(asked({ atLeast: '-1.5' })).toEqual([]);
  });
});

test('checks the conditions in `any` and `none` at every depth', () => {
  const condition: Condition = { any: [{ state: 'closed' }, { none: [{ n: { atLeast: 10 } }] }] };
  expect(found({ op: 'delete', entity: 'Thing', where, condition })).toMatchObject([
    { path: 'patterns.one.condition.any.0.state', cause: 'never-found' },
    { path: 'patterns.one.condition.any.1.none.0.n', cause: 'out-of-range' },
  ]);
});

test('accepts a size test on a list, and rejects one on a number', () => {
  expect(found(condition('n', { size: 1 }))).toEqual([{ path: 'patterns.one.condition.n', cause: 'never-holds' }]);
  expect(found(condition('flag', { size: { atLeast: 1 } }))).toMatchObject([{ cause: 'never-holds' }]);
  for (const attribute of ['list', 'id', 'place', 'any'])
    expect(found(condition(attribute, { size: { between: [1, 2] } }))).toEqual([]);
});
