import { Template } from 'aws-cdk-lib/assertions';
import {
  AttributeType,
  Billing,
  BillingMode,
  Capacity,
  Table,
  TableEncryption,
  TableEncryptionV2,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { App, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import { z } from 'zod';
import { DesignedSystem, DesignedTable, environments } from '../../../constructs/aws';
import { tableProps } from '../../../constructs/aws/table-props';
import { describeDifferences, differences } from '../../../constructs/testing';
import type { TableDesign } from '../../../lib/design/table';
import { carts, orders, shop } from '../../fixtures/designs';
import { sales } from '../../fixtures/sound/sales';

function templateOf(build: (stack: Stack) => void): Template {
  const stack = new Stack(new App(), 'Stack');
  build(stack);
  return Template.fromStack(stack);
}

/** Creates a bare table for the design, with dev's settings and the given additional props. */
function bareTable(stack: Stack, id: string, design: TableDesign, props: Partial<TablePropsV2> = {}): void {
  new TableV2(stack, id, { ...tableProps(design, environments.dev, { options: {} }), ...props });
}

/** Returns the template of a single bare table. */
function template(design: TableDesign, props: Partial<TablePropsV2> = {}): Template {
  return templateOf((stack) => bareTable(stack, 'Table', design, props));
}

const PITR = (recoveryPeriodInDays: number) => ({
  pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true, recoveryPeriodInDays },
});

describe('no difference', () => {
  test.each(['dev', 'staging', 'prod'] as const)(
    'a designed table has no differences from its design in %s',
    (environment) => {
      const made = templateOf((stack) => new DesignedTable(stack, 'Orders', { design: orders, environment }));
      expect(differences(made, orders, { environment })).toEqual([]);
    },
  );

  test('a local index matches its design, but a global index with the same keys does not', () => {
    const byTotal = { partition: 'PK', sort: 'total' };
    const withIndex = (local: boolean): TableDesign => ({
      ...orders,
      indexes: { ...orders.indexes, byTotal: { ...byTotal, local } },
    });
    expect(differences(template(withIndex(true)), withIndex(true))).toEqual([]);
    expect(differences(template(withIndex(false)), withIndex(true))).toMatchObject([
      { place: 'orders.indexes.byTotal.local', expected: 'a local index', got: 'a global index' },
    ]);
  });

  test('a matching bare table has no differences', () => {
    expect(differences(template(orders), orders)).toEqual([]);
  });

  test('a matching `AWS::DynamoDB::Table` has no differences either', () => {
    const made = templateOf((stack) => {
      new Table(stack, 'Table', {
        partitionKey: { name: 'PK', type: AttributeType.STRING },
        sortKey: { name: 'SK', type: AttributeType.STRING },
        billingMode: BillingMode.PAY_PER_REQUEST,
        encryption: TableEncryption.AWS_MANAGED,
        ...PITR(1),
      });
    });
    expect(differences(made, carts)).toEqual([]);
  });

  test('any recovery period, KMS key or protection is accepted if no environment is given', () => {
    const made = template(orders, { ...PITR(3), deletionProtection: true, removalPolicy: RemovalPolicy.RETAIN });
    expect(differences(made, orders)).toEqual([]);
  });

  test('projected attributes may be in any order', () => {
    const { byStatus } = orders.indexes;
    const turned = { ...byStatus, projection: ['kind', 'total'] };
    expect(differences(template({ ...orders, indexes: { ...orders.indexes, byStatus: turned } }), orders)).toEqual([]);
  });
});

describe('a missing table', () => {
  const expected = 'a table with key PK (string), SK (string)';

  test("a stack without tables differs, because the design's table is missing", () => {
    const made = templateOf(() => undefined);
    expect(differences(made, carts)).toEqual([{ place: 'carts', expected, got: 'no table' }]);
  });

  test('the difference for a missing table lists the other tables, by logical id if they have no name', () => {
    const made = templateOf((stack) => {
      bareTable(stack, 'Stock', shop.tables.stock, { tableName: 'shop-stock' });
      bareTable(stack, 'More', shop.tables.stock);
    });
    expect(differences(made, carts)).toEqual([
      { place: 'carts', expected, got: expect.stringMatching(/^only shop-stock, More[0-9A-F]{8}$/) },
    ]);
  });
});

describe('the design', () => {
  const { byStatus, byDay, byEmail } = orders.indexes;

  test.each<[string, TableDesign, object]>([
    [
      'a missing index',
      { ...orders, indexes: { byDay, byEmail } },
      {
        place: 'orders.indexes.byStatus',
        expected: 'an index with key GSI1PK (string), GSI1SK (string)',
        got: 'no such index',
      },
    ],
    [
      'an extra index',
      { ...orders, indexes: { ...orders.indexes, byTotal: { partition: 'total' } } },
      { place: 'orders.indexes.byTotal', expected: 'no such index', got: 'an index that is not in the design' },
    ],
    [
      'a different name for the sort key',
      { ...orders, key: { partition: 'PK', sort: 'SortKey' } },
      { place: 'orders.key.sort', expected: 'SK (string)', got: 'SortKey (string)' },
    ],
    [
      'a partition key with the wrong name',
      { ...orders, key: { partition: 'pk', sort: 'SK' } },
      { place: 'orders.key.partition', expected: 'PK (string)', got: 'pk (string)' },
    ],
    [
      'no sort key',
      { ...orders, key: { partition: 'PK' } },
      { place: 'orders.key.sort', expected: 'SK (string)', got: 'none' },
    ],
    [
      'an index with a different sort key',
      { ...orders, indexes: { byStatus, byDay: { ...byDay, sort: 'total' }, byEmail } },
      { place: 'orders.indexes.byDay.sort', expected: 'number (number)', got: 'total (number)' },
    ],
    [
      'an index with a sort key that its design does not have',
      { ...orders, indexes: { byStatus, byDay, byEmail: { partition: 'email', sort: 'SK' } } },
      { place: 'orders.indexes.byEmail.sort', expected: 'none', got: 'SK (string)' },
    ],
    [
      'an index that projects only its keys instead of all attributes',
      { ...orders, indexes: { byStatus, byDay, byEmail: { ...byEmail, projection: 'keys' } } },
      { place: 'orders.indexes.byEmail.projection', expected: 'all', got: 'keys' },
    ],
    [
      'a projection of other attributes',
      { ...orders, indexes: { byStatus: { ...byStatus, projection: ['total'] }, byDay, byEmail } },
      { place: 'orders.indexes.byStatus.projection', expected: 'keys and kind, total', got: 'keys and total' },
    ],
    ['no TTL', { ...orders, ttl: undefined }, { place: 'orders.ttl', expected: 'expiresAt', got: 'no TTL' }],
    ['another TTL', { ...orders, ttl: 'total' }, { place: 'orders.ttl', expected: 'expiresAt', got: 'total' }],
  ])('a table with %s does not provision the design', (_, provisioned, difference) => {
    expect(differences(template(provisioned), orders)).toEqual([difference]);
  });

  test('a key of the wrong type is a difference, in the table and in an index', () => {
    const key = { partition: 'id' };
    const indexes = { byAt: { partition: 'at' } };
    const made = (id: z.ZodType, at: z.ZodType): TableDesign => ({
      name: 'things',
      key,
      indexes,
      entities: { Thing: { attributes: z.object({ id, at }) } },
    });
    expect(differences(template(made(z.string(), z.string())), made(z.int(), z.instanceof(Uint8Array)))).toEqual([
      { place: 'things.key.partition', expected: 'id (number)', got: 'id (string)' },
      { place: 'things.indexes.byAt.partition', expected: 'at (binary)', got: 'at (string)' },
    ]);
  });

  test('a TTL that is not in the design is a difference', () => {
    expect(differences(template(carts, { timeToLiveAttribute: 'ttl' }), carts)).toEqual([
      { place: 'carts.ttl', expected: 'no TTL', got: 'ttl' },
    ]);
  });
});

describe('the settings', () => {
  const provisioned = Billing.provisioned({
    readCapacity: Capacity.fixed(1),
    writeCapacity: Capacity.autoscaled({ maxCapacity: 2 }),
  });

  test.each<[string, Partial<TablePropsV2>, object]>([
    ['billing', { billing: provisioned }, { expected: 'on-demand', got: 'provisioned' }],
    [
      'pointInTimeRecovery',
      { pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: false } },
      { expected: 'on', got: 'none' },
    ],
    [
      'encryption',
      { encryption: TableEncryptionV2.dynamoOwnedKey() },
      { expected: 'a KMS key', got: 'aws-owned encryption' },
    ],
  ])('compares %s even if no environment is given', (setting, props, difference) => {
    expect(differences(template(carts, props), carts)).toEqual([{ place: `carts.${setting}`, ...difference }]);
  });

  test('a table provisioned for dev differs from the settings of prod', () => {
    expect(differences(template(carts), carts, { environment: 'prod' })).toEqual([
      { place: 'carts.pointInTimeRecovery', expected: '35 days', got: '7 days' },
      { place: 'carts.encryption', expected: 'customer-managed encryption', got: 'aws-managed encryption' },
      { place: 'carts.deletionProtection', expected: 'on', got: 'off' },
      { place: 'carts.retention', expected: 'on', got: 'off' },
      { place: 'carts.transport', expected: 'TLS only', got: 'plain text too' },
    ]);
  });

  test('a protected table differs from the settings of dev', () => {
    const made = template(carts, { deletionProtection: true, removalPolicy: RemovalPolicy.RETAIN });
    expect(differences(made, carts, { environment: 'dev' })).toEqual([
      { place: 'carts.deletionProtection', expected: 'off', got: 'on' },
      { place: 'carts.retention', expected: 'off', got: 'on' },
    ]);
  });

  test('the settings of a custom environment are also compared', () => {
    const environment = { ...environments.dev, name: 'qa', recoveryPeriodInDays: 10 };
    expect(differences(template(carts, PITR(10)), carts, { environment })).toEqual([]);
  });

  test('an unknown environment is an error, not a difference', () => {
    const made = template(carts);
    expect(() => differences(made, carts, { environment: 'production' as 'prod' })).toThrow(
      "environment must be one of dev, economy, staging, prod, got: 'production'",
    );
  });
});

