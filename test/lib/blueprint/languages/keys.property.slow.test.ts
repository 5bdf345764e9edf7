import { z } from 'zod';
import { attributeAt } from '../../../../lib/blueprint/attributes/facts';
import { keysOf } from '../../../../lib/blueprint/languages/keys';
import { KeyError, match, render, template } from '../../../../lib/design/template';
import { anyCharacter, closeValues, soundTemplates } from '../../../support/arbitraries';
import fc from '../../../support/fuzz';
import { has } from './verdicts';

const MAX_BYTES = 2048;

const moments = fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
const dates = moments.map((moment) => moment.toISOString().slice(0, 10));
const timestamps = fc
  .record({
    minute: moments.map((moment) => moment.toISOString().slice(0, 16)),
    seconds: fc.constantFrom('', ':07', ':59.1', ':00.123', ':30.123456'),
    zone: fc.constantFrom('Z', 'Z', '', '+05:30', '-23:59'),
  })
  .map(({ minute, seconds, zone }) => minute + seconds + zone);
const naturals = fc.oneof(fc.nat(120), fc.maxSafeNat());
/** Values around a power of ten, which floating-point numbers would round. */
const bigs = fc.bigInt({ min: 10n ** 17n - 9n, max: 10n ** 17n + 9n });
const anyNumbers = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(1e21, -1e-7));

