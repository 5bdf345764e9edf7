import type { Condition, Operand } from '../design/pattern';
import type { MembershipValue } from '../design/table';
import { template, valueAt } from '../design/template';
import { mayLack, schemaAt } from './attributes/schema';
import { isGroup } from './conditions';
import type { EntityOutline, KeySource } from './outline';

/** The tests that an item must pass to be in an index, besides having its keys. */
export type Membership = readonly MembershipTest[];

/** An attribute, and the values with which an item is in an index. */
export interface MembershipTest {
  readonly name: string;
  readonly path: readonly string[];
  readonly values: readonly MembershipValue[];
}

const ALWAYS: Membership = [];

/** The tests that an item must pass to be in the table (none) or an index. */
export function membershipIn(
  { design: { indexes } }: Pick<EntityOutline, 'design'>,
  { name = '' }: { readonly name?: string },
): Membership {
  if (indexes === undefined || !Object.hasOwn(indexes, name)) return ALWAYS;
  const tests = Object.entries(indexes[name]?.while ?? {});
  return tests.map(([name, values]) => ({ name, path: name.split('.'), values }));
}

/** The attributes of a key that an item may lack: without one, it has no such key, and is in no index with it. */
export function lackingIn({ schema }: EntityOutline, { template }: KeySource): readonly (readonly string[])[] {
  return template.holes.filter(({ path }) => mayLack(schema, path)).map(({ path }) => path);
}

/** Whether an item with these attributes passes all tests. */
export function isMember(membership: Membership, attributes: object): boolean {
  for (const { name, path, values } of membership) {
    // Most tests are about a top-level attribute.
    const value =
      path.length === 1 ? (attributes as Readonly<Record<string, unknown>>)[name] : valueAt(attributes, path);
    if (!values.includes(value as MembershipValue)) return false;
  }
  return true;
}

/** Whether the constants of a condition decide a test, if it does not require one value; undefined if they do not. */
export function toldOfTest(entity: EntityOutline, condition: Condition, test: MembershipTest): boolean | undefined {
  const tested = Object.hasOwn(condition, test.name) ? condition[test.name] : undefined;
  if (typeof tested !== 'object' || tested === null || isGroup(tested)) return undefined;
  if ('exists' in tested) return tested.exists ? undefined : false;
  const listed = 'in' in tested ? tested.in : 'not' in tested ? [tested.not] : [];
  if (listed.length === 0 || listed.some((operand) => !isConstant(operand))) return undefined;
  const values = listed.map((operand) => asStored(entity, test, operand));
  if ('not' in tested) return test.values.every((value) => values.includes(value)) ? false : undefined;
  const inside = values.filter((value) => test.values.includes(value as MembershipValue)).length;
  return inside === 0 ? false : inside === values.length ? true : undefined;
}

/** Whether an operand is a fixed value, not a parameter or another attribute. */
export function isConstant(operand: Operand): boolean {
  return typeof operand === 'string'
    ? template(operand).holes.length === 0
    : typeof operand !== 'object' || operand === null;
}

/** A constant as an item would hold it, after its schema. */
export function asStored({ schema }: EntityOutline, { path }: MembershipTest, constant: unknown): unknown {
  const parsed = schemaAt(schema, path)?.safeParse(constant);
  return parsed?.success ? parsed.data : constant;
}