test('differences from the design come before differences from the settings', () => {
  const { byStatus, byDay } = orders.indexes;
  const wrong = {
    ...orders,
    ttl: undefined,
    key: { partition: 'PK' },
    indexes: { byStatus: { ...byStatus, projection: 'all' as const }, byDay },
  };
  const made = template(wrong, { encryption: TableEncryptionV2.dynamoOwnedKey() });
  expect(describeDifferences(differences(made, orders, { environment: 'dev' })).split('\n')).toEqual([
    'orders.key.sort: expected SK (string), got none',
    'orders.indexes.byEmail: expected an index with key email (string), got no such index',
    'orders.indexes.byStatus.projection: expected keys and kind, total, got all',
    'orders.ttl: expected expiresAt, got no TTL',
    'orders.encryption: expected aws-managed encryption, got aws-owned encryption',
  ]);
});

describe('the choice among several tables', () => {
  test('compares the table that is named after the design, even if another table matches the design better', () => {
    const made = templateOf((stack) => {
      bareTable(stack, 'Wrong', { ...carts, key: { partition: 'PK' } }, { tableName: 'shop-prod-carts' });
      bareTable(stack, 'Right', carts, { tableName: 'shop-prod-baskets' });
    });
    expect(differences(made, carts).map(({ place }) => place)).toEqual(['carts.key.sort']);
  });

  test("does not compare a table whose name merely ends in the same letters as the design's name", () => {
    const made = templateOf((stack) => {
      bareTable(stack, 'Other', { ...carts, key: { partition: 'PK' } }, { tableName: 'handcarts' });
      bareTable(stack, 'Mine', carts);
    });
    expect(differences(made, carts)).toEqual([]);
  });

  test('compares the most similar table if no table, or more than one, is named after the design', () => {
    const made = templateOf((stack) => {
      bareTable(stack, 'Carts', carts, { tableName: 'a-orders' });
      bareTable(stack, 'Orders', { ...orders, ttl: undefined }, { tableName: 'b-orders' });
    });
    expect(differences(made, orders).map(({ place }) => place)).toEqual(['orders.ttl']);
  });
});

