import { Template } from 'aws-cdk-lib/assertions';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { App, Stack } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { DesignedSystem, type DesignedSystemProps, SystemStack } from '../../../constructs/aws';
import { defineSystem, defineTable } from '../../../lib';

const table = <const N extends string>(name: N) =>
  defineTable({
    name,
    key: { partition: 'id' },
    entities: { Thing: { attributes: z.object({ id: z.string() }) } },
  } as { name: N; key: { partition: 'id' }; entities: { Thing: { attributes: z.ZodObject<{ id: z.ZodString }> } } });

const shop = defineSystem({
  name: 'shop',
  cloud: 'aws',
  tables: { Orders: table('Orders'), Customers: table('Customers') },
});

function synthesize(props: Partial<DesignedSystemProps<typeof shop>> = {}): {
  system: DesignedSystem<typeof shop>;
  template: Template;
} {
  const stack = new Stack(new App(), 'Test');
  const system = new DesignedSystem(stack, 'Shop', { design: shop, ...props });
  return { system, template: Template.fromStack(stack) };
}

test('a physical table name contains the names of the system, the environment and the table, so that environments can share an account', () => {
  const { template } = synthesize({ environment: 'staging' });
  const names = Object.values(template.findResources('AWS::DynamoDB::GlobalTable')).map((t) => t.Properties.TableName);
  expect(names).toEqual(['shop-staging-Orders', 'shop-staging-Customers']);
});

test('one key encrypts all tables of a system, since the tables form one application', () => {
  const { template, system } = synthesize({ environment: 'prod' });
  template.resourceCountIs('AWS::KMS::Key', 1);
  expect(system.encryptionKey).toBeDefined();
});

test('a system creates no encryption key if AWS manages the key', () => {
  const { template, system } = synthesize({ environment: 'dev' });
  template.resourceCountIs('AWS::KMS::Key', 0);
  expect(system.encryptionKey).toBeUndefined();
});

test('the key and the tables are tagged, so that a bill can be split by system and environment', () => {
  const { template } = synthesize({ environment: 'prod' });
  const tags = [
    { Key: 'environment', Value: 'prod' },
    { Key: 'system', Value: 'shop' },
  ];
  template.allResourcesProperties('AWS::KMS::Key', { Tags: tags });
  for (const { Properties } of Object.values(template.findResources('AWS::DynamoDB::GlobalTable'))) {
    expect(Properties.Replicas[0].Tags).toEqual(tags);
  }
});

test("a table's options apply only to that table", () => {
  const { template } = synthesize({ options: { Orders: { dynamoStream: StreamViewType.KEYS_ONLY } } });
  const streams = Object.values(template.findResources('AWS::DynamoDB::GlobalTable')).map(
    (t) => t.Properties.StreamSpecification,
  );
  expect(streams).toEqual([{ StreamViewType: 'KEYS_ONLY' }, undefined]);
});

test('an adopted table is not created, but exposes its design', () => {
  const { template, system } = synthesize({ adopt: { Customers: { tableName: 'live-customers' } } });
  template.resourceCountIs('AWS::DynamoDB::GlobalTable', 1);
  expect(system.tables.Customers.table.tableName).toBe('live-customers');
  expect(system.tables.Customers.design).toBe(shop.tables.Customers);
});

test('an adopted table can use the encryption key of the system', () => {
  const adopt = {
    Orders: { tableName: 'shop-restored', encryptionKey: 'system' },
    Customers: { tableName: 'live' },
  } as const;
  const { system } = synthesize({ adopt });
  expect(system.encryptionKey).toBeDefined();
  expect(system.tables.Orders.table.encryptionKey).toBe(system.encryptionKey);
  expect(system.tables.Customers.table.encryptionKey).toBeUndefined();
});

describe('a refusal leaves no construct behind', () => {
  const refused = (props: Partial<DesignedSystemProps>, message: string) => {
    const stack = new Stack(new App(), 'Test');
    expect(() => new DesignedSystem(stack, 'Shop', { design: shop, ...props })).toThrow(message);
    expect(stack.node.children).toEqual([]);
  };

  test('refuses options for a table that the system does not have', () => {
    refused(
      { adopt: { Invoices: { tableName: 'x' } } },
      "system 'shop' has no table 'Invoices'; its tables are Orders, Customers",
    );
    refused({ options: { Invoices: {} } }, "system 'shop' has no table 'Invoices'");
  });

  test.each([
    [{ tableName: 'a b' }, "adopt.Orders.tableName must be 3 to 255 characters from a-z, A-Z, 0-9, _ . -, got: 'a b'"],
    [{}, 'adopt.Orders.tableName must be 3 to 255 characters from a-z, A-Z, 0-9, _ . -, got: nothing'],
    ['live', "adopt.Orders must be an object such as { tableName: 'existing-table' }, got: 'live'"],
    [{ tableName: 'live', encryptionKey: 'arn:x' }, "adopt.Orders.encryptionKey must be 'system' or a key, such as"],
  ])('refuses an adoption without a valid table or key: %j', (adoption, message) => {
    refused({ adopt: { Orders: adoption as { tableName: string } } }, message);
  });

  test("refuses the system's key for an adopted table if the system has no key", () => {
    refused(
      { environment: 'dev', adopt: { Orders: { tableName: 'live', encryptionKey: 'system' } } },
      "adopt.Orders.encryptionKey: in environment 'dev' the system has no encryption key",
    );
  });

  test("reports a problem in any of the system's tables, with its path in the system", () => {
    const broken = { ...shop, tables: { ...shop.tables, Orders: { ...shop.tables.Orders, ttl: 'id' } } };
    refused(
      { design: broken },
      "system design 'shop' has 1 problem\n  tables.Orders.ttl: the TTL attribute 'id' is a key attribute",
    );
  });

  test('refuses an undefined design, such as one from a misspelled import', () => {
    const undefinedDesign = undefined as unknown as typeof shop;
    const message =
      'the design has 1 problem\n  design: must be a design from defineTable or defineSystem, got: nothing\n    fix: pass a design, and check that the file exports the design under this name';
    refused({ design: undefinedDesign }, message);
    expect(() => new SystemStack(new App(), 'Shop', { design: undefinedDesign })).toThrow(message);
  });

  test('refuses a system for another cloud', () => {
    refused({ design: { ...shop, cloud: 'azure' } }, "must be designed for cloud 'aws', got: 'azure'");
  });

  test('refuses a system name that produces an invalid table name', () => {
    refused({ design: { ...shop, name: 'my shop' } }, "got: 'my shop-prod-Orders'");
  });
});
