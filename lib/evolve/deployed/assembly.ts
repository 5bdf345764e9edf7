import type { PhysicalTables } from '../../blueprint/physical-table';
import type { SystemDesign } from '../../design/system';
import type { SynthesizedStack } from '../../dynamodb/template/assembly';
import { candidatesIn, placesOf, showCandidate } from '../../proof/template';
import { signed } from '../canonical';
import { FORM, type Lock } from '../lock/lock';
import { EvolutionError } from '../lock/read';

/**
 * Returns a system's tables as the templates define them, keyed by name; leaves out a table that no template defines.
 * @param environment the environment to read the tables from, if the templates define several
 */
export function tablesOfSystem(
  system: SystemDesign,
  stacks: readonly SynthesizedStack[],
  environment?: string,
): PhysicalTables {
  const all = stacks.flatMap(candidatesIn);
  const found = Object.keys(system.tables).flatMap((table) => {
    const places = placesOf(system, table, all, { environment });
    if (places.length > 1) {
      const shown = places.map(showCandidate).join(' or ');
      throw new EvolutionError(
        `table '${table}' of system '${system.name}' can be ${shown}; synthesize only one of them, or pass its environment (--environment)`,
      );
    }
    return places.map(({ physical }) => [table, physical] as const);
  });
  return Object.fromEntries(found);
}

/** Creates a lock that contains only tables, without items and patterns, for comparisons. */
export function lockOfTables(
  { name: system, cloud }: SystemDesign,
  environment: string,
  physical: PhysicalTables,
): Lock {
  const tables = Object.entries(physical).map(([name, table]) => [name, { physical: table }]);
  return signed({
    lock: FORM,
    system,
    environment,
    cloud,
    tables: Object.fromEntries(tables),
    procedures: {},
  } as const);
}
