import { Readable } from 'node:stream';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { client } from '../../../lib/dynamodb';
import { dynamo } from '../../../lib/dynamodb/sdk';
import { shopTable } from '../../fixtures/shop/design';

/** A client of the SDK that sends nothing, and what it would have sent. */
function sdk() {
  const sent: { readonly operation: string; readonly body: Record<string, never> }[] = [];
  const made = new DynamoDBClient({
    region: 'eu-west-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
    requestHandler: {
      handle: async (request: { headers: Record<string, string>; body: Uint8Array }) => {
        sent.push({
          operation: `${request.headers['x-amz-target']}`,
          body: JSON.parse(new TextDecoder().decode(request.body)),
        });
        return { response: { statusCode: 200, headers: {}, body: Readable.from(['{}']) } };
      },
    } as never,
  });
  return { made, sent };
}

test('a client of the SDK is a send in one word, and what is undefined is not stored', async () => {
  const { made, sent } = sdk();
  const send = dynamo(made);
  await client(shopTable, 'shop', send).product({ sku: 'cup' });
  await send('Put', {
    TableName: 'shop',
    Item: { PK: 'a', SK: 'b', note: undefined, deep: { note: undefined, n: 1 } },
  });
  expect(sent).toEqual([
    {
      operation: 'DynamoDB_20120810.GetItem',
      body: { TableName: 'shop', Key: { PK: { S: 'PRODUCT#cup' }, SK: { S: 'PRODUCT' } } },
    },
    {
      operation: 'DynamoDB_20120810.PutItem',
      body: { TableName: 'shop', Item: { PK: { S: 'a' }, SK: { S: 'b' }, deep: { M: { n: { N: '1' } } } } },
    },
  ]);
});

test('a document client of the user’s own is taken with the options that it has', async () => {
  const { made, sent } = sdk();
  const own = DynamoDBDocumentClient.from(made, { marshallOptions: { convertEmptyValues: true } });
  await dynamo(own)('Put', { TableName: 'shop', Item: { PK: 'a', note: '' } });
  expect(sent).toMatchObject([{ body: { Item: { note: { NULL: true } } } }]);
});
