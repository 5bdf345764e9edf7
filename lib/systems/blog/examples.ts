import type { EntityValues } from '../../design/infer';
import type { Documented, Sample } from '../../proof/cases';
import type { blogTable } from './design';

type Blog = typeof blogTable;
type Example = Sample<Blog>;

/** Returns a time on the day of the examples: the given number of milliseconds after noon. */
export const at = (millisecond: number) => `2026-03-01T12:00:00.${String(millisecond).padStart(3, '0')}Z`;

/**
 * By default, items created later have an earlier `updatedAt`. Sorting a list by the wrong time therefore gives the
 * wrong order.
 */
const made = (created: number, updated = 999 - created) => ({ createdAt: at(created), updatedAt: at(updated) });

// Ids have different lengths, so that some ids are prefixes of others: 'p1' and 'p10'.
const user = (cognitoSub: string, role: string, name: string, created: number): Example => [
  'User',
  { cognitoSub, role, name, email: `${name.toLowerCase()}@example.com`, ...made(created) },
];

const category = (categoryId: string, order: number, name: string, created: number, updated?: number): Example => [
  'Category',
  { categoryId, order, name, ...made(created, updated) },
];

const subcategory = (
  [parentId, subcategoryId]: readonly [string, string],
  order: number,
  name: string,
  created: number,
  updated?: number,
): Example => ['Subcategory', { subcategoryId, parentId, order, name, ...made(created, updated) }];

const child = (parentId: string, childId: string, order: number, created: number, updated?: number): Example => [
  'CategoryChild',
  { parentId, childId, order, ...made(created, updated) },
];

const comment = (
  [postId, commentId]: readonly [string, string],
  authorId: string,
  content: string | undefined,
  created: number,
  updated?: number,
): Example => ['Comment', { commentId, postId, authorId, content, ...made(created, updated) }];

const reply = (
  [parentId, replyId]: readonly [string, string],
  authorId: string,
  content: string,
  created: number,
): Example => ['Reply', { replyId, parentId, postId: 'p1', authorId, content, ...made(created) }];

/** The author of a like is the user who likes the post. */
const like = (userId: string, postId: string, created: number, updated?: number): Example => [
  'Like',
  { userId, postId, authorId: userId, ...made(created, updated) },
];

const bookmark = (userId: string, postId: string, created: number, updated?: number): Example => [
  'Bookmark',
  { userId, postId, ...made(created, updated) },
];

const notification = (
  userId: string,
  notificationId: string,
  message: string,
  created: number,
  updated?: number,
): Example => ['Notification', { notificationId, userId, message, ...made(created, updated) }];

export const postName = (n: number) => `post${String(n).padStart(2, '0')}`;

// Posts imported from an older blog. All are by Caio, in one subcategory, and were published a millisecond apart. The
// later a post was published, the earlier it was created.
const importedPost = (n: number): EntityValues<Blog, 'Post'> => ({
  postId: `p${n}`,
  authorId: 'u1',
  subcategoryId: 's1',
  publishedAt: at(n),
  title: `${String.fromCharCode(80 - n)} de blog`,
  content: `Restam ${String(50 - n)} ideias.`,
  createdAt: at(100 - n),
  updatedAt: at(200 - n),
});

const unlikeTheOthers: Readonly<Record<number, Partial<EntityValues<Blog, 'Post'>>>> = {
  2: { publishedAt: undefined },
  // This post is directly in a main category, next to the subcategories.
  3: { subcategoryId: 'c1' },
  // In three pairs, both posts were published in the same millisecond, so that only the id decides their order.
  4: { authorId: 'u10' },
  5: { publishedAt: at(4) },
  8: { subcategoryId: 's10' },
  9: { publishedAt: at(8) },
  11: { authorId: 'u10', subcategoryId: 's10' },
  12: { publishedAt: at(11) },
  16: { publishedAt: undefined, authorId: 'u10' },
  17: { status: 'FEATURED' },
  // Attributes that the document does not name are allowed.
  18: { title: undefined, content: undefined, cover: 'https://example.com/18.png', tags: ['aws', 'nosql'] },
};

