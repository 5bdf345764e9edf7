import { bookingOf, bookings, cancelledOf, documented, written } from '../examples';
import {
  type BookingReference,
  type CancelledBooking,
  cancelBooking,
  createBooking,
  type NewBooking,
} from '../procedures';

const provider = { tenantId: 'andina', providerId: 'pro_55' };
const firstDay = { ...provider, from: '2025-12-01T00:00:00Z', to: '2025-12-02T00:00:00Z' };
const onFirst = { ...provider, date: '2025-12-01' };
const customer = { tenantId: 'andina', customerId: 'cust_001' };

const afternoon = bookingOf('book_800', '2025-12-03T14:00', '2025-12-03T15:00');
const night = bookingOf('book_801', '2025-12-05T23:30', '2025-12-06T00:30', { customerId: 'cust_009' });
const beforeDocumented = bookingOf('book_802', '2025-12-01T16:30', '2025-12-01T17:30');
const again = bookingOf('book_803', '2025-12-01T17:30', '2025-12-01T18:00');

/** The values of a booking that must be refused. No other booking has this id. */
const refused = (startTime: string, endTime: string) => bookingOf('book_900', startTime, endTime);
const conflict = (why: string, startTime: string, endTime: string) => ({
  why,
  values: refused(startTime, endTime),
  error: 'BookingConflict',
});

const daysAt = (first: number, second: number) => [
  { date: '2025-12-05', version: first },
  { date: '2025-12-06', version: second },
];
const unbooked = (why: string, startTime: string, days: ReturnType<typeof daysAt>) => ({
  why,
  values: { booking: refused(startTime, '2025-12-06T00:15'), days },
  error: 'TransactionCanceledException',
});

const noon = bookingOf('book_804', '2025-12-01T12:00', '2025-12-01T12:30');

/** The time of the cancellations, and a clock that always returns it. */
const AT = '2025-12-01T11:00:00Z';
const clock = { now: () => new Date(AT) };
const unopened = { ...bookings.unopened[1], status: 'CANCELLED' as const, cancelledAt: AT };
/** The document's booking after its cancellation. It stays paid. */
const paid = cancelledOf('book_789', '2025-12-01T17:30', '2025-12-01T18:30', {
  customerId: 'cust_001',
  paymentStatus: 'PAID',
  createdAt: '2025-12-01T10:00:00Z',
});

const uncancelled = (why: string, other: Partial<CancelledBooking>, status: string) => ({
  why,
  values: { cancelled: { ...paid, ...other }, startTime: other.startTime ?? paid.startTime, status },
  error: 'TransactionCanceledException',
});

const referenceOf = ({ tenantId, providerId, startTime, bookingId }: BookingReference) => ({
  ...{ tenantId, providerId, startTime, bookingId },
});
const pendingReference = referenceOf(bookings.pending[1]);
const dayOfSeven = { ...provider, providerId: 'pro_7', from: '2025-12-11T00:00:00Z', to: '2025-12-12T00:00:00Z' };
const REFUSED = 'ConditionalCheckFailedException';
const stillPending = referenceOf(bookings.stillPending[1]);
const paidNow = { status: 'CONFIRMED', paymentStatus: 'PAID' } as const;

/**
 * Cancels a booking and books its start time again, then books a slot that still contains a cancelled booking. This
 * proves that both slots are free.
 */
async function cancelAndBookAgain(client: Parameters<typeof createBooking>[0], reference: BookingReference) {
  await cancelBooking(client, reference, clock);
  await createBooking(client, again, clock);
  await createBooking(client, noon, clock);
  // Cancelling again returns the same cancelled booking, and leaves the slot's new booking alone.
  return [await cancelBooking(client, reference), await cancelBooking(client, referenceOf(bookings.cancelled[1]))];
}

