import fc from 'fast-check';
import { decodeKey, encodeKey, type KeyType, type KeyValue } from '../../../../lib/azure-tables/equivalents/key-text';
import { AZURE_TABLES } from '../../../../lib/blueprint/clouds';
import { KeyError } from '../../../../lib/design/template';
import { anyText } from '../../../support/arbitraries';

/** Short, and of the characters that are written in another way and their neighbours, so that look-alikes are frequent. */
const tricky = fc.string({
  unit: fc.constantFrom(...Array.from('\u0000\u001f !"#$-./0129=>?@Z[\\]^_abeqs}~\u007f\u0080\u009f\u00a0é😀')),
  maxLength: 6,
});
const text = fc.oneof(
  tricky,
  tricky,
  anyText.filter((value) => value.isWellFormed()),
);
const numbers = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.constantFrom(0, -0));
const bytes = fc.uint8Array({ maxLength: 6 });

const compare = <T>(a: T, b: T) => (a < b ? -1 : a > b ? 1 : 0);
/** One list of texts after the other, value by value; a list comes after what it begins with. */
const compareLists = (a: readonly string[], b: readonly string[]): number => {
  for (const [i, value] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (value !== other) return compare(value, other);
  }
  return compare(a.length, b.length);
};
const strings = (count: number): KeyType[] => Array.from({ length: count }, () => 'string');

test('any text comes back as it was, and is legal in between', () => {
  fc.assert(
    fc.property(text, (value) => {
      const key = encodeKey([value]);
      expect(key).not.toMatch(AZURE_TABLES.illegalInKeys);
      expect(decodeKey(key, ['string'])).toEqual([value]);
    }),
    { numRuns: 2000 },
  );
});

test('every single UTF-16 unit comes back as it was, and is legal in between', () => {
  for (let unit = 0; unit < 0xd800; unit++) {
    const value = String.fromCharCode(unit);
    const key = encodeKey([value]);
    if (AZURE_TABLES.illegalInKeys.test(key) || decodeKey(key, ['string'])[0] !== value)
      throw new Error(`unit ${unit}`);
  }
});

test('units sort as they did, one by one', () => {
  const units = Array.from({ length: 0xd800 }, (_, unit) => encodeKey([String.fromCharCode(unit)]));
  expect(units.findIndex((key, i) => i > 0 && !((units[i - 1] as string) < key))).toBe(-1);
});

test('lists of values come back, and sort as the lists do', () => {
  const lists = fc.array(tricky, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(lists, lists, (a, b) => {
      expect(decodeKey(encodeKey(a), strings(a.length))).toEqual(a);
      expect(Math.sign(compare(encodeKey(a), encodeKey(b)))).toBe(Math.sign(compareLists(a, b)));
    }),
    { numRuns: 5000 },
  );
});

test('a key begins with another exactly where its text does, so that prefix queries find the same', () => {
  fc.assert(
    fc.property(tricky, tricky, tricky, (a, b, c) => {
      expect(encodeKey([a]).startsWith(encodeKey([b]))).toBe(a.startsWith(b));
      expect(encodeKey([a + b, c]).startsWith(encodeKey([a]))).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

test('numbers come back and sort as numbers, beside other values too', () => {
  fc.assert(
    fc.property(numbers, numbers, tricky, (a, b, c) => {
      expect(decodeKey(encodeKey([a, c]), ['number', 'string'])).toEqual([a === 0 ? 0 : a, c]);
      expect(compare(encodeKey([a]), encodeKey([b]))).toBe(compare(a, b));
    }),
    { numRuns: 2000 },
  );
});

test('bytes come back and sort as bytes', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(decodeKey(encodeKey([a]), ['binary'])).toEqual([a]);
      expect(compare(encodeKey([a]), encodeKey([b]))).toBe(Math.sign(Buffer.compare(a, b)));
    }),
  );
});

test('the separator of nearly every key remains one character', () => {
  expect(encodeKey(['POST#2026-01-31T12:00:00.000Z#42'])).toBe('POST!2026-01-31T12:00:00..000Z!42');
  expect(encodeKey(['a/b\\c?d e'])).toBe('a.sb[bc>qd _e');
  expect(encodeKey(['POST#1', 'USER#2'])).toBe('POST!1  USER!2');
});

describe('what cannot be stored is refused', () => {
  const refused = (values: readonly KeyValue[], message: string) => {
    expect(() => encodeKey(values)).toThrow(KeyError);
    expect(() => encodeKey(values)).toThrow(message);
  };

  test('a key of more than 1 KiB, as Azure counts', () => {
    expect(encodeKey(['x'.repeat(512)])).toHaveLength(512);
    refused(['x'.repeat(513)], 'comes to 513 characters, and an Azure key holds at most 512; shorten it');
    refused(['é'.repeat(400), 'x'.repeat(111)], 'comes to 513 characters');
    refused(['/'.repeat(257)], 'comes to 514 characters');
  });

  test('half a character', () => {
    refused(['a\ud800'], '"a\\ud800" holds half a surrogate pair, which is lost when stored');
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d', (value) => {
    refused([value], `a key must be a finite number, got: ${value}`);
  });
});

test.each(['a#b', 'a b', 'a.', 'a[', '"', '~', '~6f', ' 2f', 'a/b', '\u0001', 'a   b'])(
  '%j was never written, and is refused instead of read as something else',
  (key) => {
    expect(() => decodeKey(key, ['string'])).toThrow(`'${key}' is no Azure key of 1 value`);
  },
);

test('anything that can be read is what would be written', () => {
  fc.assert(
    fc.property(tricky, (key) => {
      let read: readonly KeyValue[];
      try {
        read = decodeKey(key, ['string']);
      } catch {
        return;
      }
      expect(encodeKey(read)).toBe(key);
    }),
    { numRuns: 5000 },
  );
});

test('a value of another type or count is refused', () => {
  expect(() => decodeKey('a  b', ['string'])).toThrow("'a  b' is no Azure key of 1 value");
  expect(() => decodeKey('a', ['string', 'string'])).toThrow("'a' is no Azure key of 2 values");
  expect(() => decodeKey('12', ['number'])).toThrow("'12' is no number of an Azure key");
  expect(() => decodeKey('abc', ['binary'])).toThrow("'abc' is no binary of an Azure key");
});
