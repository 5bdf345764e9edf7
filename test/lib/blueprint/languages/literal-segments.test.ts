import { keysOf } from '../../../../lib/blueprint/languages/keys';
import { areApart } from '../../../../lib/blueprint/languages/literal-segments';
import { canBeWithin } from '../../../../lib/blueprint/languages/relation';
import { template } from '../../../../lib/design/template';
import fc from '../../../support/fuzz';

const SEPARATOR = '#';
const text = fc
  .array(fc.constantFrom('A', 'B', 'AB', '#', '##', '<a>', '<b>', '<n:1>', '<at:month>'), {
    minLength: 1,
    maxLength: 5,
  })
  .map((parts) => parts.join(''));

describe.each(['equals', 'beginsWith'] as const)('two templates with different literals (%s)', (kind) => {
  test('areApart returns true only if no key of the first template can match the second', () => {
    let apart = 0;
    fc.assert(
      fc.property(text, text, (ours, theirs) => {
        const [keys, bound] = [template(ours), template(theirs)];
        if (!areApart(keys, bound, SEPARATOR, kind)) return;
        apart++;
        const at = keysOf(bound, { separator: SEPARATOR });
        expect(canBeWithin(keysOf(keys, { separator: SEPARATOR }), { kind, at })).toBe(false);
      }),
      { numRuns: 3_000 },
    );
    // The test proves little if too few of the random pairs are apart.
    expect(apart).toBeGreaterThan(500);
  });
});

test.each([
  ['<at>#TRIP#<id>', '<at>#BILL#<id>', true],
  ['<at>#TRIP#<id>', '<day>#TRIP#<id>', false],
  ['<at>#TRIP', '<at>#TRIP#<id>', true],
  ['TRIP<id>#X', '<kind>#X', false],
])('areApart tells whether %s is apart from %s: %s', (ours, theirs, apart) => {
  expect(areApart(template(ours), template(theirs), SEPARATOR, 'equals')).toBe(apart);
});

test.each([
  ['<at>#TRIP#<id>', '<day>#TR', false],
  ['<at>#TRIP#<id>', '<day>#TRIP#', false],
  ['<at>#TRIP#<id>', '<day>#BILL#', true],
  ['<at>#TRIP', '<day>#TRIP#', true],
  ['TRIP#<id>', 'TRIP', false],
])('areApart tells whether %s is apart from the prefix %s: %s', (ours, theirs, apart) => {
  expect(areApart(template(ours), template(theirs), SEPARATOR, 'beginsWith')).toBe(apart);
});
