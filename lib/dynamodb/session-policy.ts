import { literally } from '../blueprint/literal';
import { strangeIn } from '../blueprint/policy-characters';

interface Statement {
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

/** The maximum length of a session policy in STS, in characters. */
const LONGEST = 2048;

const TAG = /\$\{(aws:PrincipalTag\/[^}]+)\}/;

/**
 * Derives the session policy of one tenant from the `TenantAccess` policy, which covers all tenants. Refuses a tenant
 * id that contains the key separator, because the policy could then match another tenant's keys. Also refuses a policy
 * that STS would refuse.
 */
export function sessionPolicy(policyOfAll: string, tenantId: string): string {
  if (typeof tenantId !== 'string' || tenantId === '') {
    throw new Error(`a tenant's id must be a string, got: ${JSON.stringify(tenantId) ?? 'nothing'}`);
  }
  const strange = strangeIn(tenantId);
  if (strange !== undefined) {
    throw new Error(
      `a tenant's id may contain only characters U+0020 to U+00FF, which IAM accepts; '${tenantId}' has ${strange}`,
    );
  }
  const { patterns = [], Statement, ...rest } = JSON.parse(policyOfAll) as PolicyOfAll;
  const [, variable] = TAG.exec(policyOfAll) ?? [];
  if (variable === undefined) {
    throw new Error(
      "the policy is not limited to a tenant; pass the `sessionPolicy` of a TenantAccess with by: 'session-policy'",
    );
  }
  const policy = JSON.stringify({ ...rest, Statement: Statement.map((one) => forTenant(one, variable, tenantId)) });
  if (policy.length > LONGEST) throw new Error(tooLong(`${policy.length} characters`, patterns));
  return policy;
}

/** The `TenantAccess` policy, with the names of the granted patterns. */
interface PolicyOfAll {
  readonly patterns?: readonly string[];
  readonly Statement: readonly Statement[];
}

function tooLong(size: string, patterns: readonly string[]): string {
  const half = Math.ceil(patterns.length / 2);
  const lists = [patterns.slice(0, half), patterns.slice(half)].map((names) => names.join(', '));
  const split =
    patterns.length < 2 ? 'grant fewer patterns' : `create one TenantAccess for ${lists.join(' and another for ')}`;
  return `the session policy for ${patterns.join(', ') || 'these patterns'} has ${size}, but STS accepts ${LONGEST}; ${split}, or use by: 'session-tag', which needs no session policy`;
}

/**
 * Refuses a session policy that would be too long for every tenant id; `size` is the length of the part that is already
 * known at synthesis.
 */
export function assertSessionPolicy(size: number, patterns: readonly string[]): void {
  if (size > LONGEST) throw new Error(tooLong(`at least ${size} characters`, patterns));
}

function forTenant(statement: Statement, variable: string, tenantId: string): Statement {
  const { StringNotLike, ...conditions } = statement.Condition ?? {};
  const apart = StringNotLike?.[variable];
  if (apart !== undefined && isWithin(String(apart), tenantId)) {
    throw new Error(`a tenant's id must not contain the key separator, got: '${tenantId}'`);
  }
  const Condition = JSON.parse(JSON.stringify(conditions), (_, value) =>
    typeof value === 'string' ? value.replaceAll(`\${${variable}}`, () => literally(tenantId)) : value,
  );
  return Object.keys(Condition).length === 0 ? statement : { ...statement, Condition };
}

/** Whether an id contains the string that a policy excludes with a pattern such as `*#*`. */
function isWithin(pattern: string, tenantId: string): boolean {
  return tenantId.includes(pattern.slice(1, -1).replace(/\$\{(.)\}/g, '$1'));
}
