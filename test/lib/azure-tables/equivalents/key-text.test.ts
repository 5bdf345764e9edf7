import { decodeKey, encodeKey, type KeyValue } from '../../../../lib/azure-tables/equivalents/key-text';
import { AZURE_TABLES } from '../../../../lib/blueprint/clouds';
import { KeyError } from '../../../../lib/design/template';

test('round-trips every UTF-16 code unit below the surrogates through a legal key', () => {
  for (let unit = 0; unit < 0xd800; unit++) {
    const value = String.fromCharCode(unit);
    const key = encodeKey([value]);
    if (AZURE_TABLES.illegalInKeys.test(key) || decodeKey(key, ['string'])[0] !== value)
      throw new Error(`unit ${unit}`);
  }
});

test('keeps the order of UTF-16 code units when it encodes them', () => {
  const units = Array.from({ length: 0xd800 }, (_, unit) => encodeKey([String.fromCharCode(unit)]));
  expect(units.findIndex((key, i) => i > 0 && !((units[i - 1] as string) < key))).toBe(-1);
});

test('encodes the usual separator as one character', () => {
  expect(encodeKey(['POST#2026-01-31T12:00:00.000Z#42'])).toBe('POST!2026-01-31T12:00:00..000Z!42');
  expect(encodeKey(['a/b\\c?d e'])).toBe('a.sb[bc>qd _e');
  expect(encodeKey(['POST#1', 'USER#2'])).toBe('POST!1  USER!2');
});

describe('values that Azure cannot store', () => {
  const refused = (values: readonly KeyValue[], message: string) => {
    expect(() => encodeKey(values)).toThrow(KeyError);
    expect(() => encodeKey(values)).toThrow(message);
  };

  test('rejects a key that takes more than 1 KiB on Azure', () => {
    expect(encodeKey(['x'.repeat(512)])).toHaveLength(512);
    refused(['x'.repeat(513)], 'has 513 characters, but an Azure key is limited to 512; shorten the key');
    refused(['é'.repeat(400), 'x'.repeat(111)], 'has 513 characters');
    refused(['/'.repeat(257)], 'has 514 characters');
  });

  test('rejects a lone surrogate', () => {
    refused(['a\ud800'], '"a\\ud800" contains a lone surrogate, which would be lost in storage');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d', (value) => {
    refused([value], `a number in a key must be finite, got: ${value}`);
  });
});

test.each(['a#b', 'a b', 'a.', 'a[', '"', '~', '~6f', ' 2f', 'a/b', '\u0001', 'a   b'])(
  'refuses to decode %j, which encoding never produces',
  (key) => {
    expect(() => decodeKey(key, ['string'])).toThrow(`'${key}' is not an Azure key with 1 value`);
  },
);

test('refuses to decode a key as values of the wrong types or as the wrong number of values', () => {
  expect(() => decodeKey('a  b', ['string'])).toThrow("'a  b' is not an Azure key with 1 value");
  expect(() => decodeKey('a', ['string', 'string'])).toThrow("'a' is not an Azure key with 2 values");
  expect(() => decodeKey('12', ['number'])).toThrow("'12' is not an Azure key value of type number");
  expect(() => decodeKey('abc', ['binary'])).toThrow("'abc' is not an Azure key value of type binary");
});
