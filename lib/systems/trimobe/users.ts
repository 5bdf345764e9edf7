import * as z from 'zod';
import { defineTable } from '../../design/table';
import { audit, cognitoId, json, uuid } from './attributes';

// The document lists only "Atributos Principais", so tenants and users may also have other attributes.

// 1. Tabela `Tenants` (Existente)
export const tenantsTable = defineTable({
  name: 'Tenants',
  purpose: 'Responsável pelo armazenamento de informações organizacionais e configurações multi-tenant',
  key: { partition: 'PK', sort: 'SK' },

  entities: {
    Tenant: {
      attributes: z.looseObject({
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
    getTenant: { op: 'get', where: { PK: 'TENANT#<tenantId>', SK: 'METADATA#1' }, returns: ['Tenant'] },
    createTenant: { op: 'put', entity: 'Tenant' },
    updateTenant: {
      op: 'update',
      entity: 'Tenant',
      where: { PK: 'TENANT#<tenantId>', SK: 'METADATA#1' },
      set: { name: '<name?>', status: '<status?>', settings: '<settings?>', updatedAt: '<updatedAt>' },
    },
    // The tenant's users and all of its other items remain, because they are in other tables.
    deleteTenant: { op: 'delete', entity: 'Tenant', where: { PK: 'TENANT#<tenantId>', SK: 'METADATA#1' } },
  },
});

const user = { PK: 'TENANT#<tenantId>', SK: 'USER#<cognitoId>' } as const;

// 2. Tabela `Users` (Existente)
export const usersTable = defineTable({
  name: 'Users',
  purpose: 'Gerencia usuários e autenticação no contexto multi-tenant',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'Fluxo de Autenticação' } },

  entities: {
    User: {
      attributes: z.looseObject({
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
      // The document says "Email do usuário (único)": an address belongs to one Cognito user across all tenants.
      unique: { email: { keys: { PK: 'EMAIL#<email:lower>', SK: 'EMAIL#<email:lower>' }, owner: ['cognitoId'] } },
    },
  },

  patterns: {
    // The read is strongly consistent, because a suspended user must lose access immediately.
    getUser: { op: 'get', where: user, returns: ['User'], consistent: true },
    usersOfTenant: { op: 'query', where: { PK: 'TENANT#<tenantId>', SK: { beginsWith: 'USER#' } }, returns: ['User'] },
    tenantsOfUser: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: 'USER#<cognitoId>', GSI1SK: { beginsWith: 'TENANT#' } },
      returns: ['User'],
    },
    createUser: { op: 'put', purpose: "Refuses another Cognito user's address", entity: 'User' },
    updateUser: {
      op: 'update',
      entity: 'User',
      where: user,
      set: { name: '<name?>', role: '<role?>', status: '<status?>', updatedAt: '<updatedAt>' },
    },
    changeEmail: {
      op: 'update',
      purpose: "Refuses another Cognito user's address; releaseEmail frees the former address",
      entity: 'User',
      where: user,
      set: { email: '<email>', updatedAt: '<updatedAt>' },
      condition: { email: '<formerEmail>' },
    },
    removeUser: { op: 'delete', purpose: 'Keeps the address reserved: see releaseEmail', entity: 'User', where: user },
    releaseEmail: {
      op: 'release',
      purpose:
        'Frees an address; call it only once tenantsOfUser shows that the user no longer has the address in any tenant',
      entity: 'User',
      unique: 'email',
      where: { email: '<email>', cognitoId: '<cognitoId>' },
    },
  },

  acknowledge: {
    'tenant-unscoped': {
      'entities.User.unique.email.keys.PK':
        'an address belongs to one Cognito user across all tenants; its guard contains only the cognitoId',
      'entities.User.keys.GSI1PK':
        'callers read the user once at sign-in, before choosing a tenant, and use the cognitoId of the verified token',
    },
  },
});
