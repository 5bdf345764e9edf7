import type { TemplateJson } from '../../lib/dynamodb/template/tables';
import type { Policy } from './iam';

export const ACCOUNT = '111122223333';
export const REGION = 'eu-west-1';

type Resources = Readonly<Record<string, { readonly Type: string; readonly Properties?: Record<string, unknown> }>>;

/** Returns the given roles' inline policies, keyed by the role's logical id, with ARNs filled in as in a deployment. */
export function policiesIn(template: TemplateJson, roles: readonly string[]): ReadonlyMap<string, readonly Policy[]> {
  const resources = resourcesIn(template);
  const documents = Object.values(resources).filter(({ Type }) => Type === 'AWS::IAM::Policy');
  const policiesOf = (role: string) =>
    documents
      .filter(({ Properties }) => ((Properties?.Roles ?? []) as { Ref?: string }[]).some(({ Ref }) => Ref === role))
      .map(({ Properties }) => resolved(Properties?.PolicyDocument, resources) as Policy);
  return new Map(roles.map((role) => [role, policiesOf(role)]));
}

/** Returns the ARN of the KMS key that encrypts a table, if the account owns the key. */
export function keyArnOf(template: TemplateJson, tableName: string): string | undefined {
  const resources = resourcesIn(template);
  const table = Object.values(resources).find(({ Properties }) => Properties?.TableName === tableName);
  const [replica] = (table?.Properties?.Replicas ?? []) as { SSESpecification?: { KMSMasterKeyId?: unknown } }[];
  return resolved(replica?.SSESpecification?.KMSMasterKeyId, resources) as string | undefined;
}

function resourcesIn({ Resources = {} }: TemplateJson): Resources {
  return Resources as unknown as Resources;
}

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
};

/** Resolves the CloudFormation functions in a value. Throws if a function is not modeled. */
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
  throw new Error(`not modeled: ${name} ${JSON.stringify(argument)}`);
}

function arnOf(logicalId: string, resources: Resources): string {
  const { Type, Properties } = resources[logicalId] ?? {};
  if (Type === 'AWS::DynamoDB::GlobalTable') {
    return `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${Properties?.TableName ?? logicalId}`;
  }
  if (Type === 'AWS::KMS::Key') return `arn:aws:kms:${REGION}:${ACCOUNT}:key/${logicalId}`;
  throw new Error(`not modeled: the ARN of ${logicalId} (${Type})`);
}
