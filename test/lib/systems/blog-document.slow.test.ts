import type { Item } from '../../../lib/items/item';
import { blog } from '../../../lib/systems/blog';
import { describeDocument, onDynamoDB } from '../../support/documented';

jest.setTimeout(60_000);

/** Several languages' formats of what the document calls a "timestamp ISO". The last format is JavaScript's. */
const [early, noon, night, late] = [
  '2026-03-01T08:00Z',
  '2026-03-01T12:00:00Z',
  '2026-03-01T20:15:30.123456+00:00',
  '2026-03-02T09:30:00.250Z',
] as const;
const now = '2026-04-01T10:00:00.000Z';
const common = (createdAt: string) => ({ createdAt, updatedAt: createdAt });

const postOf = (postId: string, created: string, publishedAt?: string): Item => ({
  PK: `POST#${postId}`,
  SK: `POST#${postId}`,
  ...(publishedAt && {
    GSI1PK: 'CATEGORY#s1',
    GSI1SK: `POST#${publishedAt}#${postId}`,
    GSI2PK: 'AUTHOR#u1',
    GSI2SK: `POST#${publishedAt}#${postId}`,
    publishedAt,
  }),
  entityType: 'POST',
  ...{ postId, authorId: 'u1', subcategoryId: 's1', title: postId, ...common(created) },
});
const frontPage = (item: Item): Item => ({ GSI3PK: 'STATUS#PUBLISHED', GSI3SK: item.GSI1SK });

const likeOf = (userId: string, createdAt: string): Item => ({
  PK: 'POST#p1',
  SK: `LIKE#${userId}#${createdAt}`,
  GSI1PK: `LIKE#${userId}#p1`,
  GSI1SK: 'LIKE',
  GSI2PK: `AUTHOR#${userId}`,
  GSI2SK: `LIKE#${createdAt}`,
  entityType: 'LIKE',
  ...{ userId, postId: 'p1', authorId: userId, ...common(createdAt) },
});
const guardOf = ({ userId, postId, createdAt }: Item): Item => ({
  PK: `LIKE#${userId}#${postId}`,
  SK: 'LIKE',
  entityType: 'Like.unique.like',
  ...{ userId, postId, uniqueOwner: { userId, postId, createdAt } },
});

const commentOf = (commentId: string, createdAt: string): Item => ({
  PK: 'POST#p1',
  SK: `COMMENT#${commentId}#${createdAt}`,
  GSI1PK: `COMMENT#${commentId}`,
  GSI1SK: 'POST#p1',
  GSI2PK: 'AUTHOR#u1',
  GSI2SK: `COMMENT#${createdAt}#${commentId}`,
  entityType: 'COMMENT',
  ...{ commentId, postId: 'p1', authorId: 'u1', content: 'Bom.', ...common(createdAt) },
});
const replyOf = (replyId: string, createdAt: string, more: object = {}): Item => ({
  PK: 'POST#p1',
  SK: `COMMENT#k1#${replyId}#${createdAt}`,
  entityType: 'REPLY',
  ...{ replyId, parentId: 'k1', postId: 'p1', ...common(createdAt), ...more },
});
const bookmarkOf = (createdAt: string): Item => ({
  PK: 'USER#u1',
  SK: `BOOKMARK#p1#${createdAt}`,
  GSI1PK: 'BOOKMARK#u1',
  GSI1SK: `BOOKMARK#${createdAt}#p1`,
  GSI2PK: 'POST#p1',
  GSI2SK: 'BOOKMARK#u1',
  entityType: 'BOOKMARK',
  ...{ userId: 'u1', postId: 'p1', ...common(createdAt) },
});
const notificationOf = (notificationId: string, createdAt: string): Item => ({
  PK: 'USER#u1',
  SK: `NOTIFICATION#${notificationId}#${createdAt}`,
  GSI1PK: 'NOTIFICATION#u1',
  GSI1SK: `NOTIFICATION#${createdAt}#${notificationId}`,
  entityType: 'NOTIFICATION',
  ...{ notificationId, userId: 'u1', kind: 'COMMENT', ...common(createdAt) },
});

function without(item: Item, name: string): Item {
  const { [name]: _, ...rest } = item;
  return rest;
}

