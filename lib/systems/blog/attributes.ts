import * as z from 'zod';

/** ISO timestamps in UTC with milliseconds, so that they sort as text. */
const timestamp = z.iso.datetime({ precision: 3 });
const id = z.string().min(1);
const order = z.int().min(0).max(9999);
const text = z.string();

/** Atributos comuns (`entityType` is the table's type attribute). */
const common = { createdAt: timestamp, updatedAt: timestamp };

// "Cada tipo de entidade armazena seus atributos específicos como campos de primeiro nível": what keys are made of is required,
// what else the document does not name is optional, and more may come along.

/** 1. Usuários */
export const user = z.looseObject({
  cognitoSub: id,
  role: id,
  name: text.optional(),
  email: z.email().optional(),
  ...common,
});

/** 2. Posts: one without `publishedAt` has never been published. */
export const post = z.looseObject({
  postId: id,
  authorId: id,
  subcategoryId: id,
  status: z.enum(['DRAFT', 'PUBLISHED', 'ARCHIVED']),
  publishedAt: timestamp.optional(),
  title: text.optional(),
  content: text.optional(),
  ...common,
});

/**
 * The posts of an author that are in no list. The row of a post that is made says when it was published, so that a draft with
 * `publishedAt` is refused as a whole.
 */
export const unlisted = z
  .object({
    authorId: id,
    postId: id,
    status: z.enum(['DRAFT', 'ARCHIVED']),
    publishedAt: timestamp.optional(),
    createdAt: timestamp,
  })
  .refine(({ status, publishedAt }) => status !== 'DRAFT' || publishedAt === undefined, {
    path: ['publishedAt'],
    error: 'a draft has none; leave it out, and publishPost gives it one',
  });

/** 3. Categorias (Hierarquia) */
export const category = z.looseObject({ categoryId: id, order, name: text.optional(), ...common });
export const subcategory = z.looseObject({ subcategoryId: id, parentId: id, order, name: text.optional(), ...common });
export const categoryChild = z.looseObject({ parentId: id, childId: id, order, ...common });

/** 4. Comentários */
export const comment = z.looseObject({ commentId: id, postId: id, authorId: id, content: text.optional(), ...common });
export const reply = z.looseObject({
  replyId: id,
  parentId: id,
  postId: id,
  authorId: id,
  content: text.optional(),
  ...common,
});

/** 5. Curtidas (Likes): `authorId` is who likes, as `userId` is, since GSI2 is the activity of a user. */
export const like = z.looseObject({ userId: id, postId: id, authorId: id, ...common });
export const likeGuard = z.object({ userId: id, postId: id, createdAt: timestamp });

/** 6. Favoritos (Bookmarks) */
export const bookmark = z.looseObject({ userId: id, postId: id, note: text.optional(), ...common });

/** 7. Notificações */
export const notification = z.looseObject({
  notificationId: id,
  userId: id,
  message: text.optional(),
  readAt: timestamp.optional(),
  ...common,
});
