import * as z from 'zod';
import { defineSystem } from '../../design/system';
import { defineTable } from '../../design/table';
import { timestamp } from '../times';
import { id, map } from './attributes';
import { bookingsTable } from './bookings';
import { providerAvailabilityTable, providersTable, servicesTable } from './offers';
import { tenantApiKeysTable, tenantsTable } from './tenants';

export { bookingsTable, providerAvailabilityTable, providersTable, servicesTable, tenantApiKeysTable, tenantsTable };

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
        // The document's list of states, `INIT, SERVICE_PENDING…`, is open-ended.
        state: z.string().min(1),
        // As in the document, the id is null until the user chooses a service, and again after the choice is cleared.
        serviceId: id.nullable().optional(),
        providerId: id.nullable().optional(),
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
    getConversation: { op: 'get', where: { PK: '<tenantId>', SK: '<conversationId>' }, returns: ['ConversationState'] },
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
    endConversation: { op: 'delete', entity: 'ConversationState', where: { PK: '<tenantId>', SK: '<conversationId>' } },
  },
});

export const booking = defineSystem({
  name: 'booking',
  purpose: 'Booking by chat agents for many tenants, with one table for each domain',
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
      purpose: 'Books a slot; never double-books the provider, even if several callers book at once',
      uses: ['providerDay', 'bookingsOfProvider', 'cancelledBooking', 'bookSlot', 'cancelSlot'],
    },
    cancelBooking: {
      purpose: 'Frees the slot of a booking, and keeps the booking as CANCELLED in the history',
      uses: ['bookingsOfProvider', 'cancelledBooking', 'cancelSlot'],
    },
  },
});
