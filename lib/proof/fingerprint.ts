import type { SystemDesign } from '../design/system';
import { lockOf } from '../evolve/lock/make';

/** What tells a design from any other: its tables, entities, patterns and procedures, in whatever order they are written. */
export function fingerprintOf(system: SystemDesign): string {
  return lockOf(system, { environment: '' }).hash.slice(0, 32);
}
