import { tableNameOf } from '../../lib/blueprint/names';
import type { SystemDesign } from '../../lib/design/system';
import { type Held, heldIn } from '../../lib/explore/engine/held';
import { UsageError } from './command';
import { type Endpoints, startEngines } from './prove-engines';
import { tablesNamed } from './table-names';

export interface HeldOptions extends Endpoints {
  readonly environment: string;
  /** The deployed names of tables. @default - the names that the environment's stack gives the tables */
  readonly table?: readonly string[] | undefined;
}

const OPTION = { aws: 'endpoint', azure: 'azure-endpoint' } as const;

/** Returns the live tables of each system. Leaves out a system if the user gave no endpoint for the system's cloud. */
export async function heldBy(
  systems: readonly SystemDesign[],
  options: HeldOptions,
): Promise<ReadonlyMap<SystemDesign, Held>> {
  const there = systems.filter(({ cloud }) => options[OPTION[cloud]] !== undefined);
  for (const cloud of ['aws', 'azure'] as const) {
    const isNamed = options[OPTION[cloud]] !== undefined;
    if (isNamed && !there.some((system) => system.cloud === cloud))
      throw new UsageError(
        `--${OPTION[cloud]}: none of these designs is for ${cloud === 'aws' ? 'DynamoDB' : 'Azure Tables'}`,
      );
  }
  const tables = there.flatMap((system) => Object.keys(system.tables));
  const where =
    there.length === 0
      ? 'only tables at an endpoint have deployed names; also pass --endpoint or --azure-endpoint'
      : undefined;
  const names = new Map(
    tablesNamed(options.table ?? [], tables, (table) => where ?? `none of these designs has a table '${table}'`),
  );
  if (there.length === 0) return new Map();
  const engines = await startEngines(there, options);
  return new Map(
    there.map((system) => {
      const usual = (table: string) =>
        system.cloud === 'aws' ? tableNameOf(system, options.environment, table) : table;
      return [system, heldIn(system, engines.of(system), (table) => names.get(table) ?? usual(table))];
    }),
  );
}
