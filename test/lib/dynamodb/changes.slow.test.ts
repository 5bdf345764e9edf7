import { Template } from 'aws-cdk-lib/assertions';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as Lambda, Runtime } from 'aws-cdk-lib/aws-lambda';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../../constructs/aws';
import type { StreamFilter } from '../../../lib/blueprint/stream-filters';
import { type StreamRecord, system } from '../../../lib/dynamodb';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../../lib/dynamodb/engine/embedded';
import type { TemplateJson } from '../../../lib/dynamodb/template/tables';
import { shop } from '../../fixtures/shop/design';
import { follower } from '../../fixtures/shop/follower';
import { type Signer, signedHeaders } from '../../support/front/signed';

/** Sends one request to DynamoDB Streams without the SDK, because the SDK's streams client is not a dependency. */
async function asked(engine: Database, operation: string, input: object): Promise<Record<string, never>> {
  const [endpoint, body] = [engine.endpoint as string, JSON.stringify(input)];
  const headers = signedHeaders(endpoint, operation, body, engine.credentials as Signer);
  const response = await fetch(endpoint, { method: 'POST', headers, body });
  return response.json() as Promise<Record<string, never>>;
}

/**
 * Returns whether a record would pass Lambda's filter. For every key attribute in the filter, the record's value must
 * equal one of the listed strings or begin with one of the listed prefixes.
 */
function lets({ dynamodb: { Keys } }: StreamFilter, { dynamodb }: StreamRecord): boolean {
  return Object.entries(Keys).every(([name, { S }]) => {
    const { S: value = '' } = (dynamodb?.Keys?.[name] ?? {}) as { S?: string };
    return S.some((one) => (typeof one === 'string' ? value === one : value.startsWith(one.prefix)));
  });
}

test('handles the stream records that patterns cause in a table created from the template', async () => {
  const options = { shop: { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES } };
  const stack = new SystemStack(new App(), 'shop', { design: shop, environment: 'dev', options });
  const engine = await embeddedEngine();
  try {
    const fn = new Lambda(stack, 'Follow', {
      ...{ runtime: Runtime.NODEJS_22_X, handler: 'index.handler', code: Code.fromInline('//') },
    });
    stack.system.tables.shop.onChange(fn, ['Order', 'Product']);
    const template = Template.fromStack(stack);
    const [mapping] = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
    const filters = mapping?.Properties.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) =>
      JSON.parse(Pattern),
    ) as readonly StreamFilter[];
    await engine.provision(template.toJSON() as TemplateJson);
    const client = system(shop, { environment: 'dev' }, engine.send);
    await client.stock({ products: [{ sku: 'cup', name: 'Cup', price: 700, available: 3 }] });
    const order = { orderId: 'o1', customerId: 'ana', placedAt: '2026-05-06T07:08:09.000Z', total: 700 };
    const lines = [{ orderId: 'o1', sku: 'cup', count: 2, price: 350 }];
    await client.addToCart({ customerId: 'ana', sku: 'cup', count: 2 });
    await client.placeOrder({ order: { ...order, status: 'placed' }, lines });
    await client.markPaid({ orderId: 'o1', total: 700 });
    const TableName = 'shop-dev-shop';
    const { Table } = await asked(engine, 'DynamoDB_20120810.DescribeTable', { TableName });
    const StreamArn = (Table as unknown as { LatestStreamArn: string }).LatestStreamArn;
    const api = 'DynamoDBStreams_20120810';
    const { StreamDescription } = await asked(engine, `${api}.DescribeStream`, { StreamArn });
    const [{ ShardId } = { ShardId: '' }] = (StreamDescription as unknown as { Shards: { ShardId: string }[] }).Shards;
    const iterator = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    const { ShardIterator } = await asked(engine, `${api}.GetShardIterator`, iterator);
    const { Records } = await asked(engine, `${api}.GetRecords`, { ShardIterator });
    const seen: string[] = [];
    const handler = follower((said) => seen.push(said));
    const records = Records as unknown as StreamRecord[];
    expect(await handler({ Records: records })).toEqual({ batchItemFailures: [] });
    expect(seen.sort()).toEqual([
      ...['cup from 3 to 1', 'cup left the cart', 'order o1 from placed to paid', 'order o1 of 700'],
    ]);
    // The template's filters let through only the changes to entities that were given to `onChange`.
    const passed = records.filter((record) => filters.some((filter) => lets(filter, record)));
    expect(passed.length).toBeLessThan(records.length);
    const kinds = passed.map(({ dynamodb }) => JSON.stringify(dynamodb?.NewImage?.kind));
    expect([...new Set(kinds)].sort()).toEqual(['{"S":"Order"}', '{"S":"Product"}']);
  } finally {
    await engine.stop();
  }
}, 30_000);
