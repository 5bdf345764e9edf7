import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Database } from '../../lib/dynamodb/engine/database';
import { dynamoDbEngine } from '../../lib/dynamodb/engine/dynamodb';
import { startEngine } from '../../lib/engine/process';
import { UsageError } from './command';

const MAIN = 'com.amazonaws.services.dynamodbv2.local.main.ServerRunner';

/** DynamoDB Local accepts any credentials, but the SDK does not send requests without credentials. */
const ANY = { accessKeyId: 'local', secretAccessKey: 'local' };

/** Starts AWS's DynamoDB Local in memory. Requires Java, and the folder with the unpacked download from AWS. */
export async function startDynamoDbLocal(port: number): Promise<Database> {
  const { DYNAMODB_LOCAL_HOME: home = '' } = process.env;
  const jar = join(home, 'DynamoDBLocal.jar');
  if (home === '' || !existsSync(jar))
    throw new UsageError(
      "--engine dynamodb-local needs Java and AWS's download: set DYNAMODB_LOCAL_HOME to the folder with DynamoDBLocal.jar",
    );
  const libraries = join(home, 'DynamoDBLocal_lib');
  // Puts all libraries on the class path, because the jar's manifest lists only the file names in AWS's download; in
  // Maven's package, the same libraries have other file names.
  const classPath = [jar, join(libraries, '*')].join(delimiter);
  const java = { command: 'java', args: [`-Djava.library.path=${libraries}`, '-cp', classPath, MAIN] };
  const argsAt = (at: number) => ['-inMemory', '-sharedDb', '-disableTelemetry', '-port', String(at)];
  const connect = (at: number, onStop: () => Promise<void>) =>
    dynamoDbEngine({ endpoint: `http://127.0.0.1:${at}`, name: 'DynamoDB Local', credentials: ANY, onStop });
  return startEngine(java, argsAt, connect, { patience: 60_000, port });
}
