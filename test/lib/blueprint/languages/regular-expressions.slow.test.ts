import { z } from 'zod';
import { ANY, allBut, type Characters, languageOf, text } from '../../../../lib/blueprint/languages/language';
import { matchesOf } from '../../../../lib/blueprint/languages/regular-expressions';
import { canBeWithin, overlaps } from '../../../../lib/blueprint/languages/relation';
import fc from '../../../support/fuzz';

function accepts({ source, flags }: RegExp, word: string, legal: Characters = ANY): boolean | undefined {
  const piece = matchesOf(source, flags, legal);
  return piece && overlaps(languageOf([piece]), languageOf([text(word)]));
}

const FORMS = [
  /^[a-zA-Z0-9_-]{21}$/,
  /^(?:a|bc)*d?$/,
  /^(?:x{2,3}y)+$/,
  /^[^A-Z]*$/,
  /^\d{4}-\d\d$/,
  /^(?:[a-z]+\.)*[a-z]{2,}$/,
  /^ab/,
  /cd$/,
  /e+f/,
  /^(?:one|two|three)-[0-9a-f]{0,4}$/,
  /^a(b(c(d)?)?)?$/,
  /^(a?b?)*c$/,
  /^[\w.+-]+$/,
  /^AbC\d$/i,
];

describe('the language of a regular expression', () => {
  test.each(FORMS.filter(({ flags }) => flags === ''))('matchesOf accepts every string that matches %s', (form) => {
    fc.assert(
      fc.property(fc.stringMatching(form), (word) => {
        expect(accepts(form, word)).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test.each(FORMS)('matchesOf returns a language that contains exactly the strings that match %s', (form) => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdefxyz019-.AB_') }), (word) => {
        expect(accepts(form, word)).toBe(form.test(word));
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    z.email(),
    z.cuid(),
    z.cuid2(),
    z.ksuid(),
    z.xid(),
    z.ipv4(),
    z.e164(),
    z.base64(),
    z.hex(),
    z.iso.time(),
  ])(
    'matchesOf supports the regular expression of a zod format, and excludes a string that does not match (%#)',
    (schema) => {
      const { pattern } = schema._zod.def as { pattern?: RegExp };
      expect(accepts(pattern as RegExp, 'x y')).toBe(false);
    },
  );

  test('canBeWithin rules out a prefix that the regular expression cannot match', () => {
    const keys = languageOf([matchesOf('^[a-z]{3}-\\d+$', '', ANY) ?? text('')]);
    expect(canBeWithin(keys, { kind: 'beginsWith', at: languageOf([text('abc-')]) })).toBe(true);
    expect(canBeWithin(keys, { kind: 'beginsWith', at: languageOf([text('META')]) })).toBe(false);
  });

  test('the language of an expression with a lookahead contains every match, and possibly other strings', () => {
    expect(accepts(/^(?=.*\d)[a-z\d]+$/, 'abc1')).toBe(true);
    expect(accepts(/^(?![aeiou)])[a-z]+$/, 'zzz')).toBe(true);
  });

  test('the language of a regular expression excludes strings with an illegal character', () => {
    expect(accepts(/^a#b$/, 'a#b', allBut('#'))).toBe(false);
    expect(accepts(/^[a#]b$/, 'ab', allBut('#'))).toBe(true);
  });

  test.each([/^(a)\1$/, /^\p{L}+$/u, /(^a|b)$/, /^a{,2}$/])(
    'matchesOf returns undefined for the unsupported expression %s',
    (form) => {
      expect(matchesOf(form.source, form.flags, ANY)).toBeUndefined();
    },
  );
});
