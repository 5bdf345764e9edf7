import * as z from 'zod';
import { defineTable } from '../../design/table';
import { timestamp } from '../times';
import { id } from './attributes';

/** The attributes of a booking, both while it occupies its slot and after its cancellation. */
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

const provider = { PK: '<tenantId>#<providerId>' } as const;
const slot = { ...provider, SK: '<startTime>' } as const;
const cancelled = { ...provider, SK: 'CANCELLED#<startTime>#<bookingId>' } as const;
const day = { ...provider, SK: 'DAY#<date>' } as const;
const ofCustomer = { GSI1PK: '<tenantId>#<customerId>', GSI1SK: '<startTime>' } as const;

// 6. Tabla: `Bookings`
export const bookingsTable = defineTable({
  name: 'Bookings',
  purpose: 'Registro de reservas confirmadas',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'por usuario' } },

  entities: {
    Booking: {
      attributes: z.object({ ...booking, status: z.enum(['PENDING', 'CONFIRMED', 'CANCELLED']) }),
      keys: { ...slot, ...ofCustomer },
      keyOnly: ['startTime'],
    },
    // A cancelled booking frees its slot: it moves to a key that sorts after every time, and keeps its place in GSI1.
    CancelledBooking: {
      attributes: z.object({ ...booking, status: z.literal('CANCELLED'), cancelledAt: timestamp }),
      keys: { ...cancelled, ...ofCustomer },
      keyOnly: ['startTime'],
    },
    // `attribute_not_exists(PK)` does not prevent overlaps. Each booking therefore increments the version of its UTC
    // day, so that only one of two concurrent callers can book the same gap. `DAY#` sorts after every time.
    ProviderDay: {
      attributes: z.object({ tenantId: id, providerId: id, date: z.iso.date(), version: z.int().min(0) }),
      keys: day,
      keyOnly: ['tenantId', 'providerId', 'date'],
    },
  },

  patterns: {
    // The read is strongly consistent, because createBooking would double-book if this read missed a booking.
    bookingsOfProvider: {
      op: 'query',
      purpose: 'Reservas del profesional',
      where: { ...provider, SK: { between: ['<from>', '<to>'] } },
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
    // Until the migration, this pattern also finds bookings without GSI1PK, such as the booking in the document.
    bookingsOfCustomerWithProvider: {
      op: 'query',
      where: { ...provider, SK: { between: ['<from>', '<to>'] } },
      filter: { customerId: '<customerId>' },
      returns: ['Booking'],
    },
    cancelledBooking: { op: 'get', where: cancelled, returns: ['CancelledBooking'], consistent: true },
    providerDay: { op: 'get', where: day, returns: ['ProviderDay'], consistent: true },
    // bookSlot and cancelSlot rely on the checks in createBooking and cancelBooking. Without these checks, a caller
    // could double-book, or store a different booking as cancelled. A booking over midnight updates both days.
    bookSlot: {
      op: 'transaction',
      purpose: 'Crear reserva sin overbooking',
      procedureOnly: true,
      steps: {
        booking: { op: 'put', entity: 'Booking' },
        days: {
          op: 'update',
          entity: 'ProviderDay',
          each: 'days',
          where: { PK: '<booking.tenantId>#<booking.providerId>', SK: 'DAY#<days.date>' },
          add: { version: 1 },
          condition: { any: [{ version: '<days.version>' }, { version: { exists: false } }] },
          upsert: true,
        },
      },
    },
    // The condition covers everything that can change, and also the id, because the slot may have been rebooked.
    cancelSlot: {
      op: 'transaction',
      purpose: 'Frees the slot, and keeps the booking as CANCELLED',
      procedureOnly: true,
      steps: {
        cancelled: { op: 'put', entity: 'CancelledBooking' },
        booking: {
          op: 'delete',
          entity: 'Booking',
          where: { PK: '<cancelled.tenantId>#<cancelled.providerId>', SK: '<startTime>' },
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
    // A cancelled booking no longer occupies its slot, so this update refuses it.
    updateBooking: {
      op: 'update',
      entity: 'Booking',
      where: slot,
      set: { status: '<status?>', paymentStatus: '<paymentStatus?>' },
      condition: { bookingId: '<bookingId>', status: { not: 'CANCELLED' } },
    },
  },

  acknowledge: {
    'imprecise-time': {
      entities: 'createBooking and cancelBooking compare times as instants, and read ranges of whole minutes',
    },
    'filtered-read': {
      'patterns.bookingsOfCustomerWithProvider': 'needed for bookings without GSI1 keys; reads one provider only',
    },
    'key-collision': {
      'entities.Booking.keys.SK': 'intended: it prevents a second booking with the same provider and start time',
    },
  },
});
