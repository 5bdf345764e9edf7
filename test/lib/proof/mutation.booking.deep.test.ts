import { describeMutants } from './mutation';

/** An upsert never creates its item if it also requires a value that only an existing item can have. */
const VERSIONED = 'the condition on the version already refuses a day that is not there';

describeMutants('booking', {
  'Bookings.patterns.bookSlot.steps.day.upsert: none → true': VERSIONED,
  'Bookings.patterns.bookSlotOverMidnight.steps.day.upsert: none → true': VERSIONED,
  'Bookings.patterns.bookSlotOverMidnight.steps.nextDay.upsert: none → true': VERSIONED,
});
