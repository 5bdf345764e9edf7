import { type CfnRole, type CfnUser, type IGrantable, PolicyDocument, Role, User } from 'aws-cdk-lib/aws-iam';
import { Annotations, AspectPriority, Aspects, Stack } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import type { TenantSource } from '../../lib/permissions/tenancy';

const TAG = /^aws:PrincipalTag\/(.+)$/i;

/**
 * Warns if a grant needs a tag that no session can have. A session has tags only if its creator passed them, and a
 * service such as Lambda passes none. The warning is computed at synthesis, because the app can change the role's tags
 * and trust policy until then.
 */
export function warnOfMissingTag({ grantPrincipal }: IGrantable, { variable }: TenantSource): void {
  const [, tag] = TAG.exec(variable) ?? [];
  if (tag === undefined || !(grantPrincipal instanceof Role || grantPrincipal instanceof User)) return;
  const principal: Role | User = grantPrincipal;
  const visit = (node: IConstruct) => {
    if (node !== principal.node.defaultChild || hasTag(node, tag) || canBeTagged(principal)) return;
    Annotations.of(principal).addWarningV2(
      `tablewright:tenant-tag:${tag}`,
      [
        `a grant by tenant needs the tag '${tag}', but no trust policy lets this`,
        principal instanceof Role ? 'role have a session with tags,' : 'user have it,',
        "so every request is denied (fix: grant the patterns with new TenantAccess(this, 'Tenant', { on, patterns, callers: [fn] }),",
        'and let callers assume its role with the tag; or, if the principal serves only one tenant, tag the principal itself)',
      ].join(' '),
    );
  };
  Aspects.of(principal).add({ visit }, { priority: AspectPriority.READONLY });
}

function hasTag(node: IConstruct, tag: string): boolean {
  const { tags } = node as CfnRole | CfnUser;
  return Object.hasOwn(tags.tagValues(), tag);
}

/** Whether a trust policy lets callers create sessions with tags, directly or through an identity provider. */
function canBeTagged(principal: Role | User): boolean {
  if (!(principal instanceof Role) || !(principal.assumeRolePolicy instanceof PolicyDocument)) return false;
  const { Statement = [] } = Stack.of(principal).resolve(principal.assumeRolePolicy.toJSON()) ?? {};
  const actions = (Statement as readonly { readonly Action?: string | readonly string[] }[]).flatMap(
    ({ Action }) => Action ?? [],
  );
  return actions.some((action) =>
    /^sts:(TagSession|AssumeRoleWithSAML|AssumeRoleWithWebIdentity|\*)$|^\*$/.test(action),
  );
}
