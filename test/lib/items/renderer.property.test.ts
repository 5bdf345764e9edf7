import { type KeyRules, render, template } from '../../../lib/design/template';
import { plainRenderer } from '../../../lib/items/renderer';
import { anyText, anyValues, closeValues, fitValues, soundTemplates } from '../../support/arbitraries';
import fc from '../../support/fuzz';

/** Returns the rendered key, or the exact error. */
function outcome(make: () => string): string {
  try {
    return make();
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const values = fc.oneof(fitValues, anyValues, closeValues);
const sizes = fc.constantFrom(20, 1024, 2048);

test('a prepared template renders the same keys as an unprepared template, and rejects the same values', () => {
  fc.assert(
    fc.property(soundTemplates, sizes, fc.array(values), ({ text, separator }, maxBytes, many) => {
      const rules: KeyRules = { separator, maxBytes };
      const prepared = plainRenderer(template(text), rules);
      for (const one of many) {
        expect(outcome(() => prepared(one))).toBe(outcome(() => render(template(text), one, rules)));
      }
    }),
  );
});

test('an invalid template throws the same error whether it is prepared or not', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyText, fc.constantFrom('', '<', '<a', 'a>', '<a>><b>', '<a:0>', '<>')),
      values,
      (text, one) => {
        const rules: KeyRules = { separator: '#', maxBytes: 1024 };
        expect(outcome(() => plainRenderer(template(text), rules)(one))).toBe(
          outcome(() => render(template(text), one, rules)),
        );
      },
    ),
  );
});