const post = (n: number, more: object = {}): Example => [
  'Post',
  { ...importedPost(n), ...unlikeTheOthers[n], ...more },
];

const posts = Array.from({ length: 18 }, (_, i): [string, Example] => [postName(i + 1), post(i + 1)]);

export const items: Readonly<Record<string, Example>> = {
  caio: user('u1', 'AUTHOR', 'Caio', 302),
  ana: user('u10', 'AUTHOR', 'Ana', 303),
  bia: user('u2', 'AUTHOR', 'Bia', 301),
  duda: user('u3', 'AUTHOR_GUEST', 'Duda', 304),

  ...Object.fromEntries(posts),
  // Lexicographically, 10 and 1000 sort before 9.
  travel: category('c2', 9, 'Viagem', 312),
  technology: category('c1', 10, 'Tecnologia', 313),
  cooking: category('c10', 10, 'Culinária', 311, 5),
  attic: category('c3', 1000, 'Arquivo', 310),

  databases: subcategory(['c1', 's2'], 9, 'Bancos de dados', 322),
  typescript: subcategory(['c1', 's1'], 10, 'TypeScript', 323),
  cloud: subcategory(['c1', 's10'], 10, 'Nuvem', 321, 5),
  hardware: subcategory(['c1', 's3'], 1000, 'Hardware', 320),
  // In GSI1, the first of these subcategories shares its partition with posts. The parent id of the second begins with
  // the id of another category.
  compilers: subcategory(['s1', 's11'], 1, 'Compiladores', 324),
  bread: subcategory(['c10', 's4'], 1, 'Pão', 325),

  // The TypeScript subcategory was moved twice, and each move left a stale item behind.
  typescriptAt9: child('c1', 's1', 9, 333, 33),
  typescriptAt10: child('c1', 's1', 10, 332, 32),
  typescriptAt1000: child('c1', 's1', 1000, 331, 31),
  cloudAt1: child('c1', 's10', 1, 334),
  breadAt1: child('c10', 's4', 1, 335),
  strayChild: child('c2', 's12', 1, 336),

  question: comment(['p1', 'k1'], 'u2', 'Como?', 23),
  answer: reply(['k1', 'r1'], 'u1', 'Assim.', 42),
  thanks: reply(['k1', 'r10'], 'u2', 'Obrigada.', 41),
  // The keys of replies, comments, likes, bookmarks and notifications contain the time, so a retry can create
  // duplicates.
  welcome: reply(['k1', 'r2'], 'u1', 'De nada.', 43),
  welcomeRetried: reply(['k1', 'r2'], 'u1', 'De nada.', 44),
  // The document does not require the text of a comment.
  praise: comment(['p1', 'k10'], 'u1', undefined, 22),
  agreement: reply(['k10', 'r1'], 'u2', 'Também acho.', 40),
  typo: comment(['p1', 'k2'], 'u1', 'Falta um i.', 20),
  typoRetried: comment(['p1', 'k2'], 'u1', 'Falta um i.', 21),
  // The same comment id occurs on two posts.
  advertAtPost10: comment(['p10', 'k3'], 'u2', 'Publicidade', 26, 86),
  advertAtPost2: comment(['p2', 'k3'], 'u1', 'Anúncio', 25, 85),
  // This comment was created in the same millisecond as the previous comment.
  joke: comment(['p5', 'k20'], 'u1', 'Zum zum', 25, 90),
  remark: comment(['p4', 'k4'], 'u10', 'Interessante.', 24),

  caioLikesHisOwn: like('u1', 'p1', 63),
  anaLikes: like('u10', 'p1', 61),
  anaLikesPost10: like('u10', 'p10', 64),
  biaLikesPost2: like('u2', 'p2', 65),
  caioLikesAnasPost: like('u1', 'p4', 66),

  caiosBookmark1: bookmark('u1', 'p1', 72),
  caiosBookmark10: bookmark('u1', 'p10', 73),
  caiosBookmark2: bookmark('u1', 'p2', 71),
  caiosBookmark2Retried: bookmark('u1', 'p2', 74),
  // This bookmark was created in the same millisecond as the bookmark of p10.
  caiosBookmark3: bookmark('u1', 'p3', 73, 1),
  anasBookmark1: bookmark('u10', 'p1', 76),
  anasBookmark10: bookmark('u10', 'p10', 77),
  biasBookmark1: bookmark('u2', 'p1', 70),

  caiosNotice1: notification('u1', 'n1', 'Bia comentou.', 82),
  caiosNotice10: notification('u1', 'n10', 'Zuleica chegou.', 83),
  caiosNotice2: notification('u1', 'n2', 'Ana curtiu.', 81),
  caiosNotice2Retried: notification('u1', 'n2', 'Ana curtiu.', 84),
  // This notification was created in the same millisecond as n10.
  caiosNotice3: notification('u1', 'n3', 'Bia curtiu.', 83, 1),
  anasNotice1: notification('u10', 'n1', 'Caio curtiu.', 85),
};

