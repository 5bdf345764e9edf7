import type { CasesOf } from '../proof/cases';
import { blogCases } from './blog/cases';
import { bookingCases } from './booking/cases';
import { controlePgmCases } from './controle-pgm/cases';
import { transporteCases } from './transporte/cases';
import { trimobeCases } from './trimobe/cases';

/** The cases of each system that comes with the library, by name. */
export const cases: Readonly<Record<string, CasesOf>> = {
  trimobe: trimobeCases,
  blog: blogCases,
  booking: bookingCases,
  transporte: transporteCases,
  'controle-pgm': controlePgmCases,
};
