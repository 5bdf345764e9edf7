import type { TableDesign } from '../../../design/table';
import { edit } from '../attributes';

const comment = { PK: 'POST#<postId>', SK: 'COMMENT#<commentId>#<createdAt>' } as const;
const reply = { PK: 'POST#<postId>', SK: 'COMMENT#<parentId>#<replyId>#<createdAt>' } as const;

export const comments = {
  // `COMMENT#` matches comments and replies, so one Query reads the thread; `entityType` distinguishes them.
  commentsOfPost: {
    op: 'query',
    purpose: 'Obter Comentários de um Post (em thread)',
    where: { PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#' } },
    returns: ['Comment', 'Reply'],
  },
  repliesOfComment: {
    op: 'query',
    purpose: 'Depois buscar respostas para cada comentário',
    where: { PK: 'POST#<postId>', SK: { beginsWith: 'COMMENT#<commentId>#' } },
    returns: ['Comment', 'Reply'],
  },
  commentById: {
    op: 'query',
    index: 'GSI1',
    where: { GSI1PK: 'COMMENT#<commentId>', GSI1SK: { beginsWith: 'POST#' } },
    returns: ['Comment'],
  },
  commentsByAuthor: {
    op: 'query',
    index: 'GSI2',
    where: { GSI2PK: 'AUTHOR#<authorId>', GSI2SK: { beginsWith: 'COMMENT#' } },
    returns: ['Comment'],
    order: 'descending',
  },
  createComment: { op: 'put', entity: 'Comment' },
  editComment: { ...edit, entity: 'Comment' },
  // The replies to the comment remain, and `repliesOfComment` finds them.
  deleteComment: { op: 'delete', entity: 'Comment', where: comment },
  createReply: { op: 'put', entity: 'Reply' },
  editReply: { ...edit, entity: 'Reply' },
  deleteReply: { op: 'delete', entity: 'Reply', where: reply },

  likesOfPost: { op: 'query', where: { PK: 'POST#<postId>', SK: { beginsWith: 'LIKE#' } }, returns: ['Like'] },
  hasLiked: {
    op: 'query',
    index: 'GSI1',
    where: { GSI1PK: 'LIKE#<userId>#<postId>', GSI1SK: 'LIKE' },
    returns: ['Like'],
  },
  likesOfAuthor: {
    op: 'query',
    index: 'GSI2',
    where: { GSI2PK: 'AUTHOR#<authorId>', GSI2SK: { beginsWith: 'LIKE#' } },
    returns: ['Like'],
    order: 'descending',
  },
  likePost: {
    op: 'put',
    purpose: "Refuses a user's second like of the same post",
    entity: 'Like',
    item: {
      userId: '<userId>',
      authorId: '<userId>',
      postId: '<postId>',
      createdAt: '<createdAt>',
      updatedAt: '<createdAt>',
    },
  },
  unlikePost: { op: 'delete', entity: 'Like', where: { PK: 'POST#<postId>', SK: 'LIKE#<userId>#<createdAt>' } },
} as const satisfies TableDesign['patterns'];
