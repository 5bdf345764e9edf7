export { Contention } from '../disturbance';
export { controlePgm, documentTypesTable, numberLogsTable, sequencesTable } from './design';
export {
  changeDocumentType,
  createDocumentType,
  type DocumentTypeChanges,
  DocumentTypeNotFound,
  documentTypes,
  NameTaken,
  type NewDocumentType,
  seedDocumentTypes,
} from './procedures/document-types';
export { type Latest, latestLogs, logsOfPeriod, type NumberLog, type Period, PeriodInvalid } from './procedures/logs';
export {
  DocumentTypeUnavailable,
  formattedNumber,
  type GivenNumber,
  type NumberRequest,
  nextNumber,
  repairSequence,
  UserUnavailable,
} from './procedures/next-number';
export { IdTaken } from './procedures/retry';
export {
  changeEmail,
  createUser,
  EmailTaken,
  type NewUser,
  type User,
  UserNotFound,
  userByEmail,
} from './procedures/users';
export { usersByEmailTable, usersTable } from './users';
