import { hasKeys } from '../../blueprint/accesses';
import { testsIn } from '../../blueprint/conditions';
import type { Condition, KeyCondition } from '../../design/pattern';
import type { PatternAccess } from '../table-under-check';

/** Returns the conditions on key attributes in a request. Puts and scans have none. */
export function whereOf(access: PatternAccess): Readonly<Record<string, KeyCondition>> {
  const { step } = access;
  if (hasKeys(step)) return step.keys[access.part ?? ''] ?? {};
  return 'where' in step ? step.where : {};
}

const FIELDS = ['filter', 'condition', 'set', 'add', 'subtract', 'item'] as const;

export type Field = (typeof FIELDS)[number];

/**
 * Lists every mention of an attribute outside the key of a request. Each mention is a tuple of the field, the
 * attribute, the value or test, and the place within the field.
 */
export function fieldsOf(step: PatternAccess['step']): readonly (readonly [Field, string, unknown, string])[] {
  const given = step as { readonly [F in Field]?: object };
  return FIELDS.filter((field) => given[field] !== undefined).flatMap((field) =>
    isTest(field)
      ? testsIn(given[field] as Condition).map(({ path, test, place }) => [field, path, test, place] as const)
      : Object.entries(given[field] as object).map(
          ([attribute, value]) => [field, attribute, value, attribute] as const,
        ),
  );
}

/** Whether a field contains tests that the engine applies to the stored item. */
export function isTest(field: string): boolean {
  return field === 'filter' || field === 'condition';
}

/** Returns every string in a value, at any depth. */
export function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
