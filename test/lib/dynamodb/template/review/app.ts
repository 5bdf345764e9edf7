import { reviewTables } from '../../../../../lib/dynamodb/template/review/review';
import type { LooseResource, LooseTemplate, ReviewOptions } from '../../../../../lib/dynamodb/template/review/subject';

/** A table without findings, as an `AWS::DynamoDB::GlobalTable`. */
export const soundTable = (properties: object = {}, replica: object = {}): LooseResource => ({
  Type: 'AWS::DynamoDB::GlobalTable',
  DeletionPolicy: 'Retain',
  UpdateReplacePolicy: 'Retain',
  Properties: {
    TableName: 'orders',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: key('PK', 'SK'),
    SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
    Replicas: [{ Region: 'eu-west-1', ...REGIONAL, ...replica }],
    ...properties,
  },
});

/** The table of `soundTable`, as an `AWS::DynamoDB::Table`. */
export const soundPlainTable = (properties: object = {}): LooseResource => {
  const { Properties, ...rest } = soundTable();
  const { Replicas: _, ...own } = Properties as { Replicas: unknown };
  return { ...rest, Type: 'AWS::DynamoDB::Table', Properties: { ...own, ...REGIONAL, ...properties } };
};

const REGIONAL = {
  PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  DeletionProtectionEnabled: true,
  ResourcePolicy: {
    PolicyDocument: {
      Statement: [
        {
          Effect: 'Deny',
          Principal: '*',
          Action: 'dynamodb:*',
          Resource: '*',
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ],
    },
  },
};

export const backup = (...Resources: unknown[]): LooseResource => ({
  Type: 'AWS::Backup::BackupSelection',
  Properties: { BackupSelection: { Resources } },
});

export const key = (...names: string[]) =>
  names.map((AttributeName, i) => ({ AttributeName, KeyType: i === 0 ? 'HASH' : 'RANGE' }));

export const arn = { 'Fn::GetAtt': ['Table', 'Arn'] };

/**
 * Returns the findings in a stack with the given table and other resources. Adds a backup plan unless `others` contains
 * `Backup`.
 */
export function findings(
  table: LooseResource,
  others: Record<string, LooseResource> = {},
  options?: ReviewOptions,
): string[] {
  return inStacks({ Stack: { Resources: { Table: table, Backup: backup(arn), ...others } } }, options);
}

/** Returns an app's findings, each as a line with the rule, the location and the message. */
export function inStacks(stacks: Record<string, LooseTemplate>, options?: ReviewOptions): string[] {
  const app = Object.entries(stacks).map(([path, template]) => ({ path, template }));
  return reviewTables(app, options).map(
    ({ rule, stack, logicalId, location, message }) => `${rule} ${stack}/${logicalId} ${location}: ${message}`,
  );
}

/** Returns the fixes for a single table, keyed by rule. */
export function fixes(table: LooseResource, options?: ReviewOptions): Record<string, string> {
  const app = [{ path: 'Stack', template: { Resources: { Table: table, Backup: backup(arn) } } }];
  return Object.fromEntries(reviewTables(app, options).map(({ rule, fix }) => [rule, fix]));
}
