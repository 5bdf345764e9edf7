import { strangeIn } from '../blueprint/policy-characters';
import { show } from '../design/show';

/** The source of the caller's tenant in a policy, such as a tag on the role's session. */
export interface TenantSource {
  /** The policy variable without `${` and `}`, such as `aws:PrincipalTag/tenantId`. */
  readonly variable: string;
  /**
   * The attribute that identifies the tenant in key templates.
   * @default - the tenant of the system; for a table without a system, the last word of the variable
   */
  readonly attribute?: string;
}

/** Returns the tenant source for a session tag. */
export function principalTag(tag: string, options: Pick<TenantSource, 'attribute'> = {}): TenantSource {
  // IAM allows these characters in a tag, and none of them ends the variable.
  if (typeof tag !== 'string' || !/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u.test(tag)) {
    throw new Error(`a tag must be 1 to 128 letters, digits, spaces or any of _ . : / = + - @, got: ${show(tag)}`);
  }
  if (strangeIn(tag) !== undefined) {
    throw new Error(
      `a tag must contain only characters that IAM accepts in a policy (U+0020 to U+00FF), got: ${show(tag)}`,
    );
  }
  return { variable: `aws:PrincipalTag/${tag}`, ...options };
}
