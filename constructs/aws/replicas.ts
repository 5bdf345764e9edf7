import type { ReplicaTableProps } from 'aws-cdk-lib/aws-dynamodb';
import { Annotations, Token } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { isObject, show } from '../../lib/design/show';
import type { Environment } from '../environment';
import { type AccessRestriction, accessPolicy, streamPolicy } from './access-policy';

/** A copy of the table in another region. */
export interface Replica {
  readonly region: string;
  /**
   * The key that encrypts the copy, in the region of the copy.
   * @default - no key, which only an environment with AWS-managed keys allows
   */
  readonly encryptionKeyArn?: string;
  /**
   * Whether a deployment has already created the copy, so that the copy can receive the table's policies.
   * @default false - the copy has no policies, because CloudFormation refuses a policy on a copy that it is about to create
   */
  readonly deployed?: boolean;
}

interface ReplicaPlan {
  readonly replicas?: readonly Replica[];
  readonly access?: AccessRestriction;
}

/** The CDK feature flag that keeps the table's policy off the copies. Without this flag, new copies get the policy. */
const POLICY_PER_REPLICA = '@aws-cdk/aws-dynamodb:resourcePolicyPerReplica';

/** Keeps the policy of a table off its copies, regardless of the flags that the app sets. Call this function before creating the table. */
export function keepPolicyFromReplicas(scope: Construct): void {
  scope.node.setContext(POLICY_PER_REPLICA, true);
}

/** Returns the copies as CDK props, with the policies that these copies can already have. */
export function replicaProps(
  environment: Environment,
  { replicas, access }: ReplicaPlan,
): ReplicaTableProps[] | undefined {
  return replicas?.map(({ region, deployed = false }) => ({
    region,
    ...(deployed && {
      resourcePolicy: accessPolicy(environment, access),
      streamResourcePolicy: streamPolicy(environment),
    }),
  }));
}

/** Warns about copies that still allow requests that the table refuses. */
export function warnOfOpenReplicas(
  scope: Construct,
  environment: Environment,
  { replicas = [], access }: ReplicaPlan,
): void {
  if (accessPolicy(environment, access) === undefined) return;
  for (const { region } of replicas.filter(({ deployed = false }) => !deployed)) {
    Annotations.of(scope).addWarningV2(
      `tablewright:replica-policy:${region}`,
      [
        `the copy in ${region} is created without the policy of the table, so it does not require TLS:`,
        'CloudFormation refuses a policy on a copy that it is about to create',
        '(fix: after the copy is deployed, write deployed: true for this replica and deploy again)',
      ].join(' '),
    );
  }
}

const KEY_ARN = /^arn:[^:]+:kms:([^:]+):\d{12}:key\/[^/]+$/;

/** Refuses copies that CDK or CloudFormation would later refuse with a less helpful message. */
export function assertReplicas(environment: Environment, replicas: readonly Replica[], stackRegion?: string): void {
  if (!Array.isArray(replicas)) {
    throw new Error(`replicas must be a list such as [{ region: 'eu-central-1' }], got: ${show(replicas)}`);
  }
  if (replicas.length > 0 && Token.isUnresolved(stackRegion)) {
    throw new Error(
      "replicas: the stack must name its own region, since copies are in other regions; write env: { region: 'eu-west-1' } in its props",
    );
  }
  for (const [i, replica] of replicas.entries()) {
    assertReplica(`replicas[${i}]`, replica, environment, stackRegion);
    const isTwice = replicas.findIndex(({ region }) => region === replica.region) < i;
    if (isTwice) throw new Error(`replicas[${i}].region: replicas already lists a copy in ${replica.region}`);
  }
}

function assertReplica(place: string, replica: Replica, environment: Environment, stackRegion?: string): void {
  const { region, encryptionKeyArn: arn } = isObject(replica) ? replica : ({} as Partial<Replica>);
  if (typeof region !== 'string' || !/^[a-z]{2}(-[a-z]+)+-\d+$/.test(region)) {
    throw new Error(`${place}.region must be the name of a region such as 'eu-central-1', got: ${show(region)}`);
  }
  if (region === stackRegion) {
    throw new Error(`${place}.region: the table itself is in ${region}; name another region, or remove this replica`);
  }
  const isManaged = environment.encryption === 'customer-managed';
  if (isManaged && arn === undefined) {
    throw new Error(
      `${place}: the copy in ${region} must have an encryptionKeyArn, since environment '${environment.name}' encrypts with customer-managed keys and a key works only in its own region`,
    );
  }
  if (arn === undefined || Token.isUnresolved(arn)) return;
  if (!isManaged) {
    throw new Error(
      `${place}.encryptionKeyArn: environment '${environment.name}' encrypts with keys that AWS manages, in every region; omit encryptionKeyArn, or give the environment encryption: 'customer-managed'`,
    );
  }
  const [, keyRegion] = KEY_ARN.exec(String(arn)) ?? [];
  if (keyRegion === undefined) {
    throw new Error(
      `${place}.encryptionKeyArn must be the ARN of a KMS key such as 'arn:aws:kms:${region}:123456789012:key/…', got: ${show(arn)}`,
    );
  }
  if (keyRegion !== region) {
    throw new Error(
      `${place}.encryptionKeyArn must be a key in ${region}, the region of the copy, got: one in ${keyRegion}`,
    );
  }
}
