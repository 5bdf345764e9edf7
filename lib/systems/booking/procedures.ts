import type { EntityValues, PatternItem } from '../../design/infer';
import type { Calls, Client } from '../../dynamodb/client';
import { refused } from '../../items/observe';
import type { RetryOptions } from '../../items/retry';
import { untilUndisturbed } from '../disturbance';
import { everyItem } from '../lists';
import { inSeconds } from '../times';
import { bookingsTable } from './bookings';

type Bookings = typeof bookingsTable;
type Booking = PatternItem<Bookings, 'bookingsOfProvider'>;

export type NewBooking = EntityValues<Bookings, 'Booking'>;

/** A cancelled booking: its slot is free, and the booking stays in the history. */
export type CancelledBooking = PatternItem<Bookings, 'cancelledBooking'>;

/** Identifies a booking. The id ensures that a caller cannot cancel a later booking in the same slot. */
export type BookingReference = Pick<NewBooking, 'tenantId' | 'providerId' | 'startTime' | 'bookingId'>;

export interface BookingOptions extends RetryOptions {
  /** The current time. @default - the clock of this machine */
  readonly now?: () => Date;
}

/** The requested time overlaps an existing booking. */
export class BookingConflict extends Error {
  public override readonly name = 'BookingConflict';
}

export class BookingNotFound extends Error {
  public override readonly name = 'BookingNotFound';
}

export class BookingInvalid extends Error {
  public override readonly name = 'BookingInvalid';
}

type Canceller = Pick<Client<Bookings>, 'bookingsOfProvider'> &
  Pick<Calls<Bookings>, 'cancelledBooking' | 'cancelSlot'>;

/**
 * Books a slot, unless it overlaps one of the provider's bookings; safe for concurrent callers. Idempotent: a retry
 * after a lost response returns the existing booking in its current state.
 */
export async function createBooking(
  client: Canceller & Pick<Calls<Bookings>, 'providerDay' | 'bookSlot'>,
  given: NewBooking,
  options: BookingOptions = {},
): Promise<Booking | CancelledBooking> {
  const dates = daysOf(client, given);
  // Converts the times to the format of the document's examples.
  const { tenantId, providerId, startTime, endTime, createdAt } = given;
  const booking = {
    ...given,
    ...{ startTime: inSeconds(startTime), endTime: inSeconds(endTime), createdAt: inSeconds(createdAt) },
  };
  // A booking touches at most two days, so every booking that can overlap this one begins on the previous day or later.
  const range = around(`${dateOf(startTime, -DAY)}T00:00:00Z`, endTime);
  return untilUndisturbed(options, async () => {
    // Reads the versions first, so that `bookSlot` fails if a later booking or cancellation increments one of them.
    const rows = await Promise.all(dates.map((date) => client.providerDay({ tenantId, providerId, date })));
    const days = dates.map((date, n) => ({ date, version: rows[n]?.version ?? 0 }));
    const near = await everyItem(client.bookingsOfProvider, { tenantId, providerId, ...range });
    const made = near.find((other) => isTheSame(booking, other)) ?? (await cancelledBefore(client, booking));
    if (made !== undefined) return made;
    for (const other of near) refuseOverlap(client, booking, other);
    const leftThere = near.find((other) => isSameTime(other.startTime, booking.startTime));
    if (leftThere !== undefined) {
      await cancelled(client, leftThere, options);
      return undefined;
    }
    await client.bookSlot({ booking, days });
    return booking;
  });
}

/**
 * Cancels a booking and frees its slot. Idempotent: always returns the cancelled booking, which stays in the history.
 */
