import * as z from 'zod';
import { defineTable } from '../../design/table';
import { audit, cognitoId, json, uuid } from './attributes';

// 1. Tabela `Tenants` (Existente)
export const tenantsTable = defineTable({
  name: 'Tenants',
  purpose: 'Responsável pelo armazenamento de informações organizacionais e configurações multi-tenant',
  key: { partition: 'PK', sort: 'SK' },

  entities: {
    Tenant: {
      attributes: z.object({
        id: uuid,
        name: z.string(),
        status: z.enum(['ACTIVE', 'SUSPENDED']),
        settings: json,
        ...audit,
      }),
      // The document's <tenantId> is the tenant's own `id`.
      keys: { PK: 'TENANT#<id>', SK: 'METADATA#1' },
    },
  },

  patterns: {
    getTenant: {
      op: 'get',
      where: { PK: 'TENANT#<tenantId>', SK: 'METADATA#1' },
      returns: ['Tenant'],
    },
    createTenant: { op: 'put', entity: 'Tenant' },
    updateTenant: {
      op: 'update',
      entity: 'Tenant',
      where: { PK: 'TENANT#<tenantId>', SK: 'METADATA#1' },
      set: { name: '<name?>', settings: '<settings?>', updatedAt: '<updatedAt>' },
    },
    setTenantStatus: {
      op: 'update',
      purpose: 'ACTIVE, or SUSPENDED',
      entity: 'Tenant',
      where: { PK: 'TENANT#<tenantId>', SK: 'METADATA#1' },
      set: { status: '<status>', updatedAt: '<updatedAt>' },
    },
    deleteTenant: {
      op: 'delete',
      purpose: 'Its users and all else are in other tables, and stay',
      entity: 'Tenant',
      where: { PK: 'TENANT#<tenantId>', SK: 'METADATA#1' },
    },
  },
});

const userKey = { PK: 'TENANT#<tenantId>', SK: 'USER#<cognitoId>' } as const;
const addressKey = { PK: 'EMAIL#<email>', SK: 'EMAIL#<email>' } as const;

/** A user who goes, with the address as it was read. */
const leaving = { op: 'delete', entity: 'User', where: userKey, condition: { email: '<email>' } } as const;

/** A user who gets another address. */
const moving = {
  op: 'update',
  entity: 'User',
  where: userKey,
  set: { email: '<to>', updatedAt: '<updatedAt>' },
  condition: { email: '<email>' },
} as const;

/** The address that a user leaves: it is free, if this was its last use. */
const freed = {
  op: 'delete',
  entity: 'UserEmail',
  where: addressKey,
  condition: { cognitoId: '<cognitoId>', memberships: 1 },
} as const;
const oneLess = {
  op: 'update',
  entity: 'UserEmail',
  where: addressKey,
  add: { memberships: -1 },
  condition: { cognitoId: '<cognitoId>', memberships: { greaterThan: 1 } },
} as const;

/** The address that a user has though it is another's, from before there were guards: it stays the other's. */
const others = {
  op: 'require',
  entity: 'UserEmail',
  where: addressKey,
  condition: { cognitoId: { exists: true }, none: [{ cognitoId: '<cognitoId>' }] },
} as const;

/** The address that a user comes to: nobody has it, or the same user in another tenant. */
const taken = {
  op: 'put',
  entity: 'UserEmail',
  item: { email: '<to>', cognitoId: '<cognitoId>', memberships: 1 },
} as const;
const oneMore = {
  op: 'update',
  entity: 'UserEmail',
  where: { PK: 'EMAIL#<to>', SK: 'EMAIL#<to>' },
  add: { memberships: 1 },
  condition: { cognitoId: '<cognitoId>' },
} as const;

const OTHERS = 'the address is of another user, who keeps it with its guard';
const GUARDED = 'the guard of an address is one for all tenants, and is written only for the Cognito user who has it';

