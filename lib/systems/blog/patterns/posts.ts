import type { TableDesign } from '../../../design/table';

/** Posts, and what becomes of them. */
export const posts = {
  getPost: {
    op: 'get',
    where: { PK: 'POST#<postId>', SK: 'POST#<postId>' },
    returns: ['Post'],
  },
  // The partition also holds subcategories: without the prefix they would come along.
  postsByCategory: {
    op: 'query',
    purpose: 'Obter Posts por Categoria (paginado)',
    index: 'GSI1',
    where: { GSI1PK: 'CATEGORY#<subcategoryId>', GSI1SK: { beginsWith: 'POST#' } },
    returns: ['Post'],
    order: 'descending',
    pageSize: 10,
  },
  // The partition also holds the author's comments and likes.
  postsByAuthor: {
    op: 'query',
    purpose: 'Obter Posts de um Usuário',
    index: 'GSI2',
    where: { GSI2PK: 'AUTHOR#<authorId>', GSI2SK: { beginsWith: 'POST#' } },
    returns: ['Post'],
    order: 'descending',
  },
  latestPosts: {
    op: 'query',
    purpose: 'A página inicial',
    index: 'GSI3',
    where: { GSI3PK: 'STATUS#PUBLISHED', GSI3SK: { beginsWith: 'POST#' } },
    returns: ['Post'],
    order: 'descending',
    pageSize: 10,
  },
  postWithEverything: {
    op: 'query',
    where: { PK: 'POST#<postId>' },
    returns: ['Post', 'Comment', 'Reply', 'Like'],
  },
  draftsOfAuthor: {
    op: 'query',
    purpose: 'The drafts of an author, to be read by their ids',
    where: { PK: 'USER#<authorId>', SK: { beginsWith: 'UNLISTED#DRAFT#' } },
    returns: ['Unlisted'],
  },
  archivedPostsOfAuthor: {
    op: 'query',
    purpose: 'The posts that an author has archived, to be read by their ids',
    where: { PK: 'USER#<authorId>', SK: { beginsWith: 'UNLISTED#ARCHIVED#' } },
    returns: ['Unlisted'],
  },

  createPost: {
    op: 'transaction',
    purpose: 'A draft, which its author alone finds',
    steps: {
      // Whole, with whatever else a post of this blog has.
      post: { op: 'put', entity: 'Post' },
      // No post is made published, and no draft with publishedAt: this row can be neither.
      unlisted: {
        op: 'put',
        entity: 'Unlisted',
        item: {
          authorId: '<post.authorId>',
          postId: '<post.postId>',
          status: '<post.status>',
          publishedAt: '<post.publishedAt?>',
          createdAt: '<post.createdAt>',
        },
      },
    },
  },
  editPost: {
    op: 'update',
    purpose: 'Whatever its status, and by its author alone',
    entity: 'Post',
    where: { PK: 'POST#<postId>', SK: 'POST#<postId>' },
    set: { title: '<title?>', content: '<content?>', updatedAt: '<updatedAt>' },
    condition: { authorId: '<authorId>' },
  },
  movePost: {
    op: 'update',
    purpose: 'To another category; whether it is in the list of that one follows from the status that it was read with',
    entity: 'Post',
    where: { PK: 'POST#<postId>', SK: 'POST#<postId>' },
    set: { subcategoryId: '<subcategoryId>', updatedAt: '<updatedAt>' },
    condition: { status: '<status>', authorId: '<authorId>' },
  },
  publishPost: {
    op: 'transaction',
    purpose: 'A draft comes into all lists at once',
    steps: {
      post: {
        op: 'update',
        entity: 'Post',
        where: { PK: 'POST#<postId>', SK: 'POST#<postId>' },
        set: { status: 'PUBLISHED', publishedAt: '<publishedAt>', updatedAt: '<publishedAt>' },
        condition: { status: 'DRAFT', authorId: '<authorId>', subcategoryId: '<subcategoryId>' },
      },
      unlisted: {
        op: 'delete',
        entity: 'Unlisted',
        where: { PK: 'USER#<authorId>', SK: 'UNLISTED#DRAFT#<postId>' },
      },
    },
  },
  archivePost: {
    op: 'transaction',
    purpose: 'A published post leaves all lists at once, and stays where it is',
    steps: {
      post: {
        op: 'update',
        entity: 'Post',
        where: { PK: 'POST#<postId>', SK: 'POST#<postId>' },
        set: { status: 'ARCHIVED', updatedAt: '<archivedAt>' },
        condition: { status: 'PUBLISHED', authorId: '<authorId>' },
      },
      unlisted: {
        op: 'put',
        entity: 'Unlisted',
        item: { authorId: '<authorId>', postId: '<postId>', status: 'ARCHIVED', createdAt: '<archivedAt>' },
      },
    },
  },
  // What hangs on it stays: `postWithEverything` and `bookmarkersOfPost` find it, and each has a pattern to delete it.
  deletePost: {
    op: 'transaction',
    purpose: 'Of a post that is a draft or archived; one that is published is archived first',
    steps: {
      post: {
        op: 'delete',
        entity: 'Post',
        where: { PK: 'POST#<postId>', SK: 'POST#<postId>' },
        condition: { status: '<status>', authorId: '<authorId>' },
      },
      unlisted: {
        op: 'delete',
        entity: 'Unlisted',
        where: { PK: 'USER#<authorId>', SK: 'UNLISTED#<status>#<postId>' },
      },
    },
  },
} as const satisfies TableDesign['patterns'];
