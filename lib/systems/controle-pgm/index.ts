export {
  controlePgm,
  documentTypesTable,
  numberLogsTable,
  sequencesTable,
  usersByEmailTable,
  usersTable,
} from './design';
export {
  createDocumentType,
  documentTypes,
  NameTaken,
  type NewDocumentType,
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
  settleSequence,
} from './procedures/next-number';
export { createUser, EmailTaken, type NewUser, userByEmail } from './procedures/users';
