import {
  ANY,
  allBut,
  type Characters,
  either,
  intersection,
  LAST_CODE_POINT,
  type Language,
  languageOf,
  largest,
  nothing,
  one,
  only,
  range,
  sequence,
  smallest,
  text,
  union,
} from '../../../../lib/blueprint/languages/language';
import { overlaps } from '../../../../lib/blueprint/languages/relation';
import fc from '../../../support/fuzz';
import { LETTERS, smallLanguages, wordsOver } from './languages';

const RUNS = { numRuns: 1000 };

describe('a language', () => {
  const words = wordsOver(LETTERS, 4).map((word) => ({ word, itself: languageOf([text(word)]) }));

  test('a language contains exactly the strings that its pieces form', () => {
    fc.assert(
      fc.property(smallLanguages(4), ({ language, form }) => {
        const expected = new RegExp(`^${form}$`, 'u');
        const wrong = words.filter(({ word, itself }) => overlaps(language, itself) !== expected.test(word));
        expect(wrong).toEqual([]);
      }),
      RUNS,
    );
  });

  test('every reachable state of a language leads to an accepting state', () => {
    fc.assert(
      fc.property(smallLanguages(6), ({ language }) => {
        const deadEnds = statesAfter(language, 0).filter(
          (state) => state !== 0 && !statesAfter(language, state).some((end) => language.accepting[end]),
        );
        expect(deadEnds).toEqual([]);
      }),
      RUNS,
    );
  });

  test('no edge of a language leads to an earlier state, so the brute-force test can limit the length of strings', () => {
    fc.assert(
      fc.property(smallLanguages(6), ({ language, steps }) => {
        const backwards = language.edges.filter((ways, state) => ways.some(({ to }) => to < state));
        expect(backwards).toEqual([]);
        expect(longestWay(language)).toBeLessThanOrEqual(steps);
      }),
      RUNS,
    );
  });

  test('a language without pieces contains only the empty string, and one with an impossible piece contains no strings', () => {
    expect(overlaps(languageOf([]), languageOf([nothing]))).toBe(true);
    for (const impossible of [[either()], [text('a'), either()], [either(), text('a')]]) {
      expect(languageOf(impossible).accepting).not.toContain(true);
    }
  });

  test('a language drops an alternative that cannot lead to an accepting state', () => {
    const language = languageOf([either(text('a'), sequence([text('b'), either()]))]);
    expect(language.edges[0]).toEqual([{ characters: only('a'), to: expect.any(Number) }]);
  });

  test('a language treats a character above U+FFFF as a single character', () => {
    expect(overlaps(languageOf([one(ANY)]), languageOf([text('😀')]))).toBe(true);
    expect(overlaps(languageOf([one(ANY), one(ANY)]), languageOf([text('😀')]))).toBe(false);
  });
});

describe('characters', () => {
  const points = fc.oneof(fc.nat(6), fc.integer({ min: LAST_CODE_POINT - 6, max: LAST_CODE_POINT }));
  const sets = fc.uniqueArray(points, { minLength: 1, maxLength: 6 }).map((all) => ({
    characters: union(...all.map((point) => only(String.fromCodePoint(point)))),
    has: (point: number) => all.includes(point),
  }));
  const tried = [...Array(8).keys()].flatMap((i) => [i, LAST_CODE_POINT - i]);

  test('intersection returns the characters that are in both sets', () => {
    fc.assert(
      fc.property(sets, sets, (a, b) => {
        const common = intersection(a.characters, b.characters);
        expect(tried.filter((point) => has(common, point))).toEqual(
          tried.filter((point) => a.has(point) && b.has(point)),
        );
        expect(common).toEqual([...common].sort(([x], [y]) => x - y));
      }),
      RUNS,
    );
  });

  test('smallest and largest return the first and last code point of a set', () => {
    fc.assert(
      fc.property(sets, ({ characters, has: expected }) => {
        const members = tried.filter(expected);
        expect([smallest(characters), largest(characters)]).toEqual([Math.min(...members), Math.max(...members)]);
      }),
      RUNS,
    );
  });

  test.each(['\0', '\u0001', '#', '😀', '\u{10fffe}', '\u{10ffff}'])(
    'allBut returns all characters except %j',
    (character) => {
      const point = character.codePointAt(0) as number;
      const others = [0, 1, point - 1, point + 1, LAST_CODE_POINT - 1, LAST_CODE_POINT].filter(
        (other) => other !== point && other >= 0 && other <= LAST_CODE_POINT,
      );
      expect(has(allBut(character), point)).toBe(false);
      expect(others.filter((other) => !has(allBut(character), other))).toEqual([]);
      expect(allBut(character).every(([from, to]) => from <= to)).toBe(true);
    },
  );

  test('a range of characters includes both ends', () => {
    expect(range('a', 'c')).toEqual([[0x61, 0x63]]);
    expect(only('😀')).toEqual([[0x1f600, 0x1f600]]);
  });
});

function has(characters: Characters, point: number): boolean {
  return characters.some(([from, to]) => from <= point && point <= to);
}

/** Returns the given state and every state that can be reached from it. */
function statesAfter({ edges }: Language, start: number): readonly number[] {
  const found = new Set([start]);
  for (const state of found) for (const { to } of edges[state] ?? []) found.add(to);
  return [...found];
}

/** Returns the length of the longest loop-free path between two states. */
function longestWay({ edges }: Language, from = 0): number {
  const onwards = (edges[from] ?? []).filter(({ to }) => to !== from);
  return Math.max(0, ...onwards.map(({ to }) => 1 + longestWay({ edges, accepting: [] }, to)));
}
