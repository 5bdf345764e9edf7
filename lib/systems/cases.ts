import type { CasesOf } from '../proof/cases';
import { blogCases } from './blog/cases';
import { bookingCases } from './booking/cases';
import { controlePgmCases } from './controle-pgm/cases';
import { transporteCases } from './transporte/cases';
import { trimobeCases } from './trimobe/cases';

/** The cases of the systems that come with the library, keyed by system name. */
export const cases: Readonly<Record<string, CasesOf>> = {
  trimobe: trimobeCases,
  blog: blogCases,
  booking: bookingCases,
  transporte: transporteCases,
  'controle-pgm': controlePgmCases,
};
