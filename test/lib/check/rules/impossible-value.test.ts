import { z } from 'zod';
import { impossibleValue } from '../../../../lib/check/rules/impossible-value';
import type { KeyCondition, Operand, PatternDesign, Test } from '../../../../lib/design/pattern';
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
  (requests(table(pattern), 't').patterns as unknown as Record<string, (values: object) => unknown>).one?.({ id: 'i' });

describe('a constant that is written', () => {
  test.each<readonly [string, Operand, string]>([
    ['state', 'closed', 'state is never "closed": it is one of "open", "done"'],
    ['n', 0, 'n is never 0: it is a whole number from 1 to 9'],
    ['n', 1.5, 'n is never 1.5: it is a whole number from 1 to 9'],
    ['n', 'one', 'n is never "one": it is a whole number from 1 to 9'],
    ['flag', 'yes', 'flag is never "yes": it is a boolean'],
    ['id', null, 'id is never null: it is a string'],
    ['place', 'here', 'place is never "here": it is a map'],
    ['place.city', 5, 'place.city is never 5: it is a string'],
  ])('to %s is one that it can have, and not %p', (attribute, value, message) => {
    const shown = JSON.stringify(value);
    const fix = `give one of its values, or allow ${shown} in the schema`;
    expect(found(set(attribute, value))).toEqual([{ path: `patterns.one.set.${attribute}`, message, fix }]);
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
  ])('to %s may be %p', (attribute, value) => {
    expect(found(set(attribute, value))).toEqual([]);
    expect(made(set(attribute, value))).not.toThrow();
  });

  test('in a new item is looked at too; what is a parameter, or another attribute, is not', () => {
    const item = { id: '<id>', state: 'closed', n: '<n>', note: 'of <id>' };
    expect(found({ op: 'put', entity: 'Thing', item }).map(({ path }) => path)).toEqual(['patterns.one.item.state']);
    expect(found(set('note', { attribute: 'id' }))).toEqual([]);
  });
});

describe('a constant that is looked for', () => {
  test('is one that there can be', () => {
    expect(found(condition('state', 'closed')).map(({ path }) => path)).toEqual(['patterns.one.condition.state']);
    expect(found(condition('state', { in: ['open', 'closed', '<state>'] }))).toEqual([
      {
        path: 'patterns.one.condition.state',
        message: 'state is never "closed": it is one of "open", "done"',
        fix: 'give one of its values, or allow "closed" in the schema',
      },
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
  ])('in %s may be %p', (attribute, test) => {
    expect(found(condition(attribute, test))).toEqual([]);
  });
});

test('a number has no beginning, and nothing in it', () => {
  expect(found(condition('n', { beginsWith: '1' }))).toEqual([
    {
      path: 'patterns.one.condition.n',
      message: 'n is a number, for which beginsWith never holds',
      fix: 'compare it with a value, or with a range',
    },
  ]);
  expect(found(condition('flag', { contains: 'x' }))).toHaveLength(1);
  expect(found(condition('list', { beginsWith: 'x' })).map(({ fix }) => fix)).toEqual(['write contains']);
  expect(found(condition('id', { beginsWith: 'x' }))).toEqual([]);
  expect(found(condition('made', { contains: 'x' }))).toEqual([]);
});

describe('a key that is a number', () => {
  const asked = (n: KeyCondition) =>
    findings(impossibleValue, {
      name: 'things',
      key: { partition: 'p', sort: 'n' },
      entities: { Thing: { attributes: z.object({ p: z.string(), n: z.int() }) } },
      patterns: { one: { op: 'query', where: { p: '<p>', n }, returns: ['Thing'] } },
    });

  test('is compared with numbers', () => {
    expect(asked({ greaterThan: 'many' })).toEqual([
      {
        path: 'patterns.one.where.n',
        message: "n is a number, and 'many' is a text: the request is refused",
        fix: "write a number, or a parameter alone: '<n>'",
      },
    ]);
    expect(asked({ between: ['1', 'N#<n>'] })).toHaveLength(1);
    expect(asked({ between: ['1', '<most>'] })).toEqual([]);
    expect(asked({ atLeast: '-1.5' })).toEqual([]);
  });
});
