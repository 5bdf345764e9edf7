/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: OneTable's value templates use `${…}` */
import { Table } from 'dynamodb-onetable';
import { STATUSES, TABLE, TEXTS } from './post.mjs';

const text = { type: String, required: true };
const key = (value) => ({ type: String, value });
const sort = key('POST#${publishedAt}#${postId}');
const table = new Table({
  name: TABLE,
  // OneTable requires a client, but never calls it here.
  client: {},
  partial: false,
  schema: {
    format: 'onetable:1.1.0',
    version: '0.0.1',
    params: { typeField: 'entityType', isoDates: true, timestamps: false },
    indexes: {
      primary: { hash: 'PK', sort: 'SK' },
      GSI1: { hash: 'GSI1PK', sort: 'GSI1SK', project: 'all' },
      GSI2: { hash: 'GSI2PK', sort: 'GSI2SK', project: 'all' },
      GSI3: { hash: 'GSI3PK', sort: 'GSI3SK', project: 'all' },
    },
    models: {
      POST: {
        PK: key('POST#${postId}'),
        SK: key('POST#${postId}'),
        GSI1PK: key('CATEGORY#${subcategoryId}'),
        GSI1SK: sort,
        GSI2PK: key('AUTHOR#${authorId}'),
        GSI2SK: sort,
        GSI3PK: key('STATUS#${status}'),
        GSI3SK: sort,
        ...Object.fromEntries(TEXTS.map((name) => [name, text])),
        status: { ...text, enum: STATUSES },
      },
    },
  },
});
const Post = table.getModel('POST');

// OneTable changes the options object that it receives, so calls cannot share one.
export const put = (post) => Post.create(post, { execute: false });
export const get = (values) => Post.get(values, { execute: false });
export const query = ({ subcategoryId }) =>
  Post.find(
    { GSI1PK: `CATEGORY#${subcategoryId}`, GSI1SK: { begins: 'POST#' } },
    { index: 'GSI1', execute: false, reverse: true, limit: 10 },
  );
// These calls only collect the requests that OneTable would send. They wait for nothing but the next turn of the event
// loop.
export const batchGet = async (ids) => {
  const batch = {};
  for (const postId of ids) await Post.get({ postId }, { batch });
  return batch;
};
export const batchWrite = async (posts) => {
  const batch = {};
  for (const post of posts) await Post.create(post, { batch, exists: null });
  return batch;
};
export const transaction = async ({ post, formerId }) => {
  const transaction = {};
  await Post.create(post, { transaction });
  await Post.remove({ postId: formerId }, { transaction, exists: null });
  return transaction;
};