export async function cancelBooking(
  client: Canceller,
  reference: BookingReference,
  options: BookingOptions = {},
): Promise<CancelledBooking> {
  const { tenantId, providerId, startTime, bookingId } = reference;
  return untilUndisturbed(options, async () => {
    const items = await everyItem(client.bookingsOfProvider, { tenantId, providerId, ...around(startTime, startTime) });
    const found = items.find((one) => one.bookingId === bookingId && isSameTime(one.startTime, startTime));
    // `found` may still be in its slot although its status is CANCELLED, because the document allows this status there.
    if (found !== undefined) return cancelled(client, found, options);
    const before = await cancelledBefore(client, reference);
    if (before !== undefined) return before;
    throw refused(
      client.cancelSlot,
      new BookingNotFound(
        `booking '${bookingId}' of provider '${providerId}' at ${startTime} does not exist; call bookingsOfProvider to list the existing bookings`,
      ),
    );
  });
}

function cancelledBefore(
  client: Pick<Calls<Bookings>, 'cancelledBooking'>,
  { tenantId, providerId, startTime, bookingId }: BookingReference,
): Promise<CancelledBooking | undefined> {
  return client.cancelledBooking({ tenantId, providerId, startTime: inSeconds(startTime), bookingId });
}

/** Moves a booking out of its slot, and marks it as cancelled. */
async function cancelled(
  client: Pick<Calls<Bookings>, 'cancelSlot'>,
  { status, startTime, ...booking }: Booking,
  { now = () => new Date() }: BookingOptions,
): Promise<CancelledBooking> {
  const times = { startTime: inSeconds(startTime), cancelledAt: inSeconds(now()) };
  const cancelled = { ...booking, ...times, status: 'CANCELLED' as const };
  await client.cancelSlot({ cancelled, startTime, status });
  return cancelled;
}

/**
 * Returns the one or two UTC days that a booking touches. A booking that ends at midnight does not touch the next day.
 */
function daysOf({ bookSlot }: Pick<Calls<Bookings>, 'bookSlot'>, booking: NewBooking): readonly string[] {
  const invalid = (message: string) => refused(bookSlot, new BookingInvalid(message));
  const parsed = bookingsTable.entities.Booking.attributes.safeParse(booking);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw invalid(`the booking is invalid: ${faults.join('; ')}`);
  }
  const { startTime, endTime, status } = booking;
  if (status === 'CANCELLED') throw invalid(`a new booking cannot have the status CANCELLED; use PENDING or CONFIRMED`);
  if (Date.parse(endTime) <= Date.parse(startTime))
    throw invalid(`endTime ${endTime} is not after startTime ${startTime}; give a later endTime`);
  const first = dateOf(startTime);
  const last = dateOf(endTime, -1);
  if (last === first) return [first];
  if (last !== dateOf(startTime, DAY)) {
    throw invalid(
      `the booking from ${startTime} to ${endTime} touches more than two days in UTC; split it so that each part touches at most two days`,
    );
  }
  return [first, last];
}

const DAY = 86_400_000;

/** Returns the UTC date of a time plus `after` milliseconds. */
function dateOf(time: string, after = 0): string {
  return new Date(Date.parse(time) + after).toISOString().slice(0, 10);
}

/** Returns a key range that contains both times. Its bounds are minutes, because every key begins with a minute. */
function around(from: string, to: string) {
  const minuteOf = (time: string, after = 0) => new Date(Date.parse(time) + after).toISOString().slice(0, 16);
  return { from: minuteOf(from), to: minuteOf(to, 60_000) };
}

function isSameTime(one: string, other: string): boolean {
  return Date.parse(one) === Date.parse(other);
}

/** Whether a stored booking is the requested booking, even if its status or payment has changed since. */
function isTheSame(booking: NewBooking, other: Booking): boolean {
  const isSame = (['bookingId', 'serviceId', 'customerId'] as const).every((name) => booking[name] === other[name]);
  return isSame && isSameTime(booking.startTime, other.startTime) && isSameTime(booking.endTime, other.endTime);
}

/** Throws if the other booking overlaps the new one. Ignores cancelled bookings, even those still in their slots. */
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
        'offer another time, or first cancel that booking',
      ].join(' '),
    ),
  );
}
