import type { EntityValues } from '../../design/infer';
import type { Sample } from '../../proof/cases';
import type { blogTable } from './design';

type Blog = typeof blogTable;
type Example = Sample<Blog>;

/** A moment of the day on which everything happens, a millisecond apart. */
export const at = (millisecond: number) => `2026-03-01T12:00:00.${String(millisecond).padStart(3, '0')}Z`;

/** Unless said otherwise, what is made later was changed earlier: a list by the wrong one is in the wrong order. */
const made = (created: number, updated = 999 - created) => ({ createdAt: at(created), updatedAt: at(updated) });

// Ids are of one, two or more characters, so that some begin as others do: 'p1' and 'p10'.
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
  content: string,
  created: number,
  updated?: number,
): Example => ['Comment', { commentId, postId, authorId, content, ...made(created, updated) }];

const reply = (
  [parentId, replyId]: readonly [string, string],
  authorId: string,
  content: string,
  created: number,
): Example => ['Reply', { replyId, parentId, postId: 'p1', authorId, content, ...made(created) }];

export const like = (
  userId: string,
  postId: string,
  authorId: string,
  created: number,
): EntityValues<Blog, 'Like'> => ({
  userId,
  postId,
  authorId,
  ...made(created),
});

const guard = (userId: string, postId: string, created: number): Example => [
  'LikeGuard',
  { userId, postId, createdAt: at(created) },
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

// Imported from an older blog: all by Caio, in one subcategory, a millisecond apart, and the last was drafted first.
const importedPost = (n: number): EntityValues<Blog, 'Post'> => ({
  postId: `p${n}`,
  authorId: 'u1',
  subcategoryId: 's1',
  status: 'PUBLISHED',
  publishedAt: at(n),
  title: `${String.fromCharCode(80 - n)} de blog`,
  content: `Restam ${String(50 - n)} ideias.`,
  createdAt: at(100 - n),
  updatedAt: at(200 - n),
});

const unlikeTheOthers: Readonly<Record<number, Partial<EntityValues<Blog, 'Post'>>>> = {
  2: { status: 'DRAFT' },
  // In a main category, next to its subcategories.
  3: { subcategoryId: 'c1' },
  // Three pairs of one millisecond: in each, nothing but the id gives the right order.
  4: { authorId: 'u10' },
  5: { publishedAt: at(4), status: 'ARCHIVED' },
  8: { subcategoryId: 's10' },
  9: { publishedAt: at(8), status: 'ARCHIVED' },
  11: { authorId: 'u10', subcategoryId: 's10' },
  12: { publishedAt: at(11) },
};

const posts = Array.from({ length: 14 }, (_, i): [string, Example] => {
  const n = i + 1;
  return [postName(n), ['Post', { ...importedPost(n), ...unlikeTheOthers[n] }]];
});

export const items: Readonly<Record<string, Example>> = {
  caio: user('u1', 'AUTHOR', 'Caio', 302),
  ana: user('u10', 'AUTHOR', 'Ana', 303),
  bia: user('u2', 'AUTHOR', 'Bia', 301),
  duda: user('u3', 'AUTHOR_GUEST', 'Duda', 304),

  ...Object.fromEntries(posts),

  // As text, 10 and 1000 sort before 9.
  travel: category('c2', 9, 'Viagem', 312),
  technology: category('c1', 10, 'Tecnologia', 313),
  cooking: category('c10', 10, 'Culinária', 311, 5),
  attic: category('c3', 1000, 'Arquivo', 310),

  databases: subcategory(['c1', 's2'], 9, 'Bancos de dados', 322),
  typescript: subcategory(['c1', 's1'], 10, 'TypeScript', 323),
  cloud: subcategory(['c1', 's10'], 10, 'Nuvem', 321, 5),
  hardware: subcategory(['c1', 's3'], 1000, 'Hardware', 320),
  // Next to the posts of its parent, and of a category whose id begins as that of another.
  compilers: subcategory(['s1', 's11'], 1, 'Compiladores', 324),
  bread: subcategory(['c10', 's4'], 1, 'Pão', 325),

  // Moved twice, and a row is left of each place.
  typescriptAt9: child('c1', 's1', 9, 333, 33),
  typescriptAt10: child('c1', 's1', 10, 332, 32),
  typescriptAt1000: child('c1', 's1', 1000, 331, 31),
  cloudAt1: child('c1', 's10', 1, 334),
  breadAt1: child('c10', 's4', 1, 335),

  question: comment(['p1', 'k1'], 'u2', 'Como?', 23),
  answer: reply(['k1', 'r1'], 'u1', 'Assim.', 42),
  thanks: reply(['k1', 'r10'], 'u2', 'Obrigada.', 41),
  // The keys of replies, comments, likes, bookmarks and notifications hold the time, which stops no retry.
  welcome: reply(['k1', 'r2'], 'u1', 'De nada.', 43),
  welcomeRetried: reply(['k1', 'r2'], 'u1', 'De nada.', 44),
  praise: comment(['p1', 'k10'], 'u1', 'Muito bem!', 22),
  agreement: reply(['k10', 'r1'], 'u2', 'Também acho.', 40),
  typo: comment(['p1', 'k2'], 'u1', 'Falta um i.', 20),
  typoRetried: comment(['p1', 'k2'], 'u1', 'Falta um i.', 21),
  // One comment on two posts.
  advertAtPost10: comment(['p10', 'k3'], 'u2', 'Publicidade', 26, 86),
  advertAtPost2: comment(['p2', 'k3'], 'u1', 'Anúncio', 25, 85),
  // In the same millisecond as the comment before.
  joke: comment(['p5', 'k20'], 'u1', 'Zum zum', 25, 90),
  remark: comment(['p4', 'k4'], 'u10', 'Interessante.', 24),

  caioLikesHisOwn: ['Like', like('u1', 'p1', 'u1', 63)],
  caioGuard: guard('u1', 'p1', 63),
  anaLikes: ['Like', like('u10', 'p1', 'u1', 61)],
  anaGuard: guard('u10', 'p1', 61),
  // From before there were guards.
  biaLikes: ['Like', like('u2', 'p1', 'u1', 60)],
  biaLikesTwice: ['Like', like('u2', 'p1', 'u1', 62)],
  anaLikesPost10: ['Like', like('u10', 'p10', 'u1', 64)],
  anaGuardOfPost10: guard('u10', 'p10', 64),
  biaLikesPost2: ['Like', like('u2', 'p2', 'u1', 65)],
  biaGuardOfPost2: guard('u2', 'p2', 65),
  caioLikesAnasPost: ['Like', like('u1', 'p4', 'u10', 66)],
  caioGuardOfAnasPost: guard('u1', 'p4', 66),

  caiosBookmark1: bookmark('u1', 'p1', 72),
  caiosBookmark10: bookmark('u1', 'p10', 73),
  caiosBookmark2: bookmark('u1', 'p2', 71),
  caiosBookmark2Retried: bookmark('u1', 'p2', 74),
  // In the same millisecond as that of p10.
  caiosBookmark3: bookmark('u1', 'p3', 73, 1),
  anasBookmark1: bookmark('u10', 'p1', 76),
  anasBookmark10: bookmark('u10', 'p10', 77),
  biasBookmark1: bookmark('u2', 'p1', 70),

  caiosNotice1: notification('u1', 'n1', 'Bia comentou.', 82),
  caiosNotice10: notification('u1', 'n10', 'Zuleica chegou.', 83),
  caiosNotice2: notification('u1', 'n2', 'Ana curtiu.', 81),
  caiosNotice2Retried: notification('u1', 'n2', 'Ana curtiu.', 84),
  // In the same millisecond as n10.
  caiosNotice3: notification('u1', 'n3', 'Bia curtiu.', 83, 1),
  anasNotice1: notification('u10', 'n1', 'Caio curtiu.', 85),
};

export const written: Readonly<Record<string, Example>> = {
  biaLikesPost10: ['Like', like('u2', 'p10', 'u1', 67)],
  anaLikesAgain: ['Like', like('u10', 'p1', 'u1', 68)],
};