const DIGITS = String.raw`\d+`;
const INTEGER = String.raw`-?\d+`;
const NUMBER = String.raw`-?\d+(\.\d+)?(e[+-]\d+)?`;
const DATE = String.raw`\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const MINUTE = String.raw`${DATE}T\d\d:\d\d`;
const SECOND = String.raw`${MINUTE}:\d\d`;
const MOMENT = String.raw`${MINUTE}(:\d\d(\.\d+)?)?`;
const ZONE = String.raw`(Z|[+-]\d\d:\d\d)?`;
const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const ULID = '[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}';

const { datetime } = z.iso;
const between = (minimum: bigint, maximum: bigint) => z.bigint().min(minimum).max(maximum);

describe.each<readonly [string, string, z.ZodType, fc.Arbitrary<unknown>, string]>([
  ['<it>', 'a listed value', z.enum(['a', 'ab', 'a#', '']), fc.constantFrom('a', 'ab', 'a#', ''), 'ab?'],
  ['<it>', 'a listed number', z.literal([7, -1.5]), fc.constantFrom(7, -1.5), String.raw`7|-1\.5`],
  ['<it>', 'a number', z.number(), anyNumbers, NUMBER],
  ['<it>', 'a whole number', z.int(), fc.maxSafeInteger(), INTEGER],
  ['<it>', 'a whole number from 0', z.int().min(0), naturals, DIGITS],
  ['<it>', 'a whole number above -1', z.int().gt(-1), naturals, DIGITS],
  ['<it>', 'one or two digits', z.int().min(0).max(99), fc.nat(120), DIGITS],
  ['<it>', 'two digits', z.int().min(10).max(99), fc.nat(120), String.raw`\d\d`],
  ['<it>', 'eight digits (the length of "Infinity") or more', z.int().min(10_000_000), naturals, DIGITS],
  ['<it>', 'a whole number between fractions', z.int().min(0.5).max(9.5), fc.nat(9), DIGITS],
  ['<it>', 'a bigint', z.bigint(), fc.bigInt(), INTEGER],
  ['<it>', 'bounds that a number rounds', between(10n ** 17n - 1n, 10n ** 17n), bigs, DIGITS],
  ['<it>', 'bounds with an exponent', between(10n ** 21n, 10n ** 22n), bigs.map((big) => big * 10n ** 4n), DIGITS],
  ['<it>', 'a timestamp', datetime(), timestamps, `${MOMENT}Z`],
  ['<it>', 'a minute', datetime({ precision: -1 }), timestamps, `${MINUTE}Z`],
  ['<it>', 'a second', datetime({ precision: 0 }), timestamps, `${SECOND}Z`],
  ['<it>', 'a millisecond', datetime({ precision: 3 }), timestamps, String.raw`${SECOND}\.\d{3}Z`],
  ['<it>', 'a timestamp in any zone', datetime({ offset: true }), timestamps, MOMENT + ZONE],
  ['<it>', 'a timestamp in UTC', datetime({ offset: true }).regex(/(Z|\+00:00)$/), timestamps, `${MOMENT}(Z|\\+00:00)`],
  ['<it>', 'a timestamp without a zone', datetime({ local: true }), timestamps, MOMENT + ZONE],
  ['<it>', 'a minute without a zone', datetime({ local: true, precision: -1 }), timestamps, MINUTE + ZONE],
  ['<it>', 'a second in any zone', datetime({ offset: true, precision: 0 }), timestamps, SECOND + ZONE],
  ['<it>', 'a date', z.iso.date(), dates, DATE],
  ['<it>', 'a UUID', z.uuid(), fc.uuid(), UUID],
  ['<it>', 'a UUID of one version', z.uuidv7(), fc.uuid({ version: 7 }), UUID],
  ['<it>', 'a GUID', z.guid(), fc.uuid().map((id) => id.toUpperCase()), UUID],
  ['<it>', 'a ULID', z.ulid(), fc.ulid(), ULID],
  ['<it>', 'a ULID in lowercase', z.ulid(), fc.ulid().map((id) => id.toLowerCase()), ULID],
  ['<it>', 'a string', z.string(), fc.string({ unit: anyCharacter }), '[^#]+'],
  ['<it>', 'a string with a refinement', z.string().refine((it) => it !== 'x'), fc.string(), '[^#]+'],
  ['<it:1>', 'a padded number', z.int(), fc.nat(12), String.raw`\d`],
  ['<it:20>', 'a padded bigint', z.bigint(), bigs, String.raw`\d{20}`],
  ['<it:date>', 'the date of a timestamp', datetime({ offset: true }), timestamps, DATE],
  ['<it:year>', 'the year of a date', z.iso.date(), dates, String.raw`\d{4}`],
  ['<it:month>', 'the month of a date', z.iso.date(), dates, '0[1-9]|1[0-2]'],
])('%s, %s', (part, _, schema, values, form) => {
  const facts = attributeAt(z.object({ it: schema }), ['it']);
  const keys = keysOf(template(part), { separator: '#', facts: () => facts });

  test('the language of a key contains every value that the schema allows and the template renders', () => {
    fc.assert(
      fc.property(values, (it) => {
        const key = schema.safeParse(it).success ? rendering(part, { it }) : undefined;
        fc.pre(key !== undefined);
        expect(has(keys, key)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test('the language of a key contains exactly the strings of the expected format', () => {
    const expected = new RegExp(`^(?:${form})$`, 'u');
    fc.assert(
      fc.property(almost(values.map((it) => rendering(part, { it }) ?? '')), (key) => {
        expect([key, has(keys, key)]).toEqual([key, expected.test(key)]);
      }),
      { numRuns: 500 },
    );
  });
});

test('the language of a key contains every whole number within the bounds of its schema', () => {
  const bounds = fc.tuple(naturals, naturals, naturals).map((all) => all.sort((a, b) => a - b));
  fc.assert(
    fc.property(bounds, ([minimum, it, maximum]) => {
      const facts = { kind: 'number', optional: false, integer: true, minimum, maximum } as const;
      expect(has(keysOf(template('<it>'), { separator: '#', facts: () => facts }), String(it))).toBe(true);
    }),
  );
});

test('the language of a template contains a string if and only if the string matches the template', () => {
  const templates = soundTemplates.filter(({ parts }) => new Set(parts.map(({ slot }) => slot)).size === parts.length);
  const cases = fc.tuple(templates, closeValues).chain(([{ text: source, separator }, values]) =>
    fc.record({
      source: fc.constant(source),
      separator: fc.constant(separator),
      key: almost(fc.constant(rendering(source, values, separator) ?? '')),
    }),
  );
  fc.assert(
    fc.property(cases, ({ source, separator, key }) => {
      const matched = match(template(source), key, separator) !== undefined;
      const isKey = has(keysOf(template(source), { separator }), key);
      // For these formats, the language checks only English letters and does not decode, so it may accept more keys
      // than `match`, but never fewer.
      if (/:(upper|encoded)/.test(source)) expect([matched, isKey]).not.toEqual([true, false]);
      else expect(isKey).toBe(matched);
    }),
    { numRuns: 2000 },
  );
});

function rendering(source: string, values: object, separator = '#'): string | undefined {
  try {
    return render(template(source), values, { separator, maxBytes: MAX_BYTES });
  } catch (error) {
    if (!(error instanceof KeyError)) throw error;
    return undefined;
  }
}

/** Generates the given strings unchanged, or with one or two changed characters. */
function almost(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const characters = fc.constantFrom('', ...Array.from('0123456789-+:.eTZtz aAfFgG#_|\n٣é😀'));
  const edits = fc.array(fc.record({ at: fc.nat(), removed: fc.nat(1), added: characters }), { maxLength: 2 });
  return fc.tuple(texts, edits).map(([original, changes]) =>
    changes.reduce((changed, { at, removed, added }) => {
      const letters = Array.from(changed);
      letters.splice(at % (letters.length + 1), removed, added);
      return letters.join('');
    }, original),
  );
}
