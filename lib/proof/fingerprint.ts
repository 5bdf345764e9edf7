import type { SystemDesign } from '../design/system';
import { lockOf } from '../evolve/lock/make';

/** Returns a hash of a design's tables, entities, patterns and procedures. Their order does not affect the hash. */
export function fingerprintOf(system: SystemDesign): string {
  // The environment is left out, because a design is the same in every environment.
  return lockOf(system, { environment: 'any' }).hash.slice(0, 32);
}
