import type { SystemDesign } from '../../lib/design/system';
import type { Evolution } from '../../lib/evolve';
import type { Environment } from '../environment';

/** A system in one deployment: its tables, and the deployed design as long as grants must cover it too. */
export interface Staged {
  readonly system: SystemDesign;
  readonly former?: SystemDesign;
}

/** A system in a step of a plan; without a lock, the system as it is. Throws for a step that would break something. */
export function stagedOf(design: SystemDesign, environment: Environment, evolution: Evolution | undefined): Staged {
  if (evolution === undefined) return { system: design };
  // Loaded only if the stack has a lock, because most stacks do not.
  const { stageOf } = require('../../lib/evolve') as typeof import('../../lib/evolve');
  const { tables, former } = stageOf(design, environment.name, evolution);
  const staged = Object.entries(tables).map(([name, table]) => [name, table.design]);
  return { system: { ...design, tables: Object.fromEntries(staged) }, ...(former && { former }) };
}
