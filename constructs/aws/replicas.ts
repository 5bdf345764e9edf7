import type { ReplicaTableProps } from 'aws-cdk-lib/aws-dynamodb';
import { Annotations, Token } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { isObject, show } from '../../lib/design/show';
import type { Environment } from '../environment';
import { type AccessRestriction, accessPolicy, streamPolicy } from './access-policy';

/** A replica of the table in another region. */
export interface Replica {
  readonly region: string;
  /**
   * The key that encrypts the replica, in the replica's region.
   * @default - no key; allowed only in an environment with
   * AWS-managed keys
   */
  readonly encryptionKeyArn?: string;
  /**
   * Whether a deployment has already created the replica, so that the table's policies can be attached to it.
   * @default false - the replica has no policies, because CloudFormation rejects a policy on a replica that does not exist yet
   */
  readonly deployed?: boolean;
}

interface ReplicaPlan {
  readonly replicas?: readonly Replica[];
  readonly access?: AccessRestriction;
}

/** The CDK feature flag that keeps the table's policy off the replicas. Without this flag, new replicas get the policy. */
const POLICY_PER_REPLICA = '@aws-cdk/aws-dynamodb:resourcePolicyPerReplica';

/** Keeps a table's policy off its replicas, regardless of the flags that the app sets. Call this function before creating the table. */
export function keepPolicyFromReplicas(scope: Construct): void {
  scope.node.setContext(POLICY_PER_REPLICA, true);
}

/** Returns the replicas as CDK props. A replica has policies only if it is already deployed. */
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

/** Warns about replicas that still allow requests that the table denies. */
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
        `the replica in ${region} is created without the table's policy, so it allows requests that the table denies:`,
        'CloudFormation rejects a policy on a replica that does not exist yet',
        '(fix: after the replica is deployed, set deployed: true for this replica and deploy again)',
      ].join(' '),
    );
  }
}

const KEY_ARN = /^arn:[^:]+:kms:([^:]+):\d{12}:key\/[^/]+$/;

/** Refuses replicas that CDK or CloudFormation would later refuse with a less helpful message. */
export function assertReplicas(environment: Environment, replicas: readonly Replica[], stackRegion?: string): void {
  if (!Array.isArray(replicas)) {
    throw new Error(`replicas must be a list such as [{ region: 'eu-central-1' }], got: ${show(replicas)}`);
  }
  if (replicas.length > 0 && Token.isUnresolved(stackRegion)) {
    throw new Error(
      "replicas: the stack must name its own region, since replicas are in other regions; write env: { region: 'eu-west-1' } in its props",
    );
  }
  for (const [i, replica] of replicas.entries()) {
    assertReplica(`replicas[${i}]`, replica, environment, stackRegion);
    const isTwice = replicas.findIndex(({ region }) => region === replica.region) < i;
    if (isTwice) throw new Error(`replicas[${i}].region: there is already a replica in ${replica.region}`);
  }
}

function assertReplica(place: string, replica: Replica, environment: Environment, stackRegion?: string): void {
  const { region, encryptionKeyArn: arn } = isObject(replica) ? replica : ({} as Partial<Replica>);
  if (typeof region !== 'string' || !/^[a-z]{2}(-[a-z]+)+-\d+$/.test(region)) {
    throw new Error(`${place}.region must be the name of a region such as 'eu-central-1', got: ${show(region)}`);
  }
  if (region === stackRegion) {
    throw new Error(`${place}.region: the table itself is in ${region}; choose another region, or remove this replica`);
  }
  const isManaged = environment.encryption === 'customer-managed';
  if (isManaged && arn === undefined) {
    throw new Error(
      `${place}: the replica in ${region} must have an encryptionKeyArn, since environment '${environment.name}' encrypts with customer-managed keys and a key works only in its own region`,
    );
  }
  if (arn === undefined || Token.isUnresolved(arn)) return;
  if (!isManaged) {
    throw new Error(
      `${place}.encryptionKeyArn: environment '${environment.name}' encrypts with AWS-managed keys in every region; omit encryptionKeyArn, or set encryption: 'customer-managed' in the environment`,
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
      `${place}.encryptionKeyArn must be a key in ${region}, the replica's region, got: a key in ${keyRegion}`,
    );
  }
}
