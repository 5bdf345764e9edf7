import type { Operand } from '../design/pattern';
import type { MembershipValue } from '../design/table';
import { template, valueAt } from '../design/template';
import { mayLack } from './attributes/schema';
import type { EntityOutline, KeySource } from './outline';

/** The tests that an item must pass to be in an index, in addition to having the keys of the index. */
export type Membership = readonly MembershipTest[];

/** An attribute, and the values of this attribute that put an item in an index. */
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
 * Returns the optional attributes in a key. An item without one of these attributes does not have the key, so it is not
 * in any index with this key.
 */
export function lackingIn({ schema }: EntityOutline, { template }: KeySource): readonly (readonly string[])[] {
  return template.parts.filter(({ path }) => mayLack(schema, path)).map(({ path }) => path);
}

/** Whether an item with the given attributes passes all tests. */
export function isMember(membership: Membership, attributes: object): boolean {
  for (const { name, path, values } of membership) {
    // This branch avoids calling `valueAt` for a top-level attribute, which is the usual case.
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
