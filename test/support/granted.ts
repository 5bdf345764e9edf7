import { Template } from 'aws-cdk-lib/assertions';
import { type CfnRole, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { App } from 'aws-cdk-lib/core';
import { GrantError, type GrantOptions, SystemStack } from '../../constructs/aws';
import { namesIn } from '../../lib/blueprint/system';
import type { SystemDesign } from '../../lib/design/system';
import type { TemplateJson } from '../../lib/dynamodb/template/tables';
import type { Policy } from './iam';
import { policiesIn } from './policies';

export interface Granted {
  readonly system: SystemDesign;
  readonly template: TemplateJson;
  /** Each role's synthesized policies, keyed by the one pattern or procedure that the role was granted. */
  readonly policies: ReadonlyMap<string, readonly Policy[]>;
  /** The names that could not be granted, each with the reason. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Synthesizes a system's production stack, with one role for each pattern and procedure. A role may use only its own
 * pattern or procedure.
 */
export function granted(system: SystemDesign, options: GrantOptions = {}): Granted {
  const stack = new SystemStack(new App(), system.name, { design: system, environment: 'prod' });
  const roles = new Map<string, string>();
  const refused = new Map<string, string>();
  for (const name of namesIn(system)) {
    const role = new Role(stack, `${name}Role`, { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    roles.set(name, stack.getLogicalId(role.node.defaultChild as CfnRole));
    try {
      stack.system.grantPatterns(role, [name], options);
    } catch (error) {
      if (!(error instanceof GrantError)) throw error;
      refused.set(name, error.message);
    }
  }
  const template = Template.fromStack(stack).toJSON() as TemplateJson;
  const byRole = policiesIn(template, [...roles.values()]);
  const policies = new Map(Array.from(roles, ([name, role]) => [name, byRole.get(role) ?? []]));
  return { system, template, policies, refused };
}
