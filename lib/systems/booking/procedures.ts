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

/** What a caller gives to book a slot. */
export type NewBooking = EntityValues<Bookings, 'Booking'>;

/** A booking that was cancelled: its slot is free, and it stays in the history. */
export type CancelledBooking = PatternItem<Bookings, 'cancelledBooking'>;

/** Which booking is meant. Its id is given too, so that nobody cancels what was booked at the same time since. */
export type BookingReference = Pick<NewBooking, 'tenantId' | 'providerId' | 'startTime' | 'bookingId'>;

export interface BookingOptions extends RetryOptions {
  /** What time it is. @default - the clock of this machine */
  readonly now?: () => Date;
}

/** The time is taken: by a booking that overlaps it, or begins with it. */
export class BookingConflict extends Error {
  public override readonly name = 'BookingConflict';
}

/** There is no such booking. */
export class BookingNotFound extends Error {
  public override readonly name = 'BookingNotFound';
}

/** Values that no booking can have. */
export class BookingInvalid extends Error {
  public override readonly name = 'BookingInvalid';
}

/** Others were faster every time; nothing was written. */
export class BookingContention extends Error {
  public override readonly name = 'BookingContention';
}

const givenUp = (message: string) => new BookingContention(message);

type Canceller = Pick<Calls<Bookings>, 'bookingsOfProvider' | 'cancelledBooking' | 'cancelSlot'>;

/**
 * Books a slot unless it overlaps a booking of the provider, also when others book at the same moment. It gives the booking
 * that there is then: whoever asks again, because no answer came, gets the one that was made, whatever has become of it.
 */
export async function createBooking(
  client: Canceller & Pick<Calls<Bookings>, 'openDay' | 'providerDay' | 'bookSlot' | 'bookSlotOverMidnight'>,
  given: NewBooking,
  options: BookingOptions = {},
): Promise<Booking | CancelledBooking> {
  const [day, nextDay] = daysOf(client, given);
  // Times are written in one form, as in the document's examples.
  const { startTime, endTime, createdAt } = given;
  const booking = {
    ...given,
    ...{ startTime: inSeconds(startTime), endTime: inSeconds(endTime), createdAt: inSeconds(createdAt) },
  };
  return untilUndisturbed(options, givenUp, async () => {
    // The versions come before the bookings: whatever is booked or cancelled after this line moves one of them.
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
 * Takes a booking back, so that its slot is free: it stays in the history, and is what is given back. Whoever asks again,
 * because no answer came, gets the same.
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
    // Also one that an older program left in its slot as CANCELLED.
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
 * Notes that a booking was paid. It may have been cancelled while the payment was under way: then it is noted there, so that
 * the money is not forgotten. What is given back is which of the two it was.
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

/** Whether a write was done: false if its condition failed. */
async function isWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (!isNamed(error, 'ConditionalCheckFailedException')) throw error;
    return false;
  }
}

/** A booking by its start as it is given, and as createBooking writes it. */
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

/** Moves a booking out of its slot, as it was last. */
async function cancelled(
  client: Pick<Calls<Bookings>, 'cancelSlot'>,
  { status, ...booking }: Booking,
  { now = () => new Date() }: BookingOptions,
): Promise<CancelledBooking> {
  const cancelled = { ...booking, status: 'CANCELLED' as const, cancelledAt: inSeconds(now()) };
  await client.cancelSlot({ cancelled, status });
  return cancelled;
}

/** The one or two days, in UTC, that a booking touches. One that ends at midnight does not touch the day that begins. */
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

/** The date of a moment that is so many milliseconds after a time. */
function dayOf(time: string, after = 0): string {
  return new Date(Date.parse(time) + after).toISOString().slice(0, 10);
}

/** The range of keys with these times in any form, all of which begin with their minute. */
function around(from: string, to: string) {
  const minuteOf = (time: string, after = 0) => new Date(Date.parse(time) + after).toISOString().slice(0, 16);
  return { from: minuteOf(from), to: minuteOf(to, 60_000) };
}

function isSameTime(one: string, other: string): boolean {
  return Date.parse(one) === Date.parse(other);
}

/** The version of a day, which is opened if it is not. */
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
    // Somebody else has opened it meanwhile, or is about to.
    if (!isNamed(error, 'ConditionalCheckFailedException', 'TransactionConflictException')) throw error;
  }
  // Never less than the version there is: if it has moved already, the booking is refused and tried again.
  return 0;
}

/** Every booking that can overlap: it touches two days at most, so that it begins on the day before or later. */
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

/** Whether a booking is the one that is to be made: it may have been confirmed or paid since. */
function isTheSame(booking: NewBooking, other: Booking): boolean {
  const isSame = (['bookingId', 'serviceId', 'customerId'] as const).every((name) => booking[name] === other[name]);
  return isSame && isSameTime(booking.startTime, other.startTime) && isSameTime(booking.endTime, other.endTime);
}

/** A cancelled booking is in nobody's way, also where it still has its slot. */
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