// 2. Tabela `Users` (Existente)
export const usersTable = defineTable({
  name: 'Users',
  purpose: 'Gerencia usuários e autenticação no contexto multi-tenant',
  key: { partition: 'PK', sort: 'SK' },
  indexes: {
    GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'Fluxo de Autenticação' },
  },

  entities: {
    User: {
      attributes: z.object({
        tenantId: uuid,
        cognitoId,
        email: z.email(),
        name: z.string(),
        role: z.enum(['ADMIN', 'USER']),
        status: z.string().min(1),
        ...audit,
      }),
      keys: {
        PK: 'TENANT#<tenantId>',
        SK: 'USER#<cognitoId>',
        GSI1PK: 'USER#<cognitoId>',
        GSI1SK: 'TENANT#<tenantId>',
      },
    },
    // `email` is unique, and only a primary key can be: this row takes the address, for one Cognito user, and counts the
    // tenants in which it is that user's. It is gone with the last.
    UserEmail: {
      attributes: z.object({
        /** In lower case, so that one address has one key. */
        email: z.email().toLowerCase(),
        cognitoId,
        memberships: z.int().min(1),
      }),
      keys: { PK: 'EMAIL#<email:lower>', SK: 'EMAIL#<email:lower>' },
    },
    // A guard from before addresses were compared in lower case: nobody looks there any more, and fillTenant moves it.
    OlderEmail: {
      attributes: z.looseObject({ address: z.email().regex(/[A-Z]/), cognitoId: cognitoId.optional() }),
      keys: { PK: 'EMAIL#<address>', SK: 'EMAIL#<address>' },
      keyOnly: ['address'],
    },
  },

  patterns: {
    getUser: {
      op: 'get',
      where: { PK: 'TENANT#<tenantId>', SK: 'USER#<cognitoId>' },
      returns: ['User'],
      // Who was suspended a moment ago must not be let in.
      consistent: true,
    },
    usersOfTenant: {
      op: 'query',
      where: { PK: 'TENANT#<tenantId>', SK: { beginsWith: 'USER#' } },
      returns: ['User'],
    },
    tenantsOfUser: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'USER#<cognitoId>', GSI1SK: { beginsWith: 'TENANT#' } },
      returns: ['User'],
    },
    emailOwner: {
      op: 'get',
      purpose: 'Whose an address is, and in how many tenants',
      where: { PK: 'EMAIL#<email>', SK: 'EMAIL#<email>' },
      returns: ['UserEmail'],
      consistent: true,
    },
    olderEmail: {
      op: 'get',
      purpose: 'The guard of an address under a key with capitals',
      where: { PK: 'EMAIL#<address>', SK: 'EMAIL#<address>' },
      returns: ['OlderEmail'],
      consistent: true,
    },
    createUser: {
      op: 'transaction',
      purpose: 'A user with an address that nobody has; see addUser',
      steps: {
        user: { op: 'put', entity: 'User' },
        email: {
          op: 'put',
          entity: 'UserEmail',
          item: { email: '<user.email>', cognitoId: '<user.cognitoId>', memberships: 1 },
        },
      },
    },
    joinTenant: {
      op: 'transaction',
      purpose: 'The same Cognito user with the same address in another tenant; see addUser',
      steps: {
        user: { op: 'put', entity: 'User' },
        email: {
          op: 'update',
          entity: 'UserEmail',
          where: { PK: 'EMAIL#<user.email>', SK: 'EMAIL#<user.email>' },
          add: { memberships: 1 },
          condition: { cognitoId: '<user.cognitoId>' },
        },
      },
    },
    updateUser: {
      op: 'update',
      purpose: 'Another name, role or state; the address has changeEmail',
      entity: 'User',
      where: { PK: 'TENANT#<tenantId>', SK: 'USER#<cognitoId>' },
      set: { name: '<name?>', role: '<role?>', status: '<status?>', updatedAt: '<updatedAt>' },
    },
    leaveTenant: {
      op: 'transaction',
      purpose: 'A user who has the address in another tenant as well; see removeUser',
      steps: { user: leaving, email: oneLess },
    },
    leaveLastTenant: {
      op: 'transaction',
      purpose: 'A user with the last use of an address, which is free then; see removeUser',
      steps: { user: leaving, email: freed },
    },
    leaveOthersEmail: {
      op: 'transaction',
      purpose: "A user with an address that is another's, who keeps it; see removeUser",
      steps: { user: leaving, email: others },
    },
    // Of the address that is left, other uses may remain; and the new one may be the user's own in another tenant.
    moveEmail: {
      op: 'transaction',
      purpose: 'To an address that nobody has, from one that is free then; see changeEmail',
      steps: { user: moving, email: freed, newEmail: taken },
    },
    moveEmailToOwn: {
      op: 'transaction',
      purpose: 'To an address that the user has in another tenant, from one that is free then; see changeEmail',
      steps: { user: moving, email: freed, newEmail: oneMore },
    },
    moveSharedEmail: {
      op: 'transaction',
      purpose: 'To an address that nobody has, from one that stays in use; see changeEmail',
      steps: { user: moving, email: oneLess, newEmail: taken },
    },
    moveSharedEmailToOwn: {
      op: 'transaction',
      purpose: 'To an address that the user has in another tenant, from one that stays in use; see changeEmail',
      steps: { user: moving, email: oneLess, newEmail: oneMore },
    },
    moveOthersEmail: {
      op: 'transaction',
      purpose: "To an address that nobody has, from one that is another's; see changeEmail",
      steps: { user: moving, email: others, newEmail: taken },
    },
    moveOthersEmailToOwn: {
      op: 'transaction',
      purpose: "To an address that the user has in another tenant, from one that is another's; see changeEmail",
      steps: { user: moving, email: others, newEmail: oneMore },
    },
    // Granted by itself, it could give an address that is in use to somebody else, or count what there is not.
    claimEmail: {
      op: 'put',
      purpose: 'The guard of an address that is in use since before there were guards, or since before they counted',
      entity: 'UserEmail',
      item: { email: '<email>', cognitoId: '<cognitoId>', memberships: '<memberships>' },
      replace: true,
      condition: {
        memberships: { exists: false },
        any: [{ cognitoId: { exists: false } }, { cognitoId: '<cognitoId>' }],
      },
      procedureOnly: true,
    },
    // Granted by itself, it could remove the guard of another address, where that does not say whose it is.
    retireEmail: {
      op: 'transaction',
      purpose: 'A guard under a key with capitals goes, once its user has the one in lower case; see fillTenant',
      procedureOnly: true,
      steps: {
        email: { op: 'require', entity: 'UserEmail', where: addressKey, condition: { cognitoId: '<cognitoId>' } },
        older: {
          op: 'delete',
          entity: 'OlderEmail',
          where: { PK: 'EMAIL#<address>', SK: 'EMAIL#<address>' },
          condition: { any: [{ cognitoId: { exists: false } }, { cognitoId: '<cognitoId>' }] },
        },
      },
    },
  },

  acknowledge: {
    'key-collision': {
      'entities.OlderEmail.keys.SK': 'the key of one has capitals, and that of the other none',
    },
    'broken-guard': {
      'patterns.leaveOthersEmail': OTHERS,
      'patterns.moveOthersEmail': OTHERS,
      'patterns.moveOthersEmailToOwn': OTHERS,
    },
    'tenant-unscoped': {
      'entities.OlderEmail.keys.PK': 'as that of UserEmail',
      'patterns.olderEmail': 'used by fillTenant alone, with the address of a user of the tenant',
      'patterns.retireEmail.steps': GUARDED,
      'entities.UserEmail.keys.PK': 'an e-mail is unique over all tenants, which is what the guard is for',
      'patterns.emailOwner':
        'an address is of one person in all tenants; it tells a Cognito id and a number, and of no tenant',
      'patterns.joinTenant.steps.email': GUARDED,
      'patterns.leaveTenant.steps.email': GUARDED,
      'patterns.leaveLastTenant.steps.email': GUARDED,
      'patterns.moveEmail.steps': GUARDED,
      'patterns.moveEmailToOwn.steps': GUARDED,
      'patterns.moveSharedEmail.steps': GUARDED,
      'patterns.moveSharedEmailToOwn.steps': GUARDED,
      'patterns.leaveOthersEmail.steps.email': GUARDED,
      'patterns.moveOthersEmail.steps': GUARDED,
      'patterns.moveOthersEmailToOwn.steps': GUARDED,
      'patterns.tenantsOfUser':
        'asked once at sign-in, with the cognitoId of the verified token, before a tenant is chosen',
    },
  },
});
