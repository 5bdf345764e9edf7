import { defineCases } from '../../proof/cases';
import { booking } from './design';
import {
  apiKeys,
  availabilities,
  bookingOf,
  bookings,
  conversationOf,
  conversations,
  documented,
  providers,
  services,
  tenants,
  written,
} from './examples';
import { type BookingReference, cancelBooking, createBooking } from './procedures';

const provider = { tenantId: 'andina', providerId: 'pro_55' };
const firstDay = { ...provider, from: '2025-12-01T00:00:00Z', to: '2025-12-02T00:00:00Z' };
const onFirst = { ...provider, date: '2025-12-01' };
const customer = { tenantId: 'andina', customerId: 'cust_001' };

const afternoon = bookingOf('book_800', '2025-12-01T14:00', '2025-12-01T15:00', { customerId: 'cust_001' });
const night = bookingOf('book_801', '2025-12-05T23:30', '2025-12-06T00:30');
const beforeDocumented = bookingOf('book_802', '2025-12-01T16:30', '2025-12-01T17:30');
const again = bookingOf('book_803', '2025-12-01T17:30', '2025-12-01T18:00');

/** What a refused booking would have been: it has an id that no other has. */
const refused = (startTime: string, endTime: string) => bookingOf('book_900', startTime, endTime);
const conflict = (why: string, startTime: string, endTime: string) => ({
  why,
  values: refused(startTime, endTime),
  error: 'BookingConflict',
});

const fullConversation = conversationOf('andina', 'conv_new');

/** Cancels, and books the same start for another: the slot is not only empty, it can be had. */
async function cancelAndBookAgain(
  client: Parameters<typeof cancelBooking>[0] & Parameters<typeof createBooking>[0],
  reference: BookingReference,
): Promise<void> {
  await cancelBooking(client, reference);
  await createBooking(client, again);
}

