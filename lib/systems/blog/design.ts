import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import * as schemas from './attributes';
import { comments } from './patterns/comments';
import { posts } from './patterns/posts';
import { users } from './patterns/users';

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
    // The document says that there are three indexes, but defines only two. Here, GSI3 serves the front page.
    GSI3: { partition: 'GSI3PK', sort: 'GSI3SK', purpose: 'Posts por status: a página inicial' },
  },
  typeAttribute: 'entityType',

  entities: {
    // 1. Usuários
    User: {
      type: 'USER',
      attributes: schemas.user,
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
      attributes: schemas.post,
      keys: {
        PK: 'POST#<postId>',
        SK: 'POST#<postId>',
        GSI1PK: 'CATEGORY#<subcategoryId>',
        GSI1SK: 'POST#<publishedAt>#<postId>',
        GSI2PK: 'AUTHOR#<authorId>',
        GSI2SK: 'POST#<publishedAt>#<postId>',
        // A post with `publishedAt` is published, with or without a `status`.
        GSI3PK: 'STATUS#PUBLISHED',
        GSI3SK: 'POST#<publishedAt>#<postId>',
      },
    },

    // 3. Categorias (Hierarquia): Categoria Principal
    Category: {
      type: 'CATEGORY',
      attributes: schemas.category,
      keys: {
        PK: 'CATEGORY#<categoryId>',
        SK: 'CATEGORY#<categoryId>',
        GSI1PK: 'CATEGORY_ROOT',
        // The order is padded, because 10 sorts before 9 lexicographically.
        GSI1SK: 'CATEGORY#<order:4>#<categoryId>',
      },
    },
    // Subcategoria
    Subcategory: {
      type: 'SUBCATEGORY',
      attributes: schemas.subcategory,
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
      attributes: schemas.categoryChild,
      keys: { PK: 'CATEGORY#<parentId>', SK: 'CHILD#<childId>#<order>' },
    },

    // 4. Comentários
    Comment: {
      type: 'COMMENT',
      attributes: schemas.comment,
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
      attributes: schemas.reply,
      keys: { PK: 'POST#<postId>', SK: 'COMMENT#<parentId>#<replyId>#<createdAt>' },
    },

    // 5. Curtidas (Likes)
    Like: {
      type: 'LIKE',
      attributes: schemas.like,
      keys: {
        PK: 'POST#<postId>',
        SK: 'LIKE#<userId>#<createdAt>',
        GSI1PK: 'LIKE#<userId>#<postId>',
        GSI1SK: 'LIKE',
        GSI2PK: 'AUTHOR#<authorId>',
        GSI2SK: 'LIKE#<createdAt>',
      },
      // A like's key contains the time, so only this guard prevents a second like.
      unique: { like: { keys: { PK: 'LIKE#<userId>#<postId>', SK: 'LIKE' } } },
    },

    // 6. Favoritos (Bookmarks)
    Bookmark: {
      type: 'BOOKMARK',
      attributes: schemas.bookmark,
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
      attributes: schemas.notification,
      keys: {
        PK: 'USER#<userId>',
        SK: 'NOTIFICATION#<notificationId>#<createdAt>',
        GSI1PK: 'NOTIFICATION#<userId>',
        GSI1SK: 'NOTIFICATION#<createdAt>#<notificationId>',
      },
    },
  },

  patterns: { ...users, ...posts, ...comments },

  acknowledge: {
    'key-collision': {
      'entities.Subcategory.keys': 'no category and subcategory share an id, and no put replaces one with the other',
    },
    'imprecise-time': {
      entities: 'the document asks for ISO times of any precision; times from Date.toISOString() sort correctly',
    },
    'unpadded-number': {
      'entities.CategoryChild.keys.SK':
        "in the documented key, the child's id precedes the order, so the order does not affect sorting",
    },
    'hot-partition': {
      'entities.Post.keys.GSI3PK':
        'every published post is on the front page, which every visitor reads, but it is small and cached',
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
