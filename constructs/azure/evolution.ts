import type { SystemDesign } from '../../lib/design/system';
import type { Evolution } from '../../lib/evolve';
import type { Environment } from '../environment';

/** A system in one deployment: the tables that are there then, and the design that is deployed as long as it must be allowed too. */
export interface Staged {
  readonly system: SystemDesign;
  readonly former?: SystemDesign;
}

/** What a step of a plan makes of a system; without a lock, the system as it is. Throws what would break something. */
export function stagedOf(design: SystemDesign, environment: Environment, evolution: Evolution | undefined): Staged {
  if (evolution === undefined) return { system: design };
  // Loaded where a lock is given: most stacks have none.
  const { stageOf } = require('../../lib/evolve') as typeof import('../../lib/evolve');
  const { tables, former } = stageOf(design, environment.name, evolution);
  const staged = Object.entries(tables).map(([name, table]) => [name, table.design]);
  return { system: { ...design, tables: Object.fromEntries(staged) }, ...(former && { former }) };
}
