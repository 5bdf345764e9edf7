import * as z from 'zod';
import { defineTable } from '../../design/table';
import { timestamp } from '../times';
import { id } from './attributes';

/** The attributes of a booking, both while it holds its slot and afterwards. */
const booking = {
  bookingId: id,
  tenantId: id,
  providerId: id,
  serviceId: id,
  customerId: id,
  startTime: timestamp,
  endTime: timestamp,
  paymentStatus: z.enum(['NONE', 'PENDING', 'PAID']),
  createdAt: timestamp,
};

// 6. Tabla: `Bookings`
export const bookingsTable = defineTable({
  name: 'Bookings',
  purpose: 'Registro de reservas confirmadas',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'por usuario' } },

  entities: {
    Booking: {
      attributes: z.object({ ...booking, status: z.enum(['PENDING', 'CONFIRMED', 'CANCELLED']) }),
      keys: {
        PK: '<tenantId>#<providerId>',
        SK: '<startTime>',
        GSI1PK: '<tenantId>#<customerId>',
        GSI1SK: '<startTime>',
      },
      keyOnly: ['startTime'],
    },
    // Under its old key, a cancelled booking would keep its slot, so it moves to a key that sorts after every time. In
    // GSI1 it stays where it was, in the history of its customer.
    CancelledBooking: {
      attributes: z.object({ ...booking, status: z.literal('CANCELLED'), cancelledAt: timestamp }),
      keys: {
        PK: '<tenantId>#<providerId>',
        SK: 'CANCELLED#<startTime>#<bookingId>',
        GSI1PK: '<tenantId>#<customerId>',
        GSI1SK: '<startTime>',
      },
      keyOnly: ['startTime'],
    },
    // `attribute_not_exists(PK)` stops two bookings that start together, not two that overlap. Each booking increments the
    // version of its day (in UTC), so that only the first of two callers gets the same gap; `DAY#` sorts after
    // every time.
    ProviderDay: {
      attributes: z.object({ tenantId: id, providerId: id, date: z.iso.date(), version: z.int().min(0) }),
      keys: { PK: '<tenantId>#<providerId>', SK: 'DAY#<date>' },
      keyOnly: ['tenantId', 'providerId', 'date'],
    },
  },

  patterns: {
    // Strongly consistent, because createBooking would double-book over a booking that it missed here.
    bookingsOfProvider: {
      op: 'query',
      purpose: 'Reservas del profesional',
      where: { PK: '<tenantId>#<providerId>', SK: { between: ['<from>', '<to>'] } },
      returns: ['Booking'],
      consistent: true,
    },
    bookingsOfCustomer: {
      op: 'query',
      purpose: 'Reservas del cliente',
      index: 'GSI1',
      where: { GSI1PK: '<tenantId>#<customerId>' },
      returns: ['Booking', 'CancelledBooking'],
    },
    // The document's example has no GSI1PK; until the migration, this finds it among the bookings of its provider.
    bookingsOfCustomerWithProvider: {
      op: 'query',
      where: { PK: '<tenantId>#<providerId>', SK: { between: ['<from>', '<to>'] } },
      filter: { customerId: '<customerId>' },
      returns: ['Booking'],
    },
    cancelledBooking: {
      op: 'get',
      purpose: 'One that was cancelled, to see that it was',
      where: { PK: '<tenantId>#<providerId>', SK: 'CANCELLED#<startTime>#<bookingId>' },
      returns: ['CancelledBooking'],
      consistent: true,
    },
    cancelledBookingsOfProvider: {
      op: 'query',
      purpose: 'Auditoría: what was cancelled, by the time that it was for',
      where: { PK: '<tenantId>#<providerId>', SK: { between: ['CANCELLED#<from>', 'CANCELLED#<to>'] } },
      returns: ['CancelledBooking'],
    },

    openDay: {
      op: 'put',
      purpose: 'The first version of a day; that the day is already open is no failure',
      procedureOnly: true,
      entity: 'ProviderDay',
      item: { tenantId: '<tenantId>', providerId: '<providerId>', date: '<date>', version: 0 },
    },
    providerDay: {
      op: 'get',
      purpose: 'The version of a day, to be read before its bookings',
      where: { PK: '<tenantId>#<providerId>', SK: 'DAY#<date>' },
      returns: ['ProviderDay'],
      consistent: true,
    },
    // These rely on the checks of createBooking and cancelBooking: granted on their own, they could book over another
    // booking, or store a different booking as cancelled.
    bookSlot: {
      op: 'transaction',
      purpose: 'Crear reserva sin overbooking',
      procedureOnly: true,
      steps: {
        booking: { op: 'put', entity: 'Booking' },
        day: {
          op: 'update',
          entity: 'ProviderDay',
          where: { PK: '<booking.tenantId>#<booking.providerId>', SK: 'DAY#<booking.startTime:date>' },
          add: { version: 1 },
          condition: { version: '<version>' },
        },
      },
    },
    bookSlotOverMidnight: {
      op: 'transaction',
      purpose: 'Crear reserva sin overbooking, on the two days that it touches',
      procedureOnly: true,
      steps: {
        booking: { op: 'put', entity: 'Booking' },
        day: {
          op: 'update',
          entity: 'ProviderDay',
          where: { PK: '<booking.tenantId>#<booking.providerId>', SK: 'DAY#<booking.startTime:date>' },
          add: { version: 1 },
          condition: { version: '<version>' },
        },
        nextDay: {
          op: 'update',
          entity: 'ProviderDay',
          where: { PK: '<booking.tenantId>#<booking.providerId>', SK: 'DAY#<booking.endTime:date>' },
          add: { version: 1 },
          condition: { version: '<nextDayVersion>' },
        },
      },
    },
    // The condition covers everything that can change, so that the copy is the latest booking: a payment that arrives meanwhile is
    // not lost. It also covers the id, so that a slot that was booked again is not taken from its new customer.
    cancelSlot: {
      op: 'transaction',
      purpose: 'Frees the slot, and keeps the booking as CANCELLED',
      procedureOnly: true,
      steps: {
        cancelled: { op: 'put', entity: 'CancelledBooking' },
        booking: {
          op: 'delete',
          entity: 'Booking',
          where: { PK: '<cancelled.tenantId>#<cancelled.providerId>', SK: '<cancelled.startTime>' },
          condition: {
            bookingId: '<cancelled.bookingId>',
            status: '<status>',
            paymentStatus: '<cancelled.paymentStatus>',
          },
        },
        day: {
          op: 'update',
          entity: 'ProviderDay',
          where: { PK: '<cancelled.tenantId>#<cancelled.providerId>', SK: 'DAY#<cancelled.startTime:date>' },
          add: { version: 1 },
          upsert: true,
        },
      },
    },
    confirmBooking: {
      op: 'update',
      purpose: 'PENDING → CONFIRMED',
      entity: 'Booking',
      where: { PK: '<tenantId>#<providerId>', SK: '<startTime>' },
      set: { status: 'CONFIRMED' },
      condition: { bookingId: '<bookingId>', status: 'PENDING' },
    },
    awaitPayment: {
      op: 'update',
      purpose: 'A payment that is under way: NONE → PENDING',
      entity: 'Booking',
      where: { PK: '<tenantId>#<providerId>', SK: '<startTime>' },
      set: { paymentStatus: 'PENDING' },
      condition: { bookingId: '<bookingId>', paymentStatus: 'NONE' },
    },
    // Payment services report the same payment more than once, so paying a PAID booking succeeds.
    markPaid: {
      op: 'update',
      purpose: 'CONFIRMED → PAID; see payBooking',
      entity: 'Booking',
      where: { PK: '<tenantId>#<providerId>', SK: '<startTime>' },
      set: { paymentStatus: 'PAID' },
      condition: { bookingId: '<bookingId>', status: 'CONFIRMED' },
    },
    markCancelledPaid: {
      op: 'update',
      purpose: 'A payment that came in after the booking was cancelled, and has to be given back',
      entity: 'CancelledBooking',
      where: { PK: '<tenantId>#<providerId>', SK: 'CANCELLED#<startTime>#<bookingId>' },
      set: { paymentStatus: 'PAID' },
    },
  },

  acknowledge: {
    'imprecise-time': {
      entities: 'createBooking and cancelBooking compare moments, and read a second more on either side',
    },
    'filtered-read': {
      'patterns.bookingsOfCustomerWithProvider': 'for bookings without the keys of GSI1, among those of one provider',
    },
    'key-collision': {
      'entities.Booking.keys.SK': 'one booking a provider and start is the point of the key: the second one is refused',
    },
  },
});
