import * as z from 'zod';
import { defineTable } from '../../design/table';
import { key, separator, timestamp, user, uuid } from './attributes';

// 1. Users
export const usersTable = defineTable({
  name: 'Users',
  purpose: 'Armazena servidores públicos com acesso ao sistema',
  key,
  separator,
  entities: {
    User: { attributes: user, keys: { PartitionKey: 'USER', RowKey: '<Id>' }, keyOnly: ['Id'] },
  },
  patterns: {
    userById: {
      op: 'get',
      purpose: 'Por ID',
      where: { PartitionKey: 'USER', RowKey: '<Id>' },
      returns: ['User'],
    },
    activeUsers: {
      op: 'query',
      purpose: 'Listar ativos',
      where: { PartitionKey: 'USER' },
      filter: { IsActive: true },
      returns: ['User'],
    },
    allUsers: {
      op: 'query',
      purpose: 'Active or not, for who looks after all of them',
      where: { PartitionKey: 'USER' },
      returns: ['User'],
    },
    // The document's own way. `userByEmail` needs two point reads instead, and knows no capitals.
    usersWithEmail: {
      op: 'query',
      purpose: 'Por Email: scan com filtro',
      where: { PartitionKey: 'USER' },
      filter: { Email: '<Email>' },
      returns: ['User'],
    },
    // With an address that nobody else can have, until createUser is sure of the other.
    addUser: {
      op: 'put',
      purpose: 'A user who is being made; see createUser',
      entity: 'User',
      item: {
        Id: '<Id>',
        Email: '<Id>@pendente.invalid',
        Name: '<Name>',
        PasswordHash: '<PasswordHash?>',
        Role: '<Role>',
        IsActive: false,
        MustChangePassword: '<MustChangePassword>',
        CreatedAt: '<CreatedAt>',
        UpdatedAt: '<UpdatedAt>',
        PendingEmail: '<PendingEmail>',
      },
    },
    changeUser: {
      op: 'update',
      purpose: 'Another name, role or state, unless somebody else has changed the user since it was read',
      entity: 'User',
      where: { PartitionKey: 'USER', RowKey: '<Id>' },
      set: { Name: '<Name?>', Role: '<Role?>', IsActive: '<IsActive?>', UpdatedAt: '<UpdatedAt>' },
      unchanged: true,
    },
    changePassword: {
      op: 'update',
      purpose: 'Another password, unless somebody else has changed the user since it was read',
      entity: 'User',
      where: { PartitionKey: 'USER', RowKey: '<Id>' },
      set: {
        PasswordHash: '<PasswordHash>',
        MustChangePassword: '<MustChangePassword>',
        UpdatedAt: '<UpdatedAt>',
      },
      unchanged: true,
    },
    settleUser: {
      op: 'put',
      purpose: 'All of a user, with an e-mail that the procedure is sure of; a merge cannot take PendingEmail away',
      entity: 'User',
      replace: true,
      unchanged: true,
      procedureOnly: true,
    },
    deleteUser: {
      op: 'delete',
      purpose: 'A user as it was read; see removeUser, which frees the e-mail too',
      entity: 'User',
      where: { PartitionKey: 'USER', RowKey: '<Id>' },
      unchanged: true,
    },
  },
  acknowledge: {
    'hot-partition': { 'entities.User.keys.PartitionKey': 'some fifty users, as the document estimates' },
    'unacceptable-item': {
      'patterns.changeUser': 'the schema holds PasswordHash to MustChangePassword, and this changes neither',
      'patterns.changePassword': 'the schema wants a PasswordHash unless it must be changed, and this gives one',
    },
  },
});

// "Tabela de lookup UsersByEmail". An e-mail may hold '_', so that another character has to be the separator.
export const usersByEmailTable = defineTable({
  name: 'UsersByEmail',
  purpose: 'Who has an e-mail: it is unique because it is a key here',
  key,
  separator: '|',
  entities: {
    UserEmail: {
      attributes: z.object({
        /** In small letters, so that one address has one key. */
        Email: z.email().lowercase(),
        UserId: uuid,
        /** Of claims that were made before users had a PendingEmail. */
        ClaimedAt: timestamp.optional(),
      }),
      keys: { PartitionKey: 'USEREMAIL', RowKey: '<Email>' },
      keyOnly: ['Email'],
    },
  },
  patterns: {
    emailOwner: {
      op: 'get',
      where: { PartitionKey: 'USEREMAIL', RowKey: '<Email>' },
      returns: ['UserEmail'],
    },
    claimEmail: {
      op: 'put',
      purpose: 'Refused if the e-mail is taken',
      entity: 'UserEmail',
      procedureOnly: true,
    },
    saveEmail: {
      op: 'put',
      purpose: 'Takes over an e-mail that was left behind',
      entity: 'UserEmail',
      replace: true,
      unchanged: true,
      procedureOnly: true,
    },
    releaseEmail: {
      op: 'delete',
      purpose: 'Frees the e-mail of a user who has another, or is gone',
      entity: 'UserEmail',
      where: { PartitionKey: 'USEREMAIL', RowKey: '<Email>' },
      unchanged: true,
      procedureOnly: true,
    },
  },
  acknowledge: {
    'hot-partition': { 'entities.UserEmail.keys.PartitionKey': 'one row a user, and there are some fifty' },
  },
});
