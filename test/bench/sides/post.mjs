/** The table and the attributes of a post, which all sides share. */
export const TABLE = 'blog-prod-blog';
export const STATUSES = ['DRAFT', 'PUBLISHED', 'ARCHIVED'];
export const TEXTS = [
  'postId',
  'authorId',
  'subcategoryId',
  'publishedAt',
  'title',
  'content',
  'createdAt',
  'updatedAt',
];
