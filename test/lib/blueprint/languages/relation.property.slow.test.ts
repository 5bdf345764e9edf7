import { keysOf } from '../../../../lib/blueprint/languages/keys';
import { overlaps, relate } from '../../../../lib/blueprint/languages/relation';
import { template } from '../../../../lib/design/template';
import fc from '../../../support/fuzz';
import { type ExpectedLanguage, LETTERS, smallLanguages, wordsOver } from './languages';
import { type ExpectedKeys, smallTemplates } from './templates';
import { COMPARISONS, type Strings, strings, verdictOnPairs, verdictOnRanges } from './verdicts';

/**
 * Strings of these lengths are enough to produce every result. A comparison reads a key and a bound up to the first
 * character in which they differ, or up to the end of the shorter string. At each earlier character, a language either
 * moves to a later state (at most `steps` times) or stays in its state. If both languages stay in their states at the
 * same character, removing that character does not change the result. The shortest key and bound that produce a given
 * result therefore contain no such character before the difference, and no repetition after it. So each string is at
 * most one character longer than the sum of both languages' steps. A range adds the steps of the second bound, and one
 * more character in which the key differs from that bound.
 */
const LONGEST = { pair: 3 + 3 + 1, range: 2 + 2 + 2 + 2 };

describe('languages', () => {
  const words = wordsOver(LETTERS, LONGEST.range);
  const short = wordsOver(LETTERS, LONGEST.pair);
  const stringsOf = remembering(
    ({ form }: ExpectedLanguage, of: readonly string[]) => {
      const expected = new RegExp(`^${form}$`, 'u');
      return of.filter((word) => expected.test(word));
    },
    ({ form }, of) => `${of.length} ${form}`,
  );

  test('the verdict on a key and a bound agrees with an exhaustive search of their strings', () => {
    fc.assert(
      fc.property(smallLanguages(3), smallLanguages(3), (keys, bound) => {
        const [allKeys, allBounds] = [stringsOf(keys, short), stringsOf(bound, short)];
        for (const kind of COMPARISONS) {
          const verdict = relate(keys.language, { kind, at: bound.language });
          expect([kind, verdict]).toEqual([kind, verdictOnPairs(kind, allKeys, allBounds)]);
        }
        expect(overlaps(keys.language, bound.language)).toBe(verdictOnPairs('equals', allKeys, allBounds) !== 'never');
      }),
      { numRuns: 1500 },
    );
  });

  test('the verdict on a key and two bounds, in either order, agrees with an exhaustive search of their strings', () => {
    fc.assert(
      fc.property(smallLanguages(2), smallLanguages(2), smallLanguages(2), (keys, from, to) => {
        const verdict = relate(keys.language, { kind: 'between', from: from.language, to: to.language });
        expect(verdict).toBe(verdictOnRanges(stringsOf(keys, words), stringsOf(from, words), stringsOf(to, words)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('templates', () => {
  const keysWith = remembering(
    (expected: ExpectedKeys, spare: number) => expected.keys(spare),
    ({ name }, spare) => `${spare} ${name}`,
  );
  const allOf = ({ text, space }: ExpectedKeys) => keysOf(template(text), space);

  // The text in each template may have as many additional characters as the other template has steps, plus one in which
  // the two differ.
  test('the verdict on the templates of a key and a bound agrees with a comparison of the rendered strings', () => {
    const pairs = fc.tuple(smallTemplates(3), smallTemplates(3)).filter(([a, b]) => a.steps + b.steps <= 5);
    fc.assert(
      fc.property(pairs, ([key, bound]) => {
        const [keys, bounds] = [keysWith(key, bound.steps + 1), keysWith(bound, key.steps + 1)];
        for (const kind of COMPARISONS) {
          const verdict = relate(allOf(key), { kind, at: allOf(bound) });
          expect([kind, verdict]).toEqual([kind, verdictOnPairs(kind, keys, bounds)]);
        }
      }),
      { numRuns: 1500 },
    );
  });

  test('the verdict on the templates of a key and two bounds never contradicts a comparison of short rendered strings', () => {
    fc.assert(
      fc.property(smallTemplates(3), smallTemplates(3), smallTemplates(3), (key, from, to) => {
        const verdict = relate(allOf(key), { kind: 'between', from: allOf(from), to: allOf(to) });
        const tried = verdictOnRanges(keysWith(key, 2), keysWith(from, 2), keysWith(to, 2));
        expect([tried, 'sometimes']).toContain(verdict);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Memoizes `make` by the name of its arguments. */
function remembering<A, B>(make: (a: A, b: B) => Iterable<string>, nameOf: (a: A, b: B) => string) {
  const known = new Map<string, Strings>();
  return (a: A, b: B): Strings => {
    const found = known.get(nameOf(a, b)) ?? strings(make(a, b));
    known.set(nameOf(a, b), found);
    return found;
  };
}
