import { defineCases } from '../../proof/cases';
import { blog } from './design';
import { at, documented, items, postName, written } from './examples';
import { lives } from './lives';
import { stored } from './stored';

export const blogCases = defineCases(blog, {
  tables: {
    blog: {
      items,
      documented,
      written,
      stored,
      patterns: {
        getUser: { values: { cognitoSub: 'u1' }, returns: ['caio'] },
        userBySub: { values: { cognitoSub: 'u10' }, returns: ['ana'] },
        usersByRole: { values: { role: 'AUTHOR' }, returns: ['caio', 'ana', 'bia'] },

        getPost: { values: { postId: 'p1' }, returns: ['post01'] },
        postsByCategory: {
          values: { subcategoryId: 's1' },
          returns: [18, 17, 15, 14, 13, 12, 10, 9, 7, 6, 5, 4, 1].map(postName),
        },
        postsByAuthor: {
          values: { authorId: 'u1' },
          returns: [18, 17, 15, 14, 13, 12, 10, 9, 8, 7, 6, 5, 3, 1].map(postName),
        },
        latestPosts: {
          values: {},
          returns: [18, 17, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1].map(postName),
        },
        postWithEverything: {
          values: { postId: 'p1' },
          returns: [
            ...['question', 'answer', 'thanks', 'welcome', 'welcomeRetried'],
            ...['praise', 'agreement', 'typo', 'typoRetried'],
            ...['caioLikesHisOwn', 'anaLikes', 'biaLikes', 'biaLikesTwice'],
            'post01',
          ],
        },

        rootCategories: { values: {}, returns: ['travel', 'technology', 'cooking', 'attic'] },
        subcategories: { values: { parentId: 'c1' }, returns: ['databases', 'typescript', 'cloud', 'hardware'] },
        childrenOfCategory: {
          values: { parentId: 'c1' },
          returns: ['typescriptAt10', 'typescriptAt1000', 'typescriptAt9', 'cloudAt1'],
        },

        commentsOfPost: {
          values: { postId: 'p1' },
          returns: [
            ...['question', 'answer', 'thanks', 'welcome', 'welcomeRetried'],
            ...['praise', 'agreement', 'typo', 'typoRetried'],
          ],
        },
        repliesOfComment: {
          values: { postId: 'p1', commentId: 'k1' },
          returns: ['question', 'answer', 'thanks', 'welcome', 'welcomeRetried'],
        },
        commentById: { values: { commentId: 'k3' }, returns: ['advertAtPost10', 'advertAtPost2'] },
        commentsByAuthor: {
          values: { authorId: 'u1' },
          returns: ['advertAtPost2', 'joke', 'praise', 'typoRetried', 'typo'],
        },

        likesOfPost: {
          values: { postId: 'p1' },
          returns: ['caioLikesHisOwn', 'anaLikes', 'biaLikes', 'biaLikesTwice'],
        },
        hasLiked: { values: { userId: 'u10', postId: 'p1' }, returns: ['anaLikes'] },
        likesOfAuthor: { values: { authorId: 'u2' }, returns: ['biaLikesPost2', 'biaLikesTwice', 'biaLikes'] },
        likePost: {
          values: { userId: 'u2', postId: 'p10', createdAt: at(67) },
          shows: [
            { pattern: 'hasLiked', values: { userId: 'u2', postId: 'p10' }, returns: ['biaLikesPost10'] },
            { pattern: 'likesOfPost', values: { postId: 'p10' }, returns: ['anaLikesPost10', 'biaLikesPost10'] },
            {
              pattern: 'likesOfAuthor',
              values: { authorId: 'u2' },
              returns: ['biaLikesPost10', 'biaLikesPost2', 'biaLikesTwice', 'biaLikes'],
            },
            {
              pattern: 'likesOfPost',
              values: { postId: 'p1' },
              returns: ['caioLikesHisOwn', 'anaLikes', 'biaLikes', 'biaLikesTwice'],
            },
          ],
          refuses: [
            ['the same like again', 'u2', 'p10', 67] as const,
            ['a second like of the same post, a millisecond later', 'u2', 'p10', 68] as const,
            ['a like of a post that the user has already liked', 'u10', 'p1', 68] as const,
            ['a like with the same timestamp as a like without a guard', 'u2', 'p1', 60] as const,
          ].map(([why, userId, postId, created]) => ({
            why,
            values: { userId, postId, createdAt: at(created) },
            error: 'TransactionCanceledException',
          })),
        },
        unlikePost: {
          values: { postId: 'p1', userId: 'u10', createdAt: at(61) },
          shows: [
            { pattern: 'hasLiked', values: { userId: 'u10', postId: 'p1' }, returns: [] },
            {
              pattern: 'likesOfPost',
              values: { postId: 'p1' },
              returns: ['caioLikesHisOwn', 'biaLikes', 'biaLikesTwice'],
            },
            { pattern: 'likesOfPost', values: { postId: 'p10' }, returns: ['anaLikesPost10'] },
            // No pattern reads a guard, but a leftover guard would make this write fail.
            { pattern: 'likePost', values: { userId: 'u10', postId: 'p1', createdAt: at(68) }, returns: [] },
            // Removing the old like a second time leaves the new like and its guard in place.
            { pattern: 'unlikePost', values: { postId: 'p1', userId: 'u10', createdAt: at(61) }, returns: [] },
            {
              pattern: 'likePost',
              values: { userId: 'u10', postId: 'p1', createdAt: at(69) },
              returns: [],
              error: 'TransactionCanceledException',
            },
            { pattern: 'hasLiked', values: { userId: 'u10', postId: 'p1' }, returns: ['anaLikesAgain'] },
          ],
        },

        ...lives,

        bookmarksOfUser: {
          values: { userId: 'u1' },
          returns: ['caiosBookmark1', 'caiosBookmark10', 'caiosBookmark2', 'caiosBookmark2Retried', 'caiosBookmark3'],
        },
        bookmarksByDate: {
          values: { userId: 'u1' },
          returns: ['caiosBookmark2Retried', 'caiosBookmark3', 'caiosBookmark10', 'caiosBookmark1', 'caiosBookmark2'],
        },
        bookmarkersOfPost: {
          values: { postId: 'p1' },
          returns: ['caiosBookmark1', 'anasBookmark1', 'biasBookmark1'],
        },

        notificationsOfUser: {
          values: { userId: 'u1' },
          returns: ['caiosNotice1', 'caiosNotice10', 'caiosNotice2', 'caiosNotice2Retried', 'caiosNotice3'],
        },
        notificationsByDate: {
          values: { userId: 'u1' },
          returns: ['caiosNotice2Retried', 'caiosNotice3', 'caiosNotice10', 'caiosNotice1', 'caiosNotice2'],
        },
      },
    },
  },
  procedures: {},
});