const items = {
  // The document makes an entity's own attributes top-level fields ("campos de primeiro nível"), so they may have any
  // name.
  user: {
    ...{
      PK: 'USER#u1',
      SK: 'PROFILE#u1',
      GSI1PK: 'USER#u1',
      GSI1SK: 'PROFILE',
      GSI2PK: 'ROLE#AUTHOR',
      GSI2SK: 'USER#u1',
    },
    ...{ entityType: 'USER', cognitoSub: 'u1', role: 'AUTHOR', bio: { site: 'https://example.com' }, ...common(noon) },
  },
  post: { ...postOf('p1', early, early), tags: ['aws', 'nosql'] },
  postAtNoon: without(postOf('p2', noon, noon), 'title'),
  postAtNight: postOf('p3', night, night),
  draft: postOf('p4', noon),
  category: {
    ...{ PK: 'CATEGORY#c1', SK: 'CATEGORY#c1', GSI1PK: 'CATEGORY_ROOT', GSI1SK: 'CATEGORY#1#c1' },
    ...{ entityType: 'CATEGORY', categoryId: 'c1', order: 1, icon: 'cpu', ...common(noon) },
  },
  subcategory: {
    ...{ PK: 'CATEGORY#s1', SK: 'CATEGORY#s1', GSI1PK: 'CATEGORY#c1', GSI1SK: 'CATEGORY#2#s1' },
    ...{ entityType: 'SUBCATEGORY', subcategoryId: 's1', parentId: 'c1', order: 2, icon: 'db', ...common(noon) },
  },
  child: {
    ...{ PK: 'CATEGORY#c1', SK: 'CHILD#s1#2', entityType: 'CATEGORY_CHILD' },
    ...{ parentId: 'c1', childId: 's1', order: 2, isNew: true, ...common(noon) },
  },
  // The nested subcategory puts a category into a GSI1 partition that also contains posts.
  nested: {
    ...{ PK: 'CATEGORY#s2', SK: 'CATEGORY#s2', GSI1PK: 'CATEGORY#s1', GSI1SK: 'CATEGORY#1#s2' },
    ...{ entityType: 'SUBCATEGORY', subcategoryId: 's2', parentId: 's1', order: 1, ...common(noon) },
  },
  comment: { ...commentOf('k1', noon), isEdited: true },
  commentAtNight: without(commentOf('k2', night), 'content'),
  reply: replyOf('r1', noon, { authorId: 'u2', content: 'Também acho.', isEdited: true }),
  replyAtNight: replyOf('r2', night),
  like: { ...likeOf('u1', noon), emoji: '👍' },
  likeOfAnother: likeOf('u2', early),
  bookmark: { ...bookmarkOf(noon), folder: 'ler' },
  bookmarkAtNight: bookmarkOf(night),
  notification: notificationOf('n1', noon),
  notificationAtNight: notificationOf('n2', night),
};

const key = (name: string, values: Item) => ({
  KeyConditionExpression: Object.keys(values)
    .map((attribute) => `${attribute} = :${attribute}`)
    .join(' AND '),
  ExpressionAttributeValues: Object.fromEntries(Object.entries(values).map(([attribute, v]) => [`:${attribute}`, v])),
  ...(name === '' ? {} : { IndexName: name }),
});
const begins = (values: Item, prefix: string) => ({
  KeyConditionExpression: 'PK = :PK AND begins_with(SK, :SK)',
  ExpressionAttributeValues: { ':PK': values.PK, ':SK': prefix },
});
const asks = (request: object) => ({ table: 'blog', request });
const thread = ['comment', 'reply', 'replyAtNight'];

const newPost = { postId: 'p9', authorId: 'u1', subcategoryId: 's1', publishedAt: late, ...common(late) };
const stored = postOf('p9', late, late);

/** Returns an item's values without its keys and type, with the given changes and a new `updatedAt`. */
const edited = (name: keyof typeof items, changes: Item): Item => {
  const isOurs = (attribute: string) => attribute === 'entityType' || /^(GSI\d)?[PS]K$/.test(attribute);
  const values = Object.entries(items[name]).filter(([attribute]) => !isOurs(attribute));
  return { ...Object.fromEntries(values), ...changes, updatedAt: now };
};

