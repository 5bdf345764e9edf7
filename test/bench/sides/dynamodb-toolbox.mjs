import {
  BatchGetCommand,
  BatchGetRequest,
  BatchPutRequest,
  BatchWriteCommand,
  DeleteTransaction,
  Entity,
  GetItemCommand,
  item,
  PutItemCommand,
  PutTransaction,
  QueryCommand,
  string,
  Table,
} from 'dynamodb-toolbox';
import { STATUSES, TABLE, TEXTS } from './post.mjs';

const named = (name) => ({ name, type: 'string' });
const index = (name) => ({ type: 'global', partitionKey: named(`${name}PK`), sortKey: named(`${name}SK`) });
const table = new Table({
  name: TABLE,
  partitionKey: named('PK'),
  sortKey: named('SK'),
  entityAttributeSavedAs: 'entityType',
  indexes: { GSI1: index('GSI1'), GSI2: index('GSI2'), GSI3: index('GSI3') },
});
const sort = ({ publishedAt, postId }) => `POST#${publishedAt}#${postId}`;
const Post = new Entity({
  name: 'POST',
  table,
  timestamps: false,
  schema: item({
    ...Object.fromEntries(TEXTS.map((name) => [name, string()])),
    postId: string().key(),
    status: string().enum(...STATUSES),
  }).and({
    GSI1PK: string().link(({ subcategoryId }) => `CATEGORY#${subcategoryId}`),
    GSI1SK: string().link(sort),
    GSI2PK: string().link(({ authorId }) => `AUTHOR#${authorId}`),
    GSI2SK: string().link(sort),
    GSI3PK: string().link(({ status }) => `STATUS#${status}`),
    GSI3SK: string().link(sort),
  }),
  computeKey: ({ postId }) => ({ PK: `POST#${postId}`, SK: `POST#${postId}` }),
});
const fresh = { condition: { attr: 'postId', exists: false } };
// Turns off the toolbox's filter by entity, which no other side has.
const page = { reverse: true, limit: 10, entityAttrFilter: false };

export const put = (post) => Post.build(PutItemCommand).item(post).options(fresh).params();
export const get = (values) => Post.build(GetItemCommand).key(values).params();
export const query = ({ subcategoryId }) =>
  table
    .build(QueryCommand)
    .query({ index: 'GSI1', partition: `CATEGORY#${subcategoryId}`, range: { beginsWith: 'POST#' } })
    .entities(Post)
    .options(page)
    .params();
export const batchGet = (ids) => {
  const keys = ids.map((postId) => Post.build(BatchGetRequest).key({ postId }));
  return {
    RequestItems: table
      .build(BatchGetCommand)
      .requests(...keys)
      .params(),
  };
};
export const batchWrite = (posts) => {
  const puts = posts.map((post) => Post.build(BatchPutRequest).item(post));
  return {
    RequestItems: table
      .build(BatchWriteCommand)
      .requests(...puts)
      .params(),
  };
};
export const transaction = ({ post, formerId }) => ({
  TransactItems: [
    Post.build(PutTransaction).item(post).options(fresh).params(),
    Post.build(DeleteTransaction).key({ postId: formerId }).params(),
  ],
});
