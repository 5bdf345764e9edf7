// Each of these files is loaded when one of its exports is first used (build/lazy.mjs).
export { blog } from './blog/design';
export { booking } from './booking/design';
export {
  BookingConflict,
  BookingContention,
  BookingInvalid,
  BookingNotFound,
  cancelBooking,
  createBooking,
  payBooking,
} from './booking/procedures';
export { controlePgm } from './controle-pgm/design';
export {
  changeDocumentType,
  createDocumentType,
  type DocumentTypeChanges,
  DocumentTypeNotFound,
  documentTypes,
  NameTaken,
  type NewDocumentType,
  removeDocumentType,
  seedDocumentTypes,
} from './controle-pgm/procedures/document-types';
export {
  type Latest,
  latestLogs,
  logsOfPeriod,
  type NumberLog,
  type Period,
  PeriodInvalid,
} from './controle-pgm/procedures/logs';
export {
  DocumentTypeUnavailable,
  formattedNumber,
  type GivenNumber,
  NumberContention,
  type NumberRequest,
  nextNumber,
  repairSequence,
  UserUnavailable,
} from './controle-pgm/procedures/next-number';
export { Contention, IdTaken } from './controle-pgm/procedures/retry';
export {
  changeEmail,
  createUser,
  EmailTaken,
  type NewUser,
  removeUser,
  type User,
  UserNotFound,
  userByEmail,
} from './controle-pgm/procedures/users';
export { documented } from './documented';
export { systems, systemsOf } from './systems';
export { transporte } from './transporte/design';
export { trimobe } from './trimobe/design';
