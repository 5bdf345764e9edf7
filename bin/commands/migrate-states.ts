import { addressProblem } from '../../lib/engine/secrets';
import type { Lock } from '../../lib/evolve/lock/lock';
import type { StateStore } from '../../lib/evolve/migration/run/store';
import type { Plan } from '../../lib/evolve/plan/plan';
import { UsageError } from './command';

export interface StateValues {
  readonly endpoint?: string | undefined;
  readonly 'azure-endpoint'?: string | undefined;
  readonly state?: string | undefined;
}

/** The states of runs, and the connection to them. */
export interface States {
  /** Where runs keep their state; undefined if it does not exist yet and `make` is false. */
  states(make: boolean): Promise<StateStore | undefined>;
  end(): Promise<void>;
}

/** The name of the state of a step; after the plan went back, runs from before do not count, since items may have the old form again. */
export function stateIdOf({ system, environment, hash }: Plan, { progress }: Lock, step: string): string {
  const id = `${system}.${environment}.${hash.slice(0, 16)}.${step}`;
  return progress?.returns === undefined ? id : `${id}.${progress.returns}`;
}

/** The last step before the given one that fills items. */
export function fillingBefore({ phases }: Plan, step: string): string {
  const before = phases.slice(
    0,
    phases.findIndex((phase) => phase.step === step),
  );
  return before.findLast(({ items }) => items === 'fill')?.step ?? step;
}

/** A connection to DynamoDB: to AWS, or to an endpoint. */
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
