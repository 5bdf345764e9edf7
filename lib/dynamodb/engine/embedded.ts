import { dirname, join } from 'node:path';
import type { Binary } from '../../engine/keeper';
import type { Database } from './database';
import { dynamoDbEngine } from './dynamodb';
import { type StrictEngine, type StrictOptions, startStrict } from './front/strict';

export interface EmbeddedOptions extends StrictOptions {
  /** @default - the binary from an installed package */
  readonly binary?: Binary;
}

/** A database that also accepts raw requests, for APIs that the SDK's DynamoDB client lacks. */
export interface EmbeddedDatabase extends Database {
  readonly answer: StrictEngine['answer'];
}

/**
 * Starts a DynamoDB-compatible engine behind a front that makes it as strict as DynamoDB. The engine keeps all items in
 * memory unless the options specify a file. The engine stops with this process, and does not keep the process alive.
 */
export async function embeddedEngine({
  binary = findBinary(),
  ...options
}: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  const { endpoint, credentials, answer, pass, stop } = await startStrict(binary, options);
  try {
    const engine = await dynamoDbEngine({ endpoint, credentials, answer, name: 'embedded (dynoxide)', onStop: stop });
    return { ...engine, answer, pass };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Finds the engine's binary for a platform, in the first installed package that can contain it. `resolve` locates a
 * file in a package.
 */
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
      // This package is not installed, but the next package in the list may be.
    }
  }
  // npm skips an optional package that is built for another platform, but fails if a required one is.
  throw new Error(
    `the embedded engine is not installed; run npm install --save-optional @dynoxide/${platform}-${arch}@${VERSIONS} (also install @aws-sdk/client-dynamodb and @aws-sdk/lib-dynamodb if they are missing), or pass the address of a DynamoDB with --endpoint http://…`,
  );
}

const VERSIONS = '^1.2.1';
