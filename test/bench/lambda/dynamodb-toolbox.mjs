import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { Entity, item, QueryCommand, string, Table } from 'dynamodb-toolbox';

const named = (name) => ({ name, type: 'string' });
const table = new Table({
  name: 'my-table',
  documentClient: DynamoDBDocumentClient.from(new DynamoDBClient({})),
  partitionKey: named('PK'),
  sortKey: named('SK'),
  indexes: { GSI1: { type: 'global', partitionKey: named('GSI1PK'), sortKey: named('GSI1SK') } },
});
const Post = new Entity({
  name: 'Post',
  table,
  timestamps: false,
  schema: item({ postId: string().key(), category: string(), publishedAt: string() }).and({
    GSI1PK: string()
      .hidden()
      .link(({ category }) => `CATEGORY#${category}`),
    GSI1SK: string()
      .hidden()
      .link(({ publishedAt, postId }) => `POST#${publishedAt}#${postId}`),
  }),
  computeKey: ({ postId }) => ({ PK: `POST#${postId}`, SK: `POST#${postId}` }),
});

export async function handler({ category }) {
  const { Items } = await table
    .build(QueryCommand)
    .query({ index: 'GSI1', partition: `CATEGORY#${category}`, range: { beginsWith: 'POST#' } })
    .entities(Post)
    .options({ reverse: true })
    .send();
  return Items;
}
