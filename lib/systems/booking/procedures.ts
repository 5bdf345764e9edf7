import type { EntityValues, PatternItem } from '../../design/infer';
import type { Calls } from '../../dynamodb/client';
import { refused } from '../../items/observe';
import type { RetryOptions } from '../../items/retry';
import { isNamed, untilUndisturbed } from '../disturbance';
import { wholeList } from '../lists';
import { inSeconds } from '../times';
import { bookingsTable } from './bookings';

type Bookings = typeof bookingsTable;
type Booking = PatternItem<Bookings, 'bookingsOfProvider'>;

/** The values that a caller gives to book a slot. */
export type NewBooking = EntityValues<Bookings, 'Booking'>;

/** A cancelled booking: its slot is free, and the booking stays in the history. */
export type CancelledBooking = PatternItem<Bookings, 'cancelledBooking'>;

/** Identifies a booking; the id keeps callers from cancelling a later booking of the same slot. */
export type BookingReference = Pick<NewBooking, 'tenantId' | 'providerId' | 'startTime' | 'bookingId'>;

export interface BookingOptions extends RetryOptions {
  /** The current time. @default - the clock of this machine */
  readonly now?: () => Date;
}

/** The time is taken by an overlapping booking. */
export class BookingConflict extends Error {
  public override readonly name = 'BookingConflict';
}

/** The booking does not exist. */
export class BookingNotFound extends Error {
  public override readonly name = 'BookingNotFound';
}

/** Values that no booking can have. */
export class BookingInvalid extends Error {
  public override readonly name = 'BookingInvalid';
}

/** Every attempt conflicted with other writers; nothing was written. */
export class BookingContention extends Error {
  public override readonly name = 'BookingContention';
}

const givenUp = (message: string) => new BookingContention(message);

type Canceller = Pick<Calls<Bookings>, 'bookingsOfProvider' | 'cancelledBooking' | 'cancelSlot'>;

/**
 * Books a slot unless it overlaps a booking of the provider, even when others book at the same moment. It is idempotent: a
 * caller that retries after a lost answer gets the existing booking in its current state.
 */
export async function createBooking(
  client: Canceller & Pick<Calls<Bookings>, 'openDay' | 'providerDay' | 'bookSlot' | 'bookSlotOverMidnight'>,
  given: NewBooking,
  options: BookingOptions = {},
): Promise<Booking | CancelledBooking> {
  const [day, nextDay] = daysOf(client, given);
  // Normalizes times to the form of the document's examples.
  const { startTime, endTime, createdAt } = given;
  const booking = {
    ...given,
    ...{ startTime: inSeconds(startTime), endTime: inSeconds(endTime), createdAt: inSeconds(createdAt) },
  };
  return untilUndisturbed(options, givenUp, async () => {
    // Reads the versions before the bookings, because any later booking or cancellation increments one of them.
    const version = await versionOf(client, booking, day);
    const nextDayVersion = nextDay === undefined ? undefined : await versionOf(client, booking, nextDay);
    const near = await bookingsNear(client, booking);
    const made = near.find((other) => isTheSame(booking, other)) ?? (await cancelledBefore(client, booking));
    if (made !== undefined) return made;
    for (const other of near) refuseOverlap(client, booking, other);
    const leftThere = near.find((other) => isSameTime(other.startTime, booking.startTime));
    if (leftThere !== undefined) {
      await cancelled(client, leftThere, options);
      return undefined;
    }
    if (nextDayVersion === undefined) await client.bookSlot({ booking, version });
    else await client.bookSlotOverMidnight({ booking, version, nextDayVersion });
    return booking;
  });
}

/**
 * Cancels a booking and frees its slot. The booking stays in the history and is returned. A caller that retries after a lost
 * answer gets the same booking.
 */
export async function cancelBooking(
  client: Canceller,
  reference: BookingReference,
  options: BookingOptions = {},
): Promise<CancelledBooking> {
  const { tenantId, providerId, startTime, bookingId } = reference;
  return untilUndisturbed(options, givenUp, async () => {
    const items = await wholeList(
      (page) => client.bookingsOfProvider({ tenantId, providerId, ...around(startTime, startTime) }, page),
      (unread) => new Error(`provider '${providerId}' at ${startTime}: ${unread} not as designed; repair them first`),
    );
    const found = items.find((one) => one.bookingId === bookingId && isSameTime(one.startTime, startTime));
    // This includes a booking that was marked CANCELLED in its slot, as the document's status allows.
    if (found !== undefined) return cancelled(client, found, options);
    const before = await cancelledBefore(client, reference);
    if (before !== undefined) return before;
    throw refused(
      client.cancelSlot,
      new BookingNotFound(
        `booking '${bookingId}' of provider '${providerId}' at ${startTime}: there is no such booking; read bookingsOfProvider for those there are`,
      ),
    );
  });
}

/**
 * Records the payment of a booking. If the booking was cancelled meanwhile, the cancelled booking records the payment, so that
 * the money is not forgotten. Returns which of the two it was.
 */
export async function payBooking(
  client: Pick<Calls<Bookings>, 'markPaid' | 'markCancelledPaid'>,
  booking: BookingReference,
): Promise<'CONFIRMED' | 'CANCELLED'> {
  for (const reference of referencesTo(booking)) {
    if (await isWritten(client.markPaid(reference))) return 'CONFIRMED';
    if (await isWritten(client.markCancelledPaid(reference))) return 'CANCELLED';
  }
  throw refused(
    client.markPaid,
    new BookingNotFound(
      `booking '${booking.bookingId}' of provider '${booking.providerId}' at ${booking.startTime}: there is no such booking that is confirmed or cancelled; confirm it first, or read bookingsOfProvider for those there are`,
    ),
  );
}

