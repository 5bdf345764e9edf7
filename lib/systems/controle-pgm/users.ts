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
    'hot-partition': { 'entities.User.keys.PartitionKey': 'the document estimates about fifty users' },
    'unacceptable-item': {
      'entities.User.attributes':
        'the schema requires PasswordHash unless MustChangePassword is true; changeUser and setEmail change neither, and changePassword sets a hash',
    },
  },
});

const address = { PartitionKey: 'USEREMAIL', RowKey: '<Email>' } as const;

// The document's "Tabela de lookup UsersByEmail". An e-mail may contain '_', so this table has a different separator.
export const usersByEmailTable = defineTable({
  name: 'UsersByEmail',
  purpose: "The owner of each e-mail; the e-mail is this table's RowKey, which makes it unique",
  key,
  separator: '|',
  entities: {
    UserEmail: {
      // The e-mail is in lower case, so that one address has only one key.
      attributes: z.object({ Email: z.email().lowercase(), UserId: uuid }),
      keys: address,
      keyOnly: ['Email'],
    },
  },
  patterns: {
    emailOwner: { op: 'get', where: address, returns: ['UserEmail'] },
    claimEmail: { op: 'put', purpose: 'Refuses a claimed e-mail', entity: 'UserEmail', procedureOnly: true },
    saveEmail: {
      op: 'put',
      purpose: 'Confirms a claim, or takes over the claim of a user who does not have the e-mail',
      entity: 'UserEmail',
      replace: true,
      unchanged: true,
      procedureOnly: true,
    },
    // Deleting the row does not free an e-mail that a user has, because the procedures also search all users.
    releaseEmail: {
      op: 'delete',
      purpose: 'Deletes a claim whose user has another e-mail or was deleted',
      entity: 'UserEmail',
      where: address,
    },
  },
  acknowledge: {
    'hot-partition': { 'entities.UserEmail.keys.PartitionKey': 'one row per user, for about fifty users' },
  },
});
