import type { Access } from '../blueprint/accesses';
import type { TableBlueprint } from '../blueprint/table';
import { type TenantSystem, tenantOf, tenantsIn } from '../blueprint/tenant';
import { show } from '../design/show';
import type { Hole, Template } from '../design/template';

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

/** The tenant's part of the partition that an access goes to, or why no policy can hold a caller to it. */
export function tenantPart(
  plan: TableBlueprint,
  access: Access,
  system: TenantSystem,
): { readonly hole: Hole } | { readonly problem: string } {
  const key = plan.indexes.find(({ name }) => name === access.index) ?? plan.key;
  const { partition } = access;
  const hole = tenantOf(plan, access, tenantsIn(system));
  const where = `partition '${partition?.text ?? key.partition.name}' of ${access.index ?? 'the table'}`;
  if (partition === undefined || hole === undefined) return { problem: `${where} does not hold <${system.tenant}>` };
  const fault = faultOf(partition, hole, plan.separator);
  if (fault !== undefined) return { problem: `${where}: ${fault}` };
  if (key.partition.type !== 'string') {
    return { problem: `${where} is a ${key.partition.type}, and a tag is compared with text alone` };
  }
  return { hole };
}

/** What comes before the tenant must be fixed and what comes after it set apart, or one tenant's keys match another's. */
function faultOf({ parts }: Template, hole: Hole, separator: string): string | undefined {
  const at = parts.indexOf(hole);
  if (parts.slice(0, at).some((part) => typeof part !== 'string')) {
    return `<${hole.name}> is not the first part, and what stands before it could pass for the tenant`;
  }
  const next = parts[at + 1];
  if (next !== undefined && (typeof next !== 'string' || !next.startsWith(separator))) {
    return `<${hole.name}> does not end at a '${separator}', so that the keys of one tenant can begin like another's`;
  }
  return hole.format === undefined ? undefined : `<${hole.name}:${hole.format}> is not the tenant as a tag has it`;
}
