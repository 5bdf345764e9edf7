import { client } from '../../../lib/dynamodb/client';
import type { Send as DynamoDbSend } from '../../../lib/dynamodb/sending';
import { booking, bookingsTable, cancelBooking, createBooking } from '../../../lib/systems/booking';
import { bookingOf } from '../../../lib/systems/booking/examples';
import { embedded } from '../../support/embedded';
import { atEveryCall, KINDS, outcomeOf, testedProcedures } from '../../support/faults';

jest.setTimeout(120_000);

describe('booking', () => {
  const tables = embedded(booking);
  const { of, expectAll } = testedProcedures(booking);
  test('this file tests every booking procedure that writes', expectAll);

  describe.each(KINDS)('with a fault at each call in turn (%s)', (kind) => {
    const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
    const clientWith = (way: DynamoDbSend) => client(bookingsTable, tables.nameOf('Bookings'), way);
    const pause = async () => undefined;
    test.each([
      ['within a day', '17:30', 0, '18:30'],
      ['over midnight', '23:30', 1, '00:30'],
    ] as const)(
      `${of('createBooking')} %s creates one booking, and a repeated call returns this booking`,
      async (_, from, more, to) => {
        const faults = await atEveryCall(tables.send, kind, async (way, round) => {
          // Each round uses its own provider, because all rounds book the same day.
          const wanted = bookingOf('book_1', `2025-12-10T${from}`, `2025-12-${10 + more}T${to}`, {
            providerId: `pro_${round}`,
          });
          await outcomeOf(createBooking(clientWith(way), wanted, { pause }));
          expect(await outcomeOf(createBooking(bookings, wanted, { pause }))).toBe('done');
          expect(await outcomeOf(createBooking(bookings, { ...wanted, bookingId: 'book_2' }, { pause }))).toBe(
            'BookingConflict',
          );
          const day = { tenantId: 'andina', providerId: `pro_${round}`, date: '2025-12-10' };
          expect(await bookings.providerDay(day)).toMatchObject({ version: 1 });
        });
        expect(faults).toBeGreaterThanOrEqual(4);
      },
    );

    test(`${of('cancelBooking')} frees the slot, and does not affect the next booking of the slot`, async () => {
      const faults = await atEveryCall(tables.send, kind, async (way, round) => {
        const providerId = `pro_${round}`;
        const wanted = bookingOf('book_1', '2025-12-10T10:00', '2025-12-10T11:00', { providerId });
        await createBooking(bookings, wanted, { pause });
        await outcomeOf(cancelBooking(clientWith(way), wanted, { pause, now: () => new Date(0) }));
        const cancelled = await cancelBooking(bookings, wanted, { pause });
        const next = { ...wanted, bookingId: 'book_2' };
        expect(await outcomeOf(createBooking(bookings, next, { pause }))).toBe('done');
        expect(await cancelBooking(bookings, wanted, { pause })).toEqual(cancelled);
        expect(await outcomeOf(createBooking(bookings, next, { pause }))).toBe('done');
      });
      expect(faults).toBeGreaterThanOrEqual(2);
    });
  });
});
