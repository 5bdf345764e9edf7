import type { TableDesign } from '../../../design/table';
import { edit } from '../attributes';

const user = { PK: 'USER#<cognitoSub>', SK: 'PROFILE#<cognitoSub>' } as const;
const ofUser = { PK: 'USER#<userId>' } as const;
const bookmark = { ...ofUser, SK: 'BOOKMARK#<postId>#<createdAt>' } as const;
const notification = { ...ofUser, SK: 'NOTIFICATION#<notificationId>#<createdAt>' } as const;

/** Users, and the items that only their owner sees: bookmarks and notifications. */
export const users = {
  getUser: { op: 'get', purpose: 'Obter Perfil do Usuário', where: user, returns: ['User'] },
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
  editUser: { ...edit, entity: 'User' },
  deleteUser: { op: 'delete', entity: 'User', where: user },

  bookmarksOfUser: { op: 'query', where: { ...ofUser, SK: { beginsWith: 'BOOKMARK#' } }, returns: ['Bookmark'] },
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
  deleteBookmark: { op: 'delete', entity: 'Bookmark', where: bookmark },

  notificationsOfUser: {
    op: 'query',
    where: { ...ofUser, SK: { beginsWith: 'NOTIFICATION#' } },
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
  editNotification: { ...edit, entity: 'Notification' },
  deleteNotification: { op: 'delete', entity: 'Notification', where: notification },
} as const satisfies TableDesign['patterns'];
