import { decodeKey, encodeKey, type KeyType, type KeyValue } from '../../../../lib/azure-tables/equivalents/key-text';
import { AZURE_TABLES } from '../../../../lib/blueprint/clouds';
import { anyText } from '../../../support/arbitraries';
import fc from '../../../support/fuzz';

/** Generates short strings of escaped characters and their neighbors, so that similar keys are frequent. */
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
/** Compares two lists of strings value by value; a list sorts after its own prefixes. */
const compareLists = (a: readonly string[], b: readonly string[]): number => {
  for (const [i, value] of a.entries()) {
    const other = b[i];
    if (other === undefined) return 1;
    if (value !== other) return compare(value, other);
  }
  return compare(a.length, b.length);
};
const strings = (count: number): KeyType[] => Array.from({ length: count }, () => 'string');

test('round-trips any string through a legal key', () => {
  fc.assert(
    fc.property(text, (value) => {
      const key = encodeKey([value]);
      expect(key).not.toMatch(AZURE_TABLES.illegalInKeys);
      expect(decodeKey(key, ['string'])).toEqual([value]);
    }),
    { numRuns: 2000 },
  );
});

test('round-trips lists of values through keys that sort like the lists', () => {
  const lists = fc.array(tricky, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(lists, lists, (a, b) => {
      expect(decodeKey(encodeKey(a), strings(a.length))).toEqual(a);
      expect(Math.sign(compare(encodeKey(a), encodeKey(b)))).toBe(Math.sign(compareLists(a, b)));
    }),
    { numRuns: 5000 },
  );
});

test('encodes a prefix of a string as a prefix of the encoded string, so that prefix queries find the same items', () => {
  fc.assert(
    fc.property(tricky, tricky, tricky, (a, b, c) => {
      expect(encodeKey([a]).startsWith(encodeKey([b]))).toBe(a.startsWith(b));
      expect(encodeKey([a + b, c]).startsWith(encodeKey([a]))).toBe(true);
    }),
    { numRuns: 5000 },
  );
});

test('round-trips numbers, even next to other values, and sorts them numerically', () => {
  fc.assert(
    fc.property(numbers, numbers, tricky, (a, b, c) => {
      expect(decodeKey(encodeKey([a, c]), ['number', 'string'])).toEqual([a === 0 ? 0 : a, c]);
      expect(compare(encodeKey([a]), encodeKey([b]))).toBe(compare(a, b));
    }),
    { numRuns: 2000 },
  );
});

test('round-trips binary values and sorts them by their bytes', () => {
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      expect(decodeKey(encodeKey([a]), ['binary'])).toEqual([a]);
      expect(compare(encodeKey([a]), encodeKey([b]))).toBe(Math.sign(Buffer.compare(a, b)));
    }),
  );
});

test('decodes only keys that the encoder produces', () => {
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
