import { randomUUID } from 'node:crypto';
import { client } from '../../../lib/dynamodb/client';
import { entities } from '../../../lib/dynamodb/requests';
import { transporte } from '../../../lib/systems';
import { BookingConflict, booking, bookingsTable, cancelBooking, createBooking } from '../../../lib/systems/booking';
import { bookingOf } from '../../../lib/systems/booking/examples';
import { transporteAppTable } from '../../../lib/systems/transporte/design';
import { embedded } from '../../support/embedded';

// These tests take a second when run alone, and longer in parallel with other tests.
jest.setTimeout(60_000);

/** Makes `count` calls at once, waits for all of them, and returns their outcomes. */
async function atOnce(count: number, run: (i: number) => Promise<unknown>) {
  const outcomes = await Promise.allSettled(Array.from({ length: count }, (_, i) => run(i)));
  const errors = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason as Error);
  return { done: count - errors.length, errors };
}

const othersThan = (kind: new () => Error, errors: readonly Error[]) =>
  errors.filter((error) => !(error instanceof kind));

describe('createBooking', () => {
  const tables = embedded(booking);
  const provider = { tenantId: 'andina', providerId: 'pro_55' };
  /** Returns the time that is `minutes` after the start of 2025-12-01. */
  const at = (minutes: number) => new Date(Date.UTC(2025, 11, 1, 0, minutes)).toISOString().slice(0, 16);
  const slot = (from: number, to: number) => bookingOf(randomUUID(), at(from), at(to));
  const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
  const all = async () =>
    (await bookings.bookingsOfProvider({ ...provider, from: '2025-11-01T00:00:00Z', to: '2026-01-01T00:00:00Z' }))
      .items;
  const version = async (date: string) => (await bookings.providerDay({ ...provider, date }))?.version;

  test('createBooking gives a slot to only one of 50 callers', async () => {
    const { done, errors } = await atOnce(50, () => createBooking(bookings, slot(540, 600)));
    expect(done).toBe(1);
    expect(othersThan(BookingConflict, errors)).toEqual([]);
    expect(await all()).toHaveLength(1);
    expect(await version('2025-12-01')).toBe(1);
  });

  test('createBooking books only one of 50 overlapping slots', async () => {
    const { done, errors } = await atOnce(50, (i) => createBooking(bookings, slot(540 + i, 600 + i)));
    expect(done).toBe(1);
    expect(othersThan(BookingConflict, errors)).toEqual([]);
    expect(await all()).toHaveLength(1);
  });

  test('createBooking books all 50 adjacent slots of one day', async () => {
    const { errors } = await atOnce(50, (i) => createBooking(bookings, slot(10 * i, 10 * (i + 1))));
    expect(errors).toEqual([]);
    expect(await all()).toHaveLength(50);
    // Each booking incremented the version once, so no booking was made twice.
    expect(await version('2025-12-01')).toBe(50);
  });

  test('createBooking protects a booking across midnight on both days', async () => {
    const before = () => slot(1380, 1425);
    const over = () => slot(1410, 1470);
    const after = () => slot(1440, 1500);
    const { done, errors } = await atOnce(51, (i) => createBooking(bookings, ([before, over, after][i % 3] ?? over)()));
    expect(othersThan(BookingConflict, errors)).toEqual([]);
    const starts = (await all()).map(({ startTime }) => startTime.slice(11, 16));
    expect(done).toBe(starts.length);
    expect([['23:30'], ['23:00', '00:00']]).toContainEqual(starts);
  });

  test('createBooking gives a slot across midnight to only one of 50 callers, and increments the versions of both days', async () => {
    const { done, errors } = await atOnce(50, () => createBooking(bookings, slot(1410, 1470)));
    expect(done).toBe(1);
    expect(othersThan(BookingConflict, errors)).toEqual([]);
    expect(await all()).toHaveLength(1);
    expect([await version('2025-12-01'), await version('2025-12-02')]).toEqual([1, 1]);
  });

  test('createBooking never books two overlapping slots out of 100 random ones, and refuses only real overlaps', async () => {
    const slots = Array.from({ length: 100 }, (_, i) => {
      const from = (i * 7919) % 4200;
      return slot(from, from + 5 + ((i * 104_729) % 110));
    });
    const { done, errors } = await atOnce(slots.length, (i) => createBooking(bookings, slots[i] as never));
    const booked = await all();
    expect(othersThan(BookingConflict, errors)).toEqual([]);
    expect(booked).toHaveLength(done);
    const overlap = (a: { startTime: string; endTime: string }, b: typeof a) =>
      a.startTime < b.endTime && b.startTime < a.endTime;
    expect(booked.filter((a) => booked.some((b) => b !== a && overlap(a, b)))).toEqual([]);
    expect(slots.filter((wanted) => !booked.some((other) => overlap(wanted, other)))).toEqual([]);
  });

  test('50 concurrent cancellations return the same booking, and the slot can then be booked only once', async () => {
    const first = slot(540, 600);
    await createBooking(bookings, first);
    const clock = (i: number) => ({ now: () => new Date(Date.UTC(2025, 10, 1, 0, i)) });
    const cancelled = await Promise.all(Array.from({ length: 50 }, (_, i) => cancelBooking(bookings, first, clock(i))));
    expect(new Set(cancelled.map(({ cancelledAt }) => cancelledAt)).size).toBe(1);
    expect(await version('2025-12-01')).toBe(2);
    const { done } = await atOnce(50, () => createBooking(bookings, slot(540, 600)));
    expect(done).toBe(1);
    expect(await all()).toHaveLength(1);
  });

  test('no payment and no booking is lost if 30 callers cancel, pay and rebook at the same time', async () => {
    const old = Array.from({ length: 10 }, (_, i) => slot(30 * i, 30 * i + 30));
    for (const each of old) await createBooking(bookings, each);
    const paid = await Promise.allSettled([
      ...old.map((each) => cancelBooking(bookings, each)),
      ...old.map((each) => createBooking(bookings, { ...each, bookingId: `${each.bookingId}-again` })),
      ...old.map(({ tenantId, providerId, startTime, bookingId }) =>
        bookings.updateBooking({ tenantId, providerId, startTime, bookingId, paymentStatus: 'PAID' }),
      ),
    ]);
    expect(paid.slice(0, 10).map(({ status }) => status)).toEqual(Array(10).fill('fulfilled'));
    // A payment that arrives before the cancellation is kept; a later one is refused.
    const kept = paid.slice(20).map(({ status }) => (status === 'fulfilled' ? 'PAID' : 'NONE'));
    const history = await Promise.all(
      old.map(({ startTime, bookingId }) => bookings.cancelledBooking({ ...provider, startTime, bookingId })),
    );
    expect(history.map((cancelled) => cancelled?.paymentStatus)).toEqual(kept);
    const again = paid.slice(10, 20).filter(({ status }) => status === 'fulfilled');
    expect((await all()).map(({ bookingId }) => bookingId.endsWith('-again'))).toEqual(again.map(() => true));
  });

  test('createBooking does not interfere with concurrent cancellations', async () => {
    const old = Array.from({ length: 20 }, (_, i) => slot(30 * i, 30 * i + 30));
    for (const each of old) await createBooking(bookings, each);
    const { errors } = await atOnce(40, (i) =>
      i < 20 ? cancelBooking(bookings, old[i] as never) : createBooking(bookings, slot(30 * i, 30 * i + 30)),
    );
    expect(errors).toEqual([]);
    expect((await all()).map(({ startTime }) => startTime.slice(0, 16))).toEqual(
      Array.from({ length: 20 }, (_, i) => at(600 + 30 * i)),
    );
  });
});

