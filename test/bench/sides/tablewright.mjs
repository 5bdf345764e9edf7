import { requests } from 'tablewright/dynamodb';
import { blog } from 'tablewright/systems/blog';
import { TABLE } from './post.mjs';

const of = requests(blog.tables.blog, TABLE);

export const put = (post) => of.put('Post', post);
export const get = (values) => of.patterns.getPost(values);
export const query = (values) => of.patterns.postsByCategory(values);
