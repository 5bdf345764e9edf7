import { tableNameOf } from '../../lib/blueprint/names';
import type { PhysicalTables } from '../../lib/blueprint/physical-table';
import { addressProblem } from '../../lib/engine/secrets';
import type { Lock } from '../../lib/evolve/lock/lock';
import type { TableNames } from '../../lib/evolve/migration/run/state';
import type { StateStore } from '../../lib/evolve/migration/run/store';
import type { Plan } from '../../lib/evolve/plan/plan';
import { UsageError } from './command';
import { tablesNamed } from './table-names';

export interface StateValues {
  readonly endpoint?: string | undefined;
  readonly 'azure-endpoint'?: string | undefined;
  readonly state?: string | undefined;
  readonly table?: readonly string[] | undefined;
}

/** The stored states of migration runs, and the connection to the table that holds them. */
export interface States {
  /**
   * Opens the table that stores the state of runs. If the table does not exist, creates it if `make` is true, and
   * otherwise returns undefined.
   */
  states(make: boolean): Promise<StateStore | undefined>;
  end(): Promise<void>;
}

/**
 * The name under which a step's state is stored. The name changes when the plan goes back a step, so that earlier runs
 * are ignored: items may be in the old form again.
 */
export function stateIdOf({ system, environment, hash }: Plan, { progress }: Lock, step: string): string {
  const id = `${system}.${environment}.${hash.slice(0, 16)}.${step}`;
  return progress?.returns === undefined ? id : `${id}.${progress.returns}`;
}

/**
 * Returns the deployed names of the tables whose items a plan changes. In order of precedence, a name comes from
 * `--table`, the deployed tables, the plan, or the stacks' naming scheme.
 */
export function deployedNames(plan: Plan, given: readonly string[] = [], seen: PhysicalTables = {}): TableNames {
  const tables = [
    ...new Set(plan.items.flatMap(({ from, to }) => [from.table, ...(to === undefined ? [] : [to.table])])),
  ];
  const usual = tables.map((table) => [
    table,
    plan.cloud === 'aws' ? tableNameOf({ name: plan.system }, plan.environment, table) : table,
  ]);
  const known = [...plan.phases.map((phase) => phase.tables), seen].flatMap((all) =>
    Object.entries(all).flatMap(([table, { name }]) =>
      name === undefined || !tables.includes(table) ? [] : [[table, name] as const],
    ),
  );
  const named = tablesNamed(given, tables, (table) => `the plan has no table '${table}'`);
  return Object.fromEntries([...usual, ...known, ...named]);
}

/** Returns the last step before the given one that fills items, or the given step if there is none. */
export function fillingBefore({ phases }: Plan, step: string): string {
  const before = phases.slice(
    0,
    phases.findIndex((phase) => phase.step === step),
  );
  return before.findLast(({ items }) => items === 'fill')?.step ?? step;
}

/** Opens a connection to DynamoDB, on AWS or at an endpoint. */
export async function dynamoConnection({ endpoint }: StateValues) {
  const problem = endpoint === undefined || endpoint === 'aws' ? undefined : addressProblem(endpoint);
  if (problem !== undefined) throw new UsageError(`--endpoint ${problem}, or aws`);
  const { dynamoDbClient } = await import('../../lib/dynamodb/engine/connection');
  return dynamoDbClient(endpoint === 'aws' ? undefined : endpoint, 10);
}

export async function statesFor(cloud: Plan['cloud'], values: StateValues): Promise<States> {
  if (cloud === 'azure') {
    const { connect } = await import('./azure-connection');
    const engine = await connect(values['azure-endpoint']);
    return {
      async states(make) {
        const { azureStates } = await import('../../lib/azure-tables/migration/states');
        return azureStates(engine, values.state, make);
      },
      end: () => engine.stop(),
    };
  }
  const connection = await dynamoConnection(values);
  return {
    async states(make) {
      const { dynamoStates } = await import('../../lib/dynamodb/migration/states');
      return dynamoStates(connection, values.state, make);
    },
    async end() {
      connection.client.destroy();
    },
  };
}
