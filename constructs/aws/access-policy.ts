import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Token } from 'aws-cdk-lib/core';
import type { Environment } from '../environment';

/** From where, and by whom, the items of a table may be reached. */
export interface AccessRestriction {
  /**
   * The VPC endpoints (`vpce-…`) that requests have to come through.
   * @default - they may come from anywhere
   */
  readonly vpcEndpoints?: readonly string[];
  /**
   * The organisation (`o-…`) that whoever asks has to belong to.
   * @default - whoever has the permission
   */
  readonly organization?: string;
}

/**
 * What reads or writes items. Where a restriction is on the way in, it is on these alone: what manages the table
 * (CloudFormation, backups, an administrator who has to undo a mistake in this very policy) comes from elsewhere.
 */
const ITEM_ACTIONS = [
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PartiQLDelete',
  'dynamodb:PartiQLInsert',
  'dynamodb:PartiQLSelect',
  'dynamodb:PartiQLUpdate',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:Scan',
  'dynamodb:UpdateItem',
];

/** What a table refuses, whatever someone's own permissions say; undefined where it refuses nothing. */
export function accessPolicy(
  { tlsOnly }: Pick<Environment, 'tlsOnly'>,
  { vpcEndpoints = [], organization }: AccessRestriction = {},
): PolicyDocument | undefined {
  const statements = [
    ...(tlsOnly ? [deny('TlsOnly', ['dynamodb:*'], WITHOUT_TLS)] : []),
    ...(vpcEndpoints.length === 0
      ? []
      : [outside('VpcEndpointOnly', { StringNotEquals: { 'aws:SourceVpce': [...vpcEndpoints] } })]),
    ...(organization === undefined
      ? []
      : [outside('OrganizationOnly', { StringNotEquals: { 'aws:PrincipalOrgID': organization } })]),
  ];
  return statements.length === 0 ? undefined : new PolicyDocument({ statements });
}

/** What reads changes from a stream, which a policy of the table does not reach. */
const STREAM_ACTIONS = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];

/** What the stream of a table refuses, whatever someone's own permissions say; undefined where it refuses nothing. */
export function streamPolicy({ tlsOnly }: Pick<Environment, 'tlsOnly'>): PolicyDocument | undefined {
  return tlsOnly ? new PolicyDocument({ statements: [deny('TlsOnly', STREAM_ACTIONS, WITHOUT_TLS)] }) : undefined;
}

const WITHOUT_TLS = { Bool: { 'aws:SecureTransport': 'false' } };

/** Refuses access to items from outside, but not to AWS itself: replication, expiry, and services that ask in someone's name. */
function outside(sid: string, condition: Record<string, Record<string, unknown>>): PolicyStatement {
  return deny(sid, ITEM_ACTIONS, {
    ...condition,
    BoolIfExists: { 'aws:PrincipalIsAWSService': 'false', 'aws:ViaAWSService': 'false' },
    ArnNotLikeIfExists: { 'aws:PrincipalArn': 'arn:*:iam::*:role/aws-service-role/*' },
  });
}

function deny(sid: string, actions: readonly string[], conditions: Record<string, unknown>): PolicyStatement {
  return new PolicyStatement({
    sid,
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: [...actions],
    // The policy is the table's own, and its ARN is not known before it is made: this is the table and its indexes, or the stream.
    resources: ['*'],
    conditions,
  });
}

/** Refuses what would let nobody in. */
export function assertRestriction({ vpcEndpoints = [], organization }: AccessRestriction = {}): void {
  const wrong = vpcEndpoints.find((id) => !Token.isUnresolved(id) && !/^vpce-[0-9a-f]+$/.test(id));
  if (wrong !== undefined) throw new Error(`access.vpcEndpoints must be ids such as 'vpce-1a2b3c4d', got: '${wrong}'`);
  if (organization !== undefined && !Token.isUnresolved(organization) && !/^o-[a-z0-9]{10,32}$/.test(organization)) {
    throw new Error(`access.organization must be an id such as 'o-a1b2c3d4e5', got: '${organization}'`);
  }
}
