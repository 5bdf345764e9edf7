import {
  CompositePrincipal,
  type Grant,
  type IGrantable,
  type IPrincipal,
  PolicyDocument,
  PrincipalPolicyFragment,
  PrincipalWithConditions,
  Role,
  SessionTagsPrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { show } from '../../lib/design/show';
import type { SystemDesign } from '../../lib/design/system';
import { assertSessionPolicy } from '../../lib/dynamodb/session-policy';
import { principalTag } from '../../lib/permissions/tenancy';
import { freeText } from './free-text';
import type { GrantOptions } from './grants';

/** A construct that can grant patterns: a `DesignedSystem`, a `DesignedTable` or an `AdoptedTable`. */
export interface GrantablePatterns<N extends string = string> {
  readonly design: { readonly name: string; readonly tenant?: string };
  /** The system that contains the table. */
  readonly system?: SystemDesign;
  grantPatterns(grantee: IGrantable, names: readonly N[], options?: GrantOptions): Grant;
}

export interface TenantAccessProps<N extends string = string> {
  readonly on: GrantablePatterns<N>;
  /** The patterns and procedures to grant. It must be possible to limit each of them to a tenant. */
  readonly patterns: readonly N[];
  /** The principals that assume the role for a tenant, usually a Lambda function. */
  readonly callers: readonly IGrantable[];
  /**
   * The session tag that identifies the tenant.
   * @default - the name of the system's tenant attribute
   */
  readonly tag?: string | undefined;
  /**
   * How a session is limited to its tenant. With `session-tag`, the role has no access without the tag. With
   * `session-policy`, the role itself can reach all tenants, and each session gets a policy for one tenant.
   * @default 'session-tag'
   */
  readonly by?: 'session-tag' | 'session-policy';
}

/**
 * A role that callers assume for one tenant at a time. A Lambda function's execution role has no session tags, so a
 * grant for one tenant must go to a role that the function assumes with a tag.
 */
export class TenantAccess<N extends string = string> extends Construct {
  /** The role to assume; give its ARN to the callers. */
  public readonly role: Role;
  public readonly tag: string;
  /**
   * The policy to pass to `sessionPolicy(policy, tenantId)` from tablewright/dynamodb; undefined unless `by` is
   * 'session-policy'.
   */
  public readonly sessionPolicy?: string;

  public constructor(scope: Construct, id: string, props: TenantAccessProps<N>) {
    const tag = tagOf(props);
    const held = policyFor(props, { tenant: principalTag(tag) });
    super(scope, id);
    this.tag = tag;
    const byTag = props.by !== 'session-policy';
    const callers = props.callers.map(({ grantPrincipal }) => (byTag ? tagged(grantPrincipal, tag) : grantPrincipal));
    this.role = new Role(this, 'Role', {
      description: freeText(`Patterns of ${props.on.design.name}, for one tenant at a time`),
      assumedBy: new CompositePrincipal(...callers),
    });
    props.on.grantPatterns(this.role, props.patterns, byTag ? { tenant: principalTag(tag) } : {});
    for (const caller of props.callers) {
      this.role.grant(caller.grantPrincipal, 'sts:AssumeRole', ...(byTag ? ['sts:TagSession'] : []));
    }
    if (byTag) return;
    const stack = Stack.of(this);
    assertSessionPolicy(leastSize(stack.resolve(held), tag), props.patterns);
    this.sessionPolicy = stack.toJsonString({ patterns: props.patterns, ...held.toJSON() });
  }
}

/** The shortest possible ARN of a table, used in place of every value that is known only at deployment. */
const ARN = 'arn:aws:dynamodb:us-east-1:111122223333:table/abc';

/** Returns the minimum length of the deployed policy: the length for a tenant whose id has one character. */
function leastSize(policy: unknown, tag: string): number {
  const text = JSON.stringify(policy, (_, value) => {
    const [[name, argument] = ['', undefined], ...more] = Object.entries(Object(value));
    if (more.length > 0 || !(name === 'Ref' || name.startsWith('Fn::'))) return value;
    return name === 'Fn::Join'
      ? (argument as [string, unknown[]])[1].map((part) => (typeof part === 'string' ? part : ARN)).join('')
      : ARN;
  });
  const guards = text.match(/"StringNotLike":\{"aws:PrincipalTag[^}]*\},?/g)?.join('').length ?? 0;
  return text.replaceAll(`\${aws:PrincipalTag/${tag}}`, 'x').length - guards;
}

/** Returns the session tag. Throws if `by` is invalid, if there is no caller, or if the tag is unknown. */
function tagOf({ on, callers, tag, by = 'session-tag' }: TenantAccessProps): string {
  if (!['session-tag', 'session-policy'].includes(by)) {
    throw new Error(`'by' must be one of session-tag, session-policy, got: ${show(by)}`);
  }
  if (!Array.isArray(callers) || callers.length === 0) {
    throw new Error(
      `callers must list at least one principal that assumes the role, such as [fn], got: ${show(callers)}`,
    );
  }
  const named = tag ?? on.design.tenant ?? on.system?.tenant;
  if (named !== undefined) return named;
  throw new Error(`tag must be given, such as 'tenantId', because '${on.design.name}' declares no tenant`);
}

/** Returns a session's permissions. Throws for patterns that cannot be granted, before any construct is created. */
function policyFor<N extends string>({ on, patterns }: TenantAccessProps<N>, options: GrantOptions): PolicyDocument {
  const document = new PolicyDocument();
  const principal: IPrincipal = {
    get grantPrincipal() {
      return principal;
    },
    assumeRoleAction: 'sts:AssumeRole',
    policyFragment: new PrincipalPolicyFragment({}),
    addToPrincipalPolicy(statement) {
      document.addStatements(statement);
      return { statementAdded: true, policyDependable: document };
    },
  };
  on.grantPatterns(principal, patterns, options);
  return document;
}

/** Allows a principal to create sessions with this tag and no other tag. The tag's value must not be empty. */
function tagged(principal: IPrincipal, tag: string): IPrincipal {
  return new SessionTagsPrincipal(
    new PrincipalWithConditions(principal, {
      StringLike: { [`aws:RequestTag/${tag}`]: '?*' },
      'ForAllValues:StringEquals': { 'aws:TagKeys': [tag] },
    }),
  );
}
