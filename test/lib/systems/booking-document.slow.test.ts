import type { Item } from '../../../lib/items/item';
import { type BookingReference, booking, cancelBooking, createBooking } from '../../../lib/systems/booking';
import { documented } from '../../../lib/systems/booking/examples';
import { describeDocument, onDynamoDB } from '../../support/documented';

jest.setTimeout(60_000);

const now = '2026-01-01T00:00:00Z';
const tenantId = 'andina';
const provider = { tenantId, providerId: 'pro_55' };
const customer = { tenantId, customerId: 'cust_001' };
const { PK: _, SK: startTime, ...bookingValues } = documented.booking;
const { PK: __, SK: ___, ...mondayValues } = documented.monday;

/**
 * Returns a booking like the document's example, which has no GSI1 keys. `indexed` adds the keys that the document's
 * section on GSI1 describes.
 */
const bookingOf = (bookingId: string, start: string, end: string, more: Item = {}): Item => ({
  ...documented.booking,
  ...{ SK: start, bookingId, endTime: end, ...more },
});
const indexed = (item: Item, customerId = 'cust_001'): Item => ({
  ...item,
  ...{ customerId, GSI1PK: `andina#${customerId}`, GSI1SK: item.SK },
});
const referenceTo = ({ SK, bookingId }: Item): BookingReference => ({
  ...provider,
  startTime: SK as string,
  bookingId: bookingId as string,
});
/** Returns the values of a new booking. `bookedAs` returns the item that `createBooking` stores for these values. */
const newBooking = (start: string, end: string) => ({
  ...{ ...bookingValues, bookingId: 'book_new', status: 'PENDING', paymentStatus: 'NONE' },
  ...{ startTime: start, endTime: end },
});
const bookedAs = (start: string, end: string) =>
  indexed(bookingOf('book_new', start, end, { status: 'PENDING', paymentStatus: 'NONE' }));
const dayOf = (date: string, version = 1): Item => ({ PK: 'andina#pro_55', SK: `DAY#${date}`, version });
const cancelledOf = (item: Item, more: Item = {}): Item => ({
  ...indexed(item, item.customerId as string),
  ...{ SK: `CANCELLED#${item.SK}#${item.bookingId}`, status: 'CANCELLED', cancelledAt: now, ...more },
});

const items = {
  Tenants: {
    tenant: documented.tenant,
    // `second` has a time as Date.toISOString() writes it, and `third` has one as Python writes it.
    second: { ...documented.tenant, tenantId: 'aconcagua', createdAt: '2025-02-01T00:00:00.000Z', status: 'TRIAL' },
    third: { ...documented.tenant, tenantId: 'biobio', createdAt: '2025-03-01T00:00:00.123456+00:00', plan: 'FREE' },
  },
  TenantApiKeys: {
    key: documented.apiKey,
    usedKey: {
      ...{ ...documented.apiKey, apiKeyId: 'key_002', apiKeyHash: 'another_hash', apiKeyPublic: 'pk_live_002' },
      lastUsedAt: '2025-11-01T10:00Z',
    },
  },
  Services: {
    service: documented.service,
    // The document calls the index optional ("opcional"), so only this service has an index key.
    indexedService: { ...documented.service, serviceId: 'svc_456', name: 'Piedras', GSI1PK: 'andina#masajes' },
  },
  Providers: {
    provider: documented.provider,
    other: { ...documented.provider, providerId: 'pro_56', services: ['svc_456'], active: false },
  },
  ProviderAvailability: {
    monday: documented.monday,
    tuesday: { ...documented.monday, SK: 'TUE', exceptions: ['2025-12-30'] },
  },
  Bookings: {
    booking: documented.booking,
    pending: indexed(
      bookingOf('book_790', '2025-12-02T09:00:00.000Z', '2025-12-02T10:00:00.000Z', {
        ...{ status: 'PENDING', paymentStatus: 'NONE' },
      }),
    ),
    // The document leaves a cancelled booking in its slot.
    cancelled: indexed(
      bookingOf('book_791', '2025-12-03T09:00:00Z', '2025-12-03T10:00:00Z', {
        ...{ status: 'CANCELLED', paymentStatus: 'PAID' },
      }),
    ),
    ofAnother: indexed(bookingOf('book_792', '2025-12-04T09:00Z', '2025-12-04T10:00+00:00'), 'cust_002'),
  },
  ConversationState: {
    conversation: documented.conversation,
    fresh: { PK: 'andina', SK: 'conv_new', state: 'INIT', updatedAt: '2025-12-01T15:30:00.123456Z' },
    cleared: { ...documented.conversation, SK: 'conv_over', state: 'INIT', serviceId: null, providerId: null },
    withSlot: {
      ...{ ...documented.conversation, SK: 'conv_slot', state: 'SLOT_SELECTED', ttl: 4_102_444_800 },
      ...{ slotStart: '2025-12-01T17:30:00Z', slotEnd: '2025-12-01T18:30:00+00:00' },
    },
  },
};
const { Bookings } = items;

