import { ByBeginning } from '../../../../lib/check/reach/by-beginning';
import { headOf, template } from '../../../../lib/design/template';
import { anyText } from '../../../support/arbitraries';
import fc from '../../../support/fuzz';

test.each([
  ['POST#<postId>', 'POST#'],
  ['POST', 'POST'],
  ['<postId>#POST', ''],
  ['', ''],
])('the literal prefix of %j is %j', (text, head) => {
  expect(headOf(template(text))).toBe(head);
});

/** Arbitrary strings, and short strings over a small alphabet, many of which share a prefix. */
const heads = fc.oneof(
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '#', '😀'), maxLength: 4 }) },
  anyText,
);

test('finds the same prefixes as an exhaustive search, without duplicates', () => {
  fc.assert(
    fc.property(fc.array(heads, { maxLength: 20 }), heads, (all, asked) => {
      const things = all.map((head, i) => [head, i] as const);
      const naive = things.filter(([head]) => head.startsWith(asked) || asked.startsWith(head)).map(([, i]) => i);
      const found = [...new ByBeginning(things).meeting(asked)];
      expect(found.sort((a, b) => a - b)).toEqual(naive);
    }),
  );
});

test('skips prefixes that cannot match', () => {
  const many = new ByBeginning(Array.from({ length: 1000 }, (_, i) => [`K${String(i).padStart(4, '0')}#`, i] as const));
  expect([...many.meeting('K0500#')]).toEqual([500]);
  expect([...many.meeting('K050')]).toHaveLength(10);
  expect([...many.meeting('L')]).toEqual([]);
});
