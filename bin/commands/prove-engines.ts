import type { AzureDatabase } from '../../lib/azure-tables/engine/database';
import type { SystemDesign } from '../../lib/design/system';
import type { Database } from '../../lib/dynamodb/engine/database';
import { addressProblem } from '../../lib/engine/secrets';
import { UsageError } from './command';

type Cloud = SystemDesign['cloud'];

export interface Endpoints {
  readonly endpoint?: string | undefined;
  readonly 'azure-endpoint'?: string | undefined;
  /** The cloud on which every system is proved. @default - the cloud that each system is designed for */
  readonly on?: Cloud | undefined;
}

/** The engines that the systems need, one per cloud. */
export interface Engines {
  readonly name: string;
  of(system: SystemDesign): Database | AzureDatabase;
  stop(): Promise<void>;
}

/** Starts one engine for each cloud that the systems need: an embedded engine, unless an endpoint is given. */
export async function startEngines(systems: readonly SystemDesign[], endpoints: Endpoints): Promise<Engines> {
  const cloudOf = ({ cloud }: SystemDesign) => endpoints.on ?? cloud;
  const clouds = [...new Set(systems.map(cloudOf))];
  const starting = clouds.map((cloud) => start(cloud, endpoints));
  const started = await Promise.allSettled(starting);
  const running = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const stop = async () => {
    for (const engine of running) await engine.stop();
  };
  const failed = started.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return {
    name: running.map(({ name }) => name).join(' and '),
    of: (system) => running[clouds.indexOf(cloudOf(system))] as Database | AzureDatabase,
    stop,
  };
}

function start(cloud: Cloud, endpoints: Endpoints): Promise<Database | AzureDatabase> {
  return cloud === 'aws' ? startAws(endpoints.endpoint) : startAzure(endpoints['azure-endpoint']);
}

export async function startAws(endpoint: string | undefined): Promise<Database> {
  if (endpoint === undefined) return (await import('../../lib/dynamodb/engine/embedded')).embeddedEngine();
  const isAws = endpoint === 'aws';
  const problem = isAws ? undefined : addressProblem(endpoint);
  if (problem !== undefined) throw new UsageError(`--endpoint ${problem}, or aws`);
  const { dynamoDbEngine } = await import('../../lib/dynamodb/engine/dynamodb');
  return dynamoDbEngine(isAws ? {} : { endpoint }).catch((error: Error) => {
    const advice = isAws ? 'sign in and choose a region' : 'start an engine, such as DynamoDB Local, at this address';
    throw new Error(`${error.message}; ${advice}, or omit --endpoint to use the embedded engine`);
  });
}

async function startAzure(endpoint: string | undefined): Promise<AzureDatabase> {
  if (endpoint === undefined) return (await import('../../lib/azure-tables/engine/azurite')).azuriteEngine();
  const { connected } = await import('./azure-connection');
  return connected(endpoint, '--azure-endpoint').catch((error: Error) => {
    const message = `${error.message}; omit --azure-endpoint to use the embedded engine`;
    throw error instanceof UsageError ? new UsageError(message) : new Error(message);
  });
}