describe('the tables of a system', () => {
  test('all tables of a system are compared', () => {
    const made = templateOf((stack) => new DesignedSystem(stack, 'Shop', { design: shop, environment: 'staging' }));
    expect(differences(made, shop, { environment: 'staging' })).toEqual([]);
  });

  test('tables without names match in any order', () => {
    const made = templateOf((stack) => {
      for (const design of Object.values(shop.tables).reverse()) bareTable(stack, design.name, design);
    });
    expect(differences(made, shop)).toEqual([]);
  });

  test('the differences of a system are grouped by table', () => {
    const made = templateOf((stack) => {
      bareTable(stack, 'Stock', shop.tables.stock, { timeToLiveAttribute: 'ttl' });
      bareTable(stack, 'Carts', carts, { encryption: TableEncryptionV2.dynamoOwnedKey() });
      bareTable(stack, 'Orders', { ...orders, ttl: undefined });
    });
    expect(differences(made, shop).map(({ place }) => place)).toEqual(['orders.ttl', 'carts.encryption', 'stock.ttl']);
  });

  test('one table cannot represent two designs, even if it matches both', () => {
    const system = { ...shop, tables: { carts, baskets: { ...carts, name: 'baskets' } } };
    const made = templateOf((stack) => bareTable(stack, 'Baskets', carts, { tableName: 'shop-prod-baskets' }));
    expect(differences(made, system)).toEqual([
      {
        place: 'carts',
        expected: 'a table with key PK (string), SK (string)',
        got: 'only shop-prod-baskets',
      },
    ]);
  });
});

