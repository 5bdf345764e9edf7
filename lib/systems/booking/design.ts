import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { id, map, timeRange, timestamp } from './attributes';
import { bookingsTable } from './bookings';

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
    getTenant: {
      op: 'get',
      purpose: 'Leer info del tenant',
      where: { tenantId: '<tenantId>' },
      returns: ['Tenant'],
    },
    tenantsOfOwner: {
      op: 'query',
      purpose: 'Listar tenants de un usuario',
      index: 'GSI1',
      where: { ownerUserId: '<ownerUserId>' },
      returns: ['Tenant'],
    },
  },

  acknowledge: {
    'tenant-unscoped': {
      'patterns.tenantsOfOwner': 'lists the tenants of a signed-in owner, by the user id of the verified token',
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
    apiKeysOfTenant: {
      op: 'query',
      purpose: 'Listar keys de un tenant',
      where: { tenantId: '<tenantId>' },
      returns: ['TenantApiKey'],
    },
  },

  acknowledge: {
    'tenant-unscoped': {
      'patterns.resolveApiKey':
        'finds the tenant: nobody knows it before, and only the holder of the key knows its hash',
    },
  },
});

// 3. Tabla: `Services`
export const servicesTable = defineTable({
  name: 'Services',
  purpose: 'Catálogo de servicios de cada tenant',
  key: { partition: 'tenantId', sort: 'serviceId' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'name', purpose: 'por categoría' } },

  entities: {
    Service: {
      attributes: z.object({
        tenantId: id,
        serviceId: id,
        name: z.string().min(1),
        description: z.string(),
        durationMinutes: z.number().positive(),
        price: z.number().min(0),
        category: z.string().min(1),
        active: z.boolean(),
      }),
      keys: { GSI1PK: '<tenantId>#<category>' },
    },
  },

  patterns: {
    servicesOfTenant: {
      op: 'query',
      purpose: 'Listar servicios del tenant',
      where: { tenantId: '<tenantId>' },
      returns: ['Service'],
    },
    getService: {
      op: 'get',
      purpose: 'Obtener servicio específico',
      where: { tenantId: '<tenantId>', serviceId: '<serviceId>' },
      returns: ['Service'],
    },
    servicesByCategory: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: '<tenantId>#<category>' },
      returns: ['Service'],
    },
  },
});

// 4. Tabla: `Providers`
export const providersTable = defineTable({
  name: 'Providers',
  purpose: 'Profesionales asociados a los servicios',
  key: { partition: 'tenantId', sort: 'providerId' },

  entities: {
    Provider: {
      attributes: z.object({
        tenantId: id,
        providerId: id,
        name: z.string(),
        bio: z.string(),
        services: z.array(id),
        timezone: z.string().min(1),
        active: z.boolean(),
      }),
    },
  },

  patterns: {
    getProvider: {
      op: 'get',
      where: { tenantId: '<tenantId>', providerId: '<providerId>' },
      returns: ['Provider'],
    },
    providersOfTenant: {
      op: 'query',
      purpose: 'Listar profesionales del tenant',
      where: { tenantId: '<tenantId>' },
      returns: ['Provider'],
    },
    providersOfService: {
      op: 'query',
      purpose: 'Filtrar por `services` contiene `serviceId` (post-query)',
      where: { tenantId: '<tenantId>' },
      filter: { services: { contains: '<serviceId>' } },
      returns: ['Provider'],
    },
  },
});

// 5. Tabla: `ProviderAvailability`
export const providerAvailabilityTable = defineTable({
  name: 'ProviderAvailability',
  purpose: 'Disponibilidad recurrente del proveedor',
  key: { partition: 'PK', sort: 'SK' },

  entities: {
    ProviderAvailability: {
      attributes: z.object({
        tenantId: id,
        providerId: id,
        dayOfWeek: z.enum(['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN']),
        timeRanges: z.array(timeRange),
        breaks: z.array(timeRange),
        exceptions: z.array(z.iso.date()),
      }),
      keys: { PK: '<tenantId>#<providerId>', SK: '<dayOfWeek>' },
      keyOnly: ['tenantId', 'providerId', 'dayOfWeek'],
    },
  },

  patterns: {
    weekOfProvider: {
      op: 'query',
      purpose: 'Disponibilidad semanal',
      where: { PK: '<tenantId>#<providerId>' },
      returns: ['ProviderAvailability'],
    },
  },

  acknowledge: {
    'unsorted-text': {
      'entities.ProviderAvailability.keys.SK': 'a week is read whole, and shown by whoever reads it in order',
    },
  },
});

// 6. Tabla: `Bookings`
export { bookingsTable };

// 7. Tabla: `ConversationState`
export const conversationStateTable = defineTable({
  name: 'ConversationState',
  purpose: 'Estado del agente conversacional por usuario',
  key: { partition: 'PK', sort: 'SK' },
  // TTL opcional — Para limpiar conversaciones antiguas
  ttl: 'ttl',

  entities: {
    ConversationState: {
      attributes: z.object({
        tenantId: id,
        conversationId: id,
        // `INIT, SERVICE_PENDING…` is an open list.
        state: z.string().min(1),
        serviceId: id.optional(),
        providerId: id.optional(),
        slotStart: timestamp.nullable().optional(),
        slotEnd: timestamp.nullable().optional(),
        updatedAt: timestamp,
        userContext: map.optional(),
        ttl: z.int().optional(),
      }),
      keys: { PK: '<tenantId>', SK: '<conversationId>' },
      keyOnly: ['tenantId', 'conversationId'],
    },
  },

  patterns: {
    getConversation: {
      op: 'get',
      purpose: 'Estado de conversación',
      where: { PK: '<tenantId>', SK: '<conversationId>' },
      returns: ['ConversationState'],
    },
    updateConversation: {
      op: 'update',
      purpose: 'Actualizar estado del FSM',
      entity: 'ConversationState',
      where: { PK: '<tenantId>', SK: '<conversationId>' },
      set: {
        state: '<state>',
        serviceId: '<serviceId?>',
        providerId: '<providerId?>',
        slotStart: '<slotStart?>',
        slotEnd: '<slotEnd?>',
        updatedAt: '<updatedAt>',
        userContext: '<userContext?>',
        ttl: '<ttl?>',
      },
      upsert: true,
    },
  },
});

export const booking = defineSystem({
  name: 'booking',
  purpose: 'Agentic booking chat for many tenants: a table for each domain',
  cloud: 'aws',
  tenant: 'tenantId',
  tables: {
    Tenants: tenantsTable,
    TenantApiKeys: tenantApiKeysTable,
    Services: servicesTable,
    Providers: providersTable,
    ProviderAvailability: providerAvailabilityTable,
    Bookings: bookingsTable,
    ConversationState: conversationStateTable,
  },
  procedures: {
    createBooking: {
      purpose: 'Books a slot unless it overlaps a booking of the provider, also under a race',
      uses: ['openDay', 'providerDay', 'bookingsOfProvider', 'bookSlot', 'bookSlotOverMidnight'],
    },
    cancelBooking: {
      purpose: 'Takes a booking back and frees its slot',
      uses: ['bookingsOfProvider', 'cancelSlot'],
    },
  },
});
