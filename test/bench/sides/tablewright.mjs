import { defineTable } from 'tablewright';
import { entities, requests, unique } from 'tablewright/dynamodb';
import { blog } from 'tablewright/systems/blog';
import { TABLE } from './post.mjs';

const byId = (id) => ({ PK: `POST#<${id}>`, SK: `POST#<${id}>` });
/** The blog, with additional patterns for the benchmark: batches, and a transaction of a put and a delete. */
const design = defineTable({
  ...blog.tables.blog,
  patterns: {
    ...blog.tables.blog.patterns,
    postsByIds: { op: 'batchGet', each: 'postId', keys: { post: byId('postId') }, returns: ['Post'] },
    savePosts: { op: 'batchWrite', steps: { post: { op: 'put', entity: 'Post', replace: true, each: 'posts' } } },
    replacePost: {
      op: 'transaction',
      steps: {
        post: { op: 'put', entity: 'Post' },
        former: { op: 'delete', entity: 'Post', where: byId('formerId') },
      },
    },
  },
});
const of = requests(design, TABLE, { unique });
const items = entities(design, TABLE);

export const put = (post) => items.put('Post', post);
export const get = (values) => of.getPost(values);
export const query = (values) => of.postsByCategory(values);
export const batchGet = (ids) => of.postsByIds({ postId: ids });
export const batchWrite = (posts) => of.savePosts({ posts });
export const transaction = (values) => of.replacePost(values);
