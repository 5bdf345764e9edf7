import type { TemplateJson } from '../../lib/cloudformation/tables';
import type { Policy } from './iam';

export const ACCOUNT = '111122223333';
export const REGION = 'eu-west-1';

type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties?: Record<string, unknown> }>>;

/** The inline policies of a template by the logical id of their role, with ARNs as they are once it is deployed. */
export function policiesIn(template: TemplateJson): ReadonlyMap<string, readonly Policy[]> {
  const resources = (template.Resources ?? {}) as unknown as Resources;
  const policies = new Map<string, Policy[]>();
  for (const { Type, Properties = {} } of Object.values(resources)) {
    if (Type !== 'AWS::IAM::Policy') continue;
    const document = resolved(Properties.PolicyDocument, resources) as Policy;
    for (const { Ref: role } of Properties.Roles as { Ref: string }[]) {
      policies.set(role, [...(policies.get(role) ?? []), document]);
    }
  }
  return policies;
}

/** The ARN of a resource, as it is once it is deployed. */
export function arnIn(template: TemplateJson, logicalId: string): string {
  return arnOf(logicalId, (template.Resources ?? {}) as unknown as Resources);
}

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
};

/** What CloudFormation makes of a value; what is not needed here throws. */
function resolved(value: unknown, resources: Resources): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, resources));
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = ['', undefined], ...more] = Object.entries(value);
  if (more.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) return intrinsic(name, argument, resources);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolved(inner, resources)]));
}

function intrinsic(name: string, argument: unknown, resources: Resources): string {
  if (name === 'Ref' && PSEUDO[argument as string] !== undefined) return PSEUDO[argument as string] as string;
  if (name === 'Ref') return arnOf(argument as string, resources).replace(/^.*\//, '');
  if (name === 'Fn::Join') {
    const [separator, parts] = resolved(argument, resources) as [string, string[]];
    return parts.join(separator);
  }
  if (name === 'Fn::GetAtt' && (argument as string[])[1] === 'Arn')
    return arnOf((argument as string[])[0] as string, resources);
  throw new Error(`not modelled: ${name} ${JSON.stringify(argument)}`);
}

function arnOf(logicalId: string, resources: Resources): string {
  const { Type, Properties } = resources[logicalId] ?? {};
  if (Type === 'AWS::DynamoDB::GlobalTable') {
    return `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${Properties?.TableName ?? logicalId}`;
  }
  if (Type === 'AWS::KMS::Key') return `arn:aws:kms:${REGION}:${ACCOUNT}:key/${logicalId}`;
  throw new Error(`not modelled: the ARN of ${logicalId} (${Type})`);
}
