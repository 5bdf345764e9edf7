import { requests } from 'tablewright/dynamodb';
// As a design of one's own: 'tablewright/systems' has three more beside it.
import { blog } from '../../../dist/lib/systems/blog/design.js';
import { TABLE } from './post.mjs';

const of = requests(blog.tables.blog, TABLE);

export const put = (post) => of.put('Post', post);
export const get = (values) => of.patterns.getPost(values);
export const query = (values) => of.patterns.postsByCategory(values);
