import { hasSteps } from '../blueprint/accesses';
import { testsIn } from '../blueprint/conditions';
import type { Condition, PatternDesign, TransactionStep } from '../design/pattern';
import type { PatternAccess } from './subject';

/** A pattern, or the step of a transaction, that one access is of. */
export type Step = PatternDesign | TransactionStep;

export function stepOf({ design, part = '' }: PatternAccess): Step {
  return hasSteps(design) ? (design.steps[part] as TransactionStep) : design;
}

const FIELDS = ['filter', 'condition', 'set', 'add', 'subtract', 'item'] as const;

export type Field = (typeof FIELDS)[number];

/** What a request says of attributes outside its key: the field that says it, the attribute, what is said, and its place in the field. */
export function fieldsOf(step: Step): readonly (readonly [Field, string, unknown, string])[] {
  const said = step as { readonly [F in Field]?: object };
  return FIELDS.filter((field) => said[field] !== undefined).flatMap((field) =>
    isTest(field)
      ? testsIn(said[field] as Condition).map(({ path, test, place }) => [field, path, test, place] as const)
      : Object.entries(said[field] as object).map(
          ([attribute, value]) => [field, attribute, value, attribute] as const,
        ),
  );
}

/** Whether the engine looks there at what is stored. */
export function isTest(field: string): boolean {
  return field === 'filter' || field === 'condition';
}

/** Every text in a value, however deep. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
