import { AZURE_TABLES } from '../../../lib/blueprint/clouds';
import { match, render } from '../../../lib/design/keys';
import { template } from '../../../lib/design/template';
import { anyText } from '../../support/arbitraries';
import fc from '../../support/fuzz';

const rules = { separator: '#', maxBytes: 1_000_000 };
const encode = (a: string, separator = '#') => render('<a:encoded>', { a }, { ...rules, separator });
const decode = (key: string, separator = '#') => match(template('<a:encoded>'), key, separator)?.a;

const special = fc.string({ unit: fc.constantFrom(...'a!"#$./0?>[\\]~ |\u0000\u007f\ud800\udc00é'), maxLength: 4 });
const texts = fc.oneof(anyText, special);
const separators = fc.constantFrom('#', '_', '|', '.', '!', '~', ':', ' ', '0', 'Z');

/** Compares strings as DynamoDB does, by UTF-8 bytes, which yields code point order. */
const compare = (a: string, b: string) => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)));

test('every string survives encoding and decoding unchanged, so no two strings share a key', () => {
  fc.assert(
    fc.property(texts, separators, (text, separator) => {
      const key = encode(text, separator);
      expect(key).not.toBe('');
      expect(key).not.toContain(separator);
      expect(key.isWellFormed()).toBe(true);
      expect(AZURE_TABLES.illegalInKeys.test(key)).toBe(false);
      expect(decode(key, separator)).toBe(text);
    }),
    { numRuns: 3_000 },
  );
});

test('a decoded string encodes to the same key again, so each string has exactly one encoding', () => {
  fc.assert(
    fc.property(texts, (key) => {
      const text = decode(key);
      if (text !== undefined) expect(encode(text as string)).toBe(key);
    }),
    { numRuns: 2_000 },
  );
});

test('encoded keys keep the order and the shared prefixes of the original strings', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test treats control characters separately
  const isOrdered = (text: string) => text !== '' && text.isWellFormed() && !/[\u0000-\u001f]/.test(text);
  fc.assert(
    fc.property(texts.filter(isOrdered), texts.filter(isOrdered), (a, b) => {
      expect(compare(encode(a), encode(b))).toBe(compare(a, b));
      expect(encode(a).startsWith(encode(b))).toBe(a.startsWith(b));
    }),
    { numRuns: 3_000 },
  );
});
