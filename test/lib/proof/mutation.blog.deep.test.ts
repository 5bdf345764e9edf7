import { ALONE, describeMutants, EXISTING } from './mutation';

/** `userId` and `authorId` are interchangeable because `likePost` writes the same value to both. */
const LIKER = 'a like stores the same user id in userId and authorId';

describeMutants('blog', {
  "blog.entities.Like.keys.GSI1PK: 'LIKE#<userId>#<postId>' → 'LIKE#<authorId>#<postId>'": LIKER,
  "blog.entities.Like.keys.GSI2PK: 'AUTHOR#<authorId>' → 'AUTHOR#<userId>'": LIKER,
  'blog.patterns.editUser.replace: true → false': EXISTING,
  'blog.patterns.editNotification.replace: true → false': EXISTING,
  'blog.patterns.editPost.replace: true → false': EXISTING,
  'blog.patterns.editComment.replace: true → false': EXISTING,
  'blog.patterns.editReply.replace: true → false': EXISTING,
  "blog.patterns.usersByRole.where.GSI2SK: {'beginsWith':'USER#'} → none": ALONE,
  "blog.patterns.latestPosts.where.GSI3SK: {'beginsWith':'POST#'} → none": ALONE,
  "blog.patterns.rootCategories.where.GSI1SK: {'beginsWith':'CATEGORY#'} → none": ALONE,
  "blog.patterns.commentById.where.GSI1SK: {'beginsWith':'POST#'} → none": ALONE,
  "blog.patterns.bookmarksByDate.where.GSI1SK: {'beginsWith':'BOOKMARK#'} → none": ALONE,
  "blog.patterns.bookmarkersOfPost.where.GSI2SK: {'beginsWith':'BOOKMARK#'} → none": ALONE,
  "blog.patterns.notificationsByDate.where.GSI1SK: {'beginsWith':'NOTIFICATION#'} → none": ALONE,
});