describeDocument(blog, onDynamoDB(blog), {
  items: { blog: items },
  reads: {
    getUser: {
      values: { cognitoSub: 'u1' },
      returns: ['user'],
      asks: asks(key('', { PK: 'USER#u1', SK: 'PROFILE#u1' })),
    },
    userBySub: { values: { cognitoSub: 'u1' }, returns: ['user'] },
    usersByRole: { values: { role: 'AUTHOR' }, returns: ['user'] },
    getPost: [
      { values: { postId: 'p1' }, returns: ['post'] },
      { values: { postId: 'p4' }, returns: ['draft'] },
    ],
    postsByCategory: {
      values: { subcategoryId: 's1' },
      returns: ['postAtNight', 'postAtNoon', 'post'],
      asks: asks({ ...key('GSI1', { GSI1PK: 'CATEGORY#s1' }), ScanIndexForward: false, Limit: 10 }),
      besides: ['nested'],
    },
    postsByAuthor: {
      values: { authorId: 'u1' },
      returns: ['postAtNight', 'postAtNoon', 'post'],
      asks: asks({ ...key('GSI2', { GSI2PK: 'AUTHOR#u1' }), ScanIndexForward: false }),
      besides: ['comment', 'commentAtNight', 'like'],
    },
    latestPosts: { values: {}, returns: [] },
    postWithEverything: {
      values: { postId: 'p1' },
      returns: [...thread, 'commentAtNight', 'like', 'likeOfAnother', 'post'],
    },
    rootCategories: { values: {}, returns: ['category'] },
    subcategories: [
      { values: { parentId: 'c1' }, returns: ['subcategory'] },
      { values: { parentId: 's1' }, returns: ['nested'] },
    ],
    childrenOfCategory: { values: { parentId: 'c1' }, returns: ['child'] },
    commentsOfPost: {
      values: { postId: 'p1' },
      returns: [...thread, 'commentAtNight'],
      asks: asks(begins({ PK: 'POST#p1' }, 'COMMENT#')),
    },
    repliesOfComment: {
      values: { postId: 'p1', commentId: 'k1' },
      returns: thread,
      asks: asks(begins({ PK: 'POST#p1' }, 'COMMENT#k1#')),
    },
    commentById: { values: { commentId: 'k1' }, returns: ['comment'] },
    commentsByAuthor: { values: { authorId: 'u1' }, returns: ['commentAtNight', 'comment'] },
    likesOfPost: { values: { postId: 'p1' }, returns: ['like', 'likeOfAnother'] },
    hasLiked: { values: { userId: 'u1', postId: 'p1' }, returns: ['like'] },
    likesOfAuthor: { values: { authorId: 'u1' }, returns: ['like'] },
    bookmarksOfUser: { values: { userId: 'u1' }, returns: ['bookmark', 'bookmarkAtNight'] },
    bookmarksByDate: { values: { userId: 'u1' }, returns: ['bookmarkAtNight', 'bookmark'] },
    bookmarkersOfPost: { values: { postId: 'p1' }, returns: ['bookmark', 'bookmarkAtNight'] },
    notificationsOfUser: { values: { userId: 'u1' }, returns: ['notification', 'notificationAtNight'] },
    notificationsByDate: { values: { userId: 'u1' }, returns: ['notificationAtNight', 'notification'] },
  },
  writes: {
    createUser: {
      values: { cognitoSub: 'u9', role: 'READER', ...common(late) },
      changes: {
        new: {
          ...{ PK: 'USER#u9', SK: 'PROFILE#u9', GSI1PK: 'USER#u9', GSI1SK: 'PROFILE' },
          ...{ GSI2PK: 'ROLE#READER', GSI2SK: 'USER#u9', entityType: 'USER' },
          ...{ cognitoSub: 'u9', role: 'READER', ...common(late) },
        },
      },
    },
    editUser: {
      values: edited('user', { role: 'ADMIN', name: 'Caio' }),
      changes: { user: { role: 'ADMIN', GSI2PK: 'ROLE#ADMIN', GSI2SK: 'USER#u1', name: 'Caio', updatedAt: now } },
    },
    deleteUser: { values: { cognitoSub: 'u1' }, changes: { user: null } },

    createPost: [
      { values: { ...newPost, title: 'p9' }, changes: { new: { ...stored, ...frontPage(stored) } } },
      {
        values: { ...newPost, title: 'p9', publishedAt: undefined, cover: 'capa.png' },
        changes: { new: { ...postOf('p9', late), cover: 'capa.png' } },
      },
    ],
    editPost: [
      {
        values: edited('post', { subcategoryId: 's2' }),
        changes: {
          post: { ...frontPage(items.post), subcategoryId: 's2', GSI1PK: 'CATEGORY#s2', updatedAt: now },
        },
      },
      {
        values: edited('draft', { publishedAt: late }),
        changes: {
          draft: { ...postOf('p4', noon, late), ...frontPage(postOf('p4', noon, late)), updatedAt: now },
        },
      },
      { values: edited('draft', { title: 'Outro' }), changes: { draft: { title: 'Outro', updatedAt: now } } },
    ],
    deletePost: [
      { values: { postId: 'p3' }, changes: { postAtNight: null } },
      { values: { postId: 'p4' }, changes: { draft: null } },
    ],

    createCategory: {
      values: { categoryId: 'c9', order: 3, ...common(late) },
      changes: {
        new: {
          ...{ PK: 'CATEGORY#c9', SK: 'CATEGORY#c9', GSI1PK: 'CATEGORY_ROOT', GSI1SK: 'CATEGORY#0003#c9' },
          ...{ entityType: 'CATEGORY', categoryId: 'c9', order: 3, ...common(late) },
        },
      },
    },
    editCategory: {
      values: edited('category', { order: 5 }),
      changes: { category: { order: 5, GSI1SK: 'CATEGORY#0005#c1', updatedAt: now } },
    },
    deleteCategory: { values: { categoryId: 'c1' }, changes: { category: null } },
    createSubcategory: {
      values: { subcategory: { subcategoryId: 's9', parentId: 'c1', order: 4, ...common(late) } },
      changes: {
        new: {
          ...{ PK: 'CATEGORY#s9', SK: 'CATEGORY#s9', GSI1PK: 'CATEGORY#c1', GSI1SK: 'CATEGORY#0004#s9' },
          ...{ entityType: 'SUBCATEGORY', subcategoryId: 's9', parentId: 'c1', order: 4, ...common(late) },
        },
        newChild: {
          ...{ PK: 'CATEGORY#c1', SK: 'CHILD#s9#4', entityType: 'CATEGORY_CHILD' },
          ...{ parentId: 'c1', childId: 's9', order: 4, ...common(late) },
        },
      },
    },
    editSubcategory: {
      values: edited('subcategory', { name: 'TypeScript' }),
      changes: { subcategory: { GSI1SK: 'CATEGORY#0002#s1', name: 'TypeScript', updatedAt: now } },
    },
    deleteSubcategory: {
      values: { subcategoryId: 's1', parentId: 'c1', order: 2 },
      changes: { subcategory: null, child: null },
    },

    createComment: {
      values: { commentId: 'k9', postId: 'p1', authorId: 'u1', content: 'Bom.', ...common(late) },
      changes: { new: commentOf('k9', late) },
    },
    editComment: {
      values: edited('commentAtNight', { content: 'Ruim.' }),
      changes: { commentAtNight: { content: 'Ruim.', updatedAt: now } },
    },
    deleteComment: { values: { postId: 'p1', commentId: 'k1', createdAt: noon }, changes: { comment: null } },
    createReply: {
      values: { replyId: 'r9', parentId: 'k1', postId: 'p1', ...common(late) },
      changes: { new: replyOf('r9', late) },
    },
    editReply: {
      values: edited('replyAtNight', { content: 'Sim.' }),
      changes: { replyAtNight: { content: 'Sim.', updatedAt: now } },
    },
    deleteReply: { values: { postId: 'p1', parentId: 'k1', replyId: 'r1', createdAt: noon }, changes: { reply: null } },

    likePost: {
      values: { userId: 'u9', postId: 'p1', createdAt: late },
      changes: { new: likeOf('u9', late), guard: guardOf(likeOf('u9', late)) },
    },
    // The likes in the document have no guard.
    unlikePost: { values: { userId: 'u1', postId: 'p1', createdAt: noon }, changes: { like: null } },

    createBookmark: {
      values: { userId: 'u1', postId: 'p1', ...common(late) },
      changes: { new: bookmarkOf(late) },
    },
    deleteBookmark: { values: { userId: 'u1', postId: 'p1', createdAt: night }, changes: { bookmarkAtNight: null } },
    createNotification: {
      values: { notificationId: 'n9', userId: 'u1', kind: 'COMMENT', ...common(late) },
      changes: { new: notificationOf('n9', late) },
    },
    editNotification: {
      values: edited('notificationAtNight', { readAt: now }),
      changes: { notificationAtNight: { readAt: now, updatedAt: now } },
    },
    deleteNotification: {
      values: { userId: 'u1', notificationId: 'n1', createdAt: noon },
      changes: { notification: null },
    },
  },
});
