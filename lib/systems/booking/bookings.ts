import * as z from 'zod';
import { defineTable } from '../../design/table';
import { id, timestamp } from './attributes';

// 6. Tabla: `Bookings`
export const bookingsTable = defineTable({
  name: 'Bookings',
  purpose: 'Registro de reservas confirmadas',
  key: { partition: 'PK', sort: 'SK' },
  indexes: { GSI1: { partition: 'GSI1PK', sort: 'GSI1SK', purpose: 'por usuario' } },

  entities: {
    Booking: {
      attributes: z.object({
        bookingId: id,
        tenantId: id,
        providerId: id,
        serviceId: id,
        customerId: id,
        startTime: timestamp,
        endTime: timestamp,
        status: z.enum(['PENDING', 'CONFIRMED', 'CANCELLED']),
        paymentStatus: z.enum(['NONE', 'PENDING', 'PAID']),
        createdAt: timestamp,
      }),
      keys: {
        PK: '<tenantId>#<providerId>',
        SK: '<startTime>',
        GSI1PK: '<tenantId>#<customerId>',
        GSI1SK: '<startTime>',
      },
      keyOnly: ['startTime'],
    },
    // `attribute_not_exists(PK)` stops two bookings that start together, not two that overlap. Each booking moves the
    // version of its day (in UTC), so that of two that found the same gap only the first gets it; `DAY#` sorts after
    // every time.
    ProviderDay: {
      attributes: z.object({ tenantId: id, providerId: id, date: z.iso.date(), version: z.int().min(0) }),
      keys: { PK: '<tenantId>#<providerId>', SK: 'DAY#<date>' },
      keyOnly: ['tenantId', 'providerId', 'date'],
    },
  },

  patterns: {
    // Consistent, since createBooking looks for overlaps here: a booking it missed would be booked over.
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
      returns: ['Booking'],
    },

    openDay: {
      op: 'put',
      purpose: 'The first version of a day; that the day is already open is no failure',
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
    bookSlot: {
      op: 'transaction',
      purpose: 'Crear reserva sin overbooking',
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
    // Deleted, not marked: a cancelled booking that kept its key would keep the slot. The id is tested so that a slot
    // booked again meanwhile is not taken from its new customer.
    cancelSlot: {
      op: 'transaction',
      purpose: 'Frees the slot',
      steps: {
        booking: {
          op: 'delete',
          entity: 'Booking',
          where: { PK: '<tenantId>#<providerId>', SK: '<startTime>' },
          condition: { bookingId: '<bookingId>', status: { not: 'CANCELLED' } },
        },
        day: {
          op: 'update',
          entity: 'ProviderDay',
          where: { PK: '<tenantId>#<providerId>', SK: 'DAY#<startTime:date>' },
          add: { version: 1 },
          upsert: true,
        },
      },
    },
  },

  acknowledge: {
    'key-collision': {
      'entities.Booking.keys.SK': 'one booking a provider and start is the point of the key: the second one is refused',
    },
  },
});
