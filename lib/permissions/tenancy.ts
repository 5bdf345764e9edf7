import { strangeIn } from '../blueprint/policy-characters';
import { show } from '../design/show';

/** Where a policy gets the caller's tenant from, such as a tag on the role's session. */
export interface TenantSource {
  /** The policy variable, without `${` and `}`: `aws:PrincipalTag/tenantId`. */
  readonly variable: string;
  /**
   * The attribute that names the tenant in key templates.
   * @default - the tenant of the system; for a table without one, the last word of the variable
   */
  readonly attribute?: string;
}

/** The tenant in the session tag of this name. */
export function principalTag(tag: string, options: Pick<TenantSource, 'attribute'> = {}): TenantSource {
  // The characters that IAM allows, none of which would end the variable.
  if (typeof tag !== 'string' || !/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u.test(tag)) {
    throw new Error(`a tag must be 1 to 128 letters, digits, spaces and _ . : / = + - @, got: ${show(tag)}`);
  }
  if (strangeIn(tag) !== undefined) {
    throw new Error(
      `a tag must have only the characters U+0020 to U+00FF, which IAM accepts in a policy, got: ${show(tag)}`,
    );
  }
  return { variable: `aws:PrincipalTag/${tag}`, ...options };
}
