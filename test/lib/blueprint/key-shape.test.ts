import { canMeet, shapeOf } from '../../../lib/blueprint/key-shape';
import { render } from '../../../lib/design/keys';
import { KeyError, template } from '../../../lib/design/template';
import { leadingKey, strayKeys } from '../../../lib/permissions/leading-keys';
import { closeValues, soundTemplates } from '../../support/arbitraries';
import fc from '../../support/fuzz';
import { evaluate } from '../../support/iam';

const meet = (a: string, b: string, separator = '#') =>
  canMeet(shapeOf(template(a), { natural: false }), shapeOf(template(b), { natural: false }), separator);

test.each([
  ['A#<a>', 'A#<b>', true],
  ['A#<a>', 'A#B', true],
  ['A#<a>', 'A#', false],
  ['A#<a>', 'A#<a>#<b>', false],
  ['A#<a>', 'B#<a>', false],
  ['<a>#<b>', 'A#<a>', true],
  ['<a>-<b>', 'x-y-z', true],
  ['A#<n:2>', 'A#12', true],
  ['A#<n:2>', 'A#1#', false],
  ['A#<n:2>', 'A#<a>', true],
  ['A#<n:2>', 'A#<n:3>', false],
])('tells whether the keys of %s and %s can be equal: %s', (a, b, expected) => {
  expect([meet(a, b), meet(b, a)]).toEqual([expected, expected]);
});

test('a natural key may contain the separator', () => {
  const own = shapeOf(template('<id>'), { natural: true });
  expect(canMeet(own, shapeOf(template('A#<a>#<b>'), { natural: false }), '#')).toBe(true);
});

/** Returns the key for the given values, or undefined if the values do not form a key. */
function keyOf(text: string, values: object, separator: string): string | undefined {
  try {
    return render(template(text), values, { separator, maxBytes: 2048 });
  } catch (error) {
    if (error instanceof KeyError) return undefined;
    throw error;
  }
}

const matches = (pattern: string | undefined, key: string) =>
  pattern === undefined ||
  evaluate(
    [
      {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action: '*', Resource: '*', Condition: { StringLike: { key: pattern } } }],
      },
    ],
    { action: 'a:b', resource: 'r', context: { key } },
  ) === 'allowed';

test("a template's stray patterns match none of its own keys, but match longer keys that its IAM pattern also matches", () => {
  fc.assert(
    fc.property(soundTemplates, closeValues, closeValues, soundTemplates, (own, values, others, other) => {
      const [{ separator }, read] = [own, template(own.text)];
      const strays = strayKeys(read, separator, 1);
      const count = (text: string) => text.split(separator).length;
      const key = keyOf(own.text, values, separator);
      if (key !== undefined) expect(strays.filter(({ pattern }) => matches(pattern, key))).toEqual([]);
      const foreign = [keyOf(other.text, others, separator), key && `${key}${separator}x`].filter(
        (one) => one !== undefined,
      );
      for (const one of foreign) {
        if (key === undefined || one === '' || !matches(leadingKey(read), one)) continue;
        expect(strays.some(({ pattern }) => matches(pattern, one))).toBe(count(one) > count(key));
      }
    }),
    { numRuns: 300 },
  );
});

test("canMeet returns true for a template and a stray shape if one of the template's keys matches the stray pattern", () => {
  fc.assert(
    fc.property(soundTemplates, soundTemplates, closeValues, (one, other, values) => {
      const { separator, text } = one;
      const key = keyOf(text, values, separator);
      fc.pre(key !== undefined);
      const own = shapeOf(template(text), { natural: false });
      const met = strayKeys(template(other.text), separator, 1).filter(({ pattern }) =>
        matches(pattern, key as string),
      );
      for (const { shape } of met) expect(canMeet(own, shape, separator)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
