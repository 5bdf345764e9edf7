export { controlePgm, documentTypesTable, numberLogsTable, sequencesTable } from './design';
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
} from './procedures/document-types';
export {
  type Latest,
  latestLogs,
  logsOfPeriod,
  type NumberLog,
  type Period,
  PeriodInvalid,
} from './procedures/logs';
export {
  DocumentTypeUnavailable,
  formattedNumber,
  type GivenNumber,
  NumberContention,
  type NumberRequest,
  nextNumber,
  repairSequence,
  UserUnavailable,
} from './procedures/next-number';
export { Contention, IdTaken } from './procedures/retry';
export {
  changeEmail,
  createUser,
  EmailTaken,
  type NewUser,
  removeUser,
  type User,
  UserNotFound,
  userByEmail,
} from './procedures/users';
export { usersByEmailTable, usersTable } from './users';