export const bookingCases = defineCases(booking, {
  tables: {
    Tenants: {
      documented: { andina: { entity: 'Tenant', item: documented.tenant } },
      items: tenants,
      written: {},
      patterns: {
        getTenant: { values: { tenantId: 'andina' }, returns: ['andina'] },
        tenantsOfOwner: { values: { ownerUserId: 'user_123' }, returns: ['zapallar', 'andina', 'aconcagua'] },
      },
    },

    TenantApiKeys: {
      documented: { key_001: { entity: 'TenantApiKey', item: documented.apiKey } },
      items: apiKeys,
      written: {},
      patterns: {
        resolveApiKey: { values: { apiKeyHash: 'sha256_hash_here' }, returns: ['revokedElsewhere', 'key_001'] },
        apiKeysOfTenant: { values: { tenantId: 'andina' }, returns: ['first', 'key_001', 'longer', 'shorterHash'] },
      },
    },

    Services: {
      documented: { svc_123: { entity: 'Service', item: documented.service } },
      items: services,
      written: {},
      stored: { stones: { GSI1PK: 'andina#masajes' } },
      patterns: {
        servicesOfTenant: {
          values: { tenantId: 'andina' },
          returns: ['singular', 'svc_123', 'sports', 'relaxing', 'stones'],
        },
        getService: { values: { tenantId: 'andina', serviceId: 'svc_123' }, returns: ['svc_123'] },
        servicesByCategory: { values: { tenantId: 'andina', category: 'masajes' }, returns: ['stones', 'relaxing'] },
      },
    },

    Providers: {
      documented: { pro_55: { entity: 'Provider', item: documented.provider } },
      items: providers,
      written: {},
      patterns: {
        getProvider: { values: provider, returns: ['pro_55'] },
        providersOfTenant: { values: { tenantId: 'andina' }, returns: ['shorter', 'pro_55', 'longer'] },
        providersOfService: { values: { tenantId: 'andina', serviceId: 'svc_123' }, returns: ['pro_55', 'longer'] },
      },
    },

    ProviderAvailability: {
      documented: { monday: { entity: 'ProviderAvailability', item: documented.monday } },
      items: availabilities,
      written: {},
      patterns: { weekOfProvider: { values: provider, returns: ['friday', 'monday', 'tuesday', 'wednesday'] } },
    },

    Bookings: {
      documented: { book_789: { entity: 'Booking', item: documented.booking } },
      items: bookings,
      written: {
        ...written,
        afternoon: ['Booking', afternoon],
        night: ['Booking', night],
        beforeDocumented: ['Booking', beforeDocumented],
        again: ['Booking', again],
      },
      stored: {
        morning: { GSI1PK: 'andina#cust_001', GSI1SK: '2025-12-01T09:00:00Z' },
        day: { PK: 'andina#pro_55', SK: 'DAY#2025-12-01' },
      },
      patterns: {
        bookingsOfProvider: { values: firstDay, returns: ['morning', 'cancelled', 'book_789', 'midnight'] },
        bookingsOfCustomer: { values: customer, returns: ['ofLater', 'morning', 'ofEarlier'] },

        openDay: {
          values: { ...provider, date: '2025-12-03' },
          shows: [
            { pattern: 'providerDay', values: { ...provider, date: '2025-12-03' }, returns: ['opened'] },
            { pattern: 'providerDay', values: onFirst, returns: ['day'] },
          ],
          refuses: [{ why: 'a day that is open', values: onFirst, error: 'ConditionalCheckFailedException' }],
        },
        providerDay: { values: onFirst, returns: ['day'] },

        bookSlot: {
          values: { booking: afternoon, version: 3 },
          shows: [
            {
              pattern: 'bookingsOfProvider',
              values: firstDay,
              returns: ['morning', 'cancelled', 'afternoon', 'book_789', 'midnight'],
            },
            {
              pattern: 'bookingsOfCustomer',
              values: customer,
              returns: ['ofLater', 'morning', 'afternoon', 'ofEarlier'],
            },
            { pattern: 'providerDay', values: onFirst, returns: ['movedDay'] },
          ],
          refuses: [
            {
              why: 'a version that the day has left',
              values: { booking: refused('2025-12-01T15:00', '2025-12-01T16:00'), version: 3 },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a version that the day has not come to',
              values: { booking: refused('2025-12-01T15:00', '2025-12-01T16:00'), version: 5 },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a start that is taken',
              values: { booking: refused('2025-12-01T14:00', '2025-12-01T14:30'), version: 4 },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a day that is not open',
              values: { booking: refused('2025-12-03T14:00', '2025-12-03T15:00'), version: 0 },
              error: 'TransactionCanceledException',
            },
          ],
        },
        bookSlotOverMidnight: {
          values: { booking: night, version: 2, nextDayVersion: 7 },
          shows: [
            {
              pattern: 'bookingsOfProvider',
              values: { ...provider, from: '2025-12-05T00:00:00Z', to: '2025-12-07T00:00:00Z' },
              returns: ['night'],
            },
            { pattern: 'providerDay', values: { ...provider, date: '2025-12-05' }, returns: ['movedLastDay'] },
            { pattern: 'providerDay', values: { ...provider, date: '2025-12-06' }, returns: ['movedDayAfter'] },
          ],
          refuses: [
            {
              why: 'a version that the first day has left',
              values: { booking: refused('2025-12-05T23:45', '2025-12-06T00:15'), version: 2, nextDayVersion: 8 },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a version that the second day has left',
              values: { booking: refused('2025-12-05T23:45', '2025-12-06T00:15'), version: 3, nextDayVersion: 7 },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a version that the first day has not come to',
              values: { booking: refused('2025-12-05T23:45', '2025-12-06T00:15'), version: 4, nextDayVersion: 8 },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a version that the second day has not come to',
              values: { booking: refused('2025-12-05T23:45', '2025-12-06T00:15'), version: 3, nextDayVersion: 9 },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a start that is taken',
              values: { booking: refused('2025-12-05T23:30', '2025-12-06T00:15'), version: 3, nextDayVersion: 8 },
              error: 'TransactionCanceledException',
            },
          ],
        },
        cancelSlot: {
          values: { ...provider, startTime: '2025-12-10T09:00:00Z', bookingId: 'book_710' },
          shows: [
            {
              pattern: 'bookingsOfProvider',
              values: { ...provider, from: '2025-12-01T00:00:00Z', to: '2025-12-31T00:00:00Z' },
              returns: ['morning', 'cancelled', 'book_789', 'midnight', 'afterMidnight'],
            },
            { pattern: 'providerDay', values: { ...provider, date: '2025-12-10' }, returns: ['dayOfUnopened'] },
            { pattern: 'providerDay', values: onFirst, returns: ['day'] },
          ],
          refuses: [
            {
              why: 'a slot that is free',
              values: { ...provider, startTime: '2025-12-10T09:00:00Z', bookingId: 'book_710' },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a slot that is of another booking',
              values: { ...provider, startTime: '2025-12-01T17:30:00Z', bookingId: 'book_710' },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a slot that is of an older booking',
              values: { ...provider, startTime: '2025-12-01T17:30:00Z', bookingId: 'book_900' },
              error: 'TransactionCanceledException',
            },
            {
              why: 'a booking that is cancelled already',
              values: { ...provider, startTime: '2025-12-01T12:00:00Z', bookingId: 'book_702' },
              error: 'TransactionCanceledException',
            },
          ],
        },
      },
    },

    ConversationState: {
      documented: { conv_abc123: { entity: 'ConversationState', item: documented.conversation } },
      items: conversations,
      written: { fullConversation: ['ConversationState', fullConversation] },
      patterns: {
        getConversation: { values: { tenantId: 'andina', conversationId: 'conv_abc123' }, returns: ['conv_abc123'] },
        updateConversation: {
          values: fullConversation,
          shows: [
            {
              pattern: 'getConversation',
              values: { tenantId: 'andina', conversationId: 'conv_new' },
              returns: ['fullConversation'],
            },
            {
              pattern: 'getConversation',
              values: { tenantId: 'andina', conversationId: 'conv_new1' },
              returns: ['other'],
            },
            {
              pattern: 'getConversation',
              values: { tenantId: 'aconcagua', conversationId: 'conv_new' },
              returns: [],
            },
          ],
          refuses: [
            { why: 'a state of no name', values: { ...fullConversation, state: '' }, error: 'ItemError' },
            {
              why: 'a time that does not sort as text',
              values: { ...fullConversation, slotStart: '2025-12-01T17:30:00+01:00' },
              error: 'ItemError',
            },
          ],
        },
      },
    },
  },

  procedures: {
    // It ends when the document's booking begins: that is no overlap.
    createBooking: {
      run: createBooking,
      values: beforeDocumented,
      shows: [
        {
          pattern: 'bookingsOfProvider',
          values: firstDay,
          returns: ['morning', 'cancelled', 'beforeDocumented', 'book_789', 'midnight'],
        },
        { pattern: 'providerDay', values: onFirst, returns: ['movedDay'] },
      ],
      refuses: [
        conflict('the same slot', '2025-12-01T17:30', '2025-12-01T18:30'),
        conflict('a slot that ends within a booking', '2025-12-01T16:00', '2025-12-01T17:00'),
        conflict('a slot that begins within a booking', '2025-12-01T18:00', '2025-12-01T19:00'),
        conflict('a slot within a booking', '2025-12-01T17:45', '2025-12-01T18:15'),
        conflict('a slot around a booking', '2025-12-01T08:30', '2025-12-01T10:30'),
        conflict('a slot in a booking of the day before', '2025-12-01T00:00', '2025-12-01T01:00'),
        conflict('a slot that runs into the next day', '2025-12-01T23:30', '2025-12-02T00:30'),
        conflict('the start of a cancelled booking, which has the key', '2025-12-01T12:00', '2025-12-01T12:30'),
        {
          why: 'an end that is not after the start',
          values: refused('2025-12-01T15:00', '2025-12-01T15:00'),
          error: 'BookingInvalid',
        },
        {
          why: 'a slot of three days',
          values: refused('2025-12-03T23:30', '2025-12-05T00:30'),
          error: 'BookingInvalid',
        },
        {
          why: 'a booking of nobody',
          values: { ...refused('2025-12-01T15:00', '2025-12-01T15:30'), providerId: '' },
          error: 'BookingInvalid',
        },
      ],
    },
    cancelBooking: {
      run: cancelAndBookAgain,
      values: { ...provider, startTime: '2025-12-01T17:30:00Z', bookingId: 'book_789' },
      shows: [
        {
          pattern: 'bookingsOfProvider',
          values: firstDay,
          returns: ['morning', 'cancelled', 'again', 'midnight'],
        },
        { pattern: 'providerDay', values: onFirst, returns: ['dayMovedTwice'] },
      ],
      refuses: [
        {
          why: 'a booking whose slot is now another',
          values: { ...provider, startTime: '2025-12-01T17:30:00Z', bookingId: 'book_789' },
          error: 'BookingNotFound',
        },
        {
          why: 'a booking that never was',
          values: { ...provider, startTime: '2025-12-01T20:00:00Z', bookingId: 'book_789' },
          error: 'BookingNotFound',
        },
        {
          why: 'a booking that is cancelled already',
          values: { ...provider, startTime: '2025-12-01T12:00:00Z', bookingId: 'book_702' },
          error: 'BookingNotFound',
        },
      ],
    },
  },
});
