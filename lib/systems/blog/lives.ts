import {
  at,
  newBookmark,
  newCategory,
  newComment,
  newNotice,
  newPost,
  newReply,
  newSubcategory,
  newUser,
  postName,
  written,
} from './examples';
import {
  byAuthor,
  byCategory,
  children,
  commentById,
  frontPage,
  getPost,
  getUser,
  inList,
  roots,
  subcategories,
  thread,
} from './looks';

/* Cases for the patterns that create, change and delete items, and for the writes that these patterns must refuse. */

const CONDITION = 'ConditionalCheckFailedException';
const TRANSACTION = 'TransactionCanceledException';
const published = (...but: readonly number[]) =>
  [18, 17, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1].filter((n) => !but.includes(n)).map(postName);

const OTHER_SUBCATEGORIES = ['databases', 'typescript', 'cloud', 'hardware'];
const praise = { postId: 'p1', commentId: 'k10', createdAt: at(22) };
const agreement = { postId: 'p1', parentId: 'k10', replyId: 'r1', createdAt: at(40) };
const bookmark1 = { userId: 'u1', postId: 'p1', createdAt: at(72) };
const CAIOS_BOOKMARKS = ['caiosBookmark10', 'caiosBookmark2', 'caiosBookmark2Retried', 'caiosBookmark3'];
const notice1 = { userId: 'u1', notificationId: 'n1', createdAt: at(82) };
const CAIOS_NOTICES = ['caiosNotice10', 'caiosNotice2', 'caiosNotice2Retried', 'caiosNotice3'];

/** The values of an item after a write. */
const valuesOf = (name: string): object => (written[name] as (typeof written)[string])?.[1];

