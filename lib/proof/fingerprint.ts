import type { SystemDesign } from '../design/system';
import { lockOf } from '../evolve/lock/make';

/** A hash of a design: of its tables, entities, patterns and procedures, in whatever order they are written. */
export function fingerprintOf(system: SystemDesign): string {
  // A design is the same in every environment.
  return lockOf(system, { environment: 'any' }).hash.slice(0, 32);
}
