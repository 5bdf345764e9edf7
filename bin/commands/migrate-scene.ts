import { existsSync } from 'node:fs';

import { suggestion } from '../../lib/design/names';
import type { Lock } from '../../lib/evolve/lock/lock';
import type { DefinedMigration } from '../../lib/evolve/migration/define';
import type { Migration, PhaseOfItems } from '../../lib/evolve/migration/migration';
import { migrationFor } from '../../lib/evolve/migration/of-plan';
import type { TableNames } from '../../lib/evolve/migration/run/state';
import type { StateStore, Store } from '../../lib/evolve/migration/run/store';
import type { Phase, Plan } from '../../lib/evolve/plan/plan';
import { nextStep } from '../../lib/evolve/plan/progress';
import { FileError, UsageError } from './command';
import { lockIn, planFileOf, planIn, subjectOf, used } from './evolution';
import type { MigrateValues } from './migrate';
import { deployedNames, dynamoConnection, stateIdOf } from './migrate-states';
import { readingOf } from './modules';

/** A step that changes items, with everything needed to run, verify or report its migration. */
export interface Scene {
  readonly plan: Plan;
  readonly lock: Lock;
  readonly step: string;
  readonly phase: PhaseOfItems;
  readonly migration: Migration;
  readonly store: Store;
  /** The name under which the step's state is stored. */
  readonly id: string;
  /** The deployed names of the step's tables. */
  readonly names: TableNames;
  /**
   * Opens the table that stores the state of runs. If the table does not exist, creates it if `make` is true, and
   * otherwise returns undefined.
   */
  states(make: boolean): Promise<StateStore | undefined>;
  end(): Promise<void>;
}

export async function sceneOf(names: readonly string[], values: MigrateValues): Promise<Scene> {
  const { system, environment, lockFile } = await subjectOf(names, values);
  const lock = lockIn(lockFile);
  const file = values.plan ?? planFileOf(system.name, environment);
  if (!existsSync(file)) throw new FileError(`there is no plan '${file}'; write one first: npx tablewright plan`);
  const plan = planIn(file);
  const defined = values.migration === undefined ? undefined : await definedIn(values.migration);
  const read = plan.cloud === 'azure' ? (await import('../../lib/azure-tables/entity')).readEntity : undefined;
  const migration = used(() => migrationFor(plan, lock, system, defined, read));
  const { step, items } = used(() => phaseOf(plan, lock, values.step));
  const about = {
    plan,
    lock,
    step,
    phase: items as PhaseOfItems,
    migration,
    id: stateIdOf(plan, lock, step),
    names: deployedNames(plan, values.table),
  };
  return { ...about, ...(await (plan.cloud === 'aws' ? dynamo : azure)(about, values)) };
}

async function dynamo({ names, migration }: Pick<Scene, 'names' | 'migration'>, values: MigrateValues) {
  const { exactly } = await import('../../lib/dynamodb/engine/exact');
  const { dynamoStore } = await import('../../lib/dynamodb/migration/store');
  const connection = await dynamoConnection(values);
  return {
    store: dynamoStore({
      database: exactly(connection),
      migration,
      names,
      isMeasured: values.capacity !== undefined,
    }),
    async states(make: boolean) {
      const { dynamoStates } = await import('../../lib/dynamodb/migration/states');
      return dynamoStates(connection, values.state, make);
    },
    async end() {
      connection.client.destroy();
    },
  };
}

async function azure({ names, migration }: Pick<Scene, 'names' | 'migration'>, values: MigrateValues) {
  if (values.segments !== undefined) throw new UsageError('--segments is for DynamoDB; Azure Tables has no segments');
  const { connect } = await import('./azure-connection');
  const { azureStore } = await import('../../lib/azure-tables/migration/store');
  const engine = await connect(values['azure-endpoint']);
  return {
    store: azureStore({ database: engine, migration, names }),
    async states(make: boolean) {
      const { azureStates } = await import('../../lib/azure-tables/migration/states');
      return azureStates(engine, values.state, make);
    },
    end: () => engine.stop(),
  };
}

/** Loads the migration that a user's file exports. */
export async function definedIn(name: string): Promise<DefinedMigration> {
  if (!existsSync(name)) throw new FileError(`there is no file '${name}'`);
  const found = await readingOf(name, (exported) => exported.find(isMigration));
  if (found === undefined)
    throw new FileError(
      `'${name}' must export the result of defineMigration, such as: export default defineMigration(old, blog, { … })`,
    );
  return found;
}

function isMigration(value: unknown): value is DefinedMigration {
  return typeof value === 'object' && value !== null && 'ups' in value && 'outcome' in value;
}

/** Returns the phase of the given step, or the next phase if no step is given. */
function phaseOf(plan: Plan, lock: Lock, given: string | undefined): Phase {
  const able = plan.phases.filter(({ items }) => items === 'fill' || items === 'clean');
  const steps = able.map(({ step }) => step);
  if (able.length === 0) throw new FileError('this plan changes no stored items, so it needs no migration');
  if (given !== undefined) {
    const found = able.find(({ step }) => step === given);
    if (found === undefined)
      throw new UsageError(`step '${given}' does not change stored items; ${suggestion(given, steps)}`);
    return found;
  }
  const next = plan.phases.findIndex(({ step }) => step === nextStep(plan, lock));
  // If the next phase does not change items (verification, for example), returns the last phase that did.
  const last = able.findLast((phase) => plan.phases.indexOf(phase) < next);
  const coming = able.find((phase) => plan.phases.indexOf(phase) >= next);
  const isTurn = coming !== undefined && plan.phases.indexOf(coming) === next;
  return (isTurn ? coming : (last ?? coming)) as Phase;
}
