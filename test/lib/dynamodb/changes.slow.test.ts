import { Template } from 'aws-cdk-lib/assertions';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../../constructs/aws';
import { changes, type StreamRecord, system } from '../../../lib/dynamodb';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { shop, shopTable } from '../../fixtures/shop/design';

/** One request of the streams' own API, for which the proof has no SDK. */
async function asked(endpoint: string, operation: string, input: object): Promise<Record<string, never>> {
  const credential =
    'AWS4-HMAC-SHA256 Credential=local/20260101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=x';
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/x-amz-json-1.0', authorization: credential, 'x-amz-date': '20260101T000000Z' },
      'x-amz-target': operation,
    },
    body: JSON.stringify(input),
  });
  return response.json() as Promise<Record<string, never>>;
}

test('what patterns write is handled as it comes out of the stream of the template', async () => {
  const options = { shop: { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES } };
  const stack = new SystemStack(new App(), 'shop', { design: shop, environment: 'dev', options });
  const engine = await embeddedEngine();
  try {
    await engine.provision(Template.fromStack(stack).toJSON() as TemplateJson);
    const client = system(shop, { environment: 'dev' }, engine.send);
    await client.stock({ products: [{ sku: 'cup', name: 'Cup', price: 700, available: 3 }] });
    const order = { orderId: 'o1', customerId: 'ana', placedAt: '2026-05-06T07:08:09.000Z', total: 700 };
    const lines = [{ orderId: 'o1', sku: 'cup', count: 2, price: 350 }];
    await client.addToCart({ customerId: 'ana', sku: 'cup', count: 2 });
    await client.placeOrder({ order: { ...order, status: 'placed' }, lines });
    const endpoint = engine.endpoint as string;
    const TableName = 'shop-dev-shop';
    const { Table } = await asked(endpoint, 'DynamoDB_20120810.DescribeTable', { TableName });
    const StreamArn = (Table as unknown as { LatestStreamArn: string }).LatestStreamArn;
    const api = 'DynamoDBStreams_20120810';
    const { StreamDescription } = await asked(endpoint, `${api}.DescribeStream`, { StreamArn });
    const [{ ShardId } = { ShardId: '' }] = (StreamDescription as unknown as { Shards: { ShardId: string }[] }).Shards;
    const iterator = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    const { ShardIterator } = await asked(endpoint, `${api}.GetShardIterator`, iterator);
    const { Records } = await asked(endpoint, `${api}.GetRecords`, { ShardIterator });
    const seen: string[] = [];
    const handler = changes(shopTable, {
      Order: { inserted: ({ orderId, total }) => seen.push(`order ${orderId} of ${total}`) },
      Product: { modified: (now, before) => seen.push(`${now.sku} from ${before.available} to ${now.available}`) },
      CartLine: { removed: ({ sku }) => seen.push(`${sku} left the cart`) },
    });
    expect(await handler({ Records: Records as unknown as StreamRecord[] })).toEqual({ batchItemFailures: [] });
    expect(seen.sort()).toEqual(['cup from 3 to 1', 'cup left the cart', 'order o1 of 700']);
  } finally {
    await engine.stop();
  }
}, 30_000);
