import type { IndexBlueprint, KeyAttribute, KeyBlueprint, KeyType } from '../../blueprint/table';
import { record, records } from './review/shape';

/** A table in a CloudFormation template, of either resource type. */
export interface ProvisionedTable {
  readonly logicalId: string;
  /** The physical name, if the template spells it out. */
  readonly name?: string;
  readonly key: KeyBlueprint;
  readonly indexes: readonly IndexBlueprint[];
  readonly ttl?: string;
  readonly billing: 'on-demand' | 'provisioned';
  /** Days of point-in-time recovery in every region; 0 if it is off. */
  readonly recoveryPeriodInDays: number;
  readonly encryption: 'aws-owned' | 'aws-managed' | 'customer-managed';
  readonly deletionProtection: boolean;
  /** Whether the table stays when its stack is deleted. */
  readonly retained: boolean;
  /** Whether the table refuses unencrypted requests, at least in its own region. */
  readonly tlsOnly: boolean;
}

/** A template as parsed JSON. */
export interface TemplateJson {
  readonly Resources?: Readonly<Record<string, Resource>>;
}

export const AWS_TABLE_TYPES: readonly string[] = ['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'];

/** Every DynamoDB table in a template, in its order. */
export function tablesIn(template: TemplateJson): readonly ProvisionedTable[] {
  return tableResources(template).map(([logicalId, resource]) => readTable(logicalId, resource));
}

/** The same as resources by logical id, as the template has them. */
export function tableResources(template: TemplateJson): readonly (readonly [string, Resource])[] {
  return Object.entries(template.Resources ?? {}).filter(([, { Type }]) => AWS_TABLE_TYPES.includes(Type));
}

interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties?: TableProperties;
}

export interface TableProperties extends Regional {
  readonly TableName?: unknown;
  readonly KeySchema?: readonly KeyElement[];
  readonly AttributeDefinitions?: readonly {
    readonly AttributeName: string;
    readonly AttributeType: 'S' | 'N' | 'B';
  }[];
  readonly GlobalSecondaryIndexes?: readonly IndexElement[];
  readonly LocalSecondaryIndexes?: readonly IndexElement[];
  readonly BillingMode?: string;
  /** Only for a table in one region. */
  readonly ProvisionedThroughput?: unknown;
  readonly StreamSpecification?: object;
  readonly TimeToLiveSpecification?: { readonly Enabled?: boolean; readonly AttributeName?: string };
  /** Only for a GlobalTable, where each region has its own settings. */
  readonly Replicas?: readonly Regional[];
}

interface Regional {
  readonly Region?: unknown;
  readonly PointInTimeRecoverySpecification?: {
    readonly PointInTimeRecoveryEnabled?: boolean;
    readonly RecoveryPeriodInDays?: number;
  };
  readonly SSESpecification?: { readonly SSEEnabled?: boolean; readonly KMSMasterKeyId?: unknown };
  readonly DeletionProtectionEnabled?: boolean;
  readonly ResourcePolicy?: { readonly PolicyDocument?: { readonly Statement?: unknown } };
}

interface IndexElement {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection?: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
}

interface KeyElement {
  readonly AttributeName: string;
  readonly KeyType: 'HASH' | 'RANGE';
}

const DEFAULT_RECOVERY_PERIOD = 35;

function readTable(logicalId: string, { DeletionPolicy, Properties = {} }: Resource): ProvisionedTable {
  const regions = Properties.Replicas ?? [Properties];
  const ttl = Properties.TimeToLiveSpecification;
  const key = (schema: readonly KeyElement[] = []) => readKey(schema, Properties.AttributeDefinitions);
  const index = ({ IndexName, KeySchema, Projection }: IndexElement): IndexBlueprint => ({
    name: IndexName,
    ...key(KeySchema),
    projection: readProjection(Projection),
  });
  return {
    logicalId,
    ...(typeof Properties.TableName === 'string' ? { name: Properties.TableName } : {}),
    key: key(Properties.KeySchema),
    indexes: [
      ...(Properties.GlobalSecondaryIndexes ?? []).map(index),
      ...(Properties.LocalSecondaryIndexes ?? []).map((local) => ({ ...index(local), local: true })),
    ],
    ...(ttl?.Enabled === true && ttl.AttributeName !== undefined ? { ttl: ttl.AttributeName } : {}),
    billing: Properties.BillingMode === 'PAY_PER_REQUEST' ? 'on-demand' : 'provisioned',
    recoveryPeriodInDays: Math.min(...regions.map(recoveryPeriod)),
    encryption: readEncryption(Properties, regions),
    deletionProtection: regions.every((region) => region.DeletionProtectionEnabled === true),
    retained: String(DeletionPolicy).startsWith('Retain'),
    tlsOnly: regions.some(refusesPlainText),
  };
}

const TYPES: Readonly<Record<string, KeyType>> = { S: 'string', N: 'number', B: 'binary' };

/** The key that a schema describes: several attributes of one role make up one key, in their order. */
export function readKey(
  schema: readonly Partial<Loosened<KeyElement>>[],
  definitions: readonly { readonly AttributeName?: string; readonly AttributeType?: string }[] = [],
): KeyBlueprint {
  const attributes = (role: KeyElement['KeyType']): readonly KeyAttribute[] =>
    schema
      .filter(({ KeyType }) => KeyType === role)
      .map(({ AttributeName: name = '' }) => {
        const type = definitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;
        return { name, type: TYPES[type ?? 'S'] as KeyType };
      });
  const [first = { name: '', type: 'string' }, ...more] = attributes('HASH');
  return { partitionBy: [first, ...more], sortBy: attributes('RANGE') };
}

type Loosened<T> = { readonly [F in keyof T]: string };

function readProjection(
  projection: { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] } = {},
): IndexBlueprint['projection'] {
  if (projection.ProjectionType === 'INCLUDE') return projection.NonKeyAttributes ?? [];
  return projection.ProjectionType === 'ALL' ? 'all' : 'keys';
}

function recoveryPeriod({ PointInTimeRecoverySpecification: recovery }: Regional): number {
  if (recovery?.PointInTimeRecoveryEnabled !== true) return 0;
  return recovery.RecoveryPeriodInDays ?? DEFAULT_RECOVERY_PERIOD;
}

/** A GlobalTable says for the table that it is encrypted, and for each region with which key. */
function readEncryption(properties: TableProperties, regions: readonly Regional[]): ProvisionedTable['encryption'] {
  if (properties.SSESpecification?.SSEEnabled !== true) return 'aws-owned';
  const keyed = regions.every((region) => region.SSESpecification?.KMSMasterKeyId !== undefined);
  return keyed ? 'customer-managed' : 'aws-managed';
}

function refusesPlainText({ ResourcePolicy }: Regional): boolean {
  return records(ResourcePolicy?.PolicyDocument?.Statement).some(
    ({ Effect, Action, Condition }) =>
      Effect === 'Deny' &&
      [Action].flat().some((action) => action === 'dynamodb:*' || action === '*') &&
      String(record(record(Condition).Bool)['aws:SecureTransport']) === 'false',
  );
}
