import type { TableDesign } from '../../../design/table';

/** The tree of categories. */
export const categories = {
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

  createCategory: { op: 'put', entity: 'Category' },
  editCategory: {
    op: 'update',
    entity: 'Category',
    where: { PK: 'CATEGORY#<categoryId>', SK: 'CATEGORY#<categoryId>' },
    set: { name: '<name?>', order: '<order?>', updatedAt: '<updatedAt>' },
    condition: { entityType: 'CATEGORY' },
  },
  // Its subcategories and posts stay, under the id that it had.
  deleteCategory: {
    op: 'delete',
    entity: 'Category',
    where: { PK: 'CATEGORY#<categoryId>', SK: 'CATEGORY#<categoryId>' },
    condition: { entityType: 'CATEGORY' },
  },
  createSubcategory: {
    op: 'transaction',
    purpose: 'With its row under the parent, which must be there',
    steps: {
      parent: {
        op: 'require',
        entity: 'Category',
        where: { PK: 'CATEGORY#<subcategory.parentId>', SK: 'CATEGORY#<subcategory.parentId>' },
        condition: { PK: { exists: true } },
      },
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
  editSubcategory: {
    op: 'update',
    entity: 'Subcategory',
    where: { PK: 'CATEGORY#<subcategoryId>', SK: 'CATEGORY#<subcategoryId>' },
    set: { name: '<name>', updatedAt: '<updatedAt>' },
    condition: { entityType: 'SUBCATEGORY' },
  },
  moveSubcategory: {
    op: 'transaction',
    purpose: 'To another place under its parent; the order is part of two keys',
    steps: {
      subcategory: {
        op: 'update',
        entity: 'Subcategory',
        where: { PK: 'CATEGORY#<subcategoryId>', SK: 'CATEGORY#<subcategoryId>' },
        set: { order: '<order>', updatedAt: '<updatedAt>' },
        condition: { parentId: '<parentId>', order: '<before>' },
      },
      before: {
        op: 'delete',
        entity: 'CategoryChild',
        where: { PK: 'CATEGORY#<parentId>', SK: 'CHILD#<subcategoryId>#<before:4>' },
      },
      after: {
        op: 'put',
        entity: 'CategoryChild',
        item: {
          parentId: '<parentId>',
          childId: '<subcategoryId>',
          order: '<order>',
          createdAt: '<updatedAt>',
          updatedAt: '<updatedAt>',
        },
      },
    },
  },
  // Its posts stay, and so do its own subcategories.
  deleteSubcategory: {
    op: 'transaction',
    steps: {
      subcategory: {
        op: 'delete',
        entity: 'Subcategory',
        where: { PK: 'CATEGORY#<subcategoryId>', SK: 'CATEGORY#<subcategoryId>' },
        condition: { parentId: '<parentId>', order: '<order>' },
      },
      child: {
        op: 'delete',
        entity: 'CategoryChild',
        where: { PK: 'CATEGORY#<parentId>', SK: 'CHILD#<subcategoryId>#<order:4>' },
      },
    },
  },
} as const satisfies TableDesign['patterns'];
