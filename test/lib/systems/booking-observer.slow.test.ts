import { client, type Observation } from '../../../lib/dynamodb';
import { requests } from '../../../lib/dynamodb/requests';
import { booking, createBooking } from '../../../lib/systems';
import { bookingsTable } from '../../../lib/systems/booking/bookings';
import { tenantApiKeysTable } from '../../../lib/systems/booking/design';
import { bookingOf } from '../../../lib/systems/booking/examples';
import { embedded } from '../../support/embedded';

const tables = embedded(booking);
const evening = bookingOf('book_1', '2025-12-01T17:30', '2025-12-01T18:30');

/** What a request handler does first: the key that the widget sent tells whose requests these are. */
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
  const key = requests(tenantApiKeysTable, tables.nameOf('TenantApiKeys')).put('TenantApiKey', {
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

test('every operation tells tenant, API key, operation, latency and capacity', async () => {
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
    { ...common, pattern: 'openDay', operation: 'Put' },
    { ...common, pattern: 'bookingsOfProvider', operation: 'Query' },
    { ...common, pattern: 'bookSlot', operation: 'TransactWrite' },
  ]);
  expect(log.filter(({ capacity = 0 }) => !(capacity > 0))).toEqual([]);
  expect(log.filter(({ milliseconds }) => !(milliseconds > 0 && milliseconds < 10_000))).toEqual([]);
});

test('one that fails tells its error, and the caller gets it too', async () => {
  const { log, bookings } = await observedAs('sha256_hash_here');
  const refused = bookings.bookSlot({ booking: evening, version: 0 });
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

test('an item that cannot be read is an error as well, told once', async () => {
  const { log, bookings } = await observedAs('sha256_hash_here');
  const Item = { PK: 'andina#pro_55', SK: '2025-12-01T17:30:00Z', bookingId: 'book_1' };
  await tables.send('Put', { TableName: tables.nameOf('Bookings'), Item });
  const day = { tenantId: 'andina', providerId: 'pro_55', from: '2025-12-01', to: '2025-12-02' };
  await expect(bookings.bookingsOfProvider(day)).rejects.toMatchObject({ name: 'ItemError' });
  expect(log.map(({ error }) => (error as Error | undefined)?.name)).toEqual(['ItemError']);
});

test('without an observer nothing is different', async () => {
  const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
  await createBooking(bookings, evening);
  expect((await bookings.providerDay({ tenantId: 'andina', providerId: 'pro_55', date: '2025-12-01' }))?.version).toBe(
    1,
  );
});
