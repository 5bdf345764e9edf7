import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';

/** ISO timestamps in UTC with milliseconds, so that they sort as text. */
const timestamp = z.iso.datetime({ precision: 3 });
const id = z.string().min(1);
const order = z.int().min(0).max(9999);

/** Atributos comuns (`entityType` is the table's type attribute). */
const common = { createdAt: timestamp, updatedAt: timestamp };

export const blogTable = defineTable({
  name: 'blog',
  purpose: 'Design de Tabela Única DynamoDB - Blog API',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    GSI1: {
      partition: 'GSI1PK',
      sort: 'GSI1SK',
      purpose: 'Posts por categoria, hierarquia de categorias, buscas por entidade',
    },
    GSI2: { partition: 'GSI2PK', sort: 'GSI2SK', purpose: 'Posts, comentários, curtidas de um usuário' },
    // The document counts three indexes and defines two: the front page is the one it lacks.
    GSI3: { partition: 'GSI3PK', sort: 'GSI3SK', purpose: 'Posts por status: a página inicial' },
  },
  typeAttribute: 'entityType',

  entities: {
    // 1. Usuários
    User: {
      type: 'USER',
      attributes: z.object({ cognitoSub: id, role: z.string().min(1), name: z.string(), email: z.email(), ...common }),
      keys: {
        PK: 'USER#<cognitoSub>',
        SK: 'PROFILE#<cognitoSub>',
        GSI1PK: 'USER#<cognitoSub>',
        GSI1SK: 'PROFILE',
        GSI2PK: 'ROLE#<role>',
        GSI2SK: 'USER#<cognitoSub>',
      },
    },

    // 2. Posts
    Post: {
      type: 'POST',
      attributes: z.object({
        postId: id,
        authorId: id,
        subcategoryId: id,
        status: z.enum(['DRAFT', 'PUBLISHED', 'ARCHIVED']),
        publishedAt: timestamp,
        title: z.string(),
        content: z.string(),
        ...common,
      }),
      keys: {
        PK: 'POST#<postId>',
        SK: 'POST#<postId>',
        GSI1PK: 'CATEGORY#<subcategoryId>',
        GSI1SK: 'POST#<publishedAt>#<postId>',
        GSI2PK: 'AUTHOR#<authorId>',
        GSI2SK: 'POST#<publishedAt>#<postId>',
        GSI3PK: 'STATUS#<status>',
        GSI3SK: 'POST#<publishedAt>#<postId>',
      },
    },

    // 3. Categorias (Hierarquia): Categoria Principal
    Category: {
      type: 'CATEGORY',
      attributes: z.object({ categoryId: id, order, name: z.string(), ...common }),
      keys: {
        PK: 'CATEGORY#<categoryId>',
        SK: 'CATEGORY#<categoryId>',
        GSI1PK: 'CATEGORY_ROOT',
        // Padded: as text, 10 sorts before 9.
        GSI1SK: 'CATEGORY#<order:4>#<categoryId>',
      },
    },
    // Subcategoria
    Subcategory: {
      type: 'SUBCATEGORY',
      attributes: z.object({ subcategoryId: id, parentId: id, order, name: z.string(), ...common }),
      keys: {
        PK: 'CATEGORY#<subcategoryId>',
        SK: 'CATEGORY#<subcategoryId>',
        GSI1PK: 'CATEGORY#<parentId>',
        GSI1SK: 'CATEGORY#<order:4>#<subcategoryId>',
      },
    },
    // Relacionamento Pai-Filho
    CategoryChild: {
      type: 'CATEGORY_CHILD',
      attributes: z.object({ parentId: id, childId: id, order, ...common }),
      keys: { PK: 'CATEGORY#<parentId>', SK: 'CHILD#<childId>#<order:4>' },
    },

    // 4. Comentários
    Comment: {
      type: 'COMMENT',
      attributes: z.object({ commentId: id, postId: id, authorId: id, content: z.string(), ...common }),
      keys: {
        PK: 'POST#<postId>',
        SK: 'COMMENT#<commentId>#<createdAt>',
        GSI1PK: 'COMMENT#<commentId>',
        GSI1SK: 'POST#<postId>',
        GSI2PK: 'AUTHOR#<authorId>',
        GSI2SK: 'COMMENT#<createdAt>#<commentId>',
      },
    },
    // Respostas (replies)
    Reply: {
      type: 'REPLY',
      attributes: z.object({ replyId: id, parentId: id, postId: id, authorId: id, content: z.string(), ...common }),
      keys: { PK: 'POST#<postId>', SK: 'COMMENT#<parentId>#<replyId>#<createdAt>' },
    },

    // 5. Curtidas (Likes): `userId` likes the post, `authorId` wrote it
    Like: {
      type: 'LIKE',
      attributes: z.object({ userId: id, postId: id, authorId: id, ...common }),
      keys: {
        PK: 'POST#<postId>',
        SK: 'LIKE#<userId>#<createdAt>',
        GSI1PK: 'LIKE#<userId>#<postId>',
        GSI1SK: 'LIKE',
        GSI2PK: 'AUTHOR#<authorId>',
        GSI2SK: 'LIKE#<createdAt>',
      },
    },
    // The key of a like holds the time, so that it does not stop a second one: this row does.
    LikeGuard: {
      type: 'LIKE_GUARD',
      attributes: z.object({ userId: id, postId: id, createdAt: timestamp }),
      keys: { PK: 'LIKE#<userId>#<postId>', SK: 'LIKE' },
    },

    // 6. Favoritos (Bookmarks)
    Bookmark: {
      type: 'BOOKMARK',
      attributes: z.object({ userId: id, postId: id, ...common }),
      keys: {
        PK: 'USER#<userId>',
        SK: 'BOOKMARK#<postId>#<createdAt>',
        GSI1PK: 'BOOKMARK#<userId>',
        GSI1SK: 'BOOKMARK#<createdAt>#<postId>',
        GSI2PK: 'POST#<postId>',
        GSI2SK: 'BOOKMARK#<userId>',
      },
    },

    // 7. Notificações
    Notification: {
      type: 'NOTIFICATION',
      attributes: z.object({ notificationId: id, userId: id, message: z.string(), ...common }),
      keys: {
        PK: 'USER#<userId>',
        SK: 'NOTIFICATION#<notificationId>#<createdAt>',
        GSI1PK: 'NOTIFICATION#<userId>',
        GSI1SK: 'NOTIFICATION#<createdAt>#<notificationId>',
      },
    },
  },

  patterns: {
    getUser: {
      op: 'get',
      purpose: 'Obter Perfil do Usuário',
      where: { PK: 'USER#<cognitoSub>', SK: 'PROFILE#<cognitoSub>' },
      returns: ['User'],
    },
    userBySub: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'USER#<cognitoSub>', GSI1SK: 'PROFILE' },
      returns: ['User'],
    },
    usersByRole: {
      op: 'query',
      index: 'GSI2',
      where: { GSI2PK: 'ROLE#<role>', GSI2SK: { beginsWith: 'USER#' } },
      returns: ['User'],
    },

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
      index: 'GSI3',
      where: { GSI3PK: 'STATUS#<status>', GSI3SK: { beginsWith: 'POST#' } },
      returns: ['Post'],
      order: 'descending',
      pageSize: 10,
    },
    postWithEverything: {
      op: 'query',
      where: { PK: 'POST#<postId>' },
      returns: ['Post', 'Comment', 'Reply', 'Like'],
    },

    rootCategories: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'CATEGORY_ROOT', GSI1SK: { beginsWith: 'CATEGORY#' } },
      returns: ['Category'],
    },
    subcategories: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'CATEGORY#<parentId>', GSI1SK: { beginsWith: 'CATEGORY#' } },
      returns: ['Subcategory'],
    },
    childrenOfCategory: {
      op: 'query',
      where: { PK: 'CATEGORY#<parentId>', SK: { beginsWith: 'CHILD#' } },
      returns: ['CategoryChild'],
    },

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
      index: 'GSI2',
      where: { GSI2PK: 'AUTHOR#<authorId>', GSI2SK: { beginsWith: 'LIKE#' } },
      returns: ['Like'],
      order: 'descending',
    },
    likePost: {
      op: 'transaction',
      purpose: 'One like a user and post, also under a race',
      steps: {
        like: { op: 'put', entity: 'Like' },
        guard: {
          op: 'put',
          entity: 'LikeGuard',
          item: { userId: '<like.userId>', postId: '<like.postId>', createdAt: '<like.createdAt>' },
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

    bookmarksOfUser: {
      op: 'query',
      where: { PK: 'USER#<userId>', SK: { beginsWith: 'BOOKMARK#' } },
      returns: ['Bookmark'],
    },
    bookmarksByDate: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'BOOKMARK#<userId>', GSI1SK: { beginsWith: 'BOOKMARK#' } },
      returns: ['Bookmark'],
      order: 'descending',
    },
    bookmarkersOfPost: {
      op: 'query',
      index: 'GSI2',
      where: { GSI2PK: 'POST#<postId>', GSI2SK: { beginsWith: 'BOOKMARK#' } },
      returns: ['Bookmark'],
    },

    notificationsOfUser: {
      op: 'query',
      where: { PK: 'USER#<userId>', SK: { beginsWith: 'NOTIFICATION#' } },
      returns: ['Notification'],
    },
    notificationsByDate: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'NOTIFICATION#<userId>', GSI1SK: { beginsWith: 'NOTIFICATION#' } },
      returns: ['Notification'],
      order: 'descending',
    },
  },

  acknowledge: {
    'key-collision': {
      'entities.Subcategory.keys':
        'a subcategory is a category: both take their ids from one space, and puts never overwrite',
    },
    'hot-partition': {
      'entities.Post.keys.GSI3PK':
        'the front page is read by everyone and written with each post: it is small, and cached',
      'entities.Category.keys.GSI1PK': 'a blog has tens of root categories, which change rarely and are cached',
    },
  },
});

export const blog = defineSystem({
  name: 'blog',
  purpose: 'A blog: posts, categories, comments, likes, bookmarks and notifications in one table',
  cloud: 'aws',
  tables: { blog: blogTable },
});
