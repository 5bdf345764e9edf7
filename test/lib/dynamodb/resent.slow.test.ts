import { client } from '../../../lib/dynamodb';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { dynamoDbEngine } from '../../../lib/dynamodb/engine/dynamodb';
import { booking, bookingsTable, servicesTable } from '../../../lib/systems/booking';
import { bookingOf, documented } from '../../../lib/systems/booking/examples';
import { embedded } from '../../support/embedded';
import { lossyWay } from '../../support/lossy';

const tables = embedded(booking);
const way = lossyWay();
let lossy: Database;
beforeAll(async () => {
  const { endpoint, credentials } = tables.engine();
  lossy = await dynamoDbEngine({ endpoint: await way.to(endpoint as string), ...(credentials && { credentials }) });
});
const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
const farBookings = client(bookingsTable, tables.nameOf('Bookings'), (command, input) => lossy.send(command, input));
const services = client(servicesTable, tables.nameOf('Services'), tables.send);
const farServices = client(servicesTable, tables.nameOf('Services'), (command, input) => lossy.send(command, input));
const { service } = documented;
const key = { tenantId: 'andina', providerId: 'pro_55', date: '2025-12-01' };

describe('writes that the SDK retries after a lost response', () => {
  test('accepts a put that the SDK retries after a lost response', async () => {
    const passed = way.losing(({ operation }) => operation === 'PutItem');
    await farServices.createService(service);
    expect(passed.map(({ operation }) => operation)).toEqual(['PutItem', 'PutItem']);
    expect(await services.getService(service)).toEqual(service);
  });

  test('the token keeps a transaction from being applied twice if the SDK retries it after a lost response', async () => {
    const passed = way.losing(({ operation }) => operation === 'TransactWriteItems');
    const evening = bookingOf('book_1', '2025-12-01T17:30', '2025-12-01T18:30');
    await farBookings.bookSlot({ booking: evening, days: [{ date: key.date, version: 0 }] });
    expect(passed.map(({ operation }) => operation)).toEqual(['TransactWriteItems', 'TransactWriteItems']);
    expect(await bookings.providerDay(key)).toEqual({ ...key, version: 1 });
  });
});

test('refuses a put that was sent once, even if the stored item is equal', async () => {
  await services.createService(service);
  way.losing(() => false);
  await expect(farServices.createService(service)).rejects.toThrow('already exists with exactly the same values');
});
