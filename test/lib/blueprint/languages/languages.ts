import {
  either,
  type Language,
  languageOf,
  many,
  nothing,
  one,
  only,
  type Piece,
  sequence,
  text,
  times,
  union,
} from '../../../../lib/blueprint/languages/language';
import fc from '../../../support/fuzz';

/** The characters in `smallLanguages`: the first code point and the last two. */
export const LETTERS = ['\0', '\u{10fffe}', '\u{10ffff}'] as const;

interface ExpectedPiece {
  readonly piece: Piece;
  /** The language as the source of a regular expression. */
  readonly form: string;
  /** The length of the longest string in the language if every repetition is used only once. */
  readonly steps: number;
}

export interface ExpectedLanguage extends ExpectedPiece {
  readonly language: Language;
}

const letterSets = fc.uniqueArray(fc.constantFrom(...LETTERS), { minLength: 1 }).map((letters) => ({
  characters: union(...letters.map(only)),
  form: `[${letters.join('')}]`,
}));

const simplePieces: fc.Arbitrary<ExpectedPiece> = fc.oneof(
  fc
    .string({ unit: fc.constantFrom(...LETTERS), maxLength: 2 })
    .map((form) => ({ piece: text(form), form, steps: Array.from(form).length })),
  letterSets.map(({ characters, form }) => ({ piece: one(characters), form, steps: 1 })),
  letterSets.map(({ characters, form }) => ({ piece: many(characters), form: `${form}+`, steps: 1 })),
  fc
    .tuple(fc.nat(2), letterSets)
    .map(([steps, { characters, form }]) => ({ piece: times(steps, characters), form: `${form}{${steps}}`, steps })),
);

const IMPOSSIBLE: ExpectedPiece = { piece: either(), form: '(?!)', steps: 0 };

const choices: fc.Arbitrary<ExpectedPiece> = fc
  .array(fc.array(fc.oneof({ weight: 5, arbitrary: simplePieces }, fc.constant(IMPOSSIBLE)), { maxLength: 2 }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((options) => options.map(inSequence))
  .map((options) => ({
    piece: either(...options.map(({ piece }) => piece)),
    form: `(?:${options.map(({ form }) => form).join('|')})`,
    steps: Math.max(...options.map(({ steps }) => steps)),
  }));

/** Generates languages over LETTERS with at most `maxSteps` steps. */
export function smallLanguages(maxSteps: number): fc.Arbitrary<ExpectedLanguage> {
  return fc
    .array(fc.oneof({ weight: 2, arbitrary: simplePieces }, choices), { maxLength: 3 })
    .map((pieces) => ({ ...inSequence(pieces), language: languageOf(pieces.map(({ piece }) => piece)) }))
    .filter(({ steps }) => steps <= maxSteps);
}

function inSequence(pieces: readonly ExpectedPiece[]): ExpectedPiece {
  return {
    piece: pieces.length === 0 ? nothing : sequence(pieces.map(({ piece }) => piece)),
    form: pieces.map(({ form }) => form).join(''),
    steps: pieces.reduce((sum, { steps }) => sum + steps, 0),
  };
}

/** Returns all strings over the given letters, up to the given length. */
export function wordsOver(letters: readonly string[], maxLength: number): readonly string[] {
  let longest = [''];
  const words = [''];
  for (let length = 1; length <= maxLength; length++) {
    longest = longest.flatMap((word) => letters.map((letter) => word + letter));
    words.push(...longest);
  }
  return words;
}