/** Whether a write succeeded; false if its condition failed. */
async function isWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (!isNamed(error, 'ConditionalCheckFailedException')) throw error;
    return false;
  }
}

/** Finds a booking by its start, both as given and as createBooking writes it. */
function referencesTo({ tenantId, providerId, startTime, bookingId }: BookingReference): readonly BookingReference[] {
  return [...new Set([startTime, inSeconds(startTime)])].map((start) => ({
    ...{ tenantId, providerId, bookingId },
    startTime: start,
  }));
}

async function cancelledBefore(
  client: Pick<Calls<Bookings>, 'cancelledBooking'>,
  booking: BookingReference,
): Promise<CancelledBooking | undefined> {
  for (const reference of referencesTo(booking)) {
    const found = await client.cancelledBooking(reference);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Moves the latest state of a booking out of its slot. */
async function cancelled(
  client: Pick<Calls<Bookings>, 'cancelSlot'>,
  { status, ...booking }: Booking,
  { now = () => new Date() }: BookingOptions,
): Promise<CancelledBooking> {
  const cancelled = { ...booking, status: 'CANCELLED' as const, cancelledAt: inSeconds(now()) };
  await client.cancelSlot({ cancelled, status });
  return cancelled;
}

/** The one or two days, in UTC, that a booking touches. A booking that ends at midnight does not touch the next day. */
function daysOf(
  { bookSlot }: Pick<Calls<Bookings>, 'bookSlot'>,
  booking: NewBooking,
): readonly [string] | readonly [string, string] {
  const invalid = (message: string) => refused(bookSlot, new BookingInvalid(message));
  const parsed = bookingsTable.entities.Booking.attributes.safeParse(booking);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw invalid(`this is not a booking: ${faults.join('; ')}`);
  }
  const { startTime, endTime, status } = booking;
  if (status === 'CANCELLED') throw invalid(`status is CANCELLED; book with PENDING or CONFIRMED`);
  if (Date.parse(endTime) <= Date.parse(startTime))
    throw invalid(`endTime ${endTime} is not after startTime ${startTime}; give a later one`);
  const first = dayOf(startTime);
  const last = dayOf(endTime, -1);
  if (last === first) return [first];
  if (last !== dayOf(startTime, DAY)) {
    throw invalid(
      `from ${startTime} to ${endTime} is more than two days in UTC; split it into bookings that touch two at most`,
    );
  }
  return [first, last];
}

const DAY = 86_400_000;

/** The date at a number of milliseconds after a time. */
function dayOf(time: string, after = 0): string {
  return new Date(Date.parse(time) + after).toISOString().slice(0, 10);
}

/** The range of keys with these times in any form; every form begins with the minute. */
function around(from: string, to: string) {
  const minuteOf = (time: string, after = 0) => new Date(Date.parse(time) + after).toISOString().slice(0, 16);
  return { from: minuteOf(from), to: minuteOf(to, 60_000) };
}

function isSameTime(one: string, other: string): boolean {
  return Date.parse(one) === Date.parse(other);
}

/** The version of a day; opens the day if necessary. */
async function versionOf(
  client: Pick<Calls<Bookings>, 'openDay' | 'providerDay'>,
  { tenantId, providerId }: NewBooking,
  date: string,
): Promise<number> {
  const key = { tenantId, providerId, date };
  const day = await client.providerDay(key);
  if (day !== undefined) return day.version;
  try {
    await client.openDay(key);
  } catch (error) {
    // Another caller has opened the day meanwhile, or is about to.
    if (!isNamed(error, 'ConditionalCheckFailedException', 'TransactionConflictException')) throw error;
  }
  // If the stored version is already higher, the transaction conflicts and is retried.
  return 0;
}

/** Every booking that can overlap; a booking touches at most two days, so it begins on the previous day or later. */
async function bookingsNear(
  client: Pick<Calls<Bookings>, 'bookingsOfProvider'>,
  { tenantId, providerId, startTime, endTime }: NewBooking,
): Promise<readonly Booking[]> {
  const values = { tenantId, providerId, ...around(`${dayOf(startTime, -DAY)}T00:00:00Z`, endTime) };
  return wholeList(
    (options) => client.bookingsOfProvider(values, options),
    (unread) =>
      new Error(
        `provider '${providerId}': ${unread} not as designed, and may hold the slot; repair them, and book again`,
      ),
  );
}

/** Whether a stored booking is the requested one, which may have been confirmed or paid since. */
function isTheSame(booking: NewBooking, other: Booking): boolean {
  const isSame = (['bookingId', 'serviceId', 'customerId'] as const).every((name) => booking[name] === other[name]);
  return isSame && isSameTime(booking.startTime, other.startTime) && isSameTime(booking.endTime, other.endTime);
}

/** Throws if another booking overlaps; a cancelled booking never does, even if it is still in its slot. */
function refuseOverlap({ bookSlot }: Pick<Calls<Bookings>, 'bookSlot'>, booking: NewBooking, other: Booking): void {
  const isOver =
    Date.parse(other.endTime) <= Date.parse(booking.startTime) ||
    Date.parse(booking.endTime) <= Date.parse(other.startTime);
  if (other.status === 'CANCELLED' || isOver) return;
  throw refused(
    bookSlot,
    new BookingConflict(
      [
        `provider '${booking.providerId}' has booking '${other.bookingId}' (${other.status})`,
        `from ${other.startTime} to ${other.endTime}, so ${booking.startTime} to ${booking.endTime} cannot be booked;`,
        'offer another time, or cancel that booking first',
      ].join(' '),
    ),
  );
}
