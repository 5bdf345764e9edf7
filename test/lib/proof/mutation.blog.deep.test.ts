import { ALONE, describeMutants } from './mutation';

/** `userId` and `authorId` are interchangeable because `likePost` writes the same value to both. */
const LIKER = 'who likes is both the user and the author of a like';

describeMutants('blog', {
  "blog.entities.Like.keys.SK: 'LIKE#<userId>#<createdAt>' → 'LIKE#<authorId>#<createdAt>'": LIKER,
  "blog.entities.Like.keys.GSI1PK: 'LIKE#<userId>#<postId>' → 'LIKE#<authorId>#<postId>'": LIKER,
  "blog.patterns.usersByRole.where.GSI2SK: {'beginsWith':'USER#'} → none": ALONE,
  "blog.patterns.latestPosts.where.GSI3SK: {'beginsWith':'POST#'} → none": ALONE,
  "blog.patterns.rootCategories.where.GSI1SK: {'beginsWith':'CATEGORY#'} → none": ALONE,
  "blog.patterns.commentById.where.GSI1SK: {'beginsWith':'POST#'} → none": ALONE,
  "blog.patterns.bookmarksByDate.where.GSI1SK: {'beginsWith':'BOOKMARK#'} → none": ALONE,
  "blog.patterns.bookmarkersOfPost.where.GSI2SK: {'beginsWith':'BOOKMARK#'} → none": ALONE,
  "blog.patterns.notificationsByDate.where.GSI1SK: {'beginsWith':'NOTIFICATION#'} → none": ALONE,
});
