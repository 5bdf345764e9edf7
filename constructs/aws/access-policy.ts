import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Token } from 'aws-cdk-lib/core';
import type { Environment } from '../environment';

/** Restricts which networks and callers can access a table's items. */
export interface AccessRestriction {
  /**
   * The VPC endpoints (`vpce-…`) that all requests must come through.
   * @default - requests may come from any network
   */
  readonly vpcEndpoints?: readonly string[];
  /**
   * The organization (`o-…`) that callers must belong to.
   * @default - any caller with the permission
   */
  readonly organization?: string;
}

/**
 * The actions that read or write items. A restriction applies only to these actions. Management actions stay allowed,
 * because CloudFormation, AWS Backup, and an administrator who must correct this policy may send them from outside the
 * allowed sources.
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

/**
 * Returns a table's resource policy, which denies requests regardless of the caller's permissions; undefined if it
 * would deny nothing.
 */
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

/** The actions that read changes from a stream. The table's policy does not cover these actions. */
const STREAM_ACTIONS = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'];

/**
 * Returns the resource policy of a table's stream, which denies requests regardless of the caller's permissions;
 * undefined if it would deny nothing.
 */
export function streamPolicy({ tlsOnly }: Pick<Environment, 'tlsOnly'>): PolicyDocument | undefined {
  return tlsOnly ? new PolicyDocument({ statements: [deny('TlsOnly', STREAM_ACTIONS, WITHOUT_TLS)] }) : undefined;
}

const WITHOUT_TLS = { Bool: { 'aws:SecureTransport': 'false' } };

/**
 * Denies item requests that come from outside the allowed sources. Does not deny AWS's own requests: replication,
 * expiry, and services that act for a caller.
 */
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
    // In a resource policy, '*' means the table and its indexes, or the stream, whose ARN is unknown until the stream
    // exists.
    resources: ['*'],
    conditions,
  });
}

/** Refuses ids that would lock everyone out. */
export function assertRestriction({ vpcEndpoints = [], organization }: AccessRestriction = {}): void {
  const wrong = vpcEndpoints.find((id) => !Token.isUnresolved(id) && !/^vpce-[0-9a-f]+$/.test(id));
  if (wrong !== undefined) throw new Error(`access.vpcEndpoints must be ids such as 'vpce-1a2b3c4d', got: '${wrong}'`);
  if (organization !== undefined && !Token.isUnresolved(organization) && !/^o-[a-z0-9]{10,32}$/.test(organization)) {
    throw new Error(`access.organization must be an id such as 'o-a1b2c3d4e5', got: '${organization}'`);
  }
}
