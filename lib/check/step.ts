import { hasSteps } from '../blueprint/accesses';
import type { PatternDesign, TransactionStep } from '../design/pattern';
import type { PatternAccess } from './subject';

/** A pattern, or the step of a transaction, that one access is of. */
export type Step = PatternDesign | TransactionStep;

export function stepOf({ design, part = '' }: PatternAccess): Step {
  return hasSteps(design) ? (design.steps[part] as TransactionStep) : design;
}

const FIELDS = ['filter', 'condition', 'set', 'add', 'subtract', 'item'] as const;

export type Field = (typeof FIELDS)[number];

/** What a request says of attributes outside its key, each after the field that says it. */
export function fieldsOf(step: Step): readonly (readonly [Field, string, unknown])[] {
  const said = step as { readonly [F in Field]?: object };
  return FIELDS.filter((field) => said[field] !== undefined).flatMap((field) =>
    Object.entries(said[field] as object).map(([attribute, value]) => [field, attribute, value] as const),
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
