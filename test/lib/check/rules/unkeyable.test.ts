import { z } from 'zod';
import { unkeyable } from '../../../../lib/check/rules/unkeyable';
import { tableUnderCheck } from '../../../../lib/check/table-under-check';
import type { TableDesign } from '../../../../lib/design/table';
import { systems } from '../../../../lib/systems';
import { findings, tableOf } from '../../../fixtures/designs';

const found = (design: TableDesign) => findings(unkeyable, design);
const keyed = (value: z.ZodType, text: string) =>
  tableOf({ attributes: z.object({ id: z.string(), value }), keys: { PK: 'THING#<id>', SK: text } });

describe('a part of a key', () => {
  test.each([
    ['boolean', z.boolean()],
    ['list', z.array(z.string())],
    ['map', z.object({ id: z.string() })],
  ])('rejects a key part that is a %s', (cause, value) => {
    expect(found(keyed(value, 'V#<value>'))).toEqual([{ path: 'entities.Thing.keys.SK', cause, part: 'value' }]);
  });

  test.each([
    ['a string', z.string()],
    ['a number', z.number()],
    ['an enum', z.enum(['a', 'b'])],
    ['a custom schema', z.custom<string>()],
    ['a transform of a string', z.string().transform((text) => text.length)],
  ])('accepts %s as a key part', (_, value) => {
    expect(found(keyed(value, 'V#<value>'))).toEqual([]);
  });

  test.each([
    ['empty because of a listed value', z.enum(['', 'a']), 'may-be-empty'],
    ['empty because of its default', z.string().default(''), 'may-be-empty'],
    ['empty because of its regular expression', z.string().regex(/^[a-z]*$/), 'may-be-empty'],
    ['letters or a number', z.union([z.string().regex(/^[a-z]+$/), z.number()]), 'mixed-kinds'],
    ['long text', z.string().max(200), 'separator-possible'],
    ['trimmed text', z.string().trim().min(1), 'separator-possible'],
    ['a URL with a fragment', z.url(), 'separator-possible'],
  ])('warns about a key part that can be %s', (_, value, cause) => {
    expect(found(keyed(value, 'V#<value>'))).toMatchObject([{ cause, severity: 'warning' }]);
  });

  test('accepts any string in an encoded part of a key, which the fix proposes', () => {
    const [doubt] = unkeyable.check(tableUnderCheck(keyed(z.string().max(200), 'V#<value>')));
    expect(doubt?.fix).toContain("encode the value: SK: 'V#<value:encoded>'");
    const texts = [
      z.string().max(200),
      z.url(),
      z.enum(['', 'a']),
      z.string().default(''),
      z.templateLiteral(['#', z.int()]),
    ];
    for (const value of texts) expect(found(keyed(value, 'V#<value:encoded>'))).toEqual([]);
  });

  test('rejects a boolean in a key, even as a member of a union', () => {
    expect(found(keyed(z.union([z.string(), z.boolean()]), 'V#<value>'))).toMatchObject([{ cause: 'boolean' }]);
    expect(found(keyed(z.union([z.literal('on'), z.literal(false)]), 'V#<value>'))).toMatchObject([
      { cause: 'boolean' },
    ]);
  });

  test.each([
    ['a string of bounded length', z.string().min(1).max(64)],
    ['a string whose default is not empty', z.string().default('none')],
    ['a string whose regular expression requires a character', z.string().regex(/^[a-z]+$/)],
    ['an optional string', z.string().optional()],
  ])('accepts %s in a key without a warning', (_, value) => {
    expect(found(keyed(value, 'V#<value>'))).toEqual([]);
  });

  test('ignores an unknown part of a key, because `unknown-name` reports it', () => {
    expect(found(keyed(z.string(), '<nothing>#<nothing:4>#<nothing:date>'))).toEqual([]);
  });
});

test('rejects a Date in a key, even with the format `date`', () => {
  expect(found(keyed(z.date(), 'V#<value>'))).toEqual([
    { path: 'entities.Thing.keys.SK', cause: 'date', part: 'value' },
  ]);
  expect(found(keyed(z.date().optional(), '<value:date>'))).toHaveLength(1);
});

