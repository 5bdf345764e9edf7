// The code that a careful colleague would write for one table: template literals and plain objects, without validation.
import { TABLE } from './post.mjs';

const itemOf = (post) => ({
  PK: `POST#${post.postId}`,
  SK: `POST#${post.postId}`,
  GSI1PK: `CATEGORY#${post.subcategoryId}`,
  GSI1SK: `POST#${post.publishedAt}#${post.postId}`,
  GSI2PK: `AUTHOR#${post.authorId}`,
  GSI2SK: `POST#${post.publishedAt}#${post.postId}`,
  GSI3PK: `STATUS#${post.status}`,
  GSI3SK: `POST#${post.publishedAt}#${post.postId}`,
  entityType: 'POST',
  postId: post.postId,
  authorId: post.authorId,
  subcategoryId: post.subcategoryId,
  status: post.status,
  publishedAt: post.publishedAt,
  title: post.title,
  content: post.content,
  createdAt: post.createdAt,
  updatedAt: post.updatedAt,
});
const keyOf = (postId) => ({ PK: `POST#${postId}`, SK: `POST#${postId}` });

export const put = (post) => ({
  TableName: TABLE,
  Item: itemOf(post),
  ConditionExpression: 'attribute_not_exists(#0)',
  ExpressionAttributeNames: { '#0': 'PK' },
});

export const get = ({ postId }) => ({ TableName: TABLE, Key: keyOf(postId) });

export const query = ({ subcategoryId }) => ({
  TableName: TABLE,
  IndexName: 'GSI1',
  KeyConditionExpression: '#0 = :0 AND begins_with(#1, :1)',
  ExpressionAttributeNames: { '#0': 'GSI1PK', '#1': 'GSI1SK' },
  ExpressionAttributeValues: { ':0': `CATEGORY#${subcategoryId}`, ':1': 'POST#' },
  ScanIndexForward: false,
  Limit: 10,
});

export const batchGet = (ids) => ({ RequestItems: { [TABLE]: { Keys: ids.map(keyOf) } } });

export const batchWrite = (posts) => ({
  RequestItems: { [TABLE]: posts.map((post) => ({ PutRequest: { Item: itemOf(post) } })) },
});

export const transaction = ({ post, formerId }) => ({
  TransactItems: [{ Put: put(post) }, { Delete: { TableName: TABLE, Key: keyOf(formerId) } }],
});
