import * as z from 'zod';
import { defineTable } from '../../design/table';
import { timestamp } from '../times';
import { id, map } from './attributes';

// 1. Tabla: `Tenants`
export const tenantsTable = defineTable({
  name: 'Tenants',
  purpose: 'Contiene la información maestra de cada empresa',
  key: { partition: 'tenantId' },
  indexes: { GSI1: { partition: 'ownerUserId', sort: 'createdAt', purpose: 'por dueño' } },

  entities: {
    Tenant: {
      attributes: z.object({
        tenantId: id,
        name: z.string(),
        slug: z.string().min(1),
        status: z.enum(['ACTIVE', 'SUSPENDED', 'TRIAL', 'CANCELLED']),
        plan: z.enum(['FREE', 'PRO', 'ENTERPRISE']),
        settings: map,
        createdAt: timestamp,
        ownerUserId: id,
        billingEmail: z.email(),
      }),
    },
  },

  patterns: {
    getTenant: { op: 'get', purpose: 'Leer info del tenant', where: { tenantId: '<tenantId>' }, returns: ['Tenant'] },
    tenantsOfOwner: { op: 'query', index: 'GSI1', where: { ownerUserId: '<ownerUserId>' }, returns: ['Tenant'] },
    createTenant: { op: 'put', entity: 'Tenant' },
    // A departing tenant is not deleted, but gets the status CANCELLED.
    updateTenant: {
      op: 'update',
      entity: 'Tenant',
      where: { tenantId: '<tenantId>' },
      set: {
        name: '<name?>',
        slug: '<slug?>',
        status: '<status?>',
        plan: '<plan?>',
        settings: '<settings?>',
        ownerUserId: '<ownerUserId?>',
        billingEmail: '<billingEmail?>',
      },
    },
  },

  acknowledge: {
    'imprecise-time': {
      'entities.Tenant.attributes.createdAt': 'tenants created within the same second may be listed out of order',
    },
    'tenant-unscoped': {
      'entities.Tenant.attributes.ownerUserId':
        'lists the tenants of a signed-in owner, identified by the user id in the verified token',
    },
  },
});

// 2. Tabla: `TenantApiKeys`
export const tenantApiKeysTable = defineTable({
  name: 'TenantApiKeys',
  purpose: 'Asigna claves públicas a un tenant',
  key: { partition: 'tenantId', sort: 'apiKeyId' },
  indexes: { GSI1: { partition: 'apiKeyHash', sort: 'tenantId', purpose: 'búsqueda rápida por hash' } },

  entities: {
    TenantApiKey: {
      attributes: z.object({
        tenantId: id,
        apiKeyId: id,
        apiKeyPublic: z.string().min(1).optional(),
        apiKeyHash: z.string().min(1),
        status: z.enum(['ACTIVE', 'REVOKED']),
        allowedOrigins: z.array(z.string().min(1)),
        createdAt: timestamp,
        lastUsedAt: timestamp.optional(),
        rateLimit: z.int().min(0),
      }),
    },
  },

  patterns: {
    resolveApiKey: {
      op: 'query',
      purpose: 'Resolver API Key → tenant',
      index: 'GSI1',
      where: { apiKeyHash: '<apiKeyHash>' },
      returns: ['TenantApiKey'],
    },
    apiKeysOfTenant: { op: 'query', where: { tenantId: '<tenantId>' }, returns: ['TenantApiKey'] },
    issueApiKey: { op: 'put', entity: 'TenantApiKey' },
    // A revoked key gets the status REVOKED, and stays in the list.
    updateApiKey: {
      op: 'update',
      entity: 'TenantApiKey',
      where: { tenantId: '<tenantId>', apiKeyId: '<apiKeyId>' },
      set: {
        status: '<status?>',
        allowedOrigins: '<allowedOrigins?>',
        lastUsedAt: '<lastUsedAt?>',
        rateLimit: '<rateLimit?>',
      },
    },
  },

  acknowledge: {
    'tenant-unscoped': {
      'entities.TenantApiKey.attributes.apiKeyHash':
        'callers do not know the tenant before this lookup, and only the holder of the key knows its hash',
    },
  },
});
