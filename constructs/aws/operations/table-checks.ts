import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  CfnResource,
  type IPolicyValidationContext,
  type IPolicyValidationPlugin,
  type PolicyValidationPluginReport,
  type PolicyViolation,
  Stack,
} from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import { reviewTables, templateRules } from '../../../lib/dynamodb/template/review/review';
import type { TemplateFinding } from '../../../lib/dynamodb/template/review/rule';
import type { Maker, ReviewedStack, ReviewOptions } from '../../../lib/dynamodb/template/review/subject';

/**
 * Reviews every DynamoDB table in an app's synthesized templates, even tables that this library did not create:
 * `Validations.of(app).addPlugins(new TableChecks())`. Errors stop the synthesis. Acknowledge a finding on its
 * construct: `Validations.of(table).acknowledge({ id: 'tablewright::tls-only', reason: '…' })`.
 */
export class TableChecks implements IPolicyValidationPlugin {
  public readonly name = 'tablewright';
  public readonly ruleIds = templateRules.map(({ id }) => id);

  public constructor(private readonly options: ReviewOptions = {}) {}

  public validate(context: IPolicyValidationContext): PolicyValidationPluginReport {
    const files = templatesOf(context);
    const makers = makersIn(context.appConstruct);
    const stacks = Array.from(files, ([path, file]): ReviewedStack => {
      return { path, template: JSON.parse(readFileSync(file, 'utf8')), makers: makers.get(path) };
    });
    const findings = reviewTables(stacks, this.options);
    return {
      success: findings.every(({ severity }) => severity !== 'error'),
      violations: findings.map((finding) => violation(finding, files.get(finding.stack))),
    };
  }
}

function violation(found: TemplateFinding, templatePath = ''): PolicyViolation {
  const { rule, severity, logicalId, location, message, fix } = found;
  const why = templateRules.find(({ id }) => id === rule)?.why;
  return {
    ruleName: rule,
    severity,
    description: why === undefined ? message : `${message}. ${why}`,
    fix,
    violatingResources: [{ resourceLogicalId: logicalId, templatePath, locations: [location] }],
  };
}

/**
 * Returns the template file of every stack, keyed by the stack's construct path. CDK does not list the templates of
 * nested stacks; it writes them to the folder of the parent's template.
 */
function templatesOf({ stackTemplates, appConstruct }: IPolicyValidationContext): ReadonlyMap<string, string> {
  const files = new Map(
    stackTemplates.map(({ stackConstructPath, templatePath }) => [stackConstructPath, templatePath]),
  );
  for (const stack of appConstruct.node.findAll().filter((node) => Stack.isStack(node))) {
    const { nestedStackParent: parent, templateFile } = stack;
    const beside = parent && files.get(parent.node.path);
    if (beside !== undefined) files.set(stack.node.path, join(dirname(beside), templateFile));
  }
  return files;
}

/**
 * Finds the construct that created each table, by stack and logical id, so that a fix can name the construct's options.
 */
function makersIn(app: IConstruct): ReadonlyMap<string, ReadonlyMap<string, Maker>> {
  const makers = new Map<string, Map<string, Maker>>();
  for (const node of app.node.findAll().filter(CfnResource.isCfnResource)) {
    const kind = KINDS.get(node.cfnResourceType);
    if (kind === undefined) continue;
    const stack = Stack.of(node);
    const known = makers.get(stack.node.path) ?? new Map<string, Maker>();
    makers.set(stack.node.path, known);
    known.set(String(stack.resolve(node.logicalId)), makerOf(node, kind));
  }
  return makers;
}

const KINDS: ReadonlyMap<string, 'Table' | 'GlobalTable'> = new Map([
  ['AWS::DynamoDB::Table', 'Table'],
  ['AWS::DynamoDB::GlobalTable', 'GlobalTable'],
]);

function makerOf({ node: { scope, id } }: CfnResource, kind: 'Table' | 'GlobalTable'): Maker {
  const isPart = id === 'Resource' && scope !== undefined && 'tableArn' in scope;
  if (!isPart) return `Cfn${kind}`;
  const around = scope.node.scope;
  if (around !== undefined && 'grantPattern' in around) return 'DesignedTable';
  return kind === 'Table' ? 'Table' : 'TableV2';
}
