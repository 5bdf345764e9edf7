import { client } from '../../../lib/dynamodb';
import type { Database } from '../../../lib/dynamodb/engine/database';
import { dynamoDbEngine } from '../../../lib/dynamodb/engine/dynamodb';
import { booking } from '../../../lib/systems';
import { bookingsTable } from '../../../lib/systems/booking/bookings';
import { bookingOf } from '../../../lib/systems/booking/examples';
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
const far = client(bookingsTable, tables.nameOf('Bookings'), (command, input) => lossy.send(command, input));
const key = { tenantId: 'andina', providerId: 'pro_55', date: '2025-12-01' };

describe('a write whose answer is lost, and that the SDK retries, is done once', () => {
  test('if it puts an item', async () => {
    const passed = way.losing(({ operation }) => operation === 'PutItem');
    await far.openDay(key);
    expect(passed.map(({ operation }) => operation)).toEqual(['PutItem', 'PutItem']);
    expect(await bookings.providerDay(key)).toEqual({ ...key, version: 0 });
  });

  test('if it is a transaction, thanks to its token', async () => {
    await bookings.openDay(key);
    const passed = way.losing(({ operation }) => operation === 'TransactWriteItems');
    await far.bookSlot({ booking: bookingOf('book_1', '2025-12-01T17:30', '2025-12-01T18:30'), version: 0 });
    expect(passed.map(({ operation }) => operation)).toEqual(['TransactWriteItems', 'TransactWriteItems']);
    expect(await bookings.providerDay(key)).toEqual({ ...key, version: 1 });
  });
});

test('a put that was sent once is refused, even if the stored item is equal', async () => {
  await bookings.openDay(key);
  way.losing(() => false);
  await expect(far.openDay(key)).rejects.toThrow('already exists, exactly as it would have been put');
});
