import { type Calls, client } from '../../../lib/dynamodb/client';
import { booking, bookingsTable, cancelBooking, createBooking } from '../../../lib/systems/booking';
import { bookingOf, documented } from '../../../lib/systems/booking/examples';
import { embedded } from '../../support/embedded';

const tables = embedded(booking);
const bookings = client(bookingsTable, tables.nameOf('Bookings'), tables.send);
const provider = { tenantId: 'andina', providerId: 'pro_55' };
const versionOf = async (date: string) => (await bookings.providerDay({ ...provider, date }))?.version;
const startsIn = async (month: string) => {
  const { items } = await bookings.bookingsOfProvider({
    ...provider,
    from: `${month}-01`,
    to: `${month}-31T23:59:59Z`,
  });
  return items.map(({ startTime }) => startTime);
};

const historyOf = async ({ tenantId, customerId }: { tenantId: string; customerId: string }) =>
  (await bookings.bookingsOfCustomer({ tenantId, customerId })).items.map(({ bookingId, status }) => [
    bookingId,
    status,
  ]);
const referenceOf = ({ startTime, bookingId }: { startTime: string; bookingId: string }) => ({
  ...provider,
  startTime,
  bookingId,
});

const evening = bookingOf('book_1', '2025-12-01T17:30', '2025-12-01T18:30');

describe('times in the format of Date.toISOString()', () => {
  const precise = { ...evening, startTime: '2025-12-01T17:30:00.000Z', endTime: '2025-12-01T18:30:00.000Z' };

  test.each([
    [evening, { ...precise, bookingId: 'book_2' }],
    [precise, { ...evening, bookingId: 'book_2' }],
  ])(
    'createBooking refuses an overlapping booking whose times are written in a different format (%#)',
    async (first, second) => {
      await createBooking(bookings, first);
      await expect(createBooking(bookings, second)).rejects.toMatchObject({ name: 'BookingConflict' });
      expect(await createBooking(bookings, { ...second, bookingId: 'book_1' })).toMatchObject({
        startTime: evening.startTime,
      });
    },
  );

  test("createBooking stores times in the document's format, and accepts other formats to identify a booking", async () => {
    const booked = { ...evening, createdAt: '2025-11-01T10:00:00.999+00:00' };
    expect(await createBooking(bookings, { ...booked, startTime: '2025-12-01T17:30Z' })).toEqual(evening);
    const cancelled = await cancelBooking(bookings, precise);
    expect(await cancelBooking(bookings, precise)).toEqual(cancelled);
  });

  test("createBooking detects an overlap with the previous day's booking that ends at 00:30", async () => {
    const late = { ...precise, startTime: '2025-11-30T00:00:00.000Z', endTime: '2025-12-01T00:30:00.000Z' };
    await createBooking(bookings, late);
    const early = bookingOf('book_2', '2025-12-01T00:00', '2025-12-01T01:00');
    await expect(createBooking(bookings, early)).rejects.toMatchObject({ name: 'BookingConflict' });
  });

  test('cancelBooking finds a booking that was created with a different time format', async () => {
    await createBooking(bookings, precise);
    expect(await cancelBooking(bookings, referenceOf(evening))).toMatchObject({ status: 'CANCELLED' });
    expect(await startsIn('2025-12')).toEqual([]);
    expect(await historyOf(evening)).toEqual([['book_1', 'CANCELLED']]);
  });
});

describe("the document's own booking, which has neither GSI1 keys nor a day item", () => {
  beforeEach(() => tables.engine().put(tables.nameOf('Bookings'), [documented.booking]));

  test('a booking without GSI1 keys occupies its slot', async () => {
    const overlapping = bookingOf('book_2', '2025-12-01T18:00', '2025-12-01T19:00');
    await expect(createBooking(bookings, overlapping)).rejects.toMatchObject({ name: 'BookingConflict' });
  });

  test("a booking without GSI1 keys appears in its provider's list, even if the list is limited to one customer", async () => {
    const december = { ...provider, from: '2025-12-01T00:00:00Z', to: '2025-12-02T00:00:00Z' };
    expect((await bookings.bookingsOfProvider(december)).items).toHaveLength(1);
    const { items } = await bookings.bookingsOfCustomerWithProvider({ ...december, customerId: 'cust_001' });
    expect(items.map(({ bookingId }) => bookingId)).toEqual(['book_789']);
  });

  test("a booking without GSI1 keys appears in its customer's history after cancellation", async () => {
    const reference = { ...provider, startTime: '2025-12-01T17:30:00Z', bookingId: 'book_789' };
    await cancelBooking(bookings, reference);
    expect(await historyOf({ tenantId: 'andina', customerId: 'cust_001' })).toEqual([['book_789', 'CANCELLED']]);
  });
});

