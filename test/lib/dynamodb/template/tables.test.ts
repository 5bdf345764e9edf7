import { Template } from 'aws-cdk-lib/assertions';
import {
  AttributeType,
  Billing,
  BillingMode,
  Capacity,
  CfnGlobalTable,
  CfnTable,
  ProjectionType,
  Table,
  TableEncryption,
  TableEncryptionV2,
  type TableProps,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { App, Fn, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { type TemplateJson, type TemplateTable, tablesIn } from '../../../../lib/dynamodb/template/tables';

const PK = { name: 'PK', type: AttributeType.STRING };
const SK = { name: 'SK', type: AttributeType.NUMBER };
const blob = { name: 'blob', type: AttributeType.BINARY };

function stackIn(region: string): Stack {
  return new Stack(new App(), 'Stack', { env: { account: '123456789012', region } });
}

function read(stack: Stack): readonly TemplateTable[] {
  return tablesIn(Template.fromStack(stack).toJSON() as TemplateJson);
}

/** Synthesizes a `TableV2` (`AWS::DynamoDB::GlobalTable`), and reads its table from the template. */
function globalTable(props: Partial<TablePropsV2> | ((stack: Stack) => Partial<TablePropsV2>) = {}): TemplateTable {
  const stack = stackIn('eu-west-1');
  new TableV2(stack, 'Table', { partitionKey: PK, ...(typeof props === 'function' ? props(stack) : props) });
  return read(stack)[0] as TemplateTable;
}

/** Synthesizes a `Table` (`AWS::DynamoDB::Table`), and reads it from the template. */
function plainTable(props: Partial<TableProps> | ((stack: Stack) => Partial<TableProps>) = {}): TemplateTable {
  const stack = stackIn('eu-west-1');
  new Table(stack, 'Table', { partitionKey: PK, ...(typeof props === 'function' ? props(stack) : props) });
  return read(stack)[0] as TemplateTable;
}

describe('the tables of a template', () => {
  test('lists tables of both resource types in template order', () => {
    const stack = stackIn('eu-west-1');
    new TableV2(stack, 'Second', { partitionKey: PK });
    new Key(stack, 'Key');
    new Table(stack, 'First', { partitionKey: PK });
    expect(read(stack).map(({ logicalId }) => logicalId)).toEqual([
      expect.stringMatching(/^Second/),
      expect.stringMatching(/^First/),
    ]);
  });

  test('lists local indexes together with the global ones, and marks them as local', () => {
    const table = globalTable({
      sortKey: SK,
      globalSecondaryIndexes: [{ indexName: 'byBlob', partitionKey: blob }],
      localSecondaryIndexes: [{ indexName: 'inOrder', sortKey: blob, projectionType: ProjectionType.KEYS_ONLY }],
    });
    const [partition, sort] = [
      { name: 'PK', type: 'string' },
      { name: 'blob', type: 'binary' },
    ];
    expect(table.indexes).toEqual([
      { name: 'byBlob', partitionBy: [sort], sortBy: [], projection: 'all' },
      { name: 'inOrder', partitionBy: [partition], sortBy: [sort], projection: 'keys', local: true },
    ]);
  });

  test("reads a multi-attribute key's attributes in order, with their types", () => {
    const [day, amount] = [
      { name: 'day', type: AttributeType.STRING },
      { name: 'amount', type: AttributeType.NUMBER },
    ];
    const table = globalTable({
      globalSecondaryIndexes: [{ indexName: 'byDay', partitionKeys: [PK, blob], sortKeys: [amount, day] }],
    });
    expect(table.indexes[0]).toEqual({
      name: 'byDay',
      partitionBy: [
        { name: 'PK', type: 'string' },
        { name: 'blob', type: 'binary' },
      ],
      sortBy: [
        { name: 'amount', type: 'number' },
        { name: 'day', type: 'string' },
      ],
      projection: 'all',
    });
  });

  test('returns an empty list for a template without resources', () => {
    expect(read(stackIn('eu-west-1'))).toEqual([]);
    expect(tablesIn({})).toEqual([]);
  });
});

describe.each([
  ['GlobalTable', globalTable as (props?: object) => TemplateTable],
  ['Table', plainTable as (props?: object) => TemplateTable],
])('properties of a %s', (type, table) => {
  test("reads CDK's defaults for a table with only a partition key: the table is retained, and every other feature is off", () => {
    expect(table()).toStrictEqual({
      logicalId: expect.stringMatching(/^Table/),
      key: { partitionBy: [{ name: 'PK', type: 'string' }], sortBy: [] },
      indexes: [],
      type: `AWS::DynamoDB::${type}`,
      replicas: type === 'Table' ? [] : ['eu-west-1'],
      stream: null,
      billing: expect.anything(),
      recoveryPeriodInDays: 0,
      encryption: 'aws-owned',
      deletionProtection: false,
      retained: true,
      tlsOnly: false,
    });
  });

  test.each([
    ['Bool', 'dynamodb:*', true],
    ['Bool', 'dynamodb:GetItem', false],
    ['StringEquals', 'dynamodb:*', false],
  ])("reads whether a table's policy denies requests without TLS: %s, %s", (operator, action, expected) => {
    const statement = new PolicyStatement({
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: [action],
      resources: ['*'],
      conditions: { [operator]: { 'aws:SecureTransport': 'false' } },
    });
    expect(table({ resourcePolicy: new PolicyDocument({ statements: [statement] }) }).tlsOnly).toBe(expected);
  });

  test.each([
    [SK, 'number'],
    [blob, 'binary'],
  ])('reads the key with its attribute types: %j', (sortKey, type) => {
    expect(table({ sortKey }).key).toStrictEqual({
      partitionBy: [{ name: 'PK', type: 'string' }],
      sortBy: [{ name: sortKey.name, type }],
    });
  });

  test("reads a table's name from the template", () => {
    expect(table({ tableName: 'orders' }).name).toBe('orders');
  });

  test('returns no name for a table that CloudFormation names at deployment', () => {
    expect(table({ tableName: Fn.importValue('name') })).not.toHaveProperty('name');
  });

  test('reads the TTL attribute', () => {
    expect(table({ timeToLiveAttribute: 'expiresAt' }).ttl).toBe('expiresAt');
  });

  test.each([
    [{ pointInTimeRecoveryEnabled: true, recoveryPeriodInDays: 7 }, 7],
    [{ pointInTimeRecoveryEnabled: true }, 35],
    [{ pointInTimeRecoveryEnabled: false }, 0],
  ])('reads the recovery period from %j', (pointInTimeRecoverySpecification, days) => {
    expect(table({ pointInTimeRecoverySpecification }).recoveryPeriodInDays).toBe(days);
  });

  test('reads deletion protection', () => {
    expect(table({ deletionProtection: true }).deletionProtection).toBe(true);
  });

  test.each([
    [RemovalPolicy.RETAIN, true],
    [RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE, true],
    [RemovalPolicy.DESTROY, false],
  ])('reads whether the table is retained after its stack is deleted: %s', (removalPolicy, retained) => {
    expect(table({ removalPolicy }).retained).toBe(retained);
  });
});

describe('the indexes', () => {
  const indexes = [
    { indexName: 'all', partitionKey: SK, sortKey: PK },
    { indexName: 'keys', partitionKey: blob, projectionType: ProjectionType.KEYS_ONLY },
    { indexName: 'some', partitionKey: PK, projectionType: ProjectionType.INCLUDE, nonKeyAttributes: ['b', 'a'] },
  ];
  const expected = [
    {
      name: 'all',
      partitionBy: [{ name: 'SK', type: 'number' }],
      sortBy: [{ name: 'PK', type: 'string' }],
      projection: 'all',
    },
    { name: 'keys', partitionBy: [{ name: 'blob', type: 'binary' }], sortBy: [], projection: 'keys' },
    { name: 'some', partitionBy: [{ name: 'PK', type: 'string' }], sortBy: [], projection: ['a', 'b'] },
  ];

  test("reads a GlobalTable's indexes with their keys and projections", () => {
    expect(globalTable({ globalSecondaryIndexes: indexes }).indexes).toStrictEqual(expected);
  });

  test("reads a Table's indexes with their keys and projections", () => {
    const stack = stackIn('eu-west-1');
    const table = new Table(stack, 'Table', { partitionKey: PK });
    for (const index of indexes) table.addGlobalSecondaryIndex(index);
    expect(read(stack)[0]?.indexes).toStrictEqual(expected);
  });
});

describe('billing', () => {
  const provisioned = Billing.provisioned({
    readCapacity: Capacity.fixed(1),
    writeCapacity: Capacity.autoscaled({ maxCapacity: 2 }),
  });

  test.each([
    ['on-demand', Billing.onDemand()],
    ['provisioned', provisioned],
  ])("reads a GlobalTable's billing as %s", (billing, given) => {
    expect(globalTable({ billing: given }).billing).toBe(billing);
  });

  test.each([
    ['on-demand', BillingMode.PAY_PER_REQUEST],
    ['provisioned', BillingMode.PROVISIONED],
    ['provisioned', undefined],
  ])("reads a Table's billing as %s if the template has %s", (billing, billingMode) => {
    expect(plainTable({ billingMode }).billing).toBe(billing);
  });
});

describe('encryption', () => {
  test.each([
    ['aws-owned', () => TableEncryptionV2.dynamoOwnedKey()],
    ['aws-managed', () => TableEncryptionV2.awsManagedKey()],
    ['customer-managed', (stack: Stack) => TableEncryptionV2.customerManagedKey(new Key(stack, 'Key'))],
  ])("reads a GlobalTable's encryption as %s", (encryption, made) => {
    expect(globalTable((stack) => ({ encryption: made(stack) })).encryption).toBe(encryption);
  });

  test.each([
    ['aws-owned', TableEncryption.DEFAULT],
    ['aws-managed', TableEncryption.AWS_MANAGED],
    ['customer-managed', TableEncryption.CUSTOMER_MANAGED],
  ])("reads a Table's encryption as %s", (encryption, given) => {
    expect(plainTable({ encryption: given }).encryption).toBe(encryption);
  });
});

describe('tables in several regions', () => {
  const recovery = (recoveryPeriodInDays: number) => ({
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays },
  });

  test('reads the shortest recovery period across all regions', () => {
    const replicas = [{ region: 'eu-central-1', ...recovery(7) }];
    expect(globalTable({ ...recovery(35), replicas }).recoveryPeriodInDays).toBe(7);
  });

  test('reads point-in-time recovery as off if it is off in one region', () => {
    const off = { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false } };
    expect(globalTable({ ...recovery(35), replicas: [{ region: 'eu-central-1', ...off }] })).toMatchObject({
      recoveryPeriodInDays: 0,
    });
  });

  test.each([true, false])(
    'reads deletion protection as on only if it is on in both regions: %s in the second',
    (deletionProtection) => {
      const replicas = [{ region: 'eu-central-1', deletionProtection }];
      expect(globalTable({ deletionProtection: true, replicas })).toMatchObject({ deletionProtection });
    },
  );

  test('reads the encryption of a table that has a customer-managed key in every region', () => {
    const arn = 'arn:aws:kms:eu-central-1:123456789012:key/abc';
    const table = globalTable((stack) => ({
      encryption: TableEncryptionV2.customerManagedKey(new Key(stack, 'Key'), { 'eu-central-1': arn }),
      replicas: [{ region: 'eu-central-1' }],
    }));
    expect(table.encryption).toBe('customer-managed');
  });
});

