import type { SystemCases } from '../proof/cases';
import { blogCases } from './blog/cases';
import { bookingCases } from './booking/cases';
import { controlePgmCases } from './controle-pgm/cases';
import { transporteCases } from './transporte/cases';
import { trimobeCases } from './trimobe/cases';

/** What proves each system that comes with the library, by name. */
export const cases: Readonly<Record<string, SystemCases>> = {
  trimobe: trimobeCases as unknown as SystemCases,
  blog: blogCases as unknown as SystemCases,
  booking: bookingCases as unknown as SystemCases,
  transporte: transporteCases as unknown as SystemCases,
  'controle-pgm': controlePgmCases as unknown as SystemCases,
};
