import type { SystemDesign } from '../../lib/design/system';
import type { Evolution } from '../../lib/evolve';
import type { Environment } from '../environment';

/** A system in one deployment. `former` is the previously deployed design, as long as grants must cover its tables too. */
export interface Staged {
  readonly system: SystemDesign;
  readonly former?: SystemDesign;
}

/**
 * Returns a system as it is in a step of a plan, or unchanged if there is no lock. Throws for a step that would break a
 * release or lose data.
 */
export function stagedOf(design: SystemDesign, environment: Environment, evolution: Evolution | undefined): Staged {
  if (evolution === undefined) return { system: design };
  // The evolution code is loaded only if the stack has a lock, because most stacks have none.
  const { stageOf } = require('../../lib/evolve') as typeof import('../../lib/evolve');
  const { tables, former } = stageOf(design, environment.name, evolution);
  const staged = Object.entries(tables).map(([name, table]) => [name, table.design]);
  return { system: { ...design, tables: Object.fromEntries(staged) }, ...(former && { former }) };
}