describe('tables in a handwritten template', () => {
  const keySchema = [{ attributeName: 'PK', keyType: 'HASH' }];

  test('reads no TTL attribute if TTL is disabled', () => {
    const stack = stackIn('eu-west-1');
    new CfnTable(stack, 'Table', { keySchema, timeToLiveSpecification: { enabled: false, attributeName: 'ttl' } });
    expect(read(stack)[0]).not.toHaveProperty('ttl');
  });

  test('reads a key attribute without a definition as a string, and a missing projection as keys only', () => {
    const stack = stackIn('eu-west-1');
    const globalSecondaryIndexes = [
      { indexName: 'bare', keySchema, projection: {} },
      { indexName: 'none', keySchema, projection: { projectionType: 'INCLUDE' } },
    ];
    new CfnTable(stack, 'Table', { keySchema, globalSecondaryIndexes });
    const key = { partitionBy: [{ name: 'PK', type: 'string' }], sortBy: [] };
    expect(read(stack)[0]?.indexes).toStrictEqual([
      { name: 'bare', ...key, projection: 'keys' },
      { name: 'none', ...key, projection: [] },
    ]);
  });

  test('does not report customer-managed encryption if only one region has a customer-managed key', () => {
    const stack = stackIn('eu-west-1');
    new CfnGlobalTable(stack, 'Table', {
      keySchema,
      attributeDefinitions: [{ attributeName: 'PK', attributeType: 'S' }],
      sseSpecification: { sseEnabled: true, sseType: 'KMS' },
      replicas: [
        { region: 'eu-west-1', sseSpecification: { kmsMasterKeyId: 'alias/mine' } },
        { region: 'eu-central-1' },
      ],
    });
    expect(read(stack)[0]?.encryption).toBe('aws-managed');
  });

  test('reads a table without properties', () => {
    const [table] = tablesIn({ Resources: { Table: { Type: 'AWS::DynamoDB::Table' } } });
    expect(table).toMatchObject({
      logicalId: 'Table',
      key: { partitionBy: [{ name: '', type: 'string' }] },
      billing: 'provisioned',
      retained: false,
    });
  });
});
