import * as z from 'zod';
import { defineTable } from '../../design/table';
import { key, separator, user, uuid } from './attributes';

// 1. Users
const all = { PartitionKey: 'USER' } as const;
const one = { ...all, RowKey: '<Id>' } as const;

export const usersTable = defineTable({
  name: 'Users',
  purpose: 'Armazena servidores públicos com acesso ao sistema',
  key,
  separator,
  entities: { User: { attributes: user, keys: one, keyOnly: ['Id'] } },
  patterns: {
    userById: { op: 'get', purpose: 'Por ID', where: one, returns: ['User'] },
    activeUsers: { op: 'query', purpose: 'Listar ativos', where: all, filter: { IsActive: true }, returns: ['User'] },
    allUsers: { op: 'query', purpose: 'Active or not', where: all, returns: ['User'] },
    usersWithEmail: {
      op: 'query',
      purpose: 'Por Email: scan com filtro',
      where: all,
      filter: { Email: '<Email>' },
      returns: ['User'],
    },
    addUser: { op: 'put', entity: 'User', procedureOnly: true },
    changeUser: {
      op: 'update',
      entity: 'User',
      where: one,
      set: { Name: '<Name?>', Role: '<Role?>', IsActive: '<IsActive?>', UpdatedAt: '<UpdatedAt>' },
    },
    changePassword: {
      op: 'update',
      entity: 'User',
      where: one,
      set: { PasswordHash: '<PasswordHash>', MustChangePassword: '<MustChangePassword>', UpdatedAt: '<UpdatedAt>' },
    },
    setEmail: {
      op: 'update',
      entity: 'User',
      where: one,
      set: { Email: '<Email>', UpdatedAt: '<UpdatedAt>' },
      unchanged: true,
      procedureOnly: true,
    },
    deleteUser: { op: 'delete', entity: 'User', where: one, unchanged: true },
  },
  acknowledge: {
    'hot-partition': { 'entities.User.keys.PartitionKey': 'some fifty users, as the document estimates' },
    'unacceptable-item': {
      'entities.User.attributes':
        'the schema holds PasswordHash to MustChangePassword: changeUser and setEmail change neither, and changePassword gives a hash',
    },
  },
});

const address = { PartitionKey: 'USEREMAIL', RowKey: '<Email>' } as const;

// "Tabela de lookup UsersByEmail". An e-mail may contain '_', so this table has a different separator.
export const usersByEmailTable = defineTable({
  name: 'UsersByEmail',
  purpose: 'Who has an e-mail: it is unique because it is a key here',
  key,
  separator: '|',
  entities: {
    UserEmail: {
      // In lowercase, so that one address has one key.
      attributes: z.object({ Email: z.email().lowercase(), UserId: uuid }),
      keys: address,
      keyOnly: ['Email'],
    },
  },
  patterns: {
    emailOwner: { op: 'get', where: address, returns: ['UserEmail'] },
    claimEmail: { op: 'put', purpose: 'Refused if the e-mail is taken', entity: 'UserEmail', procedureOnly: true },
    saveEmail: {
      op: 'put',
      purpose: 'Confirms a claim, or takes over one whose user does not have the e-mail',
      entity: 'UserEmail',
      replace: true,
      unchanged: true,
      procedureOnly: true,
    },
    // Does not free an e-mail that a user has: without a row, the procedures search all users.
    releaseEmail: {
      op: 'delete',
      purpose: 'The row of a user who has another e-mail, or is gone',
      entity: 'UserEmail',
      where: address,
    },
  },
  acknowledge: {
    'hot-partition': { 'entities.UserEmail.keys.PartitionKey': 'one row a user, and there are some fifty' },
  },
});