export const bookingsCases = {
  documented: { book_789: { entity: 'Booking', item: documented.booking } },
  items: bookings,
  written: {
    ...written,
    night: ['Booking', night],
    beforeDocumented: ['Booking', beforeDocumented],
    again: ['Booking', again],
    unopenedCancelled: ['CancelledBooking', unopened],
    documentedCancelledNow: ['CancelledBooking', { ...paid, cancelledAt: AT }],
    olderCancelled: ['CancelledBooking', { ...bookings.cancelled[1], status: 'CANCELLED', cancelledAt: AT }],
    noon: ['Booking', noon],
    nowPaid: ['Booking', { ...bookings.pending[1], ...paidNow }],
  },
  stored: {
    morning: { GSI1PK: 'andina#cust_001', GSI1SK: '2025-12-01T09:00:00Z' },
    day: { PK: 'andina#pro_55', SK: 'DAY#2025-12-01' },
    takenBack: {
      PK: 'andina#pro_55',
      SK: 'CANCELLED#2025-12-01T15:00:00Z#book_730',
      GSI1PK: 'andina#cust_001',
      GSI1SK: '2025-12-01T15:00:00Z',
    },
  },
  patterns: {
    bookingsOfProvider: { values: firstDay, returns: ['morning', 'cancelled', 'book_789', 'midnight'] },
    bookingsOfCustomer: { values: customer, returns: ['ofLater', 'morning', 'takenBack', 'ofEarlier'] },
    bookingsOfCustomerWithProvider: {
      values: { ...firstDay, customerId: 'cust_001' },
      returns: ['morning', 'book_789'],
    },

    providerDay: { values: onFirst, returns: ['day'] },

    bookSlot: {
      values: { booking: night, days: daysAt(2, 7) },
      shows: [
        {
          pattern: 'bookingsOfProvider',
          values: { ...provider, from: '2025-12-05T00:00:00Z', to: '2025-12-07T00:00:00Z' },
          returns: ['night'],
        },
        {
          pattern: 'bookingsOfCustomer',
          values: { tenantId: 'andina', customerId: 'cust_009' },
          returns: ['night'],
        },
        { pattern: 'providerDay', values: { ...provider, date: '2025-12-05' }, returns: ['movedLastDay'] },
        { pattern: 'providerDay', values: { ...provider, date: '2025-12-06' }, returns: ['movedDayAfter'] },
        { pattern: 'providerDay', values: onFirst, returns: ['day'] },
      ],
      refuses: [
        unbooked('a stale version of the first day', '2025-12-05T23:45', daysAt(2, 8)),
        unbooked('a stale version of the second day', '2025-12-05T23:45', daysAt(3, 7)),
        unbooked('a future version of the first day', '2025-12-05T23:45', daysAt(4, 8)),
        unbooked('a future version of the second day', '2025-12-05T23:45', daysAt(3, 9)),
        unbooked('the start time of an existing booking', '2025-12-05T23:30', daysAt(3, 8)),
      ],
    },
    cancelledBooking: {
      values: { ...provider, startTime: '2025-12-01T15:00:00Z', bookingId: 'book_730' },
      returns: ['takenBack'],
    },
    cancelSlot: {
      values: { cancelled: unopened, startTime: unopened.startTime, status: 'CONFIRMED' },
      shows: [
        {
          pattern: 'bookingsOfProvider',
          values: { ...provider, from: '2025-12-01T00:00:00Z', to: '2025-12-31T00:00:00Z' },
          returns: ['morning', 'cancelled', 'book_789', 'midnight', 'afterMidnight'],
        },
        { pattern: 'cancelledBooking', values: referenceOf(unopened), returns: ['unopenedCancelled'] },
        {
          pattern: 'bookingsOfCustomer',
          values: { tenantId: 'andina', customerId: 'cust_003' },
          returns: ['unopenedCancelled'],
        },
        { pattern: 'providerDay', values: { ...provider, date: '2025-12-10' }, returns: ['dayOfUnopened'] },
        { pattern: 'providerDay', values: onFirst, returns: ['day'] },
      ],
      refuses: [
        {
          why: 'a slot without a booking',
          values: { cancelled: unopened, startTime: unopened.startTime, status: 'CONFIRMED' },
          error: 'TransactionCanceledException',
        },
        uncancelled('a slot of another booking', { bookingId: 'book_900' }, 'CONFIRMED'),
        uncancelled('a booking whose status has changed in the meantime', {}, 'PENDING'),
        uncancelled('a booking that was paid in the meantime', { paymentStatus: 'NONE' }, 'CONFIRMED'),
        uncancelled('a booking that is already cancelled', bookings.twiceCancelled[1], 'CONFIRMED'),
      ],
    },
    updateBooking: {
      values: { ...pendingReference, ...paidNow },
      shows: [{ pattern: 'bookingsOfProvider', values: dayOfSeven, returns: ['nowPaid', 'confirmed', 'stillPending'] }],
      refuses: [
        {
          why: 'a booking that does not exist',
          values: { ...pendingReference, ...paidNow, startTime: '2025-12-11T12:30:00Z' },
          error: REFUSED,
        },
        { why: 'a slot of another booking', values: { ...stillPending, ...paidNow, bookingId: 'x' }, error: REFUSED },
        { why: 'a cancelled booking', values: { ...referenceOf(bookings.cancelled[1]), ...paidNow }, error: REFUSED },
      ],
    },
  },
} as const;

