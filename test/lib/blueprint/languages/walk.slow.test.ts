import {
  ANY,
  type Edge,
  languageOf,
  many,
  meet,
  only,
  text,
  union,
} from '../../../../lib/blueprint/languages/language';
import { overlaps } from '../../../../lib/blueprint/languages/relation';
import { meeting } from '../../../../lib/blueprint/languages/walk';
import fc from '../../../support/fuzz';

test('`meeting` finds all pairs of edges that share a character, however many edges there are', () => {
  const letters = Array.from({ length: 40 }, (_, i) => String.fromCodePoint(0x61 + i));
  const characters = fc.uniqueArray(fc.constantFrom(...letters), { minLength: 1, maxLength: 6 });
  const edges = fc.array(
    characters.map((some) => union(...some.map(only))),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(edges, edges, (some, others) => {
      const [a, b] = [some, others].map((all) => all.map((one, to): Edge => ({ characters: one, to })));
      const expected = (a as Edge[]).flatMap((x) =>
        (b as Edge[]).filter((y) => meet(x.characters, y.characters)).map((y) => `${x.to} ${y.to}`),
      );
      const found = meeting(a as Edge[], b as Edge[]).map(([x, y]) => `${x.to} ${y.to}`);
      expect([...found].sort()).toEqual(expected.sort());
    }),
    { numRuns: 500 },
  );
});

test('a search stops at the step limit, and assumes that the languages overlap', () => {
  const long = 'a'.repeat(3000);
  const before = process.cpuUsage();
  expect(overlaps(languageOf([many(ANY), text(long)]), languageOf([many(ANY), text(`${long}b`)]))).toBe(true);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});

test('a long search runs to completion if it stays below the step limit', () => {
  const long = 'a'.repeat(300);
  expect(overlaps(languageOf([many(ANY), text(long)]), languageOf([many(ANY), text(`${long}b`)]))).toBe(false);
});
