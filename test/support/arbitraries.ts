import { formats } from '../../lib/design/formats';
import { template, useFormats } from '../../lib/design/template';
import fc from './fuzz';

useFormats(formats);

export const separators = fc.constantFrom('#', '_', '|');

/** Any Unicode character. fast-check has `binary` for this, but `binary` adds a second to every test file. */
export const anyCharacter = fc.nat(0x10ffff - 0x800).map((n) => String.fromCodePoint(n < 0xd800 ? n : n + 0x800));

const alphabet = fc.constantFrom('a', 'b', '0', ' ', '#', '_', '|', 'é', '😀');

/** Any string, including lone surrogates. Short strings over a small alphabet make near-duplicates frequent. */
export const anyText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
  fc.string({ unit: alphabet, maxLength: 3 }),
);

/** Strings that any key can contain, without separators and lone surrogates. */
export const keyText = fc
  .oneof(fc.string({ unit: anyCharacter, minLength: 1 }), fc.string({ unit: 'grapheme', minLength: 1 }))
  .map((text) => text.replace(/[#_|]/g, '-'));

/** Whole numbers, up to bigints of 21 digits. */
const wholeNumbers = fc.oneof(fc.nat(20_000), fc.maxSafeNat(), fc.bigInt({ min: 0n, max: 10n ** 20n }));

const timestamps = fc
  .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map((date) => date.toISOString());

/** The values of the attributes that `soundTemplates` uses. */
export interface KeyValues {
  readonly a: string;
  readonly map: { readonly b: string };
  /** `constructor` is a built-in property of every object. */
  readonly constructor: string;
  readonly n: number | bigint;
  readonly at: string;
}

/** Values that can become a key, if the key is not too long and the numbers fit the padding. */
export const fitValues: fc.Arbitrary<KeyValues> = valuesOf(keyText, wholeNumbers);

/**
 * Values that may be invalid in a key, such as an empty string, a string with a separator or a lone surrogate, or a
 * negative number.
 */
export const anyValues: fc.Arbitrary<KeyValues> = valuesOf(
  fc.oneof({ weight: 3, arbitrary: keyText }, anyText),
  fc.oneof({ weight: 2, arbitrary: wholeNumbers }, fc.double(), fc.bigInt()),
);

/** Short values over a small alphabet, so that two values often give almost the same key. */
export const closeValues: fc.Arbitrary<KeyValues> = valuesOf(
  fc.string({ unit: alphabet, minLength: 1, maxLength: 3 }),
  fc.nat(20),
);

function valuesOf(text: fc.Arbitrary<string>, n: fc.Arbitrary<number | bigint>): fc.Arbitrary<KeyValues> {
  return fc.record({ a: text, map: fc.record({ b: text }), constructor: text, n, at: timestamps });
}

/** A part of a template, with its expected behavior. */
export interface ExpectedPart {
  readonly text: string;
  readonly name: string;
  /** The name under which a match returns the part's value. */
  readonly slot: string;
  /** Returns the text that the part writes into a key; undefined if the part must refuse the values. */
  write(values: KeyValues, separator: string): string | undefined;
  /** Returns the value that a match must return for the part. */
  read(values: KeyValues): string | number | bigint;
}

const PARTS: readonly ExpectedPart[] = [
  textPart('a', ({ a }) => a),
  textPart('map.b', ({ map }) => map.b),
  textPart('constructor', ({ constructor: name }) => name),
  textPart('at', ({ at }) => at),
  {
    ...textPart('n', ({ n }) => String(n)),
    write: ({ n }) => (typeof n === 'bigint' || Number.isFinite(n) ? String(n) : undefined),
  },
  paddedPart(1),
  paddedPart(4),
  paddedPart(20),
  piecePart('date', 0, 10),
  piecePart('year', 0, 4),
  piecePart('month', 5, 7),
  piecePart('day', 8, 10),
  countedDownPart(20),
  casePart('lower', ({ a }) => a.toLowerCase()),
  casePart('upper', ({ a }) => a.toUpperCase()),
  bucketPart('15m', 900_000, 16),
  bucketPart('7d', 604_800_000, 10),
  encodedPart(),
];

function textPart(name: string, of: (values: KeyValues) => string): ExpectedPart {
  const write = (values: KeyValues, separator: string) => {
    const value = of(values);
    return value === '' || value.includes(separator) || !value.isWellFormed() ? undefined : value;
  };
  return { text: `<${name}>`, name, slot: name, write, read: of };
}

function paddedPart(width: number): ExpectedPart {
  const write = ({ n }: KeyValues) =>
    n >= 0 && (typeof n === 'bigint' || Number.isSafeInteger(n)) && n < 10n ** BigInt(width)
      ? BigInt(n).toString().padStart(width, '0')
      : undefined;
  const read = ({ n }: KeyValues) => (n <= Number.MAX_SAFE_INTEGER ? Number(BigInt(n)) : n);
  return { text: `<n:${width}>`, name: 'n', slot: 'n', write, read };
}

function countedDownPart(width: number): ExpectedPart {
  const { write: padded } = paddedPart(width);
  const write = (values: KeyValues) => {
    const text = padded(values, '');
    return text === undefined ? undefined : String(10n ** BigInt(width) - 1n - BigInt(text)).padStart(width, '0');
  };
  return {
    text: `<n:down:${width}>`,
    name: 'n',
    slot: `n:down:${width}`,
    write,
    read: (values) => write(values) ?? '',
  };
}

function casePart(format: string, of: (values: KeyValues) => string): ExpectedPart {
  return { ...textPart('a', of), text: `<a:${format}>`, slot: `a:${format}` };
}

function bucketPart(length: string, milliseconds: number, width: number): ExpectedPart {
  const write = ({ at }: KeyValues) => {
    const start = new Date(Math.floor(Date.parse(at) / milliseconds) * milliseconds);
    return start.getUTCFullYear() < 0 ? undefined : start.toISOString().slice(0, width);
  };
  const read = (values: KeyValues) => write(values) ?? '';
  return { text: `<at:bucket(${length})>`, name: 'at', slot: `at:bucket(${length})`, write, read };
}

/** Takes the encoded text from the library itself; a separate test checks its properties. */
function encodedPart(): ExpectedPart {
  const part = { name: 'a', path: ['a'], optional: false, format: 'encoded' } as const;
  const read = ({ a }: KeyValues) => a;
  const write = ({ a }: KeyValues, separator: string) => formats.render(template('<a:encoded>'), part, a, separator);
  return { text: '<a:encoded>', name: 'a', slot: 'a', write, read };
}

function piecePart(piece: string, start: number, end: number): ExpectedPart {
  const read = ({ at }: KeyValues) => at.slice(start, end);
  return { text: `<at:${piece}>`, name: 'at', slot: `at:${piece}`, write: read, read };
}

export interface ExpectedTemplate {
  readonly text: string;
  readonly separator: string;
  readonly pieces: readonly (string | ExpectedPart)[];
  readonly parts: readonly ExpectedPart[];
}

/** Templates in which every part has a fixed width, precedes a separator, or is the last part. */
export const soundTemplates: fc.Arbitrary<ExpectedTemplate> = fc
  .record({
    separator: separators,
    start: literals(),
    middle: fc.array(fc.tuple(fc.constantFrom(...PARTS), literals()), { maxLength: 3 }),
    last: fc.constantFrom(...PARTS),
    end: fc.option(literals(), { nil: undefined }),
  })
  .map(({ separator, start, middle, last, end }) => {
    const after = (part: ExpectedPart, literal: string) =>
      /:(?!lower|upper|encoded)/.test(part.text) ? literal : separator + literal;
    const pieces = [
      start,
      ...middle.flatMap(([part, literal]) => [part, after(part, literal)]),
      last,
      ...(end === undefined ? [] : [after(last, end)]),
    ];
    const text = pieces.map((part) => (typeof part === 'string' ? part : part.text)).join('');
    return { text, separator, pieces, parts: pieces.filter((part) => typeof part !== 'string') };
  });

function literals(): fc.Arbitrary<string> {
  return anyText.map((text) => text.replace(/[<>]/g, ''));
}
