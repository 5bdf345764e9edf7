import { Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedTable } from '../../../../constructs/aws';
import { tableRequests } from '../../../../lib/dynamodb/template/create-table';
import type { TemplateJson } from '../../../../lib/dynamodb/template/tables';
import { orders } from '../../../fixtures/designs';

const json = (stack: Stack) => Template.fromStack(stack).toJSON() as TemplateJson;

function ordersTemplate(tableName?: string): TemplateJson {
  const stack = new Stack(new App(), 'Stack');
  new DesignedTable(stack, 'Orders', { design: orders, environment: 'dev', tableName });
  return json(stack);
}

describe("the requests that create a template's tables", () => {
  const [requests] = tableRequests(ordersTemplate('shop-orders'));

  test('creates the table with its name, key and billing', () => {
    expect(requests?.create).toMatchObject({
      TableName: 'shop-orders',
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    });
  });

  test('defines each key attribute once, with its type', () => {
    const defined = requests?.create.AttributeDefinitions as { AttributeName: string; AttributeType: string }[];
    expect(defined.map(({ AttributeName, AttributeType }) => `${AttributeName} ${AttributeType}`).sort()).toEqual([
      'GSI1PK S',
      'GSI1SK S',
      'PK S',
      'SK S',
      'day S',
      'email S',
      'number N',
    ]);
  });

  test('creates every index with its projection', () => {
    expect(requests?.create.GlobalSecondaryIndexes).toMatchObject([
      { IndexName: 'byStatus', Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['total', 'kind'] } },
      { IndexName: 'byDay', Projection: { ProjectionType: 'KEYS_ONLY' } },
      { IndexName: 'byEmail', Projection: { ProjectionType: 'ALL' } },
    ]);
  });

  test('enables TTL', () => {
    expect(requests?.ttl).toEqual({
      TableName: 'shop-orders',
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  test('uses the logical id as the table name if CloudFormation generates the name', () => {
    expect(tableRequests(ordersTemplate())).toMatchObject([
      { create: { TableName: expect.stringMatching(/^Orders/) }, ttl: { TableName: expect.stringMatching(/^Orders/) } },
    ]);
  });

  test('creates only tables, and skips keys, outputs and other resources', () => {
    expect(tableRequests({})).toEqual([]);
    expect(tableRequests({ Resources: { Key: { Type: 'AWS::KMS::Key' } } })).toEqual([]);
  });
});
