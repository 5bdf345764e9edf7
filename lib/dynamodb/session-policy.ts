import { literally } from '../blueprint/literal';

interface Statement {
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

const TAG = /\$\{(aws:PrincipalTag\/[^}]+)\}/;

/**
 * The session policy for one tenant, made from the policy of `TenantAccess` for all of them. Refuses an id that contains the
 * separator of a key it is part of, because it could then be the key of another tenant.
 */
export function sessionPolicy(policyOfAll: string, tenantId: string): string {
  if (typeof tenantId !== 'string' || tenantId === '') {
    throw new Error(`a tenant's id must be a string, got: ${JSON.stringify(tenantId) ?? 'nothing'}`);
  }
  const { Statement, ...rest } = JSON.parse(policyOfAll) as { readonly Statement: readonly Statement[] };
  const [, variable] = TAG.exec(policyOfAll) ?? [];
  if (variable === undefined) {
    throw new Error(
      "the policy is held to no tenant; give the `sessionPolicy` of a TenantAccess with by: 'session-policy'",
    );
  }
  const filled = Statement.map((statement) => forTenant(statement, variable, tenantId));
  return JSON.stringify({ ...rest, Statement: filled });
}

function forTenant(statement: Statement, variable: string, tenantId: string): Statement {
  const { StringNotLike, ...conditions } = statement.Condition ?? {};
  const apart = StringNotLike?.[variable];
  if (apart !== undefined && isWithin(String(apart), tenantId)) {
    throw new Error(`a tenant's id must not contain the separator of its keys, got: '${tenantId}'`);
  }
  const Condition = JSON.parse(JSON.stringify(conditions), (_, value) =>
    typeof value === 'string' ? value.replaceAll(`\${${variable}}`, () => literally(tenantId)) : value,
  );
  return Object.keys(Condition).length === 0 ? statement : { ...statement, Condition };
}

/** Whether an id contains what a policy excludes with a pattern such as `*#*`. */
function isWithin(pattern: string, tenantId: string): boolean {
  return tenantId.includes(pattern.slice(1, -1).replace(/\$\{(.)\}/g, '$1'));
}
