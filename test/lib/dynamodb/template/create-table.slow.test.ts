import { Template } from 'aws-cdk-lib/assertions';
import { AttributeType, Billing, Capacity, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedTable, SystemStack } from '../../../../constructs/aws';
import { type EnvironmentName, environments } from '../../../../constructs/environment';
import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import type { TemplateJson } from '../../../../lib/dynamodb/template/tables';
import { systemsOf } from '../../../../lib/systems';
import { orders } from '../../../fixtures/designs';

const json = (stack: Stack) => Template.fromStack(stack).toJSON() as TemplateJson;

describe('the embedded engine', () => {
  let engine: Database;
  beforeAll(async () => {
    engine = await embeddedEngine();
  });
  afterAll(() => engine.stop());

  const stacks = systemsOf('aws').flatMap((design) =>
    (Object.keys(environments) as EnvironmentName[]).map((environment) => ({ design, environment })),
  );

  test.each(stacks)('creates all tables of $design.name in $environment', async ({ design, environment }) => {
    const template = json(new SystemStack(new App(), 'Stack', { design, environment }));
    const made = await engine.provision(template);
    expect(made).toEqual(Object.keys(design.tables).map((table) => `${design.name}-${environment}-${table}`));
    for (const tableName of made) await engine.drop(tableName);
  });

  /** Tables that use the table constructs of aws-cdk-lib instead of a design. */
  const handMade: Readonly<Record<string, (stack: Stack) => void>> = {
    'a Table with capacity and a local index': (stack) => {
      const table = new Table(stack, 'Table', { tableName: 'by-hand', ...keys, readCapacity: 5, writeCapacity: 5 });
      table.addGlobalSecondaryIndex({
        indexName: 'GSI1',
        partitionKey: text('GSI1PK'),
        readCapacity: 1,
        writeCapacity: 1,
      });
      table.addLocalSecondaryIndex({ indexName: 'byDay', sortKey: text('day') });
    },
    'a TableV2 with capacity': (stack) => {
      const capacity = Capacity.autoscaled({ maxCapacity: 10 });
      const billing = Billing.provisioned({ readCapacity: capacity, writeCapacity: capacity });
      const table = new TableV2(stack, 'Table', { tableName: 'by-hand', ...keys, billing });
      table.addGlobalSecondaryIndex({ indexName: 'GSI1', partitionKey: text('GSI1PK') });
    },
  };
  const text = (name: string) => ({ name, type: AttributeType.STRING });
  const keys = { partitionKey: text('PK'), sortKey: text('SK') };

  test.each(Object.entries(handMade))('creates %s', async (_, make) => {
    const stack = new Stack(new App(), 'Stack');
    make(stack);
    expect(await engine.provision(json(stack))).toEqual(['by-hand']);
    await engine.drop('by-hand');
  });

  // Changes that make a template undeployable. The engine refuses such a template instead of repairing it.
  const broken: Readonly<Record<string, (properties: Properties) => void>> = {
    'a key without its definition': (table) => {
      table.AttributeDefinitions = table.AttributeDefinitions.filter(({ AttributeName }) => AttributeName !== 'PK');
    },
    'an index key without its definition': (table) => {
      table.AttributeDefinitions = table.AttributeDefinitions.filter(({ AttributeName }) => AttributeName !== 'email');
    },
    'a definition that no key uses': (table) => {
      table.AttributeDefinitions.push({ AttributeName: 'idle', AttributeType: 'S' });
    },
    'no partition key': (table) => {
      table.KeySchema = table.KeySchema.filter(({ KeyType }) => KeyType !== 'HASH');
    },
    'two partition keys': (table) => {
      table.KeySchema = table.KeySchema.map((key) => ({ ...key, KeyType: 'HASH' }));
    },
    'one attribute for both keys': (table) => {
      table.KeySchema = table.KeySchema.map((key) => ({ ...key, AttributeName: 'PK' }));
    },
    'a type that keys cannot have': (table) => {
      table.AttributeDefinitions = table.AttributeDefinitions.map((one) => ({ ...one, AttributeType: 'BOOL' }));
    },
    'an index without a projection': (table) => {
      table.GlobalSecondaryIndexes = table.GlobalSecondaryIndexes.map(({ Projection: _, ...index }) => index);
    },
    'a projection that includes no attributes': (table) => {
      for (const index of table.GlobalSecondaryIndexes) index.Projection = { ProjectionType: 'INCLUDE' };
    },
    'two indexes with the same name': (table) => {
      for (const index of table.GlobalSecondaryIndexes) index.IndexName = 'same';
    },
    'a name that is too short': (table) => {
      table.TableName = 'ab';
    },
  };

  interface Properties {
    TableName: string;
    AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
    KeySchema: { AttributeName: string; KeyType: string }[];
    GlobalSecondaryIndexes: { IndexName: string; Projection?: object }[];
  }

  test.each(Object.entries(broken))('refuses a template with %s', async (_, spoil) => {
    const stack = new Stack(new App(), 'Stack');
    new DesignedTable(stack, 'Orders', { design: orders, environment: 'dev', tableName: 'broken-orders' });
    const template = structuredClone(json(stack));
    for (const { Properties } of Object.values(template.Resources ?? {})) spoil(Properties as unknown as Properties);
    await expect(engine.provision(template)).rejects.toMatchObject({ name: 'ValidationException' });
    await expect(engine.drop('broken-orders')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});
