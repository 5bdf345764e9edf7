import type { Database } from '../../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { describeWith } from '../../../../lib/evolve/deployed/stack';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

test('describes a live table with its index and TTL, and returns undefined for a missing table', async () => {
  const key = [{ AttributeName: 'PK', KeyType: 'HASH' as const }];
  await engine.provision({
    Resources: {
      Notes: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: {
          TableName: 'notes',
          KeySchema: key,
          AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
          GlobalSecondaryIndexes: [{ IndexName: 'again', KeySchema: key, Projection: { ProjectionType: 'ALL' } }],
          BillingMode: 'PAY_PER_REQUEST',
          TimeToLiveSpecification: { Enabled: true, AttributeName: 'expires' },
        },
      },
    },
  });
  const config = {
    endpoint: engine.endpoint,
    region: 'local',
    ...(engine.credentials && { credentials: engine.credentials }),
  };
  const found = await describeWith('notes', config);
  expect(found).toMatchObject({ ttl: 'expires', table: { GlobalSecondaryIndexes: [{ IndexName: 'again' }] } });
  expect(await describeWith('other', config)).toBeUndefined();
});
