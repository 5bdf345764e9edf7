import { changes } from '../../../lib/explain/changes';
import fc from '../../support/fuzz';

const shown = (before: string, after: string) =>
  changes([...before], [...after])
    .map((line) => ({ both: ' ', before: '-', after: '+' })[line.in] + line.text)
    .join('');

test.each([
  ['abc', 'abc', ' a b c'],
  ['abc', 'axc', ' a-b+x c'],
  ['abc', 'ac', ' a-b c'],
  ['ac', 'abc', ' a+b c'],
  ['', 'ab', '+a+b'],
  ['ab', '', '-a-b'],
  ['abcd', 'xbyd', '-a+x b-c+y d'],
])('the diff from %s to %s is %s', (before, after, expected) => {
  expect(shown(before, after)).toBe(expected);
});

test('both lists can be restored from the diff', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = changes(before, after);
      expect(lines.filter((line) => line.in !== 'after').map((line) => line.text)).toEqual(before);
      expect(lines.filter((line) => line.in !== 'before').map((line) => line.text)).toEqual(after);
    }),
  );
});