const newTenant = {
  ...{ name: 'Andina', slug: 'a', status: 'SUSPENDED', plan: 'ENTERPRISE', settings: {} },
  ...{ ownerUserId: 'user_9', billingEmail: 'a@andina.com' },
};
const newKey = { status: 'REVOKED', allowedOrigins: [], lastUsedAt: now, rateLimit: 50 };

const partition = (key: string, value: string, IndexName?: string) => ({
  KeyConditionExpression: `${key} = :pk`,
  ExpressionAttributeValues: { ':pk': value },
  ...(IndexName && { IndexName }),
});
const asks = (table: string, request: object) => ({ table, request });
const december = { from: '2025-12-01', to: '2025-12-31T23:59:59Z' };
const conversation = { tenantId, conversationId: 'conv_abc123' };
const at = { now: () => new Date(now) };

describeDocument(booking, onDynamoDB(booking), {
  items,
  reads: {
    getTenant: [
      { values: { tenantId }, returns: ['tenant'] },
      { values: { tenantId: 'biobio' }, returns: ['third'] },
    ],
    tenantsOfOwner: {
      values: { ownerUserId: 'user_123' },
      returns: ['tenant', 'second', 'third'],
      asks: asks('Tenants', partition('ownerUserId', 'user_123', 'GSI1')),
    },
    resolveApiKey: {
      values: { apiKeyHash: 'sha256_hash_here' },
      returns: ['key'],
      asks: asks('TenantApiKeys', partition('apiKeyHash', 'sha256_hash_here', 'GSI1')),
    },
    apiKeysOfTenant: {
      values: { tenantId },
      returns: ['key', 'usedKey'],
      asks: asks('TenantApiKeys', partition('tenantId', tenantId)),
    },
    servicesOfTenant: {
      values: { tenantId },
      returns: ['service', 'indexedService'],
      asks: asks('Services', partition('tenantId', tenantId)),
    },
    getService: { values: { tenantId, serviceId: 'svc_123' }, returns: ['service'] },
    servicesByCategory: {
      values: { tenantId, category: 'masajes' },
      returns: ['indexedService'],
      asks: asks('Services', partition('GSI1PK', 'andina#masajes', 'GSI1')),
    },
    servicesWithCategory: { values: { tenantId, category: 'masajes' }, returns: ['service', 'indexedService'] },
    getProvider: { values: provider, returns: ['provider'] },
    providersOfTenant: {
      values: { tenantId },
      returns: ['provider', 'other'],
      asks: asks('Providers', partition('tenantId', tenantId)),
    },
    providersOfService: { values: { tenantId, serviceId: 'svc_123' }, returns: ['provider'] },
    weekOfProvider: {
      values: provider,
      returns: ['monday', 'tuesday'],
      asks: asks('ProviderAvailability', partition('PK', 'andina#pro_55')),
    },
    bookingsOfProvider: {
      values: { ...provider, ...december },
      returns: ['booking', 'pending', 'cancelled', 'ofAnother'],
      asks: asks('Bookings', {
        KeyConditionExpression: 'PK = :pk AND SK BETWEEN :from AND :to',
        ExpressionAttributeValues: { ':pk': 'andina#pro_55', ':from': december.from, ':to': december.to },
      }),
    },
    bookingsOfCustomer: {
      values: customer,
      returns: ['pending', 'cancelled'],
      asks: asks('Bookings', partition('GSI1PK', 'andina#cust_001', 'GSI1')),
    },
    bookingsOfCustomerWithProvider: {
      values: { ...provider, ...december, customerId: 'cust_001' },
      returns: ['booking', 'pending', 'cancelled'],
    },
    getConversation: [
      { values: conversation, returns: ['conversation'] },
      { values: { tenantId, conversationId: 'conv_new' }, returns: ['fresh'] },
      { values: { tenantId, conversationId: 'conv_over' }, returns: ['cleared'] },
      { values: { tenantId, conversationId: 'conv_slot' }, returns: ['withSlot'] },
    ],
    // The document has neither day items nor cancelled bookings outside their slots.
    providerDay: { values: { ...provider, date: '2025-12-01' }, returns: [] },
    cancelledBooking: { values: referenceTo(Bookings.cancelled), returns: [] },
  },
  writes: {
    createTenant: {
      values: { ...documented.tenant, tenantId: 'new' },
      into: 'Tenants',
      changes: { new: { ...documented.tenant, tenantId: 'new' } },
    },
    updateTenant: [
      { values: { tenantId, ...newTenant }, changes: { tenant: newTenant } },
      { values: { tenantId, status: 'CANCELLED' }, changes: { tenant: { status: 'CANCELLED' } } },
    ],

    issueApiKey: {
      values: { ...documented.apiKey, apiKeyId: 'key_003' },
      into: 'TenantApiKeys',
      changes: { new: { ...documented.apiKey, apiKeyId: 'key_003' } },
    },
    updateApiKey: {
      values: { tenantId, apiKeyId: 'key_001', ...newKey },
      changes: { key: newKey },
    },

    createService: {
      values: { ...documented.service, serviceId: 'svc_new' },
      into: 'Services',
      changes: { new: { ...documented.service, serviceId: 'svc_new', GSI1PK: 'andina#masajes' } },
    },
    updateService: [
      {
        values: { ...documented.service, durationMinutes: 45 },
        changes: { service: { durationMinutes: 45, GSI1PK: 'andina#masajes' } },
      },
      {
        values: { ...documented.service, name: 'Facial', category: 'faciales' },
        changes: { service: { name: 'Facial', category: 'faciales', GSI1PK: 'andina#faciales' } },
      },
    ],
    deleteService: { values: { tenantId, serviceId: 'svc_123' }, changes: { service: null } },

    createProvider: {
      values: { ...documented.provider, providerId: 'pro_new' },
      into: 'Providers',
      changes: { new: { ...documented.provider, providerId: 'pro_new' } },
    },
    updateProvider: {
      values: { ...provider, name: 'M.', bio: '', services: [], timezone: 'UTC', active: false },
      changes: { provider: { name: 'M.', bio: '', services: [], timezone: 'UTC', active: false } },
    },
    deleteProvider: { values: provider, changes: { provider: null } },

    setAvailability: [
      {
        values: { ...provider, dayOfWeek: 'MON', ...mondayValues, breaks: [], exceptions: ['2025-12-29'] },
        changes: { monday: { breaks: [], exceptions: ['2025-12-29'] } },
      },
      {
        values: { ...provider, dayOfWeek: 'WED', ...mondayValues },
        into: 'ProviderAvailability',
        changes: { new: { ...documented.monday, SK: 'WED' } },
      },
    ],
    clearAvailability: { values: { ...provider, dayOfWeek: 'MON' }, changes: { monday: null } },

    createBooking: [
      {
        run: (db) => createBooking(db, newBooking('2025-12-01T18:30:00.000Z', '2025-12-01T19:30Z') as never),
        into: 'Bookings',
        changes: { new: bookedAs('2025-12-01T18:30:00Z', '2025-12-01T19:30:00Z'), day: dayOf('2025-12-01') },
      },
      // This slot still contains a cancelled booking.
      {
        run: (db) => createBooking(db, newBooking('2025-12-03T09:00:00Z', '2025-12-03T10:00:00Z') as never, at),
        into: 'Bookings',
        changes: {
          cancelled: null,
          moved: cancelledOf(Bookings.cancelled),
          new: bookedAs('2025-12-03T09:00:00Z', '2025-12-03T10:00:00Z'),
          day: dayOf('2025-12-03', 2),
        },
      },
      // A repeated request for the documented booking changes nothing.
      {
        run: (db) => createBooking(db, { ...bookingValues, startTime } as never),
        changes: {},
      },
    ],
    cancelBooking: [
      {
        run: (db) => cancelBooking(db, referenceTo(documented.booking), at),
        into: 'Bookings',
        changes: { booking: null, moved: cancelledOf(documented.booking), day: dayOf('2025-12-01') },
      },
      {
        run: (db) => cancelBooking(db, { ...referenceTo(Bookings.pending), startTime: '2025-12-02T09:00Z' }, at),
        into: 'Bookings',
        changes: {
          pending: null,
          moved: cancelledOf({ ...Bookings.pending, SK: '2025-12-02T09:00:00Z' }),
          day: dayOf('2025-12-02'),
        },
      },
    ],
    updateBooking: [
      {
        values: { ...referenceTo(Bookings.pending), status: 'CONFIRMED', paymentStatus: 'PENDING' },
        changes: { pending: { status: 'CONFIRMED', paymentStatus: 'PENDING' } },
      },
      {
        values: { ...referenceTo(documented.booking), status: 'CANCELLED' },
        changes: { booking: { status: 'CANCELLED' } },
      },
    ],

    updateConversation: [
      {
        values: { ...conversation, state: 'INIT', serviceId: null, providerId: null, updatedAt: now },
        changes: { conversation: { state: 'INIT', serviceId: null, providerId: null, updatedAt: now } },
      },
      {
        values: { tenantId, conversationId: 'conv_2', state: 'INIT', updatedAt: now },
        into: 'ConversationState',
        changes: { new: { PK: 'andina', SK: 'conv_2', state: 'INIT', updatedAt: now } },
      },
    ],
    endConversation: { values: conversation, changes: { conversation: null } },
  },
});
