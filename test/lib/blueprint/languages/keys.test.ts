import { type KeySpace, keysOf } from '../../../../lib/blueprint/languages/keys';
import { relate } from '../../../../lib/blueprint/languages/relation';
import { template } from '../../../../lib/design/template';
import { COMPARISONS, has } from './verdicts';

test.each([
  ['2026-01-31', true],
  ['2026-12-01', true],
  ['2026-02-31', true], // The language of a date does not distinguish the lengths of months.
  ['2026-00-01', false],
  ['2026-13-01', false],
  ['2026-20-01', false],
  ['2026-01-00', false],
  ['2026-01-32', false],
  ['2026-01-40', false],
])('the language of a date in a key contains %s: %p', (date, expected) => {
  const dates = keysOf(template('<it:date>'), { separator: '#' });
  expect(has(dates, date)).toBe(expected);
});

describe("a key's language", () => {
  const listed = (...values: string[]): KeySpace => ({
    separator: '#',
    facts: () => ({ kind: 'string', optional: false, values }),
  });

  test('the language of a natural key allows the separator, even in listed values', () => {
    expect(has(keysOf(template('<it>'), { separator: '#', natural: true }), 'a#b')).toBe(true);
    expect(has(keysOf(template('<it>'), { ...listed('a#b'), natural: true }), 'a#b')).toBe(true);
    expect(has(keysOf(template('<it>'), { ...listed('a#b', ''), natural: true }), '')).toBe(false);
  });

  test.each([
    ['is listed', []],
    ['in the list can be part of a key', ['', '#', 'a#b']],
  ])('the language of a key is empty, and overlaps no range, if no value %s', (_, values) => {
    const none = keysOf(template('A#<it>#B'), listed(...values));
    const any = keysOf(template('<any>'), { separator: '#', natural: true });
    expect(none.accepting).not.toContain(true);
    expect(relate(none, { kind: 'all' })).toBe('never');
    expect(relate(none, { kind: 'between', from: any, to: any })).toBe('never');
    expect(COMPARISONS.map((kind) => relate(none, { kind, at: any }))).toEqual(COMPARISONS.map(() => 'never'));
    // A range contains no key if one of its bounds has no possible value.
    expect(relate(any, { kind: 'between', from: none, to: any })).toBe('never');
    expect(relate(any, { kind: 'between', from: any, to: none })).toBe('never');
    expect(COMPARISONS.map((kind) => relate(any, { kind, at: none }))).toEqual(COMPARISONS.map(() => 'never'));
  });

  test.each(['', '##', '::'])(
    'an invalid separator such as %j does not restrict the language of a key',
    (separator) => {
      const keys = keysOf(template('<it>'), { separator });
      expect(has(keys, 'a:b#c')).toBe(true);
    },
  );

  test('the language of a key treats a separator above U+FFFF as one character', () => {
    const keys = keysOf(template('<it>'), { separator: '😀' });
    expect(has(keys, '😁')).toBe(true);
    expect(has(keys, '😀')).toBe(false);
  });
});