export const lives = {
  createUser: {
    values: newUser[1],
    shows: [getUser('u4', 'newUser'), getUser('u1', 'caio')],
    refuses: [{ why: 'an existing user', values: { ...newUser[1], cognitoSub: 'u1' }, error: CONDITION }],
  },
  editUser: {
    values: valuesOf('caioEdited'),
    shows: [
      getUser('u1', 'caioEdited'),
      getUser('u99'),
      { pattern: 'usersByRole', values: { role: 'READER' }, returns: ['caioEdited'] },
      { pattern: 'usersByRole', values: { role: 'AUTHOR' }, returns: ['ana', 'bia'] },
    ],
    refuses: [{ why: 'a missing user', values: { ...newUser[1], cognitoSub: 'u99' }, error: CONDITION }],
  },
  deleteUser: { values: { cognitoSub: 'u1' }, shows: [getUser('u1'), getUser('u10', 'ana')] },

  createPost: {
    values: { ...newPost[1] },
    shows: [
      getPost('p19', 'newPost'),
      byAuthor('u2', 'newPost'),
      byCategory('s1', 'newPost', ...published(3, 8, 11)),
      frontPage('newPost', ...published()),
    ],
    refuses: [{ why: 'an existing post', values: { ...newPost[1], postId: 'p1' }, error: CONDITION }],
  },
  editPost: {
    values: valuesOf('post02Published'),
    shows: [
      { pattern: 'editPost', values: valuesOf('post01Moved'), returns: [] },
      getPost('p1', 'post01Moved'),
      getPost('p2', 'post02Published'),
      frontPage('post02Published', ...published(1), 'post01Moved'),
      byAuthor('u1', 'post02Published', ...published(1, 4, 11), 'post01Moved'),
      byCategory('s1', 'post02Published', ...published(1, 3, 8, 11)),
      byCategory('s10', 'post11', 'post08', 'post01Moved'),
      getPost('p16', 'post16'),
      getPost('p99'),
    ],
    refuses: [{ why: 'a missing post', values: { ...newPost[1], postId: 'p99' }, error: CONDITION }],
  },
  deletePost: {
    values: { postId: 'p15' },
    shows: [
      getPost('p15'),
      getPost('p1', 'post01'),
      frontPage(...published(15)),
      byCategory('s1', ...published(15, 3, 8, 11)),
    ],
  },

  createCategory: {
    values: newCategory[1],
    shows: [roots('newCategory', 'travel', 'technology', 'cooking', 'attic')],
    refuses: [{ why: 'an existing category', values: { ...newCategory[1], categoryId: 'c1' }, error: CONDITION }],
  },
  editCategory: {
    values: valuesOf('technologyMoved'),
    shows: [roots('technologyMoved', 'travel', 'cooking', 'attic'), subcategories('c1', ...OTHER_SUBCATEGORIES)],
    refuses: [
      { why: 'a subcategory', values: { ...newCategory[1], categoryId: 's1' }, error: CONDITION },
      { why: 'a missing category', values: { ...newCategory[1], categoryId: 'c99' }, error: CONDITION },
    ],
  },
  deleteCategory: {
    values: { categoryId: 'c3' },
    shows: [roots('travel', 'technology', 'cooking'), subcategories('c1', ...OTHER_SUBCATEGORIES)],
    refuses: [{ why: 'a subcategory', values: { categoryId: 's1' }, error: CONDITION }],
  },
  createSubcategory: {
    values: { subcategory: newSubcategory[1] },
    shows: [
      subcategories('c2', 'newSubcategory'),
      children('c2', 'strayChild', 'newChild'),
      subcategories('c1', ...OTHER_SUBCATEGORIES),
    ],
    refuses: [
      {
        why: 'an existing subcategory',
        values: { subcategory: { ...newSubcategory[1], subcategoryId: 's1' } },
        error: TRANSACTION,
      },
      {
        why: 'a child row that already exists under the parent',
        values: { subcategory: { ...newSubcategory[1], subcategoryId: 's12', order: 1 } },
        error: TRANSACTION,
      },
    ],
  },
  editSubcategory: {
    values: valuesOf('typescriptRenamed'),
    shows: [
      subcategories('c1', 'databases', 'typescriptRenamed', 'cloud', 'hardware'),
      roots('travel', 'technology', 'cooking', 'attic'),
    ],
    refuses: [
      { why: 'a main category', values: { ...newSubcategory[1], subcategoryId: 'c1' }, error: CONDITION },
      { why: 'a missing subcategory', values: { ...newSubcategory[1], subcategoryId: 's99' }, error: CONDITION },
      { why: 'a different order', values: { ...valuesOf('typescriptRenamed'), order: 9 }, error: CONDITION },
      { why: 'another parent', values: { ...valuesOf('typescriptRenamed'), parentId: 'c2' }, error: CONDITION },
    ],
  },
  deleteSubcategory: {
    values: { subcategoryId: 's1', parentId: 'c1', order: 10 },
    shows: [
      subcategories('c1', 'databases', 'cloud', 'hardware'),
      children('c1', 'typescriptAt1000', 'typescriptAt9', 'cloudAt1'),
    ],
    refuses: [
      { why: 'at another place', values: { subcategoryId: 's2', parentId: 'c1', order: 10 }, error: TRANSACTION },
      { why: 'of another parent', values: { subcategoryId: 's2', parentId: 'c10', order: 9 }, error: TRANSACTION },
    ],
  },

  createComment: {
    values: newComment[1],
    shows: [
      commentById('k5', 'newComment'),
      { pattern: 'commentsOfPost', values: { postId: 'p10' }, returns: ['advertAtPost10', 'newComment'] },
    ],
    refuses: [{ why: 'an existing item', values: { ...newComment[1], content: 'Outro' }, error: CONDITION }],
  },
  editComment: {
    values: valuesOf('praiseEdited'),
    shows: [commentById('k10', 'praiseEdited'), commentById('k99')],
    refuses: [
      { why: 'a missing comment', values: { ...valuesOf('praiseEdited'), commentId: 'k99' }, error: CONDITION },
    ],
  },
  deleteComment: { values: praise, shows: [commentById('k10'), thread('k10', 'agreement')] },
  createReply: {
    values: newReply[1],
    shows: [thread('k10', 'praise', 'agreement', 'newReply')],
    refuses: [{ why: 'an existing item', values: { ...newReply[1], content: 'Outra' }, error: CONDITION }],
  },
  editReply: {
    values: valuesOf('agreementEdited'),
    shows: [thread('k10', 'praise', 'agreementEdited')],
    refuses: [{ why: 'a missing reply', values: { ...valuesOf('agreementEdited'), replyId: 'r99' }, error: CONDITION }],
  },
  deleteReply: { values: agreement, shows: [thread('k10', 'praise')] },

  createBookmark: {
    values: newBookmark[1],
    shows: [inList('bookmarksOfUser', 'u3', 'newBookmark')],
    refuses: [{ why: 'an existing item', values: { ...newBookmark[1], note: 'Outro' }, error: CONDITION }],
  },
  deleteBookmark: { values: bookmark1, shows: [inList('bookmarksOfUser', 'u1', ...CAIOS_BOOKMARKS)] },

  createNotification: {
    values: newNotice[1],
    shows: [inList('notificationsOfUser', 'u3', 'newNotice')],
    refuses: [{ why: 'an existing item', values: { ...newNotice[1], message: 'Outra' }, error: CONDITION }],
  },
  editNotification: {
    values: valuesOf('caiosNotice1Read'),
    shows: [
      inList('notificationsOfUser', 'u1', 'caiosNotice1Read', ...CAIOS_NOTICES),
      inList('notificationsOfUser', 'u99'),
    ],
    refuses: [
      {
        why: 'a missing notification',
        values: { ...valuesOf('caiosNotice1Read'), notificationId: 'n99' },
        error: CONDITION,
      },
    ],
  },
  deleteNotification: { values: notice1, shows: [inList('notificationsOfUser', 'u1', ...CAIOS_NOTICES)] },
};
