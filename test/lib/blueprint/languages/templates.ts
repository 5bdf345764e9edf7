import type { KeySpace } from '../../../../lib/blueprint/languages/keys';
import { KeyError, render, template } from '../../../../lib/design/template';
import fc from '../../../support/fuzz';
import { wordsOver } from './languages';

/**
 * The separator. In code point order, it directly precedes the digit 0. Literal text contains only the separator and
 * the digit 0.
 */
const SEPARATOR = '/';

/**
 * Sample characters that represent all characters in a text value. With the lowest and the highest code point, a value
 * can sort before or after any other text. The digits 0 and 1 let a text value share a character with any part of
 * another template, even with a month, because every month begins with 0 or 1.
 */
const LETTERS = ['\0', '0', '1', '\u{10ffff}'];

/** A template and the keys that it renders. */
export interface ExpectedKeys {
  /** The unique name of this template. */
  readonly name: string;
  readonly text: string;
  readonly space: KeySpace;
  /** The length of the longest key if each text value has one character. */
  readonly steps: number;
  /** Returns the keys whose text values have up to `spare` additional characters in total. */
  keys(spare: number): Iterable<string>;
}

interface Part {
  readonly text: string;
  readonly steps: number;
  /** The values that may fill the part. If undefined, the part accepts any text. */
  readonly values?: readonly (string | number)[];
  readonly listed?: boolean;
}

interface NamedPart extends Part {
  readonly name: string;
}

const DIGITS = [0, 1, 9];
const TEXT: Part = { text: '<it>', steps: 1 };

const parts: fc.Arbitrary<Part> = fc.oneof(
  fc.constantFrom<Part>(
    TEXT,
    { text: SEPARATOR, steps: 1, values: [''] },
    { text: '0', steps: 1, values: [''] },
    { text: '<it:1>', steps: 1, values: DIGITS },
    { text: '<it:2>', steps: 2, values: DIGITS.flatMap((ten) => DIGITS.map((one) => 10 * ten + one)) },
    { text: '<it:month>', steps: 2, values: Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, '0')) },
  ),
  // A schema may allow empty values and values that contain the separator, but a key cannot contain them.
  fc
    .uniqueArray(fc.string({ unit: fc.constantFrom(...LETTERS, SEPARATOR), maxLength: 2 }), { maxLength: 4 })
    .map((values) => ({ text: '<it>', steps: 2, values, listed: true })),
);

const templates = fc
  .array(parts, { minLength: 1, maxLength: 3 })
  .filter((all) => all.filter((part) => part === TEXT).length <= 2)
  .map((all): ExpectedKeys => {
    const named = all.map((part, i) => ({ ...part, text: part.text.replace('it', `it${i}`), name: `it${i}` }));
    const text = named.map((part) => part.text).join('');
    return {
      name: JSON.stringify(all),
      text,
      space: {
        separator: SEPARATOR,
        facts: ({ name }) => {
          const part = named.find((one) => one.name === name && one.listed);
          return part && { kind: 'string', optional: false, values: part.values };
        },
      },
      steps: all.reduce((sum, part) => sum + part.steps, 0),
      keys: (spare) => renderings(text, named, spare),
    };
  });

/** A natural key attribute, which may contain the separator. */
const NATURAL: ExpectedKeys = {
  name: 'natural',
  text: '<it>',
  space: { separator: SEPARATOR, natural: true },
  steps: 1,
  keys: (spare) => wordsOver([...LETTERS, SEPARATOR], 1 + spare).filter((word) => word !== ''),
};

/** Generates templates with at most `maxSteps` steps. */
export function smallTemplates(maxSteps: number): fc.Arbitrary<ExpectedKeys> {
  return fc.oneof({ weight: 9, arbitrary: templates }, fc.constant(NATURAL)).filter(({ steps }) => steps <= maxSteps);
}

function* renderings(text: string, named: readonly NamedPart[], spare: number) {
  for (const values of assignments(named, spare)) {
    try {
      yield render(template(text), values, { separator: SEPARATOR, maxBytes: 1024 });
    } catch (error) {
      if (!(error instanceof KeyError)) throw error;
    }
  }
}

/** Yields every assignment of values to the parts. The yielded object is always the same, with changed values. */
function* assignments(
  [first, ...rest]: readonly NamedPart[],
  spare: number,
  values: Record<string, unknown> = {},
): Iterable<object> {
  if (first === undefined) return yield values;
  for (const { value, used } of first.values?.map((one) => ({ value: one, used: 0 })) ?? textsOf(spare)) {
    values[first.name] = value;
    yield* assignments(rest, spare - used, values);
  }
}

/** Returns the strings of up to `spare` + 1 characters, including the empty string, which `render` refuses. */
function textsOf(spare: number) {
  return wordsOver(LETTERS, 1 + spare).map((value) => ({ value, used: Math.max(0, Array.from(value).length - 1) }));
}
