import type { SystemDesign } from '../design/system';
import { blog } from './blog/design';
import { booking } from './booking/design';
import { controlePgm } from './controle-pgm/design';
import { transporte } from './transporte/design';
import { trimobe } from './trimobe/design';

export {
  BookingConflict,
  BookingContention,
  BookingInvalid,
  BookingNotFound,
  cancelBooking,
  createBooking,
} from './booking/procedures';
export {
  createDocumentType,
  documentTypes,
  NameTaken,
  type NewDocumentType,
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
  settleSequence,
} from './controle-pgm/procedures/next-number';
export { createUser, EmailTaken, type NewUser, userByEmail } from './controle-pgm/procedures/users';
export { blog, booking, controlePgm, transporte, trimobe };

/** Every system that comes with the library, by name. */
export const systems: Readonly<Record<string, SystemDesign>> = {
  trimobe,
  blog,
  booking,
  transporte,
  'controle-pgm': controlePgm,
};

/** Those of one cloud. */
export function systemsOf(cloud: SystemDesign['cloud']): readonly SystemDesign[] {
  return Object.values(systems).filter((system) => system.cloud === cloud);
}
