import type { IndexBlueprint, KeyAttribute, KeyBlueprint, KeyType } from '../../blueprint/outline';
import type { PhysicalTable } from '../../blueprint/physical-table';
import { record, records } from './review/shape';

/** A table in a CloudFormation template, of either resource type, with the properties that Tablewright reads. */
export type TemplateTable = PhysicalTable &
  Required<
    Pick<
      PhysicalTable,
      | 'logicalId'
      | 'type'
      | 'replicas'
      | 'billing'
      | 'recoveryPeriodInDays'
      | 'encryption'
      | 'deletionProtection'
      | 'retained'
      | 'tlsOnly'
    >
  >;

/** A template as parsed JSON. */
export interface TemplateJson {
  readonly Resources?: Readonly<Record<string, TableResource>>;
}

export const AWS_TABLE_TYPES: readonly string[] = ['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'];

/** Returns every DynamoDB table in a template, in the template's order. */
export function tablesIn(template: TemplateJson): readonly TemplateTable[] {
  return tableResources(template).map(([logicalId, resource]) => readTable(logicalId, resource));
}

/** Returns a template's table resources, each with its logical id. */
export function tableResources(template: TemplateJson): readonly (readonly [string, TableResource])[] {
  return Object.entries(template.Resources ?? {}).filter(([, { Type }]) => AWS_TABLE_TYPES.includes(Type));
}

export interface TableResource {
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
  /** Only an AWS::DynamoDB::Table has this property; such a table is in one region. */
  readonly ProvisionedThroughput?: unknown;
  readonly StreamSpecification?: object;
  readonly TimeToLiveSpecification?: { readonly Enabled?: boolean; readonly AttributeName?: string };
  /** Only an AWS::DynamoDB::GlobalTable has this property, which contains the settings of each region. */
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

function readTable(logicalId: string, { Type: type, DeletionPolicy, Properties = {} }: TableResource): TemplateTable {
  const regions = Properties.Replicas ?? [Properties];
  const { TableName: name, TimeToLiveSpecification: ttl, StreamSpecification: stream } = Properties;
  const view = stream === undefined ? null : record(stream).StreamViewType;
  return {
    logicalId,
    type,
    ...(typeof name === 'string' ? { name } : {}),
    ...readKeys(Properties),
    ...(ttl?.Enabled === true && ttl.AttributeName !== undefined ? { ttl: ttl.AttributeName } : {}),
    ...(view === null || typeof view === 'string' ? { stream: view } : {}),
    // Leaves out the stack's own region, which is known only at deployment.
    replicas: (Properties.Replicas ?? [])
      .map(({ Region }) => Region)
      .filter(isText)
      .sort(),
    billing: Properties.BillingMode === 'PAY_PER_REQUEST' ? 'on-demand' : 'provisioned',
    recoveryPeriodInDays: Math.min(...regions.map(recoveryPeriod)),
    encryption: readEncryption(Properties, regions),
    deletionProtection: regions.every((region) => region.DeletionProtectionEnabled === true),
    retained: String(DeletionPolicy).startsWith('Retain'),
    tlsOnly: regions.some(refusesPlainText),
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * The key and the indexes of a table, in the fields that templates and DescribeTable share. Every field is optional, as
 * in the SDK.
 */
export interface KeyProperties {
  readonly KeySchema?: KeySchema;
  readonly AttributeDefinitions?: readonly { readonly AttributeName?: string; readonly AttributeType?: string }[];
  readonly GlobalSecondaryIndexes?: readonly IndexProperties[];
  readonly LocalSecondaryIndexes?: readonly IndexProperties[];
}

type KeySchema = readonly { readonly AttributeName?: string; readonly KeyType?: string }[];

interface IndexProperties {
  readonly IndexName?: string;
  readonly KeySchema?: KeySchema;
  readonly Projection?: IndexElement['Projection'];
}

export function readKeys(properties: KeyProperties): Pick<PhysicalTable, 'key' | 'indexes'> {
  const key = (schema: KeySchema = []) => readKey(schema, properties.AttributeDefinitions);
  const index = ({ IndexName = '', KeySchema, Projection }: IndexProperties): IndexBlueprint => ({
    name: IndexName,
    ...key(KeySchema),
    projection: readProjection(Projection),
  });
  return {
    key: key(properties.KeySchema),
    indexes: [
      ...(properties.GlobalSecondaryIndexes ?? []).map(index),
      ...(properties.LocalSecondaryIndexes ?? []).map((local) => ({ ...index(local), local: true })),
    ],
  };
}

const TYPES: Readonly<Record<string, KeyType>> = { S: 'string', N: 'number', B: 'binary' };

/** Reads a key from its schema; several attributes with the same role form a multi-attribute key, in schema order. */
export function readKey(schema: KeySchema, definitions: KeyProperties['AttributeDefinitions'] = []): KeyBlueprint {
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

function readProjection(projection: IndexElement['Projection'] = {}): IndexBlueprint['projection'] {
  if (projection.ProjectionType === 'INCLUDE') return [...(projection.NonKeyAttributes ?? [])].sort();
  return projection.ProjectionType === 'ALL' ? 'all' : 'keys';
}

function recoveryPeriod({ PointInTimeRecoverySpecification: recovery }: Regional): number {
  if (recovery?.PointInTimeRecoveryEnabled !== true) return 0;
  return recovery.RecoveryPeriodInDays ?? DEFAULT_RECOVERY_PERIOD;
}

/** A GlobalTable enables encryption once for all regions, but specifies the key for each region separately. */
function readEncryption(properties: TableProperties, regions: readonly Regional[]): TemplateTable['encryption'] {
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
