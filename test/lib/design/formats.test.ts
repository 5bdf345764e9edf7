import { match, render } from '../../../lib/design/keys';
import { template } from '../../../lib/design/template';

const at = '2026-01-31T12:44:59.123Z';

describe('a time bucket', () => {
  test.each([
    ['15m', '2026-01-31T12:30'],
    ['1m', '2026-01-31T12:44'],
    ['90m', '2026-01-31T12:00'],
    ['30s', '2026-01-31T12:44:30'],
    ['1h', '2026-01-31T12'],
    ['6h', '2026-01-31T12'],
    ['8h', '2026-01-31T08'],
    ['1d', '2026-01-31'],
    ['7d', '2026-01-29'],
  ])('a bucket of length %s begins at %s', (length, start) => {
    expect(render(`<at:bucket(${length})>`, { at })).toBe(start);
  });

  test('a time and the start of its bucket fall into the same bucket', () => {
    for (const given of [at, '2026-01-31T12:30', '2026-01-31T12:44', '2026-01-31T12:30:00Z'])
      expect(render('<at:bucket(15m)>', { at: given })).toBe('2026-01-31T12:30');
    expect(render('<at:bucket(15m)>', { at: '2026-01-31' })).toBe('2026-01-31T00:00');
  });

  test.each([['2026-13-31T12:00:00Z'], ['yesterday'], [''], [1769863499], [undefined], ['2026-01-31T12:44x']])(
    'rendering a bucket refuses %j, and the error gives an example timestamp',
    (given) => {
      expect(() => render('<at:bucket(15m)>', { at: given })).toThrow(
        /<at> is .*; give an ISO timestamp \(2026-01-31T12:00:00Z\)/,
      );
    },
  );

  test('a bucket part matches only a valid time that is as precise as the bucket', () => {
    const read = template('T#<at:bucket(15m)>#<id>');
    expect(match(read, 'T#2026-01-31T12:30#x', '#')).toEqual({ 'at:bucket(15m)': '2026-01-31T12:30', id: 'x' });
    expect(match(read, 'T#2026-01-31T12:61#x', '#')).toBeUndefined();
    expect(match(read, 'T#2026-01-31T12#x', '#')).toBeUndefined();
    expect(match(read, 'T#2026-01-31T1#x', '#')).toBeUndefined();
  });
});

test('the format `upper` renders a string in upper case, and matches only upper-case text', () => {
  expect(render('SKU#<sku:upper>', { sku: 'ab-1ß' })).toBe('SKU#AB-1SS');
  expect(match(template('SKU#<sku:upper>'), 'SKU#AB', '#')).toEqual({ 'sku:upper': 'AB' });
  expect(match(template('SKU#<sku:upper>'), 'SKU#Ab', '#')).toBeUndefined();
});

describe('an encoded string', () => {
  test.each([
    ['plain text, with 1,000 marks: é 😀', 'plain text, with 1,000 marks: é 😀'],
    ['C# in depth', 'C"1 in depth'],
    ['say "hi"!', 'say "0hi"0!Y'],
    ['a/b\\c?', 'a.1b[1c>1'],
    ['', '!0'],
    ['\u0000\n', '!2!C'],
    ['\ud800', '!1D800'],
  ])('encoding %j gives %j, and decoding returns the original', (text, written) => {
    expect(render('<a:encoded>', { a: text })).toBe(written);
    expect(match(template('<a:encoded>'), written, '#')).toEqual({ a: text });
  });

  test.each([['a#b'], ['"'], ['"z'], ['!'], ['!1D8'], ['a/b'], ['!0a'], ['!10041'], [''], ['\n']])(
    'no string encodes to %j',
    (key) => {
      expect(match(template('<a:encoded>'), key, '#')).toBeUndefined();
    },
  );

  test('an encoded string never contains the separator, for any separator', () => {
    for (const separator of ['#', '_', '|', '.', ':', '!', '"', ' ', '~', '0', 'D', 'é', '\ue000', '😀', '\u0001']) {
      const rules = { separator, maxBytes: 2048 };
      const text = `a${separator}b${separator}${String.fromCharCode(0xd800)}`;
      const key = render('<a:encoded>', { a: text }, rules);
      expect(key).not.toContain(separator);
      expect(match(template('<a:encoded>'), key, separator)).toEqual({ a: text });
      expect(render('<a:encoded>', { a: '' }, rules)).not.toContain(separator);
    }
  });

  test('the format `encoded` renders a number as text, and refuses a missing value', () => {
    expect(render('<a:encoded>', { a: 7 })).toBe('7');
    expect(() => render('<a:encoded>', {})).toThrow('<a> is missing; give a string or a number');
  });
});
