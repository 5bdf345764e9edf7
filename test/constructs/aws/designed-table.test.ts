import { Match, Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Billing, StreamViewType, TableClass, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { App, Stack } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { AdoptedTable, DesignedTable, type DesignedTableProps, environments } from '../../../constructs/aws';
import { watched } from '../../../constructs/aws/operations/watched';
import { defineTable, type TableDesign } from '../../../lib';

const orders = defineTable({
  name: 'orders',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    byDay: { partition: 'day', sort: 'total', projection: ['customer'] },
    byCustomer: { partition: 'GSI2PK', projection: 'keys' },
  },
  ttl: 'expires',
  entities: {
    Order: {
      attributes: z.object({
        id: z.string(),
        day: z.iso.date(),
        total: z.number(),
        customer: z.string(),
        expires: z.int().optional(),
      }),
      keys: { PK: 'ORDER#<id>', SK: 'ORDER#<id>', GSI2PK: 'CUSTOMER#<customer>' },
    },
  },
});

function synthesize(props: Omit<DesignedTableProps, 'design'> = {}, env?: { region: string }): Template {
  const stack = new Stack(new App(), 'Test', { env });
  new DesignedTable(stack, 'Orders', { design: orders, ...props });
  return Template.fromStack(stack);
}

/** Matches a GlobalTable whose only replica has the given properties. */
const inEachRegion = (properties: object) => ({ Replicas: [Match.objectLike(properties)] });

test('the table has the keys, indexes, projections and attribute types of its design', () => {
  synthesize().hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
    AttributeDefinitions: Match.arrayWith([{ AttributeName: 'total', AttributeType: 'N' }]),
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byDay',
        KeySchema: [
          { AttributeName: 'day', KeyType: 'HASH' },
          { AttributeName: 'total', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['customer'] },
      },
      {
        IndexName: 'byCustomer',
        KeySchema: [{ AttributeName: 'GSI2PK', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  });
});

test("a local index has the table's partition key, and no alarms or capacity of its own", () => {
  const design = {
    ...orders,
    indexes: { ...orders.indexes, byTotal: { local: true, partition: 'PK', sort: 'total', projection: ['day'] } },
  } satisfies TableDesign;
  const stack = new Stack(new App(), 'Test');
  const table = new DesignedTable(stack, 'Orders', { design, environment: 'prod' });
  const template = Template.fromStack(stack);
  template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    LocalSecondaryIndexes: [
      {
        IndexName: 'byTotal',
        KeySchema: [
          { AttributeName: 'PK', KeyType: 'HASH' },
          { AttributeName: 'total', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['day'] },
      },
    ],
  });
  expect(watched(table).indexes).toEqual(['byDay', 'byCustomer']);
  const range = { min: 1, max: 5 };
  const scaled = { read: range, write: range, indexes: { byTotal: { read: range } } };
  expect(() => new DesignedTable(stack, 'Scaled', { design, capacity: scaled })).toThrow(
    'capacity.indexes.byTotal is not an index of the table',
  );
});

test("the design's `ttl` becomes the table's TTL attribute", () => {
  synthesize().hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  });
});

test('billing is on-demand, so that users need not plan the capacity of a table', () => {
  synthesize().hasResourceProperties('AWS::DynamoDB::GlobalTable', { BillingMode: 'PAY_PER_REQUEST' });
});

describe('an environment', () => {
  test('the environment is prod by default, so that data is protected unless another environment is chosen', () => {
    expect(synthesize().toJSON()).toEqual(synthesize({ environment: 'prod' }).toJSON());
  });

  test.each(Object.values(environments))(
    "a table in the environment $name has that environment's recovery period",
    (environment) => {
      synthesize({ environment }).hasResourceProperties(
        'AWS::DynamoDB::GlobalTable',
        inEachRegion({
          PointInTimeRecoverySpecification: {
            PointInTimeRecoveryEnabled: true,
            RecoveryPeriodInDays: environment.recoveryPeriodInDays,
          },
        }),
      );
    },
  );

  test.each(Object.values(environments))(
    'a table in the environment $name is encrypted with a KMS key',
    (environment) => {
      const template = synthesize({ environment });
      template.hasResourceProperties('AWS::DynamoDB::GlobalTable', {
        SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      });
      template.resourceCountIs('AWS::KMS::Key', environment.encryption === 'customer-managed' ? 1 : 0);
    },
  );

  test('prod retains the table and its encryption key when the stack is deleted, and rotates the encryption key', () => {
    const template = synthesize({ environment: 'prod' });
    template.hasResource('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Retain', UpdateReplacePolicy: 'Retain' });
    template.hasResource('AWS::KMS::Key', { DeletionPolicy: 'Retain', Properties: { EnableKeyRotation: true } });
    template.hasResourceProperties('AWS::DynamoDB::GlobalTable', inEachRegion({ DeletionProtectionEnabled: true }));
  });

  test('dev deletes the table together with the stack', () => {
    synthesize({ environment: 'dev' }).hasResource('AWS::DynamoDB::GlobalTable', { DeletionPolicy: 'Delete' });
  });

  test('prod monitors throttled keys, which costs nothing until a key is throttled', () => {
    synthesize({ environment: 'prod' }).hasResourceProperties(
      'AWS::DynamoDB::GlobalTable',
      inEachRegion({ ContributorInsightsSpecification: { Enabled: true, Mode: 'THROTTLED_KEYS' } }),
    );
  });

  test('a table can use a custom environment', () => {
    const own = { ...environments.dev, name: 'qa', recoveryPeriodInDays: 3 };
    synthesize({ environment: own }).hasResourceProperties(
      'AWS::DynamoDB::GlobalTable',
      inEachRegion({
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 3 },
        Tags: [{ Key: 'environment', Value: 'qa' }],
      }),
    );
  });
});

