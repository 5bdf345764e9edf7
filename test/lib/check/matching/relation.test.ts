import fc from 'fast-check';
import { z } from 'zod';
import { attributeAt } from '../../../../lib/blueprint/attributes/facts';
import { keysOf } from '../../../../lib/check/matching/keys';
import { ANY, either, type Language, languageOf, many, nothing, text } from '../../../../lib/check/matching/language';
import { type KeyRange, overlaps, relate, type Verdict } from '../../../../lib/check/matching/relation';
import { type Hole, template } from '../../../../lib/design/template';
import { type ExpectedLanguage, LETTERS, smallLanguages, wordsOver } from './languages';
import { type ExpectedKeys, smallTemplates } from './templates';
import { COMPARISONS, type Comparison, type Strings, strings, verdictOnPairs, verdictOnRanges } from './verdicts';

/**
 * Why strings of this length settle it. A key and a bound are compared up to the first character in which they differ,
 * or to the end of one. At each character before that, a language either goes on to a later state, at most `steps`
 * times, or repeats one. Where both repeat, the character can be taken out of both and they compare as before, so that
 * the shortest pair of its kind has no such place, except for the character in which they differ; and what follows that
 * repeats nothing. So neither is longer than the steps of both languages and one. A range adds the steps of its other
 * bound, and one more character in which the key differs from that.
 */
const LONGEST = { pair: 3 + 3 + 1, range: 2 + 2 + 2 + 2 };

