import type { TableDesign } from '../../../design/table';

const profile = { PK: 'USER#<userId>', SK: 'PROFILE#metadata' } as const;
const session = { PK: 'USER#<userId>', SK: 'SESSION#<sessionId>' } as const;

/** Users with their plans, and sessions. */
export const users = {
  createUser: { op: 'put', entity: 'User' },
  editUser: {
    op: 'update',
    entity: 'User',
    where: profile,
    set: {
      'data.email': '<email?>',
      'data.fullName': '<fullName?>',
      'data.avatarUrl': '<avatarUrl?>',
      'data.timezone': '<timezone?>',
      subscription: '<subscription?>',
      credits: '<credits?>',
      config: '<config?>',
    },
  },
  deleteUser: { op: 'delete', entity: 'User', where: profile },

  openSession: { op: 'put', entity: 'Session' },
  touchSession: { op: 'update', purpose: 'It expires later', entity: 'Session', where: session, set: { ttl: '<ttl>' } },
  closeSession: { op: 'delete', entity: 'Session', where: session },
} as const satisfies TableDesign['patterns'];
