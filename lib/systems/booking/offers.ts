import * as z from 'zod';
import { defineTable } from '../../design/table';
import { id, timeRange } from './attributes';

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
    servicesOfTenant: { op: 'query', where: { tenantId: '<tenantId>' }, returns: ['Service'] },
    getService: { op: 'get', where: { tenantId: '<tenantId>', serviceId: '<serviceId>' }, returns: ['Service'] },
    servicesByCategory: {
      op: 'query',
      index: 'GSI1',
      where: { GSI1PK: '<tenantId>#<category>' },
      returns: ['Service'],
    },
    // Until the migration, this pattern also finds services without GSI1PK, such as the service in the document.
    servicesWithCategory: {
      op: 'query',
      where: { tenantId: '<tenantId>' },
      filter: { category: '<category>' },
      returns: ['Service'],
    },
    createService: { op: 'put', entity: 'Service' },
    updateService: { op: 'put', entity: 'Service', replace: true, condition: { tenantId: { exists: true } } },
    deleteService: { op: 'delete', entity: 'Service', where: { tenantId: '<tenantId>', serviceId: '<serviceId>' } },
  },

  acknowledge: {
    'filtered-read': {
      'patterns.servicesWithCategory': "needed for services without GSI1 keys; reads only one tenant's services",
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
    getProvider: { op: 'get', where: { tenantId: '<tenantId>', providerId: '<providerId>' }, returns: ['Provider'] },
    providersOfTenant: { op: 'query', where: { tenantId: '<tenantId>' }, returns: ['Provider'] },
    providersOfService: {
      op: 'query',
      purpose: 'Filtrar por `services` contiene `serviceId` (post-query)',
      where: { tenantId: '<tenantId>' },
      filter: { services: { contains: '<serviceId>' } },
      returns: ['Provider'],
    },
    createProvider: { op: 'put', entity: 'Provider' },
    updateProvider: { op: 'put', entity: 'Provider', replace: true, condition: { tenantId: { exists: true } } },
    deleteProvider: { op: 'delete', entity: 'Provider', where: { tenantId: '<tenantId>', providerId: '<providerId>' } },
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
    weekOfProvider: { op: 'query', where: { PK: '<tenantId>#<providerId>' }, returns: ['ProviderAvailability'] },
    setAvailability: { op: 'put', entity: 'ProviderAvailability', replace: true },
    clearAvailability: {
      op: 'delete',
      entity: 'ProviderAvailability',
      where: { PK: '<tenantId>#<providerId>', SK: '<dayOfWeek>' },
    },
  },

  acknowledge: {
    'unsorted-text': {
      'entities.ProviderAvailability.keys.SK': 'callers read a whole week, and sort the days themselves',
    },
  },
});
