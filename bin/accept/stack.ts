import { AccountRootPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { App, CfnOutput, DefaultStackSynthesizer, RemovalPolicy, Tags } from 'aws-cdk-lib/core';
import { SystemStack } from '../../constructs/aws';
import { namesIn } from '../../lib/blueprint/system';
import type { SystemDesign } from '../../lib/design/system';
import type { TemplateJson } from '../../lib/dynamodb/template/tables';
import { grantOf } from '../../lib/permissions/grant';
import { principalTag } from '../../lib/permissions/tenancy';

/** The session tag that identifies the tenant. */
export const TENANT_TAG = 'tenantId';

/** The stack uses the settings of `dev`, because `dev` does not protect the data from deletion. */
export const ENVIRONMENT = 'dev';

/**
 * Returns the patterns and procedures that can be granted. If `tenant` is given, returns only those that can be
 * restricted to the caller's own tenant.
 */
export function grantable(of: SystemDesign, tenant?: ReturnType<typeof principalTag>): readonly string[] {
  return namesIn(of).filter((name) => {
    try {
      return grantOf({ of, names: [name], ...(tenant && { tenant }) }).length > 0;
    } catch {
      return false;
    }
  });
}

/**
 * Returns the template of a system's stack with two roles: one for all tenants and one for a single tenant. The stack
 * can be deployed to an account that is not bootstrapped for the CDK.
 */
export function throwawayTemplate(system: SystemDesign, stackName: string): TemplateJson {
  process.env.CDK_VALIDATION = 'false';
  const app = new App({ analyticsReporting: false });
  const stack = new SystemStack(app, stackName, {
    design: system,
    environment: ENVIRONMENT,
    synthesizer: new DefaultStackSynthesizer({ generateBootstrapVersionRule: false }),
  });
  const tenant = principalTag(TENANT_TAG);
  const roles = [
    ['Everybody', grantable(system), {}] as const,
    ['Tenant', system.tenant === undefined ? [] : grantable(system, tenant), { tenant }] as const,
  ];
  for (const [id, names, options] of roles) {
    if (names.length === 0) continue;
    const role = new Role(stack, id, { assumedBy: new AccountRootPrincipal().withSessionTags() });
    role.applyRemovalPolicy(RemovalPolicy.DESTROY);
    stack.system.grantPatterns(role, names as never, options);
    new CfnOutput(stack, `${id}RoleArn`, { value: role.roleArn });
  }
  Tags.of(stack).add('tablewright-accept', stackName);
  return app.synth().getStackByName(stackName).template as TemplateJson;
}
