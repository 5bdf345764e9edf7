// The README's own design (readme.mjs), used as shown in the README and in docs/reference/requests.md.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { reads } from 'tablewright/dynamodb';
import { blog } from './blog';

const sdk = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const patterns = reads(blog, 'my-table');

export async function handler({ category }) {
  const output = await sdk.send(new QueryCommand(patterns.postsByCategory({ category })));
  return patterns.postsByCategory.read(output).items;
}