describe('the verdict on languages is that of trying all their strings', () => {
  const words = wordsOver(LETTERS, LONGEST.range);
  const short = wordsOver(LETTERS, LONGEST.pair);
  const stringsOf = remembering(
    ({ form }: ExpectedLanguage, of: readonly string[]) => {
      const expected = new RegExp(`^${form}$`, 'u');
      return of.filter((word) => expected.test(word));
    },
    ({ form }, of) => `${of.length} ${form}`,
  );

  test('for a key and a bound', () => {
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

  test('for a key and two bounds, in order or not', () => {
    fc.assert(
      fc.property(smallLanguages(2), smallLanguages(2), smallLanguages(2), (keys, from, to) => {
        const verdict = relate(keys.language, { kind: 'between', from: from.language, to: to.language });
        expect(verdict).toBe(verdictOnRanges(stringsOf(keys, words), stringsOf(from, words), stringsOf(to, words)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the verdict on templates is that of rendering them', () => {
  const keysWith = remembering(
    (expected: ExpectedKeys, spare: number) => expected.keys(spare),
    ({ name }, spare) => `${spare} ${name}`,
  );
  const allOf = ({ text, space }: ExpectedKeys) => keysOf(template(text), space);

  // As above: a text repeats characters for the steps of the other side, and for the difference.
  test('for a key and a bound', () => {
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

  test('for a key and two bounds, as far as short texts of few letters can tell', () => {
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

describe('in the systems', () => {
  const timestamp = z.iso.datetime();
  const attributes = z.object({ publishedAt: timestamp, createdAt: timestamp, from: timestamp, to: timestamp });

  test.each<readonly [string, Condition, Verdict]>([
    ['POST#<publishedAt>#<postId>', { beginsWith: 'POST#' }, 'always'],
    ['POST#<publishedAt>#<postId>', { beginsWith: 'POST#<publishedAt:year>' }, 'sometimes'],
    ['POST#<publishedAt>#<postId>', { beginsWith: 'POSTS#' }, 'never'],
    ['COMMENT#<parentId>#<replyId>#<createdAt>', { beginsWith: 'COMMENT#' }, 'always'],
    ['COMMENT#<parentId>#<replyId>#<createdAt>', { beginsWith: 'COMMENT#<commentId>#' }, 'sometimes'],
    ['COMMENT#<commentId>#<createdAt>', { equals: 'COMMENT#<parentId>#<replyId>#<createdAt>' }, 'never'],
    ['PROFILE', { equals: 'PROFILE' }, 'always'],
    ['USER#<sub>', { equals: 'USER#<sub>' }, 'sometimes'],
    ['<startsAt:date>#VIAJE#<id>', { equals: 'CONDUCTOR#' }, 'never'],
    ['<startsAt:date>#VIAJE#<id>', { beginsWith: 'CONDUCTOR#' }, 'never'],
    ['<startsAt:date>#VIAJE#<id>', { beginsWith: '<day:date>#VIAJE#' }, 'sometimes'],
    ['<startsAt:date>#VIAJE#<id>', { beginsWith: '<day:date>#CARTA#' }, 'never'],
    ['DAY#<date>', { between: ['<from>', '<to>'] }, 'never'],
    ['DAY#<date>', { between: ['<some>', '<other>'] }, 'sometimes'],
    ['DAY#<date>', { between: ['DAY#', 'DAY$'] }, 'always'],
    ['DAY#<date>', { greaterThan: '<to>' }, 'always'],
    ['<createdAt>', { between: ['<from>', '<to>'] }, 'sometimes'],
    ['<order:4>#<id>', { between: ['0000', '9999'] }, 'sometimes'],
    ['<order:4>#<id>', { between: ['0000', ':'] }, 'always'],
    ['<order:4>#<id>', { lessThan: '0000#' }, 'never'],
  ])('%s, %j: %s', (key, condition, expected) => {
    const bound = (text: string) => keysOf(template(text), { separator: '#', facts: known });
    const known = ({ path }: Hole) => attributeAt(attributes, path);
    const [kind, at] = Object.entries(condition)[0] as [Comparison, string] | ['between', readonly [string, string]];
    const range: KeyRange =
      kind === 'between' ? { kind, from: bound(at[0]), to: bound(at[1]) } : { kind, at: bound(at) };
    expect(relate(bound(key), range)).toBe(expected);
  });

  test('a listed status is never another one', () => {
    const statuses = {
      separator: '#',
      facts: () => ({ kind: 'string', optional: false, values: ['a', 'b'] }) as const,
    };
    const keys = keysOf(template('STATUS#<status>'), statuses);
    const equals = (text: string) => relate(keys, { kind: 'equals', at: keysOf(template(text), { separator: '#' }) });
    expect(equals('STATUS#c')).toBe('never');
    expect(equals('STATUS#a')).toBe('sometimes');
    expect(equals('STATUS#<any>')).toBe('sometimes');
  });
});

test('keys are in the order of code points, not of the 16-bit units of JavaScript', () => {
  const [key, at] = ['😀', '\uffff'].map((text) => keysOf(template(text), { separator: '#' })) as [Language, Language];
  expect('😀' < '\uffff').toBe(true);
  expect(relate(key, { kind: 'greaterThan', at })).toBe('always');
});

test('a key that is the beginning of a lower bound is below it, whatever other keys there are', () => {
  const range: KeyRange = { kind: 'between', from: languageOf([text('ab')]), to: languageOf([text('c')]) };
  expect(relate(languageOf([either(text('a'), text('d'))]), range)).toBe('never');
  expect(relate(languageOf([either(text('a'), text('ab'))]), range)).toBe('sometimes');
  expect(relate(languageOf([text('ab'), either(nothing, many(ANY))]), range)).toBe('always');
});

test('all keys are within no condition, unless there are none', () => {
  expect(relate(languageOf([text('a')]), { kind: 'all' })).toBe('always');
  expect(relate(languageOf([either()]), { kind: 'all' })).toBe('never');
});

type Condition = { readonly [kind in Comparison]?: string } | { readonly between: readonly [string, string] };

/** The strings of each name, made once. */
function remembering<A, B>(make: (a: A, b: B) => Iterable<string>, nameOf: (a: A, b: B) => string) {
  const known = new Map<string, Strings>();
  return (a: A, b: B): Strings => {
    const found = known.get(nameOf(a, b)) ?? strings(make(a, b));
    known.set(nameOf(a, b), found);
    return found;
  };
}
