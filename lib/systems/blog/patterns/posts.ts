import type { TableDesign } from '../../../design/table';
import { edit } from '../attributes';

const post = { PK: 'POST#<postId>', SK: 'POST#<postId>' } as const;
const category = { PK: 'CATEGORY#<categoryId>', SK: 'CATEGORY#<categoryId>' } as const;
const subcategory = { PK: 'CATEGORY#<subcategoryId>', SK: 'CATEGORY#<subcategoryId>' } as const;
const children = { PK: 'CATEGORY#<parentId>' } as const;
/** The attributes that a subcategory and its row under the parent category have in common. */
const place = { parentId: '<parentId>', order: '<order>' } as const;

export const posts = {
  getPost: { op: 'get', where: post, returns: ['Post'] },
  // The partition also contains subcategories, which the prefix excludes.
  postsByCategory: {
    op: 'query',
    purpose: 'Obter Posts por Categoria (paginado)',
    index: 'GSI1',
    where: { GSI1PK: 'CATEGORY#<subcategoryId>', GSI1SK: { beginsWith: 'POST#' } },
    returns: ['Post'],
    order: 'descending',
    pageSize: 10,
  },
  // The partition also contains the author's comments and likes.
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
  postWithEverything: { op: 'query', where: { PK: 'POST#<postId>' }, returns: ['Post', 'Comment', 'Reply', 'Like'] },
  createPost: {
    op: 'put',
    purpose: 'Publishes the post if publishedAt is given; otherwise, stores a draft',
    entity: 'Post',
  },
  editPost: {
    ...edit,
    entity: 'Post',
    purpose: 'Publishes the post if publishedAt is given, and moves the post if subcategoryId changes',
  },
  // Comments, replies, likes and bookmarks remain. `postWithEverything` and `bookmarkersOfPost` still find them.
  deletePost: { op: 'delete', entity: 'Post', where: post },

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
  childrenOfCategory: { op: 'query', where: { ...children, SK: { beginsWith: 'CHILD#' } }, returns: ['CategoryChild'] },
  createCategory: { op: 'put', entity: 'Category' },
  editCategory: { ...edit, entity: 'Category', condition: { entityType: 'CATEGORY' } },
  deleteCategory: { op: 'delete', entity: 'Category', where: category, condition: { entityType: 'CATEGORY' } },

  createSubcategory: {
    op: 'transaction',
    steps: {
      subcategory: { op: 'put', entity: 'Subcategory' },
      child: {
        op: 'put',
        entity: 'CategoryChild',
        item: {
          parentId: '<subcategory.parentId>',
          childId: '<subcategory.subcategoryId>',
          order: '<subcategory.order>',
          createdAt: '<subcategory.createdAt>',
          updatedAt: '<subcategory.updatedAt>',
        },
      },
    },
  },
  // To move a subcategory, delete it and create it in the new place.
  editSubcategory: { ...edit, entity: 'Subcategory', condition: place },
  deleteSubcategory: {
    op: 'transaction',
    steps: {
      subcategory: { op: 'delete', entity: 'Subcategory', where: subcategory, condition: place },
      child: { op: 'delete', entity: 'CategoryChild', where: { ...children, SK: 'CHILD#<subcategoryId>#<order>' } },
    },
  },
} as const satisfies TableDesign['patterns'];