export const procedureCases = {
  // The new booking ends when the document's booking begins, which is not an overlap.
  createBooking: {
    run: async (client: Parameters<typeof createBooking>[0], booking: NewBooking) => {
      // The first booking of a day creates that day's row.
      await createBooking(client, afternoon, clock);
      return createBooking(client, booking, clock);
    },
    values: beforeDocumented,
    gives: beforeDocumented,
    shows: [
      {
        pattern: 'bookingsOfProvider',
        values: firstDay,
        returns: ['morning', 'cancelled', 'beforeDocumented', 'book_789', 'midnight'],
      },
      { pattern: 'providerDay', values: onFirst, returns: ['movedDay'] },
      { pattern: 'providerDay', values: { ...provider, date: '2025-12-03' }, returns: ['newDay'] },
    ],
    refuses: [
      conflict('the same slot', '2025-12-01T17:30', '2025-12-01T18:30'),
      conflict('a slot that ends during a booking', '2025-12-01T16:00', '2025-12-01T17:00'),
      conflict('a slot that begins during a booking', '2025-12-01T18:00', '2025-12-01T19:00'),
      conflict('a slot within a booking', '2025-12-01T17:45', '2025-12-01T18:15'),
      conflict('a slot that encloses a booking', '2025-12-01T08:30', '2025-12-01T10:30'),
      conflict('a slot within a booking that began the day before', '2025-12-01T00:00', '2025-12-01T01:00'),
      conflict('a slot that overlaps a booking of the next day', '2025-12-01T23:30', '2025-12-02T00:30'),
      {
        why: 'a booking that ends when it starts',
        values: refused('2025-12-01T15:00', '2025-12-01T15:00'),
        error: 'BookingInvalid',
      },
      {
        why: 'a slot that spans three days',
        values: refused('2025-12-03T23:30', '2025-12-05T00:30'),
        error: 'BookingInvalid',
      },
      {
        why: 'a booking without a provider',
        values: { ...refused('2025-12-01T15:00', '2025-12-01T15:30'), providerId: '' },
        error: 'BookingInvalid',
      },
    ],
  },
  cancelBooking: {
    run: cancelAndBookAgain,
    beside: ['createBooking'],
    values: referenceOf(paid),
    gives: [
      { ...paid, cancelledAt: AT },
      { ...bookings.cancelled[1], status: 'CANCELLED', cancelledAt: AT },
    ],
    shows: [
      { pattern: 'bookingsOfProvider', values: firstDay, returns: ['morning', 'noon', 'again', 'midnight'] },
      { pattern: 'cancelledBooking', values: referenceOf(paid), returns: ['documentedCancelledNow'] },
      {
        pattern: 'bookingsOfCustomer',
        values: customer,
        returns: ['ofLater', 'morning', 'takenBack', 'documentedCancelledNow', 'ofEarlier'],
      },
      { pattern: 'cancelledBooking', values: referenceOf(bookings.cancelled[1]), returns: ['olderCancelled'] },
      // Four writes changed this day: one cancelled a booking, one booked its slot again, one moved a cancelled booking
      // out of another slot, and one booked that slot.
      { pattern: 'providerDay', values: onFirst, returns: ['dayMovedFourTimes'] },
    ],
    refuses: [
      {
        why: 'a booking that does not exist',
        values: { ...provider, startTime: '2025-12-01T20:00:00Z', bookingId: 'book_789' },
        error: 'BookingNotFound',
      },
      {
        why: 'a booking with a different id',
        values: { ...provider, startTime: '2025-12-01T12:00:00Z', bookingId: 'book_1' },
        error: 'BookingNotFound',
      },
    ],
  },
};
