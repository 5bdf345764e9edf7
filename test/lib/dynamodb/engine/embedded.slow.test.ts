import { dynamoDbEngine } from '../../../../lib/dynamodb/engine/dynamodb';
import { embeddedEngine } from '../../../../lib/dynamodb/engine/embedded';
import { until } from '../../../support/processes';
import { silentService } from '../../../support/silent';
import { describeDatabase } from './contract';

describeDatabase('embedded', () => embeddedEngine());

// Runs on DynamoDB Local or any compatible server: TABLEWRIGHT_ENDPOINT=http://localhost:8000 npx jest test/lib/dynamodb/engine
const endpoint = process.env.TABLEWRIGHT_ENDPOINT;
if (endpoint !== undefined) describeDatabase(endpoint, () => dynamoDbEngine({ endpoint }));

test('throws an error with the address of an endpoint that does not respond', async () => {
  await expect(dynamoDbEngine({ endpoint: 'http://127.0.0.1:1' })).rejects.toThrow(
    /^no DynamoDB responds at http:\/\/127\.0\.0\.1:1 \(.*connect ECONNREFUSED 127\.0\.0\.1:1\)$/,
  );
});

test('a pending request fails without a retry when the engine stops', async () => {
  const { address, asked, close } = await silentService();
  const engine = await dynamoDbEngine({ endpoint: address });
  const sent = engine.send('Get', { TableName: 'things', Key: { id: '1' } });
  sent.catch(() => undefined);
  await until(() => asked() === 2);
  await engine.stop();
  await expect(sent).rejects.toMatchObject({ name: 'AbortError' });
  await expect(engine.send('Get', { TableName: 'things', Key: { id: '1' } })).rejects.toThrow();
  expect(asked()).toBe(2);
  close();
});
