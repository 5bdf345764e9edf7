/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: ElectroDB's templates use `${…}` */
import { createWriteTransaction, Entity } from 'electrodb';
import { STATUSES, TABLE, TEXTS } from './post.mjs';

const text = { type: 'string', required: true };
const key = (field, template) => ({
  field,
  template,
  composite: Array.from(template.matchAll(/\$\{(\w+)\}/g), ([, name]) => name),
  // Without this setting, ElectroDB writes all keys in lower case.
  casing: 'none',
});
const index = (name, template) => ({
  index: name,
  pk: key(`${name}PK`, template),
  sk: key(`${name}SK`, 'POST#${publishedAt}#${postId}'),
});
const Post = new Entity(
  {
    model: { entity: 'Post', version: '1', service: 'blog' },
    attributes: {
      ...Object.fromEntries(TEXTS.map((name) => [name, text])),
      status: { type: STATUSES, required: true },
      entityType: { ...text, default: 'POST' },
    },
    indexes: {
      byId: { pk: key('PK', 'POST#${postId}'), sk: key('SK', 'POST#${postId}') },
      byCategory: index('GSI1', 'CATEGORY#${subcategoryId}'),
      byAuthor: index('GSI2', 'AUTHOR#${authorId}'),
      byStatus: index('GSI3', 'STATUS#${status}'),
    },
  },
  { table: TABLE },
);
const page = { order: 'desc', limit: 10 };

export const put = (post) => Post.create(post).params();
export const get = (values) => Post.get(values).params();
export const query = (values) => Post.query.byCategory(values).params(page);
// ElectroDB returns a list of the requests that it would send. These batches fit into the first request.
export const batchGet = (ids) => Post.get(ids.map((postId) => ({ postId }))).params()[0];
export const batchWrite = (posts) => Post.put(posts).params()[0];
export const transaction = ({ post, formerId }) =>
  createWriteTransaction({ Post }, (of) => [
    of.Post.create(post).commit(),
    of.Post.delete({ postId: formerId }).commit(),
  ]).params();
