import { client, type Observation } from '../../../lib/dynamodb';
import { entities } from '../../../lib/dynamodb/requests';
import { booking, bookingsTable, cancelBooking, createBooking, tenantApiKeysTable } from '../../../lib/systems/booking';
import { bookingOf } from '../../../lib/systems/booking/examples';
import { embedded } from '../../support/embedded';

const tables = embedded(booking);
const evening = bookingOf('book_1', '2025-12-01T17:30', '2025-12-01T18:30');

/** Looks up the tenant by the widget's API key, as a request handler would, and returns a client with its log. */
async function observedAs(apiKeyHash: string) {
  const log: Observation[] = [];
  const observe = (observation: Observation) => log.push(observation);
  const keys = client(tenantApiKeysTable, tables.nameOf('TenantApiKeys'), tables.send);
  const { items } = await keys.resolveApiKey({ apiKeyHash });
  const found = items.find(({ status }) => status === 'ACTIVE');
  const context = { tenantId: found?.tenantId, apiKeyId: found?.apiKeyId };
  return { log, bookings: client(bookingsTable, tables.nameOf('Bookings'), tables.send, { observe, context }) };
}

beforeEach(async () => {
  const key = entities(tenantApiKeysTable, tables.nameOf('TenantApiKeys')).put('TenantApiKey', {
    tenantId: 'andina',
    apiKeyId: 'key_001',
    apiKeyHash: 'sha256_hash_here',
    status: 'ACTIVE',
    allowedOrigins: ['https://www.andina.cl'],
    rateLimit: 100,
    createdAt: '2025-01-01T10:00:00Z',
  });
  await tables.send('Put', { ...key });
});

test('the observer receives every operation with its tenant, API key, latency and capacity', async () => {
  const { log, bookings } = await observedAs('sha256_hash_here');
  await createBooking(bookings, evening);
  const common = {
    table: 'booking-dev-Bookings',
    milliseconds: expect.any(Number),
    capacity: expect.any(Number),
    context: { tenantId: 'andina', apiKeyId: 'key_001' },
  };
  expect(log).toEqual([
    { ...common, pattern: 'providerDay', operation: 'Get' },
    { ...common, pattern: 'bookingsOfProvider', operation: 'Query' },
    { ...common, pattern: 'cancelledBooking', operation: 'Get' },
    { ...common, pattern: 'bookSlot', operation: 'TransactWrite' },
  ]);
  expect(log.filter(({ capacity = 0 }) => !(capacity > 0))).toEqual([]);
  expect(log.filter(({ milliseconds }) => !(milliseconds > 0 && milliseconds < 10_000))).toEqual([]);
});

test('the observer and the caller both receive the error of a failed operation', async () => {
  const { log, bookings } = await observedAs('sha256_hash_here');
  await createBooking(client(bookingsTable, tables.nameOf('Bookings'), tables.send), {
    ...evening,
    bookingId: 'book_0',
  });
  const refused = bookings.bookSlot({ booking: evening, days: [{ date: '2025-12-01', version: 1 }] });
  await expect(refused).rejects.toMatchObject({ name: 'TransactionCanceledException' });
  expect(log).toEqual([
    {
      table: 'booking-dev-Bookings',
      pattern: 'bookSlot',
      operation: 'TransactWrite',
      milliseconds: expect.any(Number),
      error: await refused.catch((error) => error),
      context: { tenantId: 'andina', apiKeyId: 'key_001' },
    },
  ]);
});

describe('refused operations', () => {
  const told = (log: readonly Observation[]) =>
    log.map(({ pattern, operation, error, context }) => [pattern, operation, (error as Error)?.name, context.tenantId]);

  test('the observer receives an operation that a pattern refuses before sending it', async () => {
    const { log, bookings } = await observedAs('sha256_hash_here');
    const values = { tenantId: 'andina', providerId: '', date: '2025-12-01' };
    await expect(bookings.providerDay(values)).rejects.toThrow('providerId');
    expect(told(log)).toEqual([['providerDay', 'Get', 'KeyError', 'andina']]);
  });

  test.each([
    ['an empty provider id', { providerId: '' }],
    ['an end before the start', { endTime: '2025-12-01T17:00:00Z' }],
    ['a booking of three days', { endTime: '2025-12-04T17:00:00Z' }],
    ['a new booking that is already cancelled', { status: 'CANCELLED' as const }],
  ])('the observer receives a createBooking call that is refused before any request is sent: %s', async (_, wrong) => {
    const { log, bookings } = await observedAs('sha256_hash_here');
    await expect(createBooking(bookings, { ...evening, ...wrong })).rejects.toMatchObject({ name: 'BookingInvalid' });
    expect(told(log)).toEqual([['bookSlot', 'TransactWrite', 'BookingInvalid', 'andina']]);
  });

  test('the observer receives createBooking and cancelBooking calls that are refused because of stored bookings', async () => {
    const { log, bookings } = await observedAs('sha256_hash_here');
    await createBooking(bookings, evening);
    await createBooking(bookings, { ...evening, bookingId: 'book_2' }).catch(() => undefined);
    await cancelBooking(bookings, { ...evening, bookingId: 'book_2' }).catch(() => undefined);
    const refused = told(log).filter(([, , name]) => `${name}`.startsWith('Booking'));
    expect(refused).toEqual([
      ['bookSlot', 'TransactWrite', 'BookingConflict', 'andina'],
      ['cancelSlot', 'TransactWrite', 'BookingNotFound', 'andina'],
    ]);
  });
});

test('a list omits an unreadable item, and reports it only once', async () => {
  const { log, bookings } = await observedAs('sha256_hash_here');
  const Item = { PK: 'andina#pro_55', SK: '2025-12-01T17:30:00Z', bookingId: 'book_1' };
  await tables.send('Put', { TableName: tables.nameOf('Bookings'), Item });
  const day = { tenantId: 'andina', providerId: 'pro_55', from: '2025-12-01', to: '2025-12-02' };
  expect(await bookings.bookingsOfProvider(day)).toMatchObject({ items: [], unknown: 1 });
  expect(log.map(({ unknown }) => unknown?.map(({ name }) => name))).toEqual([['ItemError']]);
});

test('createBooking and cancelBooking fail on an unreadable item, because it may occupy the slot', async () => {
  const { bookings } = await observedAs('sha256_hash_here');
  const Item = { PK: 'andina#pro_55', SK: '2025-12-01T17:30:00Z', bookingId: 'book_1' };
  await tables.send('Put', { TableName: tables.nameOf('Bookings'), Item });
  await expect(createBooking(bookings, evening)).rejects.toMatchObject({ name: 'ItemError' });
  const cancelling = cancelBooking(bookings, { ...evening, startTime: '2025-12-01T17:30:00Z' });
  await expect(cancelling).rejects.toMatchObject({ name: 'ItemError' });
});

test('createBooking works without an observer', async () => {
  const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
  await createBooking(bookings, evening);
  expect((await bookings.providerDay({ tenantId: 'andina', providerId: 'pro_55', date: '2025-12-01' }))?.version).toBe(
    1,
  );
});
