import type { Operand } from '../design/pattern';
import type { MembershipValue } from '../design/table';
import { template, valueAt } from '../design/template';
import { mayLack } from './attributes/schema';
import type { EntityOutline, KeySource } from './outline';

/** The tests that an item must pass to be in an index, besides having the index's keys. */
export type Membership = readonly MembershipTest[];

/** Requires that an attribute has one of the given values. */
export interface MembershipTest {
  readonly name: string;
  readonly path: readonly string[];
  readonly values: readonly MembershipValue[];
}

const ALWAYS: Membership = [];

/** Returns the tests that an item must pass to be in an index. The table itself has no such tests. */
export function membershipIn(
  { design: { indexes } }: Pick<EntityOutline, 'design'>,
  { name = '' }: { readonly name?: string },
): Membership {
  if (indexes === undefined || !Object.hasOwn(indexes, name)) return ALWAYS;
  const tests = Object.entries(indexes[name]?.while ?? {});
  return tests.map(([name, values]) => ({ name, path: name.split('.'), values }));
}

/**
 * Returns the optional attributes in a key. An item that lacks one of them does not have the key, so it is in no index
 * with this key.
 */
export function lackingIn({ schema }: EntityOutline, { template }: KeySource): readonly (readonly string[])[] {
  return template.parts.filter(({ path }) => mayLack(schema, path)).map(({ path }) => path);
}

/** Whether an item with the given attributes passes all tests. */
export function isMember(membership: Membership, attributes: object): boolean {
  for (const { name, path, values } of membership) {
    // Most attributes are top-level, and do not need the slower `valueAt`.
    const value =
      path.length === 1 ? (attributes as Readonly<Record<string, unknown>>)[name] : valueAt(attributes, path);
    if (!values.includes(value as MembershipValue)) return false;
  }
  return true;
}

/** Whether an operand is a fixed value, not a parameter or another attribute. */
export function isConstant(operand: Operand): boolean {
  return typeof operand === 'string'
    ? template(operand).parts.length === 0
    : typeof operand !== 'object' || operand === null;
}
