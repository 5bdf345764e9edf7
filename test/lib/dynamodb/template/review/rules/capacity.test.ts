import { findings, fixes, key, soundPlainTable, soundTable } from '../app';

const scaled = (kind: 'Read' | 'Write', path = '') => ({
  Type: 'AWS::ApplicationAutoScaling::ScalableTarget',
  Properties: {
    ResourceId: { 'Fn::Join': ['', ['table/', { Ref: 'Table' }, path]] },
    ScalableDimension: `dynamodb:${path === '' ? 'table' : 'index'}:${kind}CapacityUnits`,
  },
});

describe('fixed-capacity', () => {
  const GlobalSecondaryIndexes = [{ IndexName: 'GSI1', KeySchema: key('SK'), Projection: { ProjectionType: 'ALL' } }];
  const provisioned = { BillingMode: 'PROVISIONED', GlobalSecondaryIndexes };
  const at = 'fixed-capacity Stack/Table Properties.BillingMode:';

  test('accepts auto-scaling of the table and of each index', () => {
    const targets = {
      A: scaled('Read'),
      B: scaled('Write'),
      C: scaled('Read', '/index/GSI1'),
      D: scaled('Write', '/index/GSI1'),
    };
    expect(findings(soundPlainTable(provisioned), targets)).toEqual([]);
  });

  test('reports a table without auto scaling, or with auto scaling for only some indexes', () => {
    expect(findings(soundPlainTable(provisioned))).toEqual([
      `${at} read and write capacity of the table does not scale`,
      `${at} read and write capacity of index GSI1 does not scale`,
    ]);
    const table = { A: scaled('Read'), B: scaled('Write'), C: scaled('Read', '/index/GSI1') };
    expect(findings(soundPlainTable(provisioned), table)).toEqual([
      `${at} write capacity of index GSI1 does not scale`,
    ]);
  });

  test("proposes a fix that fits the table's construct", () => {
    const advice = 'billingMode: BillingMode.PAY_PER_REQUEST, or enable auto scaling';
    expect(fixes(soundPlainTable(provisioned))).toEqual({ 'fixed-capacity': advice });
    expect(fixes(soundTable({ BillingMode: 'PROVISIONED' }))).toEqual({
      'fixed-capacity': 'billing: Billing.onDemand(), or enable auto scaling',
    });
  });

  test('reports fixed read capacity in the replicas of a GlobalTable', () => {
    const settings = (read: object) => ({ ReadProvisionedThroughputSettings: read });
    const { GlobalSecondaryIndexes: _, ...alone } = provisioned;
    expect(findings(soundTable(alone, settings({ ReadCapacityAutoScalingSettings: { MaxCapacity: 9 } })))).toEqual([]);
    expect(findings(soundTable(alone, settings({ ReadCapacityUnits: 5 })))).toEqual([
      'fixed-capacity Stack/Table Properties.Replicas: the read capacity does not scale',
    ]);
  });
});

describe('stream', () => {
  const { Replicas } = soundTable().Properties as { Replicas: readonly object[] };
  const global = (properties: object) => findings(soundTable({ Replicas: [...Replicas, ...Replicas], ...properties }));

  test('accepts a table in one region, with a stream of new and old images, or with strong consistency', () => {
    expect(findings(soundTable())).toEqual([]);
    expect(global({ StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' } })).toEqual([]);
    expect(global({ MultiRegionConsistency: 'STRONG' })).toEqual([]);
  });

  test('reports replicas without a stream, or with a stream of the wrong type', () => {
    expect(global({})).toEqual(['stream Stack/Table Properties.StreamSpecification: 2 regions, but the stream is off']);
    expect(global({ StreamSpecification: { StreamViewType: 'KEYS_ONLY' } })).toEqual([
      'stream Stack/Table Properties.StreamSpecification: 2 regions, but the stream is KEYS_ONLY',
    ]);
  });
});

test('reports that a local index limits the size of every partition', () => {
  const LocalSecondaryIndexes = [
    { IndexName: 'LSI1', KeySchema: key('PK', 'SK'), Projection: { ProjectionType: 'ALL' } },
  ];
  expect(findings(soundTable({ LocalSecondaryIndexes }))).toEqual([
    "local-index Stack/Table Properties.LocalSecondaryIndexes.0: 'LSI1' limits every partition to 10 GB for as long as the table exists",
  ]);
});
