import { Match, Template } from 'aws-cdk-lib/assertions';
import { App, Stack } from 'aws-cdk-lib/core';
import { DesignedTable, type ProvisionedCapacity, SystemStack, type TableOptions } from '../../../constructs/aws';
import { differences } from '../../../constructs/testing';
import { trimobe } from '../../../lib/systems';

const design = trimobe.tables.Users;
const capacity = { read: { min: 5, max: 50 }, write: { min: 2, max: 20, utilization: 60 } };

function synthesize(options: TableOptions): Template {
  const stack = new Stack(new App(), 'Test');
  new DesignedTable(stack, 'Users', { design, ...options });
  return Template.fromStack(stack);
}

const scaling = (MinCapacity: number, MaxCapacity: number, TargetValue = 70) => ({
  MinCapacity,
  MaxCapacity,
  SeedCapacity: MinCapacity,
  TargetTrackingScalingPolicyConfiguration: { TargetValue },
});

test('a table scales between its bounds, and has the seed capacity that CloudFormation needs to switch the table from on-demand billing', () => {
  synthesize({ capacity }).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
    BillingMode: 'PROVISIONED',
    WriteProvisionedThroughputSettings: { WriteCapacityAutoScalingSettings: scaling(2, 20, 60) },
    Replicas: [
      Match.objectLike({ ReadProvisionedThroughputSettings: { ReadCapacityAutoScalingSettings: scaling(5, 50) } }),
    ],
  });
});

test("indexes have the table's capacity unless they define their own", () => {
  const inIndex = (options: TableOptions) => {
    const [table] = Object.values(synthesize(options).findResources('AWS::DynamoDB::GlobalTable'));
    const { GlobalSecondaryIndexes: write, Replicas } = table?.Properties ?? {};
    return [
      write[0].WriteProvisionedThroughputSettings.WriteCapacityAutoScalingSettings,
      Replicas[0].GlobalSecondaryIndexes[0].ReadProvisionedThroughputSettings.ReadCapacityAutoScalingSettings,
    ];
  };
  expect(inIndex({ capacity })).toEqual([scaling(2, 20, 60), scaling(5, 50)]);
  const indexes = { GSI1: { read: { min: 1, max: 3 } } };
  expect(inIndex({ capacity: { ...capacity, indexes } })).toEqual([scaling(2, 20, 60), scaling(1, 3)]);
  const both = { GSI1: { read: { min: 1, max: 3 }, write: { min: 4, max: 9, utilization: 50 } } };
  expect(inIndex({ capacity: { ...capacity, indexes: both } })).toEqual([scaling(4, 9, 50), scaling(1, 3)]);
});

test('`capacity` applies to a single table of a system, and the other tables stay on-demand', () => {
  const options = { Tenants: { capacity } };
  const stack = new SystemStack(new App(), 'trimobe', { design: trimobe, options });
  const template = Template.fromStack(stack);
  const modes = Object.values(template.findResources('AWS::DynamoDB::GlobalTable')).map(({ Properties }) => [
    Properties.TableName,
    Properties.BillingMode,
  ]);
  expect(Object.fromEntries(modes)).toEqual({
    'trimobe-prod-Tenants': 'PROVISIONED',
    'trimobe-prod-Users': 'PAY_PER_REQUEST',
    'trimobe-prod-RuralCreditAI': 'PAY_PER_REQUEST',
  });
  expect(differences(template, trimobe, { environment: 'prod', provisioned: ['Tenants'] })).toEqual([]);
  expect(differences(template, trimobe)).toEqual([
    { place: 'Tenants.billing', expected: 'on-demand', got: 'provisioned' },
  ]);
});

test('only a table with provisioned capacity has alarms for requests that exceed the capacity', () => {
  const names = (options: TableOptions) =>
    Object.keys(synthesize(options).findResources('AWS::CloudWatch::Alarm')).filter((id) => /provisioned/.test(id));
  expect(names({ capacity })).toHaveLength(2);
  expect(names({})).toEqual([]);
});

describe('a refusal leaves no construct behind', () => {
  const range = { min: 1, max: 1 };
  test.each<readonly [string, unknown, string]>([
    ['a number instead of an object', 5, 'capacity must be an object, got: 5'],
    [
      'a missing write capacity',
      { read: range },
      'capacity.write must be an object such as { min: 5, max: 50 }, got: nothing',
    ],
    [
      'a fixed number, which TableV2 accepts only for reads',
      { read: 5, write: range },
      'capacity.read must be an object such as { min: 5, max: 50 }, got: 5',
    ],
    [
      'a min of 0',
      { read: { min: 0, max: 1 }, write: range },
      'capacity.read.min must be a whole number of at least 1, got: 0',
    ],
    [
      'a max below the min',
      { read: { min: 5, max: 4 }, write: range },
      'capacity.read.max must be a whole number, and at least min (5)',
    ],
    [
      'half a unit',
      { read: { min: 1, max: 1.5 }, write: range },
      'capacity.read.max must be a whole number, and at least min (1)',
    ],
    [
      'a utilization above 90',
      { read: { ...range, utilization: 95 }, write: range },
      'utilization must be a percentage from 20 to 90, got: 95',
    ],
    [
      'a utilization below 20',
      { read: range, write: { ...range, utilization: 19 } },
      'capacity.write.utilization must be a percentage from 20 to 90, got: 19',
    ],
    [
      'an index with a min of 0',
      { read: range, write: range, indexes: { GSI1: { write: { min: 0, max: 1 } } } },
      'capacity.indexes.GSI1.write.min must be a whole number of at least 1, got: 0',
    ],
    [
      'an index with an unknown field',
      { read: range, write: range, indexes: { GSI1: { reads: range } } },
      'capacity.indexes.GSI1.reads is not a field of capacity.indexes.GSI1',
    ],
    [
      'an unknown field',
      { read: { ...range, minimum: 1 }, write: range },
      'capacity.read.minimum is not a field of capacity.read',
    ],
    [
      'an unknown index',
      { read: range, write: range, indexes: { GSI2: { read: range } } },
      'capacity.indexes.GSI2 is not an index of the table',
    ],
  ])('refuses %s', (_what, given, message) => {
    const stack = new Stack(new App(), 'Test');
    const make = () => new DesignedTable(stack, 'Users', { design, capacity: given as ProvisionedCapacity });
    expect(make).toThrow(message);
    expect(stack.node.children.length).toBe(0);
  });

  test.each(['maxReadRequestUnits', 'maxWriteRequestUnits'] as const)('refuses %s on a provisioned table', (limit) => {
    expect(() => synthesize({ capacity, [limit]: 10 })).toThrow(
      `${limit} applies only to on-demand tables; omit ${limit} (with 'capacity', the limit is max), or omit 'capacity'`,
    );
  });
});
