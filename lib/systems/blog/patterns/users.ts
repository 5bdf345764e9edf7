import type { TableDesign } from '../../../design/table';

/** Users, and what only they see: bookmarks and notifications. */
export const users = {
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
  createUser: { op: 'put', entity: 'User' },
  editUser: {
    op: 'update',
    entity: 'User',
    where: { PK: 'USER#<cognitoSub>', SK: 'PROFILE#<cognitoSub>' },
    set: { name: '<name?>', email: '<email?>', updatedAt: '<updatedAt>' },
  },
  changeRole: {
    op: 'update',
    entity: 'User',
    where: { PK: 'USER#<cognitoSub>', SK: 'PROFILE#<cognitoSub>' },
    set: { role: '<role>', updatedAt: '<updatedAt>' },
  },
  deleteUser: { op: 'delete', entity: 'User', where: { PK: 'USER#<cognitoSub>', SK: 'PROFILE#<cognitoSub>' } },

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
  createBookmark: { op: 'put', entity: 'Bookmark' },
  editBookmark: {
    op: 'update',
    entity: 'Bookmark',
    where: { PK: 'USER#<userId>', SK: 'BOOKMARK#<postId>#<createdAt>' },
    set: { note: '<note>', updatedAt: '<updatedAt>' },
  },
  deleteBookmark: {
    op: 'delete',
    entity: 'Bookmark',
    where: { PK: 'USER#<userId>', SK: 'BOOKMARK#<postId>#<createdAt>' },
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
  createNotification: { op: 'put', entity: 'Notification' },
  editNotification: {
    op: 'update',
    entity: 'Notification',
    where: { PK: 'USER#<userId>', SK: 'NOTIFICATION#<notificationId>#<createdAt>' },
    set: { message: '<message>', updatedAt: '<updatedAt>' },
  },
  markNotificationRead: {
    op: 'update',
    purpose: 'Once: the moment it was first read stays',
    entity: 'Notification',
    where: { PK: 'USER#<userId>', SK: 'NOTIFICATION#<notificationId>#<createdAt>' },
    set: { readAt: '<readAt>', updatedAt: '<readAt>' },
    condition: { readAt: { exists: false } },
  },
  deleteNotification: {
    op: 'delete',
    entity: 'Notification',
    where: { PK: 'USER#<userId>', SK: 'NOTIFICATION#<notificationId>#<createdAt>' },
  },
} as const satisfies TableDesign['patterns'];
