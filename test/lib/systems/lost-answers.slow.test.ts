import { client } from '../../../lib/dynamodb/client';
import type { Send as DynamoDbSend } from '../../../lib/dynamodb/sending';
import { booking, cancelBooking, createBooking, payBooking } from '../../../lib/systems';
import { bookingsTable } from '../../../lib/systems/booking/bookings';
import { bookingOf } from '../../../lib/systems/booking/examples';
import { embedded } from '../../support/embedded';
import { atEveryCall, faulty, KINDS, outcomeOf, testedProcedures } from '../../support/faults';

jest.setTimeout(120_000);

describe('booking', () => {
  const tables = embedded(booking);
  const { of, expectAll } = testedProcedures(booking);
  test('every procedure that writes is tested here', expectAll);

  describe.each(KINDS)('with a fault at every call (%s),', (kind) => {
    const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
    const clientWith = (way: DynamoDbSend) => client(bookingsTable, tables.nameOf('Bookings'), way);
    const provider = { tenantId: 'andina', providerId: 'pro_55' };
    const pause = async () => undefined;
    test.each([
      ['within a day', '17:30', 0, '18:30'],
      ['over midnight', '23:30', 1, '00:30'],
    ] as const)(
      `${of('createBooking')} %s makes one, and says so when it is asked again`,
      async (_, from, more, to) => {
        const faults = await atEveryCall(tables.send, kind, async (way, round) => {
          // Each round has its own provider because there are few days.
          const wanted = bookingOf('book_1', `2025-12-10T${from}`, `2025-12-${10 + more}T${to}`, {
            providerId: `pro_${round}`,
          });
          await outcomeOf(createBooking(clientWith(way), wanted, { pause }));
          expect(await outcomeOf(createBooking(bookings, wanted, { pause }))).toBe('done');
          expect(await outcomeOf(createBooking(bookings, { ...wanted, bookingId: 'book_2' }, { pause }))).toBe(
            'BookingConflict',
          );
          expect(
            await bookings.providerDay({ ...provider, providerId: `pro_${round}`, date: '2025-12-10' }),
          ).toMatchObject({
            version: 1,
          });
        });
        expect(faults).toBeGreaterThanOrEqual(4);
      },
    );

    test(`${of('cancelBooking')} frees the slot, and takes nothing from its next owner`, async () => {
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

    test(`${of('payBooking')} records a payment wherever the booking is by now, and succeeds when called again`, async () => {
      const faults = await atEveryCall(tables.send, kind, async (way, round) => {
        const providerId = `pro_${round}`;
        const wanted = bookingOf('book_1', '2025-12-10T10:00', '2025-12-10T11:00', { providerId, status: 'CONFIRMED' });
        await createBooking(bookings, wanted, { pause });
        await outcomeOf(payBooking(clientWith(way), wanted));
        expect(await payBooking(bookings, wanted)).toBe('CONFIRMED');
        const late = {
          ...wanted,
          startTime: '2025-12-10T12:00:00Z',
          endTime: '2025-12-10T13:00:00Z',
          bookingId: 'book_2',
        };
        await createBooking(bookings, late, { pause });
        await cancelBooking(bookings, late, { pause });
        await outcomeOf(payBooking(clientWith(faulty(tables.send, round, kind).send), late));
        expect(await payBooking(bookings, late)).toBe('CANCELLED');
        const { items } = await bookings.bookingsOfProvider({
          ...provider,
          providerId,
          from: '2025-12-10',
          to: '2025-12-11',
        });
        expect(items.map(({ bookingId, paymentStatus }) => [bookingId, paymentStatus])).toEqual([['book_1', 'PAID']]);
        expect(
          await bookings.cancelledBooking({ ...provider, providerId, startTime: late.startTime, bookingId: 'book_2' }),
        ).toMatchObject({ paymentStatus: 'PAID' });
      });
      expect(faults).toBeGreaterThanOrEqual(1);
    });
  });
});
