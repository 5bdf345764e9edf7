import type { SystemDesign } from '../design/system';
import { blog } from './blog/design';
import { booking } from './booking/design';
import { controlePgm } from './controle-pgm/design';
import { transporte } from './transporte/design';
import { trimobe } from './trimobe/design';

/** The systems that come with the library, keyed by name. */
export const systems: Readonly<Record<string, SystemDesign>> = {
  trimobe,
  blog,
  booking,
  transporte,
  'controle-pgm': controlePgm,
};

/** Returns the systems that run on a given cloud. */
export function systemsOf(cloud: SystemDesign['cloud']): readonly SystemDesign[] {
  return Object.values(systems).filter((system) => system.cloud === cloud);
}
