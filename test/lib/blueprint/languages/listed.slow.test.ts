import { z } from 'zod';
import { languageOf, meet, sequence, text } from '../../../../lib/blueprint/languages/language';
import { oneOf } from '../../../../lib/blueprint/languages/listed';
import { overlaps } from '../../../../lib/blueprint/languages/relation';
import { check } from '../../../../lib/check/check';
import type { TableDesign } from '../../../../lib/design/table';
import fc from '../../../support/fuzz';
import { wordsOver } from './languages';

/** U+FFFF precedes '😀' by code point, but follows it by UTF-16 code unit. */
const LETTERS = ['a', 'b', '\uffff', '😀', '😁'];
const words = wordsOver(LETTERS, 3).map((word) => ({ word, itself: languageOf([text(word)]) }));
const lists = fc.array(fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 3 }), { maxLength: 12 });

describe('a list of strings', () => {
  test('oneOf accepts exactly the listed strings', () => {
    fc.assert(
      fc.property(lists, (texts) => {
        const language = languageOf([oneOf(texts)]);
        const found = words.filter(({ itself }) => overlaps(language, itself)).map(({ word }) => word);
        expect(found.sort()).toEqual([...new Set(texts)].sort());
      }),
      { numRuns: 300 },
    );
  });

  test('the automaton of oneOf is deterministic, and its edges lead only to later states', () => {
    fc.assert(
      fc.property(lists, (texts) => {
        const { edges } = languageOf([oneOf(texts)]);
        for (const [state, ways] of edges.entries()) {
          expect(ways.every(({ to }) => to > state)).toBe(true);
          const clashes = ways.filter((x, i) => ways.slice(i + 1).some((y) => meet(x.characters, y.characters)));
          expect(clashes).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('two lists of strings can follow each other in a sequence', () => {
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const language = languageOf([sequence([oneOf(before), text('-'), oneOf(after)])]);
        const both = before.flatMap((one) => after.map((other) => `${one}-${other}`));
        expect(both.every((word) => overlaps(language, languageOf([text(word)])))).toBe(true);
        expect(overlaps(language, languageOf([text('-aaaa')]))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('oneOf stores shared prefixes and suffixes only once', () => {
    const texts = Array.from({ length: 10_000 }, (_, i) => `VALUE_${String(i).padStart(4, '0')}_OK`);
    expect(languageOf([oneOf(texts)]).edges).toHaveLength(1 + 'VALUE_0000_OK'.length);
  });
});

describe('speed of the check with long lists', () => {
  const valuesOf = (count: number) => Array.from({ length: count }, (_, i) => `VALUE_${i}`);
  const measured = (design: TableDesign) => {
    const before = process.cpuUsage();
    const findings = check(design);
    const { user, system } = process.cpuUsage(before);
    return { findings, seconds: (user + system) / 1e6 };
  };
  const table = (keys: Readonly<Record<string, string>>, values: readonly string[], SK: object): TableDesign => ({
    name: 'things',
    key: { partition: 'PK', sort: 'SK' },
    entities: { Thing: { attributes: attributesOf(values), keys } },
    patterns: { some: { op: 'query', where: { PK: keys.PK as string, SK } as never, returns: ['Thing'] } },
  });
  const attributesOf = (values: readonly string[]) =>
    z.object({ id: z.string(), a: z.enum(values), b: z.enum(values), c: z.enum(values) });

  test.each([120, 249, 1000, 10_000])('checks %i values with a common prefix within three seconds', (count) => {
    const between = { between: ['KIND#<from>', 'KIND#<to>'] };
    const { findings, seconds } = measured(table({ PK: 'THING#<id>', SK: 'KIND#<a>' }, valuesOf(count), between));
    expect(findings).toEqual([]);
    expect(seconds).toBeLessThan(3);
  });

  test.each(['#', ''])('checks three lists of 10,000 values with %j between them within five seconds', (mark) => {
    const [SK, from, to] = ['<a>_<b>_<c>', '<d>_<e>_<f>', '<g>_<h>_<i>'].map((text) => text.replaceAll('_', mark));
    const keys = { PK: `P#${SK}`, SK: SK as string };
    const { findings, seconds } = measured(table(keys, valuesOf(10_000), { between: [from, to] }));
    // Each value begins with a letter, and the previous value ends with a digit, so no key is ambiguous.
    expect(findings).toEqual([]);
    expect(seconds).toBeLessThan(5);
  });

  test('the check reports three adjacent lists of 10,000 values as ambiguous', () => {
    const numbers = valuesOf(10_000).map((value) => value.slice(6));
    const { findings, seconds } = measured(table({ PK: 'P#<id>', SK: '<a><b><c>' }, numbers, { beginsWith: '<a>' }));
    expect(findings.map(({ rule }) => rule)).toEqual(['ambiguous-key', 'misread-range']);
    expect(seconds).toBeLessThan(5);
  });

  test('the check finds no collision between two long lists that share no value', () => {
    const [some, others] = [valuesOf(10_000), valuesOf(10_000).map((value) => `${value}_`)];
    const design = table({ PK: 'P#<a>', SK: '<b>' }, some, { beginsWith: '<b>' });
    const Other = { attributes: attributesOf(others), keys: { PK: 'P#<a>', SK: '<b>' } };
    const { findings, seconds } = measured({ ...design, entities: { ...design.entities, Other } });
    expect(findings.filter(({ rule }) => rule === 'key-collision')).toEqual([]);
    const { findings: found } = measured({
      ...design,
      entities: { ...design.entities, Other: { ...Other, attributes: attributesOf(some) } },
    });
    expect(found.map(({ rule }) => rule)).toContain('key-collision');
    expect(seconds).toBeLessThan(5);
  });
});
