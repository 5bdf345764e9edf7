import { describeMutants } from './mutation';

/** An update that may make its item does not, where it also asks for a value that only an item can have. */
const VERSIONED = 'the condition on the version already refuses a day that is not there';

describeMutants('booking', {
  'Bookings.patterns.bookSlot.steps.day.upsert: none → true': VERSIONED,
  'Bookings.patterns.bookSlotOverMidnight.steps.day.upsert: none → true': VERSIONED,
  'Bookings.patterns.bookSlotOverMidnight.steps.nextDay.upsert: none → true': VERSIONED,
});
