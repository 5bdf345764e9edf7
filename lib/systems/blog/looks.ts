/* Reads that the cases run after a write. */

export const getUser = (cognitoSub: string, ...returns: readonly string[]) => ({
  pattern: 'getUser',
  values: { cognitoSub },
  returns,
});
export const getPost = (postId: string, ...returns: readonly string[]) => ({
  pattern: 'getPost',
  values: { postId },
  returns,
});
export const frontPage = (...returns: readonly string[]) => ({ pattern: 'latestPosts', values: {}, returns });
export const byAuthor = (authorId: string, ...returns: readonly string[]) => ({
  pattern: 'postsByAuthor',
  values: { authorId },
  returns,
});
export const byCategory = (subcategoryId: string, ...returns: readonly string[]) => ({
  pattern: 'postsByCategory',
  values: { subcategoryId },
  returns,
});
export const roots = (...returns: readonly string[]) => ({ pattern: 'rootCategories', values: {}, returns });
export const subcategories = (parentId: string, ...returns: readonly string[]) => ({
  pattern: 'subcategories',
  values: { parentId },
  returns,
});
export const children = (parentId: string, ...returns: readonly string[]) => ({
  pattern: 'childrenOfCategory',
  values: { parentId },
  returns,
});
export const thread = (commentId: string, ...returns: readonly string[]) => ({
  pattern: 'repliesOfComment',
  values: { postId: 'p1', commentId },
  returns,
});
export const commentById = (commentId: string, ...returns: readonly string[]) => ({
  pattern: 'commentById',
  values: { commentId },
  returns,
});

export const inList = (pattern: string, userId: string, ...returns: readonly string[]) => ({
  pattern,
  values: { userId },
  returns,
});
