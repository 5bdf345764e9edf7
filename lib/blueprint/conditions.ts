import type { Condition, Operand, Test } from '../design/pattern';

/** A test in a filter or a condition, and its place there. */
export interface PlacedTest {
  /** The path of the tested attribute. */
  readonly path: string;
  readonly test: Test;
  /** The path of the test in the condition: `status`, or `any.1.status`. */
  readonly place: string;
  /** Whether every item that meets the condition must pass this test. This is true of every test outside a group. */
  readonly isDecisive: boolean;
}

/**
 * Whether the value is a group of conditions (`any` or `none`) rather than a test. Only a group of conditions is a
 * list.
 */
export function isGroup(test: Test | readonly Condition[] | undefined): test is readonly Condition[] {
  return Array.isArray(test);
}

/** Returns the tests that are not in a group, each with its path. An item must pass all of these tests. */
export function decisiveTests(condition: Condition): readonly (readonly [string, Test])[] {
  return Object.entries(condition).filter((entry): entry is [string, Test] => !isGroup(entry[1]));
}

/** Lists every test in a condition, including the tests in nested groups. */
export function testsIn(condition: Condition, at = ''): readonly PlacedTest[] {
  return Object.entries(condition).flatMap(([path, test]): readonly PlacedTest[] =>
    isGroup(test)
      ? test.flatMap((member, i) => testsIn(member, `${at}${path}.${i}.`))
      : [{ path, test, place: `${at}${path}`, isDecisive: at === '' }],
  );
}

/** Returns the kind of a test, its operands, and whether the test compares a length instead of the value. */
export function comparisonOf(test: Test): readonly [string, readonly Operand[], isSize?: boolean] {
  if (typeof test !== 'object' || test === null || isAttribute(test)) return ['equals', [test]];
  const [comparison, operands] = Object.entries(test)[0] as [string, Operand | readonly Operand[]];
  if (comparison === 'size') return [...(comparisonOf(operands as Operand) as [string, readonly Operand[]]), true];
  return [comparison, Array.isArray(operands) ? operands : [operands as Operand]];
}

export function isAttribute(operand: Test): operand is { readonly attribute: string } {
  return typeof operand === 'object' && operand !== null && 'attribute' in operand;
}
