export { Contention } from '../disturbance';
export {
  booking,
  bookingsTable,
  conversationStateTable,
  providerAvailabilityTable,
  providersTable,
  servicesTable,
  tenantApiKeysTable,
  tenantsTable,
} from './design';
export type { BookingReference, CancelledBooking, NewBooking } from './procedures';
export { BookingConflict, BookingInvalid, BookingNotFound, cancelBooking, createBooking } from './procedures';
