import type { SystemDesign } from '../../design/system';
import type { TableDesign } from '../../design/table';
import { blog, blogTable } from './design';

const { GSI3: _, ...indexes } = blogTable.indexes;
const { latestPosts: __, ...patterns } = blogTable.patterns;
const { Post, Like } = blogTable.entities;
const { GSI3PK: ___, GSI3SK: ____, ...keys } = Post.keys;
const { unique: _____, ...like } = Like;

/** The table as its document has it: without GSI3, and without guards of likes. */
const table: TableDesign = {
  ...blogTable,
  indexes,
  entities: {
    ...blogTable.entities,
    Post: { ...Post, keys },
    Like: like,
  },
  patterns,
};

/** What is deployed of a blog that was built from the document alone: the beginning of a plan that leads to `blog`. */
export const documentedBlog: SystemDesign = { ...blog, tables: { blog: table } };
