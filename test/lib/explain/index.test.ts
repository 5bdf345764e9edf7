import { z } from 'zod';
import { check, type RuleId, rules } from '../../../lib/check';
import { defineSystem } from '../../../lib/design/system';
import { defineTable, type TableDesign } from '../../../lib/design/table';
import { type Explanation, examples, explain } from '../../../lib/explain';

const ids = rules.map(({ id }) => id as RuleId);

/** Evaluates the source of an example as a reader would run it, and returns the design. */
const evaluated = (lines: readonly string[]): TableDesign =>
  new Function('z', 'defineTable', 'defineSystem', `return ${lines.join('\n')}`)(z, defineTable, defineSystem);

describe.each(ids)('the example of %s', (id) => {
  const { broken, mended } = examples[id];

  test('an example breaks only the explained rule, and the fixed example breaks no rule', () => {
    const told = (explain(id) as Explanation).findings;
    expect(told.map(({ rule }) => rule)).toEqual([id]);
    expect(check(mended)).toEqual([]);
  });

  test('shows source code that causes the same findings as the example', () => {
    const shown = explain(id) as Explanation;
    expect(check(evaluated(shown.broken))).toEqual(check(broken));
    expect(check(evaluated(shown.mended))).toEqual([]);
  });

  test('shows a small example with a small fix', () => {
    const { changes } = explain(id) as Explanation;
    expect(changes.length).toBeLessThanOrEqual(32);
    expect(changes.filter((line) => line.in !== 'both').length).toBeLessThanOrEqual(3);
    expect(changes.filter(({ text }) => text.length > 100)).toEqual([]);
  });
});

test('returns undefined for an unknown rule', () => {
  expect(explain('hot-partitions')).toBeUndefined();
  expect(explain('constructor')).toBeUndefined();
});
