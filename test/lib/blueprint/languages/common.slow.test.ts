import { type Common, commonOf, except, partOf } from '../../../../lib/blueprint/languages/common';
import { ANY, either, languageOf, many, sequence, text } from '../../../../lib/blueprint/languages/language';
import { overlaps } from '../../../../lib/blueprint/languages/relation';
import fc from '../../../support/fuzz';
import { LETTERS, smallLanguages, wordsOver } from './languages';

const RUNS = { numRuns: 500 };

describe('commonOf', () => {
  test('commonOf finds a shared string of two languages if there is one', () => {
    fc.assert(
      fc.property(smallLanguages(4), smallLanguages(4), (a, b) => {
        const found = commonOf(a.language, b.language);
        expect(found !== undefined).toBe(overlaps(a.language, b.language));
        if (found === undefined) return;
        const word = languageOf([text((found as Common).text)]);
        expect([overlaps(a.language, word), overlaps(b.language, word)]).toEqual([true, true]);
      }),
      RUNS,
    );
  });

  test('commonOf shows which substring of the shared string each part matches', () => {
    const [key, rest] = [partOf(many(ANY)), partOf(text('b'))];
    const first = languageOf([text('a#'), key.piece]);
    const second = languageOf([text('a'), text('#'), text('xy'), rest.piece]);
    const found = commonOf(first, second) as Common;
    expect(found.text).toBe('a#xyb');
    expect(found.within('first', key)).toBe('xyb');
    expect(found.within('second', rest)).toBe('b');
  });

  test('commonOf prefers familiar characters if several strings are possible', () => {
    expect(commonOf(languageOf([many(ANY)]), languageOf([many(ANY)]))).toMatchObject({ text: 'a' });
    expect(commonOf(languageOf([text('é')]), languageOf([many(ANY)]))).toMatchObject({ text: 'é' });
  });

  test('commonOf returns `unknown` if the search takes too long', () => {
    const long = 'a'.repeat(2500);
    const [a, b] = [long, `${long}b`].map((end) => languageOf([many(ANY), text(end)]));
    expect(commonOf(a as never, b as never)).toBe('unknown');
  });
});

describe('except', () => {
  const words = wordsOver(LETTERS, 4).map((word) => ({ word, itself: languageOf([text(word)]) }));

  test('`except` returns a piece that accepts every string of the given piece but the excluded one', () => {
    const texts = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 3 });
    fc.assert(
      fc.property(smallLanguages(3), texts, ({ piece, language }, out) => {
        const rest = languageOf([except(out, piece)]);
        const wrong = words.filter(
          ({ word, itself }) => overlaps(rest, itself) !== (word !== out && overlaps(language, itself)),
        );
        expect(wrong.map(({ word }) => word)).toEqual([]);
      }),
      RUNS,
    );
  });

  test('a piece with one excluded string can also be used between other pieces', () => {
    const language = languageOf([sequence([text('<'), except('a', either(text('a'), text('b'))), text('>')])]);
    expect(overlaps(language, languageOf([text('<a>')]))).toBe(false);
    expect(overlaps(language, languageOf([text('<b>')]))).toBe(true);
  });
});
