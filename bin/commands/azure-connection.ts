import type { SystemDesign } from '../../lib/design/system';
import { type AzureEngine, azureEngine } from '../../lib/engine/azure';
import { systems, systemsOf } from '../../lib/systems';
import { UsageError } from './command';

export const CONNECTION = { 'azure-endpoint': { type: 'string' } } as const;

/** The account that is named, or that the environment names, so that no key has to be typed. */
export function connect(endpoint: string | undefined): Promise<AzureEngine> {
  const named = endpoint ?? process.env.AZURE_STORAGE_CONNECTION_STRING;
  if (named === undefined || named === '') {
    throw new UsageError(
      'which account? Give --azure-endpoint a connection string or an address (https://<account>.table.core.windows.net), or set AZURE_STORAGE_CONNECTION_STRING',
    );
  }
  return azureEngine({ endpoint: named });
}

/** The one Azure system that was named. */
export function azureSystemNamed(names: readonly string[]): SystemDesign {
  const known = systemsOf('azure')
    .map(({ name }) => name)
    .join(', ');
  const [name, ...more] = names;
  if (name === undefined || more.length > 0) throw new UsageError(`name one system: ${known}`);
  const system = Object.hasOwn(systems, name) ? systems[name] : undefined;
  if (system === undefined) throw new UsageError(`'${name}' is no system; the systems on Azure Tables are ${known}`);
  if (system.cloud !== 'azure')
    throw new UsageError(`'${name}' is on ${system.cloud}; the systems on Azure Tables are ${known}`);
  return system;
}
