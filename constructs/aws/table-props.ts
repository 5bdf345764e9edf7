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
import { keyOfSides } from '../../lib/blueprint/keys';
import {
  blueprint,
  type IndexBlueprint,
  isMultiAttribute,
  type KeyAttribute,
  type TableBlueprint,
} from '../../lib/blueprint/table';
import { show } from '../../lib/design/show';
import type { TableDesign } from '../../lib/design/table';
import type { TableResources } from '../../lib/evolve';
import type { Environment } from '../environment';
import { type AccessRestriction, accessPolicy, assertRestriction, streamPolicy } from './access-policy';
import { assertCapacity, billingOf, type CapacityOptions, indexCapacity } from './capacity';
import { globalIndexes, isGlobal } from './global-indexes';
import { assertReplicas, type Replica, replicaProps } from './replicas';

/** What can be said of a table beyond its design and its environment. */
export interface TableOptions extends CapacityOptions {
  /** @default - CloudFormation makes up a name */
  readonly tableName?: string;
  /** @default - no stream */
  readonly dynamoStream?: StreamViewType;
  /** @default - the table is in the stack's region alone */
  readonly replicas?: readonly Replica[];
  /** @default TableClass.STANDARD */
  readonly tableClass?: TableClass;
  /**
   * From where, and by whom, its items may be reached.
   * @default - from anywhere, by whoever has the permission; over TLS alone where the environment says so
   */
  readonly access?: AccessRestriction;
  /** @default - the environment's name alone, as `environment` */
  readonly tags?: Readonly<Record<string, string>>;
}

/** The bare table that a design, an environment and options come to. */
export function tableProps(
  design: TableDesign,
  environment: Environment,
  options: TableOptions,
  key?: IKey,
  staged?: TableResources,
): TablePropsV2 {
  const plan = staged === undefined ? blueprint(design) : resourcesAt(staged);
  const replicas = replicasAt(options.replicas, staged);
  return {
    // Plain fields, since this is made for every table: a prop that is undefined is one that was not given.
    tableName: options.tableName,
    partitionKey: attribute(plan.key.partition),
    sortKey: plan.key.sort && attribute(plan.key.sort),
    globalSecondaryIndexes: plan.indexes.filter(isGlobal).map((index) => indexProps(index, options)),
    localSecondaryIndexes: plan.indexes.some(({ local }) => local)
      ? plan.indexes.filter(({ local }) => local).map(localIndexProps)
      : undefined,
    timeToLiveAttribute: plan.ttl,
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
    // Copies are kept by streams, so that a table with copies has one in any case.
    streamResourcePolicy: options.dynamoStream || replicas?.length ? streamPolicy(environment) : undefined,
    tableClass: options.tableClass,
    replicas: replicaProps(environment, { ...options, replicas }),
    resourcePolicy: accessPolicy(environment, options.access),
    tags: tagsOf(environment, options),
  };
}

/** A table as one step of a plan has it. */
function resourcesAt({ key, indexes, ttl }: TableResources): Pick<TableBlueprint, 'key' | 'indexes' | 'ttl'> {
  const indexed = Object.entries(indexes).map(([name, { projection, local, ...by }]) => ({
    name,
    ...keyOfSides(by),
    projection,
    local,
  }));
  return { key: { ...keyOfSides(key), partition: key.partition, sort: key.sort }, indexes: indexed, ttl };
}

/** Those of the copies that are there in this step, where the plan knows of them. */
function replicasAt(replicas: TableOptions['replicas'], staged: TableResources | undefined): TableOptions['replicas'] {
  return staged?.replicas === undefined
    ? replicas
    : replicas?.filter(({ region }) => staged.replicas?.includes(region));
}

/** Refuses what CloudFormation would only refuse in the middle of a deployment; the region is that of the stack, where it is known yet. */
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

/** A name that DynamoDB takes, or one that is only known when the stack is deployed. */
export function assertTableName(place: string, name: string): void {
  if (Token.isUnresolved(name) || (typeof name === 'string' && DYNAMODB.name.form.test(name))) return;
  throw new Error(`${place} must be ${DYNAMODB.name.words}, got: ${show(name)}`);
}

function customerManaged(key: IKey, replicas: readonly Replica[]): TableEncryptionV2 {
  const arns = replicas.map(({ region, encryptionKeyArn }) => [region, encryptionKeyArn as string] as const);
  if (arns.length > 0) return TableEncryptionV2.customerManagedKey(key, Object.fromEntries(arns));
  // CDK refuses to name the key in a stack that can go to any region, although without replicas there is only one key to
  // name. Should this inner method ever change its name, CDK's own refusal is back, and a test here fails.
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

/** It has the partition key of the table, and its capacity. */
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
