import { EndpointError } from '../../lib/azure-tables/engine/account';
import { azureEngine } from '../../lib/azure-tables/engine/azure-tables';
import type { AzureDatabase } from '../../lib/azure-tables/engine/database';
import type { SystemDesign } from '../../lib/design/system';
import { systemOf } from '../../lib/evolve/lock/make';
import { readChoice } from './arguments';
import { bundledSystems } from './bundled';
import { FileError, UsageError } from './command';
import { designsNamed } from './designs';

export const CONNECTION = { 'azure-endpoint': { type: 'string' } } as const;

/**
 * Connects to the given account. If none is given, connects to the account in an environment variable, so that users do
 * not have to type a key.
 */
export function connect(endpoint: string | undefined): Promise<AzureDatabase> {
  const [named, where] =
    endpoint === undefined
      ? [process.env.AZURE_STORAGE_CONNECTION_STRING, 'AZURE_STORAGE_CONNECTION_STRING']
      : [endpoint, '--azure-endpoint'];
  if (named === undefined || named === '') {
    throw new UsageError(
      'no Azure account given: pass --azure-endpoint with a connection string or an address (https://<account>.table.core.windows.net), or set AZURE_STORAGE_CONNECTION_STRING',
    );
  }
  return connected(named, where);
}

/** @param where the option or variable that contains the endpoint, shown in messages */
export function connected(endpoint: string, where: string): Promise<AzureDatabase> {
  return azureEngine({ endpoint }).catch((error: unknown) => {
    throw error instanceof EndpointError ? new UsageError(`${where}: ${error.message}`) : error;
  });
}

/**
 * Returns the system with the given name, or the only system that the given file or the configuration exports.
 * @param designedFor the cloud that the system is designed for
 */
export async function azureSystemNamed(
  names: readonly string[],
  designedFor: SystemDesign['cloud'] = 'azure',
): Promise<SystemDesign> {
  if (names.length > 1) throw new UsageError(`pass one system (${await known()}), or a file that exports one system`);
  const [name = 'the configuration'] = names;
  const found = (await designsNamed(names)).map(systemOf);
  const [system, ...others] = found.filter(({ cloud }) => cloud === designedFor);
  if (system !== undefined && others.length === 0) return system;
  if (system !== undefined) {
    const all = [system, ...others].map((exported) => `'${exported.name}'`).join(', ');
    throw new FileError(`'${name}' exports several systems: ${all}; pass a file that exports only one`);
  }
  const what = found.length === 0 ? `'${name}' exports no system` : `'${found[0]?.name}' is on ${found[0]?.cloud}`;
  const fix =
    designedFor === 'aws'
      ? 'pass a system on DynamoDB, or leave out --on azure'
      : `pass a system on Azure Tables (${await known()}, or a file that exports one); DynamoDB has its own backups; if a DynamoDB system runs on Azure, add --on azure`;
  throw new FileError(`${what}; ${fix}`);
}

/** Lists the names of the bundled systems on Azure, to show in messages. */
async function known(): Promise<string> {
  const all = Object.values(await bundledSystems());
  return all.flatMap(({ cloud, name }) => (cloud === 'azure' ? [name] : [])).join(', ');
}

/** Whether `--on azure` was passed, which selects a DynamoDB system to run on Azure. */
export function isEquivalent(on: string | undefined): boolean {
  return on !== undefined && readChoice('--on', on, ['azure']) === 'azure';
}