describe('createBooking', () => {
  test("createBooking increments the day's version", async () => {
    await createBooking(bookings, evening);
    expect(await startsIn('2025-12')).toEqual(['2025-12-01T17:30:00Z']);
    expect(await versionOf('2025-12-01')).toBe(1);
  });

  test("createBooking's error names the conflicting booking and the fix", async () => {
    await createBooking(bookings, evening);
    await expect(
      createBooking(bookings, bookingOf('book_2', '2025-12-01T18:00', '2025-12-01T19:00')),
    ).rejects.toMatchObject({
      name: 'BookingConflict',
      message:
        "provider 'pro_55' has booking 'book_1' (CONFIRMED) from 2025-12-01T17:30:00Z to 2025-12-01T18:30:00Z, so 2025-12-01T18:00:00Z to 2025-12-01T19:00:00Z cannot be booked; offer another time, or first cancel that booking",
    });
  });

  test('createBooking accepts adjacent slots, and the same time for another provider or tenant', async () => {
    const others = [
      bookingOf('book_2', '2025-12-01T16:30', '2025-12-01T17:30'),
      bookingOf('book_3', '2025-12-01T18:30', '2025-12-01T19:30'),
      bookingOf('book_4', '2025-12-01T17:30', '2025-12-01T18:30', { providerId: 'pro_5' }),
      bookingOf('book_5', '2025-12-01T17:30', '2025-12-01T18:30', { tenantId: 'andina2' }),
    ];
    for (const each of [evening, ...others]) await createBooking(bookings, each);
    expect(await startsIn('2025-12')).toHaveLength(3);
  });

  test('createBooking locks only the first day of a booking that ends at midnight, and both days of a booking that ends later', async () => {
    await createBooking(bookings, bookingOf('book_2', '2025-12-30T23:00', '2025-12-31T00:00'));
    expect([await versionOf('2025-12-30'), await versionOf('2025-12-31')]).toEqual([1, undefined]);
    await createBooking(bookings, bookingOf('book_3', '2025-12-31T23:00', '2026-01-01T00:01'));
    expect([await versionOf('2025-12-31'), await versionOf('2026-01-01')]).toEqual([1, 1]);
  });

  test('createBooking detects an overlap across midnight from either day', async () => {
    const night = bookingOf('book_1', '2025-12-31T23:00', '2026-01-01T01:00');
    await createBooking(bookings, night);
    for (const [start, end] of [
      ['2026-01-01T00:30', '2026-01-01T01:30'],
      ['2025-12-31T22:30', '2025-12-31T23:30'],
      ['2025-12-31T23:30', '2026-01-01T00:30'],
      ['2025-12-31T22:00', '2026-01-01T02:00'],
      ['2025-12-31T00:00', '2026-01-02T00:00'],
    ] as const) {
      await expect(createBooking(bookings, bookingOf('book_2', start, end))).rejects.toThrow("'book_1'");
    }
    await createBooking(bookings, bookingOf('book_3', '2026-01-01T01:00', '2026-01-01T02:00'));
  });

  test('createBooking moves a cancelled booking out of the slot and books the slot, even if both bookings start at the same time', async () => {
    const cancelled = { ...evening, status: 'CANCELLED' as const };
    await bookings.bookSlot({ booking: cancelled, days: [{ date: '2025-12-01', version: 0 }] });
    await createBooking(bookings, { ...evening, bookingId: 'book_2' });
    expect(await historyOf(evening)).toEqual([
      ['book_2', 'CONFIRMED'],
      ['book_1', 'CANCELLED'],
    ]);
  });

  describe('a repeated call', () => {
    /** Returns a client that executes every command, but loses the first response to the command `lost`. */
    const losing = (lost: string) => {
      let isLost = false;
      return client(bookingsTable, tables.nameOf('Bookings'), async (command, input) => {
        const output = await tables.send(command, input);
        if (isLost || command !== lost) return output;
        isLost = true;
        throw new Error('the connection was reset');
      });
    };

    test.each(['Get', 'Query', 'TransactWrite'])(
      'repeating createBooking after the response to a %s was lost leaves only one booking',
      async (command) => {
        await expect(createBooking(losing(command), evening)).rejects.toThrow('reset');
        expect(await createBooking(bookings, { ...evening, createdAt: '2025-11-01T10:00:09Z' })).toMatchObject({
          bookingId: 'book_1',
          createdAt: command === 'TransactWrite' ? evening.createdAt : '2025-11-01T10:00:09Z',
        });
        expect(await startsIn('2025-12')).toEqual([evening.startTime]);
        expect(await versionOf('2025-12-01')).toBe(1);
      },
    );

    test('a repeated createBooking returns the existing booking, even if it was confirmed and paid', async () => {
      const pending = { ...evening, status: 'PENDING' as const };
      expect(await createBooking(bookings, pending)).toEqual(pending);
      await bookings.updateBooking({ ...referenceOf(evening), status: 'CONFIRMED', paymentStatus: 'PAID' });
      expect(await createBooking(bookings, pending)).toEqual({
        ...pending,
        status: 'CONFIRMED',
        paymentStatus: 'PAID',
      });
    });

    test('a repeated createBooking after a cancellation returns the cancelled booking', async () => {
      await createBooking(bookings, evening);
      const cancelled = await cancelBooking(bookings, evening);
      expect(await createBooking(bookings, evening)).toEqual(cancelled);
      expect(await startsIn('2025-12')).toEqual([]);
    });

    test('createBooking refuses an id that a different booking already uses', async () => {
      await createBooking(bookings, evening);
      await expect(createBooking(bookings, { ...evening, customerId: 'cust_9' })).rejects.toThrow("'book_1'");
    });
  });

  test('createBooking finds an overlap beyond the first page of bookings', async () => {
    const large = { serviceId: 'x'.repeat(350_000) };
    for (let hour = 10; hour < 15; hour++) {
      await createBooking(
        bookings,
        bookingOf(`book_${hour}`, `2025-12-01T${hour}:00`, `2025-12-01T${hour + 1}:00`, large),
      );
    }
    const values = { ...provider, from: '2025-12-01T00:00:00Z', to: '2025-12-01T14:30:00Z' };
    expect((await bookings.bookingsOfProvider(values)).cursor).toEqual(expect.any(String));
    await expect(createBooking(bookings, bookingOf('book_2', '2025-12-01T14:30', '2025-12-01T15:30'))).rejects.toThrow(
      "'book_14'",
    );
  });

  test('createBooking uses strongly consistent reads', async () => {
    const sent: [string, unknown][] = [];
    const watched = client(bookingsTable, tables.nameOf('Bookings'), (command, input) => {
      sent.push([command, input.ConsistentRead]);
      return tables.send(command, input);
    });
    await createBooking(watched, evening);
    await cancelBooking(watched, evening);
    const reads = sent.filter(([command]) => command === 'Get' || command === 'Query');
    expect(reads).toEqual([
      ['Get', true],
      ['Query', true],
      ['Get', true],
      ['Query', true],
    ]);
  });

  test.each([
    ['an end before the start', { endTime: '2025-12-01T17:00:00Z' }, 'endTime 2025-12-01T17:00:00Z is not after'],
    ['an end equal to the start', { endTime: evening.startTime }, 'is not after startTime'],
    ['more than two days', { endTime: '2025-12-03T00:00:01Z' }, 'touches more than two days in UTC; split it'],
    ['no provider', { providerId: '' }, 'the booking is invalid: providerId: '],
    ['no tenant', { tenantId: undefined as never }, 'the booking is invalid: tenantId: '],
    ['a local time', { startTime: '2025-12-01T17:30:00-03:00' }, 'the booking is invalid: startTime: '],
    ['a date that is none', { startTime: '2025-02-30T17:30:00Z' }, 'the booking is invalid: startTime: '],
    ['a booking that is already cancelled', { status: 'CANCELLED' as const }, 'use PENDING or CONFIRMED'],
  ])('createBooking refuses %s before sending a request', async (_, wrong, message) => {
    const asked = createBooking({} as never, { ...evening, ...wrong });
    await expect(asked).rejects.toMatchObject({ name: 'BookingInvalid', message: expect.stringContaining(message) });
  });

  test('createBooking refuses an id that contains the separator', async () => {
    await expect(createBooking(bookings, { ...evening, tenantId: 'andina#pro' })).rejects.toThrow('the separator');
  });
});

