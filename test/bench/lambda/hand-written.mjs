// The code that a careful colleague would write: without validation, and with attributes picked by name.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';

const sdk = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export async function handler({ category }) {
  const { Items = [] } = await sdk.send(
    new QueryCommand({
      TableName: 'my-table',
      IndexName: 'GSI1',
      KeyConditionExpression: '#0 = :0 AND begins_with(#1, :1)',
      ExpressionAttributeNames: { '#0': 'GSI1PK', '#1': 'GSI1SK' },
      ExpressionAttributeValues: { ':0': `CATEGORY#${category}`, ':1': 'POST#' },
      ScanIndexForward: false,
    }),
  );
  return Items.map(({ postId, category, publishedAt }) => ({ postId, category, publishedAt }));
}
