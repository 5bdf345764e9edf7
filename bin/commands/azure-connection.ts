import { EndpointError } from '../../lib/azure-tables/engine/account';
import { type AzureEngine, azureEngine } from '../../lib/azure-tables/engine/azure-tables';
import type { SystemDesign } from '../../lib/design/system';
import { systemsOf } from '../../lib/systems';
import { FileError, UsageError } from './command';
import { designsNamed, isSystem } from './designs';

export const CONNECTION = { 'azure-endpoint': { type: 'string' }, format: { type: 'string' } } as const;

/** Connects to the given account, or to the one in an environment variable, so that nobody has to type a key. */
export function connect(endpoint: string | undefined): Promise<AzureEngine> {
  const [named, where] =
    endpoint === undefined
      ? [process.env.AZURE_STORAGE_CONNECTION_STRING, 'AZURE_STORAGE_CONNECTION_STRING']
      : [endpoint, '--azure-endpoint'];
  if (named === undefined || named === '') {
    throw new UsageError(
      'which account? Give --azure-endpoint a connection string or an address (https://<account>.table.core.windows.net), or set AZURE_STORAGE_CONNECTION_STRING',
    );
  }
  return connected(named, where);
}

/** @param where the option or variable with the endpoint, for messages */
export function connected(endpoint: string, where: string): Promise<AzureEngine> {
  return azureEngine({ endpoint }).catch((error: unknown) => {
    throw error instanceof EndpointError ? new UsageError(`${where}: ${error.message}`) : error;
  });
}

/** The Azure system with this name, or the only one in the user's own module. */
export async function azureSystemNamed(names: readonly string[]): Promise<SystemDesign> {
  const known = systemsOf('azure')
    .map(({ name }) => name)
    .join(', ');
  if (names.length > 1) throw new UsageError(`name one system (${known}), or a file that exports one`);
  const [name = 'the configuration'] = names;
  const found = (await designsNamed(names)).filter(isSystem);
  const [system, ...others] = found.filter(({ cloud }) => cloud === 'azure');
  if (system !== undefined && others.length === 0) return system;
  if (system !== undefined) {
    const all = [system, ...others].map((exported) => `'${exported.name}'`).join(', ');
    throw new FileError(`'${name}' must export one system on Azure Tables, but exports ${all}; name a file with one`);
  }
  const what = found.length === 0 ? `'${name}' exports no system` : `'${found[0]?.name}' is on ${found[0]?.cloud}`;
  throw new FileError(
    `${what}, but only systems on Azure Tables can be exported (${known}, or a file that exports one); DynamoDB has backups of its own`,
  );
}