describe('options', () => {
  test('options set the stream, table class, request limits, name and tags of the table', () => {
    synthesize({
      tableName: 'my-orders',
      dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES,
      tableClass: TableClass.STANDARD_INFREQUENT_ACCESS,
      maxReadRequestUnits: 100,
      maxWriteRequestUnits: 50,
      tags: { team: 'shop' },
    }).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      TableName: 'my-orders',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 50 },
      ...inEachRegion({
        TableClass: 'STANDARD_INFREQUENT_ACCESS',
        ReadOnDemandThroughputSettings: { MaxReadRequestUnits: 100 },
        Tags: [
          { Key: 'environment', Value: 'prod' },
          { Key: 'team', Value: 'shop' },
        ],
      }),
    });
  });

  test('a replica is encrypted with the key that is given for its region', () => {
    const arn = 'arn:aws:kms:eu-west-1:111122223333:key/replica';
    synthesize(
      { replicas: [{ region: 'eu-west-1', encryptionKeyArn: arn }] },
      { region: 'us-east-1' },
    ).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: Match.arrayWith([Match.objectLike({ Region: 'eu-west-1', SSESpecification: { KMSMasterKeyId: arn } })]),
    });
  });

  test('a replica needs no encryption key of its own if AWS manages the keys', () => {
    const props = { environment: 'dev', replicas: [{ region: 'eu-west-1' }] } as const;
    synthesize(props, { region: 'us-east-1' }).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      Replicas: Match.arrayWith([Match.objectLike({ Region: 'eu-west-1' })]),
    });
  });

  test('a designed table can have an encryption key in a region-agnostic stack, although CDK refuses one for a bare TableV2 there', () => {
    const template = synthesize({ environment: 'prod' });
    const [key] = Object.keys(template.findResources('AWS::KMS::Key'));
    template.hasResourceProperties(
      'AWS::DynamoDB::GlobalTable',
      inEachRegion({
        Region: { Ref: 'AWS::Region' },
        SSESpecification: { KMSMasterKeyId: { 'Fn::GetAtt': [key, 'Arn'] } },
      }),
    );
  });

  test('a table uses the given encryption key instead of creating one', () => {
    const stack = new Stack(new App(), 'Test');
    const key = new Key(stack, 'Shared');
    new DesignedTable(stack, 'Orders', { design: orders, encryptionKey: key });
    Template.fromStack(stack).resourceCountIs('AWS::KMS::Key', 1);
  });
});

describe('a refusal leaves no construct behind', () => {
  const refused = (props: Partial<DesignedTableProps>, message: string) => {
    const stack = new Stack(new App(), 'Test');
    expect(() => new DesignedTable(stack, 'Orders', { design: orders, ...props })).toThrow(message);
    expect(stack.node.children).toEqual([]);
  };

  test('refuses a design with problems and reports all of them at once', () => {
    const broken: TableDesign = { ...orders, name: 'my orders', ttl: 'day' };
    refused({ design: broken }, "table design 'my orders' has 2 problems");
  });

  test('refuses an invalid table name', () =>
    refused({ tableName: 'a b' }, "tableName must be 3 to 255 characters from a-z, A-Z, 0-9, _ . -, got: 'a b'"));

  test('refuses an unknown environment', () =>
    refused({ environment: 'qa' as 'dev' }, "environment must be one of dev, economy, staging, prod, got: 'qa'"));
});

test('a DesignedTable that replaces a bare TableV2 with the same id keeps the logical id', () => {
  const bare = new Stack(new App(), 'Test');
  new TableV2(bare, 'Orders', {
    partitionKey: { name: 'PK', type: AttributeType.STRING },
    billing: Billing.onDemand(),
  });
  const idsOf = (template: Template) => Object.keys(template.findResources('AWS::DynamoDB::GlobalTable'));
  expect(idsOf(synthesize())).toEqual(idsOf(Template.fromStack(bare)));
});

test('the logical id is pinned, since a different id would replace the table and lose its data', () => {
  expect(Object.keys(synthesize().findResources('AWS::DynamoDB::GlobalTable'))).toEqual(['OrdersA9B65338']);
});

test("an adopted table has the existing table's name and ARN, and creates no resource", () => {
  const stack = new Stack(new App(), 'Test');
  const { table } = new AdoptedTable(stack, 'Orders', { design: orders, tableName: 'live-orders' });
  expect(table.tableName).toBe('live-orders');
  expect(stack.resolve(table.tableArn)).toEqual({
    'Fn::Join': ['', expect.arrayContaining([':table/live-orders'])],
  });
  expect(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable')).toEqual({});
});
