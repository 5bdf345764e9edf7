import * as z from 'zod';
import { timestamp } from '../times';

const id = z.string().min(1);
const order = z.int().min(0).max(9999);
const text = z.string();

/** Atributos Comuns; the table adds `entityType`. */
const common = { createdAt: timestamp, updatedAt: timestamp };

// "Cada tipo de entidade armazena seus atributos específicos como campos de primeiro nível": the attributes in keys are required,
// those that the patterns below change are optional, and any others are stored and read as they are.
export const user = z.looseObject({
  cognitoSub: id,
  role: id,
  name: text.optional(),
  email: text.optional(),
  ...common,
});

/** A post without `publishedAt` is a draft and appears in no list. */
export const post = z.looseObject({
  postId: id,
  authorId: id,
  subcategoryId: id,
  publishedAt: timestamp.optional(),
  status: text.optional(),
  title: text.optional(),
  content: text.optional(),
  ...common,
});

export const category = z.looseObject({ categoryId: id, order, name: text.optional(), ...common });
export const subcategory = z.looseObject({ subcategoryId: id, parentId: id, order, name: text.optional(), ...common });
export const categoryChild = z.looseObject({ parentId: id, childId: id, order, ...common });

export const comment = z.looseObject({ commentId: id, postId: id, authorId: id, content: text.optional(), ...common });
/** The author, which no key of a reply contains. */
export const reply = z.looseObject({
  replyId: id,
  parentId: id,
  postId: id,
  authorId: id.optional(),
  content: text.optional(),
  ...common,
});

/** `authorId` equals `userId`, the user who likes, because GSI2 is "Atividade do Usuário". */
export const like = z.looseObject({ userId: id, postId: id, authorId: id, ...common });
export const bookmark = z.looseObject({ userId: id, postId: id, ...common });
export const notification = z.looseObject({
  notificationId: id,
  userId: id,
  message: text.optional(),
  readAt: timestamp.optional(),
  ...common,
});