describe('a system with adopted tables', () => {
  const adopting = () =>
    templateOf((stack) => {
      const adopt = { carts: { tableName: 'acme-carts' } };
      new DesignedSystem(stack, 'Shop', { design: shop, environment: 'dev', adopt });
    });

  test('tables may be missing from the template only if they are adopted', () => {
    expect(differences(adopting(), shop, { adopted: ['carts'] })).toEqual([]);
    expect(differences(adopting(), shop).map(({ place }) => place)).toEqual(['carts']);
  });

  test('a system can adopt only its own tables', () => {
    expect(() => differences(adopting(), shop, { adopted: ['cart'] })).toThrow(
      "adopted: system 'shop' has no table 'cart'; its tables are orders, carts, stock",
    );
  });
});

test('a multi-attribute key is compared attribute by attribute, including their order and types', () => {
  const design: TableDesign = sales;
  expect(differences(template(design), design, { environment: 'dev' })).toEqual([]);
  const [tenantId, region] = ['tenantId', 'region'].map((name) => ({ name, type: AttributeType.STRING }));
  const { globalSecondaryIndexes = [] } = tableProps(design, environments.dev, { options: {} });
  const changed = globalSecondaryIndexes.map((index) =>
    index.indexName === 'byRegion'
      ? { ...index, partitionKeys: [region, tenantId] as never, sortKeys: index.sortKeys?.slice(0, 2) as never }
      : index,
  );
  expect(differences(template(design, { globalSecondaryIndexes: changed }), design, { environment: 'dev' })).toEqual([
    {
      place: 'sales.indexes.byRegion.partition',
      expected: 'tenantId (string), region (string)',
      got: 'region (string), tenantId (string)',
    },
    {
      place: 'sales.indexes.byRegion.sort',
      expected: 'status (string), createdAt (string), amount (number)',
      got: 'status (string), createdAt (string)',
    },
  ]);
});
