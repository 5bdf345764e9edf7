import { dirname, join } from 'node:path';
import type { Binary } from '../../engine/keeper';
import { startEngine } from '../../engine/process';
import { EMULATED } from './account';
import { azureEngine } from './azure-tables';
import type { AzureDatabase } from './database';

export interface AzuriteOptions {
  /** @default - the script in the installed package */
  readonly binary?: Binary;
  /** @default - a free port */
  readonly port?: number;
  /** The folder in which Azurite stores its data. @default - Azurite keeps the data in memory */
  readonly folder?: string;
}

/**
 * Starts Azurite's table service on this machine. Azurite stops when this process exits, and does not keep the process
 * alive.
 */
export function azuriteEngine({ binary = findAzurite(), port, folder }: AzuriteOptions = {}): Promise<AzureDatabase> {
  const place = folder === undefined ? ['--inMemoryPersistence'] : ['--location', folder];
  const options = [...place, '--silent', '--disableTelemetry', '--skipApiVersionCheck'];
  return startEngine(
    binary,
    (port) => [...options, '--tableHost', '127.0.0.1', '--tablePort', String(port)],
    (port, onStop) =>
      azureEngine({
        endpoint: `http://127.0.0.1:${port}/${EMULATED.account}`,
        name: 'embedded (azurite)',
        onStop,
      }),
    // Azurite is a large program, and takes many seconds to load on a busy machine.
    { patience: 60_000, ...(port === undefined ? {} : { port }) },
  );
}

/** Finds the script of Azurite's table service; `resolve` locates a file in a package. */
export function findAzurite(resolve: (file: string) => string = require.resolve): Binary {
  try {
    const file = join(dirname(resolve('azurite/package.json')), 'dist/src/table/main.js');
    return { command: process.execPath, args: [file] };
  } catch {
    throw new Error(
      'the embedded engine for Azure Tables is not installed; run npm install --save-dev azurite@3.35, or pass an account with --azure-endpoint',
    );
  }
}
