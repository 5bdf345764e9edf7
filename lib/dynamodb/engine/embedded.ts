import { dirname, join } from 'node:path';
import type { Binary } from '../../engine/keeper';
import { startEngine } from '../../engine/process';
import { dynamoDbEngine } from './dynamodb';
import type { Engine } from './engine';

/**
 * A DynamoDB-compatible engine in memory, on a free port of this machine. It ends with this process, and does not keep it
 * alive.
 */
export function embeddedEngine(binary: Binary = findBinary()): Promise<Engine> {
  return startEngine(
    binary,
    (port) => ['--host', '127.0.0.1', '--port', String(port)],
    (port, onStop) => dynamoDbEngine({ endpoint: `http://127.0.0.1:${port}`, name: 'embedded (dynoxide)', onStop }),
  );
}

/** The engine's binary for a platform, from the first package that is installed; `resolve` finds a file of a package. */
export function findBinary(
  platform: string = process.platform,
  arch: string = process.arch,
  resolve: (file: string) => string = require.resolve,
): Binary {
  for (const [name, binary] of [
    [`@dynoxide/${platform}-${arch}`, platform === 'win32' ? 'dynoxide.exe' : 'dynoxide'],
    ['dynoxide', 'bin/dynoxide.js'],
  ] as const) {
    try {
      const file = join(dirname(resolve(`${name}/package.json`)), binary);
      return binary.endsWith('.js') ? { command: process.execPath, args: [file] } : { command: file, args: [] };
    } catch {
      // Not installed: the next one may be.
    }
  }
  // The one version that is known to work; on Linux, its binary needs no other package.
  const wanted = platform === 'linux' && arch === 'x64' ? '@dynoxide/linux-x64' : 'dynoxide';
  throw new Error(
    `the embedded engine is not installed; npm install --save-dev --save-exact ${wanted}@${VERSION}, and @aws-sdk/client-dynamodb and @aws-sdk/lib-dynamodb if they are missing, or name a DynamoDB with --endpoint http://…`,
  );
}

const VERSION = '1.2.1';
