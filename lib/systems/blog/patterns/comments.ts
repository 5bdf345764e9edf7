import type { TableDesign } from '../../../design/table';

/** Comments, replies and likes. */
export const comments = {
  // `COMMENT#` matches comments and replies: the thread is one Query, told apart by `entityType`.
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
  createComment: {
    op: 'transaction',
    purpose: 'On a post that is published',
    steps: {
      post: {
        op: 'require',
        entity: 'Post',
        where: { PK: 'POST#<comment.postId>', SK: 'POST#<comment.postId>' },
        condition: { status: 'PUBLISHED' },
      },
      comment: { op: 'put', entity: 'Comment' },
    },
  },
  editComment: {
    op: 'update',
    purpose: 'By its author alone',
    entity: 'Comment',
    where: { PK: 'POST#<postId>', SK: 'COMMENT#<commentId>#<createdAt>' },
    set: { content: '<content>', updatedAt: '<updatedAt>' },
    condition: { authorId: '<authorId>' },
  },
  // Its replies stay: `repliesOfComment` finds them.
  deleteComment: {
    op: 'delete',
    entity: 'Comment',
    where: { PK: 'POST#<postId>', SK: 'COMMENT#<commentId>#<createdAt>' },
  },
  createReply: {
    op: 'transaction',
    purpose: 'To a comment that is there',
    steps: {
      comment: {
        op: 'require',
        entity: 'Comment',
        where: { PK: 'POST#<reply.postId>', SK: 'COMMENT#<reply.parentId>#<commentedAt>' },
        condition: { PK: { exists: true } },
      },
      reply: { op: 'put', entity: 'Reply' },
    },
  },
  editReply: {
    op: 'update',
    purpose: 'By its author alone',
    entity: 'Reply',
    where: { PK: 'POST#<postId>', SK: 'COMMENT#<parentId>#<replyId>#<createdAt>' },
    set: { content: '<content>', updatedAt: '<updatedAt>' },
    condition: { authorId: '<authorId>' },
  },
  deleteReply: {
    op: 'delete',
    entity: 'Reply',
    where: { PK: 'POST#<postId>', SK: 'COMMENT#<parentId>#<replyId>#<createdAt>' },
  },

  likesOfPost: {
    op: 'query',
    where: { PK: 'POST#<postId>', SK: { beginsWith: 'LIKE#' } },
    returns: ['Like'],
  },
  hasLiked: {
    op: 'query',
    index: 'GSI1',
    where: { GSI1PK: 'LIKE#<userId>#<postId>', GSI1SK: 'LIKE' },
    returns: ['Like'],
  },
  likesOfAuthor: {
    op: 'query',
    purpose: 'Curtidas que um usuário deu',
    index: 'GSI2',
    where: { GSI2PK: 'AUTHOR#<authorId>', GSI2SK: { beginsWith: 'LIKE#' } },
    returns: ['Like'],
    order: 'descending',
  },
  likePost: {
    op: 'transaction',
    purpose: 'One like a user and post, also under a race',
    steps: {
      post: {
        op: 'require',
        entity: 'Post',
        where: { PK: 'POST#<postId>', SK: 'POST#<postId>' },
        condition: { status: 'PUBLISHED' },
      },
      like: {
        op: 'put',
        entity: 'Like',
        item: {
          userId: '<userId>',
          authorId: '<userId>',
          postId: '<postId>',
          createdAt: '<createdAt>',
          updatedAt: '<createdAt>',
        },
      },
      guard: {
        op: 'put',
        entity: 'LikeGuard',
        item: { userId: '<userId>', postId: '<postId>', createdAt: '<createdAt>' },
      },
    },
  },
  unlikePost: {
    op: 'transaction',
    purpose: 'Takes back the like that hasLiked found',
    steps: {
      like: {
        op: 'delete',
        entity: 'Like',
        where: { PK: 'POST#<postId>', SK: 'LIKE#<userId>#<createdAt>' },
      },
      // Only the guard of this very like: a late retry must not free the way for a second one.
      guard: {
        op: 'delete',
        entity: 'LikeGuard',
        where: { PK: 'LIKE#<userId>#<postId>', SK: 'LIKE' },
        condition: { createdAt: '<createdAt>' },
      },
    },
  },
} as const satisfies TableDesign['patterns'];
