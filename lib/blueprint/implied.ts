import type { Condition, Operand, Test } from '../design/pattern';
import type { Part } from '../design/template';
import { bare, defOf, listedValues, mayLack, type Schema, schemaAt, takes } from './attributes/schema';
import { comparisonOf, isGroup } from './conditions';
import { type IndexKeys, requirementsOf } from './index-keys';
import type { MembershipTest } from './membership';

/** Derives what a condition implies about an item that meets the condition. */

/** Represents a value that only the caller or the stored item knows. */
export const UNKNOWN = Symbol();

/** Represents any value that a question does not list. */
const OTHER = Symbol();

/**
 * Returns the stored form of the value to which a test compares an attribute; UNKNOWN if only the caller or the stored
 * item knows the value, and undefined if the caller omits the test.
 */
export type ComparedTo = (path: string, comparison: string, operand: Operand) => unknown;

/**
 * Whether the attribute at `path` has one of `values`. If `values` is absent, the question is whether the attribute
 * has any value except null.
 */
export interface Question {
  readonly path: string;
  readonly values?: readonly unknown[];
  /** Every possible value of the attribute. */
  readonly candidates: readonly unknown[];
}

/** Prepares a question about an attribute of a schema. */
function question(schema: Schema, path: string, values?: readonly unknown[]): Question {
  const steps = path.split('.');
  const at = schemaAt(schema, steps);
  const listed = values && at ? listedValues(defOf(bare(at))) : undefined;
  const candidates: unknown[] = [...(listed ?? values ?? []), ...(listed ? [] : [OTHER])];
  if (!at || mayLack(schema, steps)) candidates.push(undefined);
  if (!at || takes(at, null)) candidates.push(null);
  return { path, candidates, ...(values && { values }) };
}

/**
 * The questions that a condition must answer about an entity's indexes: does the item have each part of the index keys,
 * and does the item pass each membership test?
 */
export function questionsAbout(
  schema: Schema,
  indexes: readonly IndexKeys[],
): ReadonlyMap<Part | MembershipTest, Question> {
  const asked = new Map<Part | MembershipTest, Question>();
  for (const index of indexes)
    for (const one of requirementsOf(index))
      asked.set(one, question(schema, one.name, 'values' in one ? one.values : undefined));
  return asked;
}

/**
 * Returns the answer that holds for every item that meets a condition; undefined if the answer varies between items.
 * Ignores groups of conditions.
 */
export function answerTo(
  { path, candidates, values }: Question,
  condition: Condition,
  comparedTo: ComparedTo,
): boolean | undefined {
  const test = Object.hasOwn(condition, path) ? condition[path] : undefined;
  const possible =
    test === undefined || isGroup(test)
      ? candidates
      : candidates.filter((value) => canPass(path, test, value, comparedTo, values));
  const inside = possible.filter((value) => (values ? values.includes(value) : (value ?? undefined) !== undefined));
  return inside.length === 0 ? false : inside.length === possible.length || undefined;
}

/** Whether an item whose attribute has the given value may pass a test. */
function canPass(
  path: string,
  test: Test,
  value: unknown,
  comparedTo: ComparedTo,
  named: readonly unknown[] = [],
): boolean {
  const [comparison, operands, isSize] = comparisonOf(test);
  if (comparison === 'exists') return (value !== undefined) === operands[0];
  const given = isSize ? [] : operands.map((one) => comparedTo(path, comparison, one));
  const isOpen = given.length === 0 || given.includes(undefined);
  if (comparison === 'not') return isOpen || value !== given[0];
  if (isOpen || given.includes(value ?? null)) return true;
  if ((value ?? undefined) === undefined) return false;
  return (
    !/^(equals|in)$/.test(comparison) ||
    given.includes(UNKNOWN) ||
    (value === OTHER && !given.every((one) => named.includes(one)))
  );
}