/** A like as in the document, without a guard. */
const documentedLike = (created: number): Documented<Blog> => ({
  entity: 'Like',
  item: {
    ...{ PK: 'POST#p1', SK: `LIKE#u2#${at(created)}`, GSI1PK: 'LIKE#u2#p1', GSI1SK: 'LIKE' },
    ...{ GSI2PK: 'AUTHOR#u2', GSI2SK: `LIKE#${at(created)}`, entityType: 'LIKE' },
    ...{ userId: 'u2', postId: 'p1', authorId: 'u2', ...made(created) },
  },
});

export const documented = { biaLikes: documentedLike(60), biaLikesTwice: documentedLike(62) };

const edited = { updatedAt: at(500) };

/** Returns a copy of an example item, with some values changed. */
const after = (name: string, change: object): Example => {
  const [entity, values] = items[name] as Example;
  return [entity, { ...values, ...change }];
};

export const newUser = user('u4', 'READER', 'Eva', 305);
export const newPost = post(19, { authorId: 'u2' });
export const newCategory = category('c9', 5, 'Música', 314);
export const newSubcategory = subcategory(['c2', 's9'], 3, 'Trilhas', 326);
export const newComment = comment(['p10', 'k5'], 'u2', 'Ótimo.', 27);
export const newReply: Example = [
  'Reply',
  { replyId: 'r2', parentId: 'k10', postId: 'p1', authorId: 'u1', content: 'Obrigado.', ...made(45) },
];
export const newBookmark = bookmark('u3', 'p1', 78);
export const newNotice = notification('u3', 'n1', 'Boas-vindas.', 86);

/** The items that the write cases create or change. */
export const written: Readonly<Record<string, Example>> = {
  newUser,
  caioEdited: after('caio', { name: 'Caio R.', email: 'caio@example.org', role: 'READER', ...edited }),

  newPost,
  post01Moved: post(1, { subcategoryId: 's10', ...edited }),
  post02Published: post(2, { title: 'Depois', publishedAt: at(600), updatedAt: at(600) }),

  newCategory,
  technologyMoved: after('technology', { name: 'Técnica', order: 8, ...edited }),
  newSubcategory,
  newChild: child('c2', 's9', 3, 326),
  typescriptRenamed: after('typescript', { name: 'TS', ...edited }),

  newComment,
  praiseEdited: after('praise', { content: 'Muito bom!', ...edited }),
  newReply,
  agreementEdited: after('agreement', { content: 'Eu também.', ...edited }),
  biaLikesPost10: like('u2', 'p10', 67, 67),
  anaLikesAgain: like('u10', 'p1', 68, 68),

  newBookmark,
  newNotice,
  caiosNotice1Read: after('caiosNotice1', { readAt: at(501), updatedAt: at(501) }),
};
