import { ItemError } from '../../../lib/azure-tables';
import { afterPrefix, textLiteral } from '../../../lib/azure-tables/filter';
import type { Condition } from '../../../lib/design/pattern';
import { anyCharacter, anyText } from '../../support/arbitraries';
import fc from '../../support/fuzz';
import { callOf, shelf } from './designs';

const filterOf = (filter: Condition, values: object = {}) => {
  const call = callOf({ op: 'query', where: shelf, filter, returns: ['Thing'] }, { shelf: 'a', ...values });
  const { args } = call as { args: readonly [{ queryOptions: { filter: string } }] };
  return args[0].queryOptions.filter.replace("PartitionKey eq 'SHELF_a' and ", '');
};

test.each<[Condition, object, string]>([
  [{ text: '<x>' }, { x: 'y' }, "text eq 'y'"],
  [{ text: 'constant' }, {}, "text eq 'constant'"],
  [{ text: '<x> and <y>' }, { x: 'a', y: 'b' }, "text eq 'a and b'"],
  [{ text: { not: '<x>' } }, { x: 'y' }, "text ne 'y'"],
  [{ small: { atLeast: 3 } }, {}, 'small ge 3'],
  [{ large: { atMost: '<n>' } }, { n: 3 }, 'large le 3L'],
  [{ huge: { greaterThan: '<n>' } }, { n: 2n ** 60n }, 'huge gt 1152921504606846976L'],
  [{ real: { lessThan: '<n>' } }, { n: 3 }, 'real lt 3.0'],
  [{ real: '<n>' }, { n: 1e21 }, 'real eq 1e+21'],
  [{ flag: true }, {}, 'flag eq true'],
  [{ second: '<t>' }, { t: '2025-01-01T00:00:00Z' }, "second eq datetime'2025-01-01T00:00:00Z'"],
  [{ local: '<t>' }, { t: '2025-01-01T00:00:00-03:00' }, "local eq '2025-01-01T00:00:00-03:00'"],
  [{ bytes: '<b>' }, { b: new Uint8Array([1, 255]) }, "bytes eq X'01ff'"],
  [{ small: { between: ['<a>', '<b>'] } }, { a: 1, b: 2 }, 'small ge 1 and small le 2'],
  [{ colour: { in: ['red', '<c>'] } }, { c: 'blue' }, "(colour eq 'red' or colour eq 'blue')"],
  [{ text: { beginsWith: 'ab' } }, {}, "text ge 'ab' and text lt 'ac'"],
  [{ text: '<x?>', flag: true }, {}, 'flag eq true'],
  [{ any: [{ text: 'a', flag: true }, { small: 1 }] }, {}, "((text eq 'a' and flag eq true) or (small eq 1))"],
  [
    { none: [{ text: 'a' }, { any: [{ small: 1 }] }], flag: true },
    {},
    "not ((text eq 'a') or (((small eq 1)))) and flag eq true",
  ],
  [{ any: [{ text: '<x?>' }, { none: [{ text: '<x?>' }] }], flag: true }, {}, 'flag eq true'],
])('renders the filter %p with the values %p as %s', (filter, values, expected) => {
  expect(filterOf(filter, values)).toBe(expected);
});

test('escapes a quote in a string, so that it cannot end the literal', () => {
  expect(filterOf({ text: '<x>' }, { x: "d'avila@x.com' or text ne '" })).toBe(
    "text eq 'd''avila@x.com'' or text ne '''",
  );
});

test('renders any string as a single literal', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const written = textLiteral(text);
      expect(written).toMatch(/^'(?:[^']|'')*'$/s);
      expect(written.slice(1, -1).replaceAll("''", "'")).toBe(text);
    }),
  );
});

test.each<[string, unknown]>([
  ['small', '3 or small ne 3'],
  ['small', 1.5],
  ['large', '1L'],
  ['real', Number.NaN],
  ['flag', 'true'],
  ['second', "2025-01-01T00:00:00Z' or '' eq '"],
  ['bytes', 'AQ=='],
  ['text', 5],
  ['text', null],
  ['colour', 'green'],
])('rejects a comparison of %s with %p, which the attribute can never equal', (attribute, x) => {
  const attempt = () => filterOf({ [attribute]: '<x>' }, { x });
  expect(attempt).toThrow(ItemError);
  expect(attempt).toThrow(new RegExp(`^Things: it: ${attribute}\\b`));
});

test('accepts a number that is passed as a string, for example from a URL', () => {
  expect(filterOf({ large: '<x>' }, { x: '1' })).toBe('large eq 1L');
  expect(filterOf({ small: { between: ['<x>', '<y>'] } }, { x: '1', y: 2 })).toBe('small ge 1 and small le 2');
});

test('rejects a range that has only one bound', () => {
  expect(() => filterOf({ small: { between: ['<a?>', '<b>'] } }, { b: 1 })).toThrow(
    'give both ends of the range, or neither',
  );
});

test('`afterPrefix` returns a string that sorts after all strings with the prefix', () => {
  expect(afterPrefix('LOG_')).toBe('LOG`');
  expect(afterPrefix('a\ud7ff')).toBe('a\ue000');
  expect(afterPrefix('😀')).toBe('😁');
  for (const prefix of ['', 'a\uffff', '\u{10ffff}']) expect(() => afterPrefix(prefix)).toThrow('has a successor');
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), fc.string({ unit: anyCharacter }), (prefix, rest) => {
      fc.pre(!/[\uffff]$|\u{10ffff}$/u.test(prefix));
      const end = afterPrefix(prefix);
      expect(end.isWellFormed()).toBe(true);
      expect(`${prefix}${rest}` < end && !end.startsWith(prefix)).toBe(true);
    }),
  );
});
