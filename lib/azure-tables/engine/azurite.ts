import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { type Binary, endWithProcess, freePort, listening } from '../../engine/process';
import { type AzureEngine, azureEngine } from './azure-tables';

/**
 * Azurite's tables in memory, on a free port of this machine. It ends with this process, and does not keep it from
 * ending.
 */
export async function azuriteEngine(binary: Binary = findAzurite()): Promise<AzureEngine> {
  // A free port can be taken before the engine has it: then another one is tried.
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    const options = ['--inMemoryPersistence', '--silent', '--disableTelemetry', '--skipApiVersionCheck'];
    const address = ['--tableHost', '127.0.0.1', '--tablePort', String(port)];
    const child = spawn(binary.command, [...binary.args, ...options, ...address], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const end = endWithProcess(child);
    try {
      // It is a large program, and takes seconds to load where much else goes on.
      await listening(child, port, 60_000);
      const endpoint = `http://127.0.0.1:${port}/devstoreaccount1`;
      return await azureEngine({ endpoint, name: 'embedded (azurite)', onStop: end });
    } catch (error) {
      await end();
      if (attempt === 3) throw error;
    }
  }
}

/** Azurite's table service, if it is installed; `resolve` finds a file of a package. */
export function findAzurite(resolve: (file: string) => string = require.resolve): Binary {
  try {
    const file = join(dirname(resolve('azurite/package.json')), 'dist/src/table/main.js');
    return { command: process.execPath, args: [file] };
  } catch {
    throw new Error(
      'there is no embedded engine for Azure Tables; npm install --save-dev azurite@3.35, or name an account with --azure-endpoint',
    );
  }
}
