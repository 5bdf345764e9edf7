import type { Condition, Test } from '../design/pattern';

/** One test of a filter or a condition, wherever it is in it. */
export interface PlacedTest {
  /** The attribute that it looks at. */
  readonly path: string;
  readonly test: Test;
  /** Its place in the condition: `status`, or `any.1.status`. */
  readonly place: string;
  /** Whether it is alone: an item that does not pass it does not meet the condition. */
  readonly isDecisive: boolean;
}

/** Whether a condition says there which of several conditions must hold: `any`, or `none`. A test is never a list. */
export function isGroup(test: Test | readonly Condition[] | undefined): test is readonly Condition[] {
  return Array.isArray(test);
}

/** Those tests that must all hold, by path. */
export function decisiveTests(condition: Condition): readonly (readonly [string, Test])[] {
  return Object.entries(condition).filter((entry): entry is [string, Test] => !isGroup(entry[1]));
}

/** Every test of a condition, however deep. */
export function testsIn(condition: Condition, at = ''): readonly PlacedTest[] {
  return Object.entries(condition).flatMap(([path, test]): readonly PlacedTest[] =>
    isGroup(test)
      ? test.flatMap((member, i) => testsIn(member, `${at}${path}.${i}.`))
      : [{ path, test, place: `${at}${path}`, isDecisive: at === '' }],
  );
}
