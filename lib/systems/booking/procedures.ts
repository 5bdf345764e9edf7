import type { EntityValues, PatternItem } from '../../design/infer';
import type { Client } from '../../dynamodb/client';
import { bookingsTable } from './bookings';

type Bookings = typeof bookingsTable;
type Booking = PatternItem<Bookings, 'bookingsOfProvider'>;

/** What a caller gives to book a slot. */
export type NewBooking = EntityValues<Bookings, 'Booking'>;

/** Which booking is meant. Its id is given too, so that nobody cancels what was booked at the same time since. */
export type BookingReference = Pick<NewBooking, 'tenantId' | 'providerId' | 'startTime' | 'bookingId'>;

export interface RetryOptions {
  /**
   * Waits before what lost a race is tried again.
   * @default - a random time, up to 40 ms at first and 400 ms later
   */
  readonly pause?: (attempt: number) => Promise<void>;
}

/** The time is taken: by a booking that overlaps it, or begins with it. */
export class BookingConflict extends Error {
  public override readonly name = 'BookingConflict';
}

/** There is no such booking, or it is cancelled already. */
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

/** Books a slot unless it overlaps a booking of the provider, also when others book at the same moment. */
export async function createBooking(
  client: Pick<
    Client<Bookings>,
    'openDay' | 'providerDay' | 'bookingsOfProvider' | 'bookSlot' | 'bookSlotOverMidnight'
  >,
  booking: NewBooking,
  options?: RetryOptions,
): Promise<void> {
  const [day, nextDay] = daysOf(booking);
  await untilUndisturbed(options, async () => {
    // The versions come before the bookings: whatever is booked after this line moves one of them.
    const version = await versionOf(client, booking, day);
    const nextDayVersion = nextDay === undefined ? undefined : await versionOf(client, booking, nextDay);
    const near = await bookingsNear(client, booking);
    // Whoever asks again because no answer came gets the booking that was made, and no conflict with it.
    if (near.some((other) => isTheSame(booking, other))) return;
    for (const other of near) refuseOverlap(booking, other);
    const writing =
      nextDayVersion === undefined
        ? client.bookSlot({ booking, version })
        : client.bookSlotOverMidnight({ booking, version, nextDayVersion });
    await writing.catch(async (error) => {
      // A write whose answer is lost may have been done.
      if (isDisturbance(error) || !(await bookingsNear(client, booking)).some((other) => isTheSame(booking, other)))
        throw error;
    });
  });
}

/** Takes a booking back, so that its slot is free. */
export async function cancelBooking(
  client: Pick<Client<Bookings>, 'bookingsOfProvider' | 'cancelSlot'>,
  { tenantId, providerId, startTime, bookingId }: BookingReference,
  options?: RetryOptions,
): Promise<void> {
  const find = async () => {
    const { items } = await client.bookingsOfProvider({ tenantId, providerId, from: startTime, to: startTime });
    return items.find((booking) => booking.bookingId === bookingId);
  };
  await untilUndisturbed(options, async () => {
    const found = await find();
    if (found === undefined || found.status === 'CANCELLED') {
      const what = found === undefined ? 'there is no such booking' : 'it is cancelled already';
      throw new BookingNotFound(
        `booking '${bookingId}' of provider '${providerId}' at ${startTime}: ${what}; read bookingsOfProvider for those there are`,
      );
    }
    await client.cancelSlot({ tenantId, providerId, startTime, bookingId }).catch(async (error) => {
      // The same: it is gone, which is what was asked for.
      if (isDisturbance(error) || (await find()) !== undefined) throw error;
    });
  });
}

/** The one or two days, in UTC, that a booking touches. One that ends at midnight does not touch the day that begins. */
function daysOf(booking: NewBooking): readonly [string] | readonly [string, string] {
  const parsed = bookingsTable.entities.Booking.attributes.safeParse(booking);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new BookingInvalid(`this is no booking: ${faults.join('; ')}`);
  }
  const { startTime, endTime, status } = booking;
  if (status === 'CANCELLED') throw new BookingInvalid(`status is CANCELLED; book with PENDING or CONFIRMED`);
  if (endTime <= startTime) {
    throw new BookingInvalid(`endTime ${endTime} is not after startTime ${startTime}; give a later one`);
  }
  const first = dayOf(startTime);
  const last = dayOf(endTime, -1);
  if (last === first) return [first];
  if (last !== dayOf(startTime, DAY)) {
    throw new BookingInvalid(
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

/** The version of a day, which is opened if it is not. */
async function versionOf(
  client: Pick<Client<Bookings>, 'openDay' | 'providerDay'>,
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
  client: Pick<Client<Bookings>, 'bookingsOfProvider'>,
  { tenantId, providerId, startTime, endTime }: NewBooking,
): Promise<readonly Booking[]> {
  const values = { tenantId, providerId, from: `${dayOf(startTime, -DAY)}T00:00:00Z`, to: endTime };
  const found: Booking[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.bookingsOfProvider(values, cursor === undefined ? {} : { cursor });
    found.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}

/** Whether a booking is the one that is to be made, in all that was given. */
function isTheSame(booking: NewBooking, other: Booking): boolean {
  return Object.entries(booking).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(other[name as keyof Booking]),
  );
}

function refuseOverlap(booking: NewBooking, other: Booking): void {
  const overlaps =
    other.status !== 'CANCELLED' && other.startTime < booking.endTime && booking.startTime < other.endTime;
  if (!overlaps && other.startTime !== booking.startTime) return;
  throw new BookingConflict(
    `provider '${booking.providerId}' has booking '${other.bookingId}' (${other.status}) from ${other.startTime} to ${other.endTime}, so ${booking.startTime} to ${booking.endTime} cannot be booked; offer another time, or cancel that booking first`,
  );
}

/** Each booking disturbs the others of its day once, so that this is enough for as many at the same moment. */
const ATTEMPTS = 60;

/** Does something again as long as its transaction fails because another one was faster. */
async function untilUndisturbed({ pause = randomPause }: RetryOptions = {}, run: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isDisturbance(error)) throw error;
      if (attempt === ATTEMPTS) {
        throw new BookingContention(`others were faster ${attempt} times; nothing was written, try again later`);
      }
    }
    await pause(attempt);
  }
}

/** Up to 40 ms at first and 400 ms later: those who disturbed each other do not come back together. */
function randomPause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(400, 20 * 2 ** attempt)));
}

/** Whether a transaction failed for what others did, and not for what is wrong with it. */
function isDisturbance(error: unknown): boolean {
  if (!isNamed(error, 'TransactionCanceledException')) return false;
  const { CancellationReasons: reasons = [] } = error as { CancellationReasons?: readonly { Code?: string }[] };
  return reasons.every(({ Code = 'None' }) => ['None', 'ConditionalCheckFailed', 'TransactionConflict'].includes(Code));
}

function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return names.includes((error as Error | undefined)?.name ?? '');
}
