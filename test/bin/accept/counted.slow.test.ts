import { Consumption } from '../../../bin/accept/counted';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';

let engine: Database;
beforeAll(async () => {
  engine = await embeddedEngine();
});
afterAll(() => engine.stop());

test('counts the capacity of every request, including requests that DynamoDB rejects and requests that fill a table', async () => {
  const AttributeDefinitions = [{ AttributeName: 'PK', AttributeType: 'S' as const }];
  const KeySchema = [{ AttributeName: 'PK', KeyType: 'HASH' as const }];
  const Properties = { TableName: 'counted', BillingMode: 'PAY_PER_REQUEST', AttributeDefinitions, KeySchema };
  await engine.provision({ Resources: { Counted: { Type: 'AWS::DynamoDB::Table', Properties } } });
  const consumption = new Consumption();
  const database = consumption.of(engine);
  await database.put('counted', [{ PK: 'a' }, { PK: 'b' }, { PK: 'c' }]);
  expect(consumption.units).toBe(3);
  await database.sendExact('Put', { TableName: 'counted', Item: { PK: { S: 'd' } } });
  expect(consumption.units).toBe(4);
  const ConditionExpression = 'attribute_not_exists(PK)';
  const refused = database.send('Put', { TableName: 'counted', Item: { PK: 'a' }, ConditionExpression });
  await expect(refused).rejects.toThrow();
  expect(consumption.units).toBe(6);
});