describe('conflicts with other callers', () => {
  /** Lets another caller book a different minute immediately before each of the first `times` attempts. */
  const disturbed = (times: number) => {
    let minute = 0;
    const time = (at: number) => new Date(Date.UTC(2025, 11, 1, 0, at)).toISOString().slice(0, 16);
    const bookSlot: Calls<typeof bookingsTable>['bookSlot'] = async (wanted) => {
      if (minute < times) {
        const other = bookingOf(`other_${minute}`, time(minute), time(++minute));
        await bookings.bookSlot({ booking: other, days: wanted.days });
      }
      return bookings.bookSlot(wanted);
    };
    return { ...bookings, bookSlot };
  };
  const pauses: number[] = [];
  const pause = async (attempt: number) => {
    pauses.push(attempt);
  };
  beforeEach(() => pauses.splice(0));

  test('createBooking retries after conflicts until it succeeds', async () => {
    await createBooking(disturbed(59), evening, { pause });
    expect(pauses).toEqual(Array.from({ length: 59 }, (_, i) => i + 1));
    expect(await startsIn('2025-12')).toContain(evening.startTime);
  });

  test('createBooking throws after 60 failed attempts, and writes nothing', async () => {
    await expect(createBooking(disturbed(60), evening, { pause })).rejects.toMatchObject({
      name: 'Contention',
      message: 'all 60 attempts conflicted with other callers; try again',
    });
    expect(await startsIn('2025-12')).not.toContain(evening.startTime);
  });

  test.each([
    ['TransactionCanceledException', { CancellationReasons: [{ Code: 'None' }, { Code: 'ValidationError' }] }],
    ['ResourceNotFoundException', {}],
  ])('createBooking does not retry after %s %j, which is not a conflict', async (name, rest) => {
    const error = Object.assign(new Error('no'), { name, ...rest });
    const bookSlot = jest.fn(() => Promise.reject(error));
    await expect(createBooking({ ...bookings, bookSlot }, evening)).rejects.toBe(error);
    expect(bookSlot).toHaveBeenCalledTimes(1);
  });

  test("createBooking retries if another caller makes the day's first booking at the same time", async () => {
    const providerDay = jest.fn(bookings.providerDay).mockResolvedValueOnce(undefined);
    await createBooking(bookings, bookingOf('book_2', '2025-12-01T09:00', '2025-12-01T10:00'));
    await createBooking({ ...bookings, providerDay }, evening, { pause });
    expect(pauses).toEqual([1]);
    expect(await versionOf('2025-12-01')).toBe(2);
  });
});

