import { z } from 'zod';
import { ambiguousKey } from '../../../../lib/check/rules/ambiguous-key';
import { tableUnderCheck } from '../../../../lib/check/table-under-check';
import type { TableDesign } from '../../../../lib/design/table';
import { match, render, template } from '../../../../lib/design/template';
import { findings, shop, tableOf } from '../../../fixtures/designs';
import { library } from '../../../fixtures/library';

const found = (design: TableDesign) => findings(ambiguousKey, design);

const attributes = z.object({
  a: z.string(),
  b: z.string(),
  n: z.int().min(0),
  x: z.number(),
  at: z.iso.datetime({ precision: 3 }),
  time: z.iso.time(),
  day: z.iso.date(),
  uuid: z.uuid(),
  color: z.enum(['red', 'light-blue', 'dark_red']),
  shade: z.enum(['light', 'light-blue']),
  size: z.enum(['S', 'M', 'L']),
  sku: z.string().regex(/^[A-Z]{3}\d{4}$/),
  country: z.string().length(2),
  map: z.object({ a: z.string() }),
});
const things = (SK: string, separator?: string) =>
  found(tableOf({ attributes, keys: { PK: 'THING', SK } }, separator === undefined ? {} : { separator }));

test.each([...Object.values(shop.tables), library] as TableDesign[])('returns no findings for $name', (design) => {
  expect(found(design)).toEqual([]);
});

describe('two adjacent values', () => {
  test.each([
    ['<a><b>', 'a', 'b', '#'],
    ['X#<map.a><n>', 'map.a', 'n', '#'],
    ['<n><b>', 'n', 'b', '|'],
  ])('reports parts with nothing between them: %s', (SK, one, other, separator) => {
    expect(things(SK, separator)).toEqual([
      {
        path: 'entities.Thing.keys.SK',
        cause: 'side-by-side',
        part: one,
        proposed: `<${one}>${separator}<${other}>`,
      },
    ]);
  });

  test.each(['<n:4><a>', '<at:date><a>', '<at:year><at:month><n>', 'X<n:2><n:3>'])(
    'accepts %s, because the fixed width of the first part separates the parts',
    (SK) => {
      expect(things(SK)).toEqual([]);
    },
  );
});

test.each([
  '<size><a>',
  '<sku><a>',
  '<color><uuid>',
  '<a><uuid>',
  '<uuid><a>',
  '<size><size><a>',
  '<n><size>',
  '<a><day>',
])('accepts %s, because the format of one value separates the parts', (SK) => {
  expect(things(SK)).toEqual([]);
});

test("proposes the table's separator, because no value may contain it", () => {
  const { fix } =
    [...ambiguousKey.check(tableUnderCheck(tableOf({ attributes, keys: { PK: 'X', SK: '<a>x<b>' } })))][0] ?? {};
  expect(fix).toBe("no value may contain the separator, so write '#' after <a>");
});

describe('two values with text between them', () => {
  test.each([
    ['<a>-<b>', 'a', '-'],
    ['<shade>-<a>', 'shade', '-'],
    ['<b>-<uuid>-<a>', 'b', '-'],
    ['<x>.<a>', 'x', '.'],
    ['<x>e<a>', 'x', 'e'],
    ['<a>_SEP_<b>', 'a', '_'],
    ['<a>😀<b>', 'a', '😀'],
  ])('reports %s, because <%s> can contain %j, the first character of the text that follows', (SK, name, first) => {
    expect(things(SK)).toEqual([
      {
        path: 'entities.Thing.keys.SK',
        cause: 'open-end',
        part: name,
        value: first,
      },
    ]);
  });

  test.each([
    '<a>#<b>',
    '<a>#-<b>',
    '<n>-<a>',
    '<n>.<a>',
    '<day>T<a>',
    '<uuid>_<a>',
    '<at>_<uuid>',
    '<color>+<a>',
    '<n:4>-<a>',
    '<uuid>-<a>',
    '<at>-<a>',
    '<color>-<a>',
    '<a>-<uuid>',
    '<a>/<n:4>',
    '<a>T<day>',
    '<n>x<a>',
    '<n>v<n>',
    'v<n>e<a>',
    '<sku>A<a>',
  ])('accepts text that separates two values: %s', (SK) => {
    expect(things(SK)).toEqual([]);
  });

  test("accepts two values with the table's separator between them", () => {
    expect(things('<a>|<b>')).toHaveLength(1);
    expect(things('<a>|<b>', '|')).toEqual([]);
  });
});

describe('text after the last value', () => {
  test.each(['<a>-v1', 'FILE#<a>.meta', '<a>#<b>-x'])(
    'accepts the text after the last value in %s, even though the value can contain that text',
    (SK) => {
      expect(things(SK)).toEqual([]);
    },
  );

  test('match restores the last value, even if the value contains the text after it', () => {
    const read = template('<a>-v1');
    const key = render(read, { a: 'b-v1' }, { separator: '#', maxBytes: 1024 });
    expect(match(read, key, '#')).toEqual({ a: 'b-v1' });
  });
});

describe('a value that can contain the separator', () => {
  const fault = (part: string, value?: string) => [
    { path: 'entities.Thing.keys.SK', cause: 'separator-in-value', part, ...(value === undefined ? {} : { value }) },
  ];

  test('reports a colon as the separator in a key with a time, because times contain colons', () => {
    expect(things('X:<at>', ':')).toEqual(fault('at'));
    expect(things('<time>', ':')).toEqual(fault('time'));
    expect(things('X:<at:date>:<a>', ':')).toEqual([]);
    expect(things('X:<day>', ':')).toEqual([]);
  });

  test('reports an enum only if one of its values contains the separator', () => {
    expect(things('X_<color>', '_')).toEqual(fault('color', 'dark_red'));
    expect(things('X#<color>')).toEqual([]);
    const hash = tableOf({ attributes: z.object({ c: z.enum(['a', 'b#']) }), keys: { PK: 'X', SK: '<c>' } });
    expect(found(hash)).toEqual(fault('c', 'b#'));
  });

  test('accepts the separator in a natural key, because a natural key has no parts', () => {
    const design = { key: { partition: 'color', sort: 'at' }, separator: ':' };
    expect(found(tableOf({ attributes }, design))).toEqual([]);
  });
});

test('checks every key of every entity, and reports one fault per key', () => {
  const keys = { PK: '<a><b>-<a><b>', SK: 'X', GSI1PK: '<a>-<b>' };
  const design = tableOf({ attributes, keys }, { indexes: { GSI1: { partition: 'GSI1PK', sort: 'a' } } });
  expect(found(design).map(({ path }) => path)).toEqual(['entities.Thing.keys.PK', 'entities.Thing.keys.GSI1PK']);
});

test('ignores an empty separator, because `limits` reports it', () => {
  expect(things('<color>', '')).toEqual([]);
});

test.each(['<uuid><a>', '<day><uuid>', '<at><a>', 'X<uuid><day>#<a>'])(
  'accepts a value of fixed length without a separator after it: %s',
  (SK) => {
    expect(things(SK)).toEqual([]);
    const keyOnly = ['uuid'];
    expect(found(tableOf({ attributes, keys: { PK: 'THING', SK }, keyOnly }))).toHaveLength(1);
  },
);
