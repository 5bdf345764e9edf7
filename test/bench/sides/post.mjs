/** What all sides know of a post. */
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
