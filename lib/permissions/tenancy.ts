import { show } from '../design/show';

/** Where a policy takes the caller's tenant from, such as a tag of the role's session. */
export interface TenantSource {
  /** The policy variable, without `${` and `}`: `aws:PrincipalTag/tenantId`. */
  readonly variable: string;
  /**
   * The attribute that names the tenant in key templates.
   * @default - the tenant of the system; for a table alone, the last word of the variable
   */
  readonly attribute?: string;
}

/** The tenant that the role's session is tagged with, under this name. */
export function principalTag(tag: string, options: Pick<TenantSource, 'attribute'> = {}): TenantSource {
  // As IAM has it; and no character that would end the variable.
  if (typeof tag !== 'string' || !/^[\p{L}\p{Z}\p{N}_.:/=+\-@]{1,128}$/u.test(tag)) {
    throw new Error(`a tag must be 1 to 128 letters, digits, spaces and _ . : / = + - @, got: ${show(tag)}`);
  }
  return { variable: `aws:PrincipalTag/${tag}`, ...options };
}
