import * as z from 'zod';
import { timestamp } from '../times';

const id = z.string().min(1);
const order = z.int().min(0).max(9999);

/** Atributos Comuns. The table adds `entityType`. */
const common = { createdAt: timestamp, updatedAt: timestamp };

// In the document, each type stores "seus atributos específicos", so items also keep undeclared attributes.
export const user = z.looseObject({ cognitoSub: id, role: id, ...common });

/** A post without `publishedAt` is a draft and appears in no list. */
export const post = z.looseObject({
  postId: id,
  authorId: id,
  subcategoryId: id,
  publishedAt: timestamp.optional(),
  ...common,
});

export const category = z.looseObject({ categoryId: id, order, ...common });
export const subcategory = z.looseObject({ subcategoryId: id, parentId: id, order, ...common });
export const categoryChild = z.looseObject({ parentId: id, childId: id, order, ...common });

export const comment = z.looseObject({ commentId: id, postId: id, authorId: id, ...common });
export const reply = z.looseObject({ replyId: id, parentId: id, postId: id, ...common });

/** `authorId` repeats `userId`, because GSI2 lists a user's activity ("Atividade do Usuário"). */
export const like = z.looseObject({ userId: id, postId: id, authorId: id, ...common });
export const bookmark = z.looseObject({ userId: id, postId: id, ...common });
export const notification = z.looseObject({ notificationId: id, userId: id, ...common });

/** An edit replaces the whole item, because an update could not list attributes that the schemas do not declare. */
export const edit = { op: 'put', replace: true, condition: { PK: { exists: true } } } as const;
