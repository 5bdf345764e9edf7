// Like tablewright.mjs, but also with write requests, which most functions need sooner or later.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { requests } from 'tablewright/dynamodb';
import { blog } from './blog';

const sdk = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const patterns = requests(blog, 'my-table');

export async function handler({ category }) {
  const output = await sdk.send(new QueryCommand(patterns.postsByCategory({ category })));
  return patterns.postsByCategory.read(output).items;
}