describe('updateBooking', () => {
  test('updateBooking refuses a cancelled booking, even if it is still in its slot', async () => {
    await createBooking(bookings, evening);
    await bookings.updateBooking({ ...referenceOf(evening), status: 'CANCELLED' });
    const confirmed = bookings.updateBooking({ ...referenceOf(evening), status: 'CONFIRMED' });
    await expect(confirmed).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  });
});

describe('cancelBooking', () => {
  test('cancelBooking frees the slot for another booking', async () => {
    await createBooking(bookings, evening);
    await cancelBooking(bookings, evening);
    expect(await startsIn('2025-12')).toEqual([]);
    await createBooking(bookings, bookingOf('book_2', '2025-12-01T18:00', '2025-12-01T19:00'));
    expect(await startsIn('2025-12')).toEqual(['2025-12-01T18:00:00Z']);
  });

  test('cancelBooking refuses a booking whose slot contains a different booking', async () => {
    await createBooking(bookings, evening);
    const message = (id: string) =>
      `booking '${id}' of provider 'pro_55' at 2025-12-01T17:30:00Z does not exist; call bookingsOfProvider to list the existing bookings`;
    await expect(cancelBooking(bookings, { ...evening, bookingId: 'book_2' })).rejects.toMatchObject({
      name: 'BookingNotFound',
      message: message('book_2'),
    });
  });

  test("cancelBooking keeps the booking, with its payment, in its customer's history", async () => {
    await createBooking(bookings, evening);
    await bookings.updateBooking({ ...referenceOf(evening), paymentStatus: 'PAID' });
    const now = () => new Date('2025-12-01T08:00:00.999Z');
    const cancelled = { ...evening, status: 'CANCELLED', paymentStatus: 'PAID', cancelledAt: '2025-12-01T08:00:00Z' };
    expect(await cancelBooking(bookings, evening, { now })).toEqual(cancelled);
    await createBooking(bookings, { ...evening, bookingId: 'book_2' });
    expect(await historyOf(evening)).toEqual([
      ['book_2', 'CONFIRMED'],
      ['book_1', 'CANCELLED'],
    ]);
    expect(await bookings.cancelledBooking(referenceOf(evening))).toEqual(cancelled);
  });

  test('cancelSlot refuses a `cancelled` value whose status is not CANCELLED', async () => {
    await createBooking(bookings, evening);
    const cancelled = { ...evening, status: 'CONFIRMED' as 'CANCELLED', cancelledAt: '2025-12-01T08:00:00Z' };
    const { startTime } = evening;
    await expect(bookings.cancelSlot({ cancelled, startTime, status: 'CONFIRMED' })).rejects.toThrow('status');
    expect(await historyOf(evening)).toEqual([['book_1', 'CONFIRMED']]);
  });

  test("a repeated cancelBooking returns the same booking, and does not affect the slot's new booking", async () => {
    await createBooking(bookings, evening);
    const cancelled = await cancelBooking(bookings, evening);
    await createBooking(bookings, { ...evening, bookingId: 'book_2' });
    expect(await cancelBooking(bookings, evening, { now: () => new Date(0) })).toEqual(cancelled);
    expect(await startsIn('2025-12')).toEqual([evening.startTime]);
  });

  test('cancelBooking keeps a payment that arrives during the cancellation', async () => {
    await createBooking(bookings, evening);
    const cancelSlot: Calls<typeof bookingsTable>['cancelSlot'] = async (values) => {
      await bookings.updateBooking({ ...referenceOf(evening), paymentStatus: 'PAID' }).catch(() => undefined);
      return bookings.cancelSlot(values);
    };
    const cancelled = await cancelBooking({ ...bookings, cancelSlot }, evening, { pause: async () => {} });
    expect(cancelled.paymentStatus).toBe('PAID');
    expect(await bookings.cancelledBooking(referenceOf(evening))).toEqual(cancelled);
  });

  test('cancelBooking moves a booking that is marked CANCELLED out of its slot', async () => {
    await createBooking(bookings, evening);
    await bookings.updateBooking({ ...referenceOf(evening), status: 'CANCELLED' });
    expect(await cancelBooking(bookings, evening)).toMatchObject({ bookingId: 'book_1', status: 'CANCELLED' });
    expect(await startsIn('2025-12')).toEqual([]);
  });

  test('cancelBooking cancels only once if the cancellation is sent twice', async () => {
    await createBooking(bookings, evening);
    const cancelSlot: Calls<typeof bookingsTable>['cancelSlot'] = async (values) => {
      await bookings.cancelSlot(values);
      return bookings.cancelSlot(values);
    };
    const cancelled = await cancelBooking({ ...bookings, cancelSlot }, evening, { pause: async () => {} });
    expect(await bookings.cancelledBooking(referenceOf(evening))).toEqual(cancelled);
    expect(await versionOf('2025-12-01')).toBe(2);
  });
});

test('cancelBooking reports an unreadable item in the slot, not a missing booking', async () => {
  const blind = client(bookingsTable, tables.nameOf('Bookings'), tables.send, { onUnknown: () => undefined });
  const Item = { PK: 'andina#pro_55', SK: evening.startTime };
  await tables.send('Put', { TableName: tables.nameOf('Bookings'), Item });
  await expect(cancelBooking(blind, evening)).rejects.toMatchObject({ name: 'ItemError' });
});
