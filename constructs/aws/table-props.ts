import {
  type Attribute,
  AttributeType,
  ContributorInsightsMode,
  type GlobalSecondaryIndexPropsV2,
  type LocalSecondaryIndexProps,
  ProjectionType,
  type StreamViewType,
  type TableClass,
  TableEncryptionV2,
  type TablePropsV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type CfnTag, RemovalPolicy, Token } from 'aws-cdk-lib/core';
import { DYNAMODB } from '../../lib/blueprint/clouds';
import type { PhysicalTable } from '../../lib/blueprint/physical-table';
import { blueprint, type IndexBlueprint, isMultiAttribute, type KeyAttribute } from '../../lib/blueprint/table';
import { show } from '../../lib/design/show';
import type { TableDesign } from '../../lib/design/table';
import type { Environment } from '../environment';
import { type AccessRestriction, accessPolicy, assertRestriction, streamPolicy } from './access-policy';
import { assertCapacity, billingOf, type CapacityOptions, indexCapacity } from './capacity';
import { globalIndexes, isGlobal } from './global-indexes';
import { assertReplicas, type Replica, replicaProps } from './replicas';

/** Options for a table, beyond its design and its environment. */
export interface TableOptions extends CapacityOptions {
  /** @default - CloudFormation chooses a name */
  readonly tableName?: string | undefined;
  /** @default - no stream */
  readonly dynamoStream?: StreamViewType;
  /** @default - the table exists only in the stack's region */
  readonly replicas?: readonly Replica[];
  /** @default TableClass.STANDARD */
  readonly tableClass?: TableClass;
  /**
   * Restricts which networks and callers can access the table's items.
   * @default - any network and any caller with the permission, over TLS if the environment requires it
   */
  readonly access?: AccessRestriction;
  /** @default - a tag `environment` with the environment's name */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Returns CDK's props for a table, from its design, environment and options. */
export function tableProps(
  design: TableDesign,
  environment: Environment,
  { options, physical: staged }: { readonly options: TableOptions; readonly physical?: PhysicalTable },
  key?: IKey,
): TablePropsV2 {
  const { key: primary, indexes, ttl } = staged ?? blueprint(design);
  const [sort] = primary.sortBy;
  const replicas = replicasAt(options.replicas, staged);
  return {
    // Sets every field, even to undefined (which CDK ignores), instead of spreading optional fields, because this code
    // runs for every table and must be fast.
    tableName: options.tableName,
    partitionKey: attribute(primary.partitionBy[0]),
    sortKey: sort && attribute(sort),
    globalSecondaryIndexes: indexes.filter(isGlobal).map((index) => indexProps(index, options)),
    localSecondaryIndexes: indexes.some(({ local }) => local)
      ? indexes.filter(({ local }) => local).map(localIndexProps)
      : undefined,
    timeToLiveAttribute: ttl,
    billing: billingOf(options),
    encryption: key === undefined ? TableEncryptionV2.awsManagedKey() : customerManaged(key, replicas ?? []),
    pointInTimeRecoverySpecification: {
      pointInTimeRecoveryEnabled: true,
      recoveryPeriodInDays: environment.recoveryPeriodInDays,
    },
    deletionProtection: environment.protectData,
    removalPolicy: environment.protectData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    contributorInsightsSpecification: contributorInsights(environment),
    dynamoStream: options.dynamoStream,
    // Replication needs a stream, so a table with replicas always has one.
    streamResourcePolicy: options.dynamoStream || replicas?.length ? streamPolicy(environment) : undefined,
    tableClass: options.tableClass,
    replicas: replicaProps(environment, { ...options, replicas }),
    resourcePolicy: accessPolicy(environment, options.access),
    tags: tagsOf(environment, options),
  };
}

/** The table's replicas in this deployment: all of them or, in a step of a plan, only those of that step. */
function replicasAt(replicas: TableOptions['replicas'], staged: PhysicalTable | undefined): TableOptions['replicas'] {
  return staged?.replicas === undefined
    ? replicas
    : replicas?.filter(({ region }) => staged.replicas?.includes(region));
}

/**
 * Refuses options that CloudFormation would refuse only in the middle of a deployment; `region` is the stack's region,
 * if already known.
 */
export function assertDeployable(
  design: TableDesign,
  environment: Environment,
  options: TableOptions,
  region?: string,
): void {
  const { tableName, replicas = [] } = options;
  if (tableName !== undefined) assertTableName('tableName', tableName);
  assertRestriction(options.access);
  assertReplicas(environment, replicas, region);
  assertCapacity(options, globalIndexes(design));
}

/** Refuses a name that DynamoDB would refuse, unless the name is known only at deployment. */
export function assertTableName(place: string, name: string): void {
  if (Token.isUnresolved(name) || (typeof name === 'string' && DYNAMODB.name.form.test(name))) return;
  throw new Error(`${place} must be ${DYNAMODB.name.words}, got: ${show(name)}`);
}

function customerManaged(key: IKey, replicas: readonly Replica[]): TableEncryptionV2 {
  const arns = replicas.map(({ region, encryptionKeyArn }) => [region, encryptionKeyArn as string] as const);
  if (arns.length > 0) return TableEncryptionV2.customerManagedKey(key, Object.fromEntries(arns));
  // In a stack without a region, CDK throws, because it cannot tell which key belongs to which region. But a table
  // without replicas has only one key, so this code overrides an internal method of CDK. If CDK renames the method, CDK
  // throws again, and a test fails.
  return Object.assign(TableEncryptionV2.customerManagedKey(key), {
    _renderReplicaSseSpecification: () => ({ kmsMasterKeyId: key.keyArn }),
  });
}

const TYPES = { string: AttributeType.STRING, number: AttributeType.NUMBER, binary: AttributeType.BINARY } as const;

function attribute({ name, type }: KeyAttribute): Attribute {
  return { name, type: TYPES[type] };
}

function indexProps(index: IndexBlueprint, options: CapacityOptions): GlobalSecondaryIndexPropsV2 {
  const { name, partitionBy, sortBy } = index;
  return {
    indexName: name,
    ...(isMultiAttribute(index)
      ? { partitionKeys: partitionBy.map(attribute), sortKeys: sortBy.map(attribute) }
      : { partitionKey: attribute(partitionBy[0]), sortKey: sortBy[0] && attribute(sortBy[0]) }),
    ...projectionProps(index),
    ...indexCapacity(options, name),
  };
}

/** A local index has the table's partition key and capacity. */
function localIndexProps(index: IndexBlueprint): LocalSecondaryIndexProps {
  return { indexName: index.name, sortKey: attribute(index.sortBy[0] as KeyAttribute), ...projectionProps(index) };
}

function projectionProps({ projection }: IndexBlueprint) {
  return {
    projectionType: typeof projection === 'string' ? PROJECTIONS[projection] : ProjectionType.INCLUDE,
    nonKeyAttributes: typeof projection === 'string' ? undefined : [...projection],
  };
}

const PROJECTIONS = { all: ProjectionType.ALL, keys: ProjectionType.KEYS_ONLY } as const;

function contributorInsights({ contributorInsights }: Environment): TablePropsV2['contributorInsightsSpecification'] {
  if (contributorInsights === 'off') return undefined;
  const mode =
    contributorInsights === 'throttled-keys'
      ? ContributorInsightsMode.THROTTLED_KEYS
      : ContributorInsightsMode.ACCESSED_AND_THROTTLED_KEYS;
  return { enabled: true, mode };
}

function tagsOf(environment: Environment, options: TableOptions): CfnTag[] {
  return Object.entries({ environment: environment.name, ...options.tags }).map(([key, value]) => ({ key, value }));
}