test('rejects a value that always contains the separator', () => {
  expect(found(keyed(z.string().startsWith('usr#'), 'U#<value>'))).toEqual([
    { path: 'entities.Thing.keys.SK', cause: 'separator-in-prefix', part: 'value', proposed: 'usr_' },
  ]);
  expect(found(keyed(z.string().startsWith('usr_'), 'U#<value>'))).toEqual([]);
  expect(found({ ...keyed(z.string().startsWith('usr#'), 'U|<value>'), separator: '|' })).toEqual([]);
});

describe('a padded part', () => {
  test('rejects a padded part that can be negative', () => {
    expect(found(keyed(z.int().min(-5).max(9), '<value:2>'))).toEqual([
      { path: 'entities.Thing.keys.SK', cause: 'negative', part: 'value', value: -5 },
    ]);
    expect(found(keyed(z.literal([-1, 1]), '<value:2>'))).toHaveLength(1);
    expect(found(keyed(z.int().max(9), '<value:2>'))).toEqual([]);
    expect(found(keyed(z.int32(), '<value:10>'))).toEqual([]);
  });

  test('rejects a padded part that is too narrow for the largest value', () => {
    expect(found(keyed(z.int().min(0).max(10_000), '<value:4>'))).toEqual([
      { path: 'entities.Thing.keys.SK', cause: 'too-narrow', part: 'value', value: 10_000, proposed: '<value:5>' },
    ]);
    expect(found(keyed(z.int().min(0).max(9_999), '<value:4>'))).toEqual([]);
    expect(found(keyed(z.literal([7, 123]), '<value:2>'))).toHaveLength(1);
    expect(found(keyed(z.literal([7, 12]), '<value:2>'))).toEqual([]);
  });

  test('accepts padding for a number without a maximum, because each write checks the value', () => {
    expect(found(keyed(z.int().min(0), '<value:4>'))).toEqual([]);
    expect(found(keyed(z.bigint().min(0n), '<value:4>'))).toEqual([]);
  });

  test('rejects a padded part that is not an integer', () => {
    expect(found(keyed(z.string(), '<value:4>'))).toEqual([
      { path: 'entities.Thing.keys.SK', cause: 'padded-text', part: 'value', value: 'string', proposed: '<value>' },
    ]);
    expect(found(keyed(z.number().min(0).max(5), '<value:4>'))).toEqual([
      { path: 'entities.Thing.keys.SK', cause: 'fraction', part: 'value' },
    ]);
  });
});

describe('a piece of a time', () => {
  test.each([
    ['a number', z.int(), 'number'],
    ['a UUID', z.uuid(), 'uuid'],
    ['an e-mail address', z.email(), 'email'],
    ['a listed value', z.enum(['a', 'b']), 'listed value'],
  ])('rejects a piece of a time if the attribute is %s', (_, value, what) => {
    expect(found(keyed(value, '<value:month>'))).toEqual([
      { path: 'entities.Thing.keys.SK', cause: 'no-timestamp', part: 'value', value: what },
    ]);
  });

  test('accepts a bucket in a key only if its source is a timestamp', () => {
    const path = 'entities.Thing.keys.SK';
    expect(found(keyed(z.int(), '<value:bucket(15m)>'))).toEqual([
      { path, cause: 'no-timestamp', part: 'value', value: 'number' },
    ]);
    expect(found(keyed(z.iso.datetime(), '<value:bucket(15m)>'))).toEqual([]);
  });

  test.each([
    ['a timestamp', z.iso.datetime()],
    ['a date', z.iso.date()],
    ['a string, which may be a timestamp', z.string()],
    ['a string with a custom pattern', z.string().regex(/^\d{4}-/)],
  ])('accepts a key that contains only part of a time if the attribute is %s', (_, value) => {
    expect(found(keyed(value, '<value:date>'))).toEqual([]);
  });
});

test('ignores natural keys, because `incomplete-key` checks them', () => {
  const design = tableOf({ attributes: z.object({ PK: z.boolean(), SK: z.array(z.string()) }) });
  expect(found(design)).toEqual([]);
});

test.each(Object.values(systems).flatMap(({ tables }) => Object.values<TableDesign>(tables)))(
  'returns no findings for the keys of $name',
  (design) => {
    expect(found(design)).toEqual([]);
  },
);
