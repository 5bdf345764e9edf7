import { isDeepStrictEqual } from 'node:util';
import { KeyError, match, render, template } from '../../../lib/design/template';
import {
  anyText,
  anyValues,
  closeValues,
  type ExpectedPart,
  type ExpectedTemplate,
  fitValues,
  type KeyValues,
  separators,
  soundTemplates,
} from '../../support/arbitraries';
import fc from '../../support/fuzz';

const RUNS = { numRuns: 1000 };
const MAX_BYTES = 2048;

test('`render` either names the attribute that it refuses, or returns a key that `match` turns back into the same values', () => {
  fc.assert(
    fc.property(soundTemplates, anyValues, fc.constantFrom(40, 1024, 2048), (expected, values, maxBytes) => {
      const { separator, parts, text } = expected;
      const outcome = rendering(text, values, { separator, maxBytes });
      const written = keyOf(expected, values);
      if (typeof written !== 'string') {
        expect(outcome).toEqual({ attribute: written.unfit.name });
      } else if (Buffer.byteLength(written) > maxBytes) {
        expect(outcome).toEqual({ attribute: longest(parts, values, separator) });
      } else {
        expect(outcome).toBe(written);
        expect(match(template(text), written, separator)).toEqual(shown(parts, values));
      }
    }),
    RUNS,
  );
});

test('different values never render the same key', () => {
  fc.assert(
    fc.property(soundTemplates, closeValues, closeValues, ({ text, separator, parts }, some, others) => {
      const key = rendering(text, some, { separator, maxBytes: MAX_BYTES });
      const other = rendering(text, others, { separator, maxBytes: MAX_BYTES });
      fc.pre(typeof key === 'string' && typeof other === 'string');
      expect(key === other).toBe(isDeepStrictEqual(shown(parts, some), shown(parts, others)));
    }),
    RUNS,
  );
});

test('a key never matches a template that starts with different literal text', () => {
  const words = anyText.map((text) => text.replace(/[#_|<>]/g, ''));
  fc.assert(
    fc.property(words, words, soundTemplates, soundTemplates, fitValues, (word, other, own, foreign, values) => {
      fc.pre(word !== other);
      const { separator } = own;
      const key = rendering(`${word}${separator}${own.text}`, values, { separator, maxBytes: MAX_BYTES });
      fc.pre(typeof key === 'string');
      expect(match(template(`${other}${separator}${own.text}`), key, separator)).toBeUndefined();
      expect(match(template(`${other}${separator}${foreign.text}`), key, separator)).toBeUndefined();
    }),
    RUNS,
  );
});

test('padded numbers sort lexicographically in numeric order', () => {
  const numbers = fc.oneof(fc.nat(120), fc.maxSafeNat(), fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }));
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 99 }), separators, numbers, numbers, (width, separator, one, two) => {
      const key = (n: number | bigint) =>
        render(template(`N${separator}<n:${width}>`), { n }, { separator, maxBytes: MAX_BYTES });
      expect(key(one) < key(two)).toBe(one < two);
      expect(key(one) === key(two)).toBe(BigInt(one) === BigInt(two));
    }),
    RUNS,
  );
});

test('template parses any string, and the pieces of a valid template spell out that string', () => {
  const pieces = fc.constantFrom('<', '>', 'a', '.', ':', '?', '4', 'date', 'toString', '#', '😀');
  fc.assert(
    fc.property(fc.oneof(anyText, fc.string({ unit: pieces })), (text) => {
      const { pieces, faults } = template(text);
      const spelt = pieces.map((part) => {
        if (typeof part === 'string') return part;
        return `<${part.name}${part.format === undefined ? '' : `:${part.format}`}${part.optional ? '?' : ''}>`;
      });
      expect(faults.length > 0 || spelt.join('') === text).toBe(true);
    }),
    RUNS,
  );
});

test('a part renders any value to a matching key, or throws a KeyError', () => {
  const parts = fc.constantFrom('<a>', '<a:4>', '<a:date>', '<a.b>');
  const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withTypedArray: true });
  fc.assert(
    fc.property(
      parts,
      separators,
      fc.oneof(
        anything,
        anything.map((b) => ({ b })),
      ),
      (text, separator, a) => {
        const key = rendering(text, { a }, { separator, maxBytes: MAX_BYTES });
        if (typeof key === 'string') expect(match(template(text), key, separator)).toBeDefined();
        else expect(key.attribute).toBe(text === '<a.b>' ? 'a.b' : 'a');
      },
    ),
    RUNS,
  );
});

/** Returns the rendered key, or the attribute named in the KeyError. Any other error fails the test. */
function rendering(text: string, values: object, rules: { separator: string; maxBytes: number }) {
  try {
    return render(template(text), values, rules);
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    return { attribute: error.attribute };
  }
}

/** Returns the key that the expected parts form, or the first part that cannot render its value. */
function keyOf({ pieces, separator }: ExpectedTemplate, values: KeyValues): string | { unfit: ExpectedPart } {
  let key = '';
  for (const part of pieces) {
    const written = typeof part === 'string' ? part : part.write(values, separator);
    if (written === undefined) return { unfit: part as ExpectedPart };
    key += written;
  }
  return key;
}

/** Returns the expected result of a match. A number that occurs both padded and unpadded is returned as a number. */
function shown(parts: readonly ExpectedPart[], values: KeyValues): Record<string, string | number | bigint> {
  const plainFirst = [...parts].sort((a, b) => a.text.length - b.text.length);
  return Object.fromEntries(plainFirst.map((part) => [part.slot, part.read(values)]));
}

function longest(parts: readonly ExpectedPart[], values: KeyValues, separator: string): string | undefined {
  const size = (part: ExpectedPart) => Buffer.byteLength(part.write(values, separator) ?? '');
  return [...parts].sort((a, b) => size(b) - size(a))[0]?.name;
}