describe('createTripWithWaybill', () => {
  const tables = embedded(transporte);
  const app = client(transporteAppTable, tables.nameOf('TransporteApp'), tables.send);
  const LIMIT = 20;

  test("50 concurrent calls to createTripWithWaybill reach but never exceed the plan's limit", async () => {
    const userId = 'user-1';
    const times = { createdAt: '2025-01-01T00:00:00Z', updatedAt: '2025-01-01T00:00:00Z' };
    const profile = entities(transporteAppTable, tables.nameOf('TransporteApp')).put('User', {
      data: {
        id: userId,
        email: 'ana@flete.example',
        fullName: 'Ana',
        timezone: 'America/Mexico_City',
        createdAt: times.createdAt,
      },
      subscription: {
        planId: 'plan-1',
        planName: 'Profesional',
        status: 'active',
        expiresAt: '2026-01-01T00:00:00Z',
        limits: { conductores: 10, vehiculos: 15, cartasPorteMes: LIMIT },
      },
      credits: { balance: 50, monthlyUsed: 3, totalConsumed: 200 },
    });
    await tables.send('Put', { ...profile });
    const { done } = await atOnce(50, (i) =>
      app.createTripWithWaybill({
        userId,
        data: {
          id: `viaje-${i}`,
          nombre: 'Viaje CDMX-GDL',
          fechaInicioProgramada: '2025-01-15T08:00:00Z',
          origen: 'Ciudad de México',
          destino: 'Guadalajara',
        },
        ...times,
        carta: {
          userId,
          id: `carta-${i}`,
          viajeId: `viaje-${i}`,
          data: { id: `carta-${i}`, versionCartaPorte: '3.1', status: 'borrador', transporteInternacional: false },
          ...times,
        },
      }),
    );
    const { items } = await app.waybillsOfUser({ userId });
    expect(done).toBe(LIMIT - 3);
    expect(items).toHaveLength(done);
    expect((await app.getProfile({ userId }))?.credits.monthlyUsed).toBe(LIMIT);
  });
});
