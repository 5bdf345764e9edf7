import { addressProblem, shownAddress } from '../../engine/secrets';
import { tableRequests } from '../template/create-table';
import type { TemplateJson } from '../template/tables';
import type { Engine } from './engine';

export interface DynamoDbOptions {
  /** @default - AWS itself, as the environment's credentials and region say */
  readonly endpoint?: string;
  readonly name?: string;
  /** What else has to end with it. @default - nothing */
  readonly onStop?: () => Promise<void>;
}

/** How many milliseconds an engine has for its first answer. */
const PATIENCE = 5_000;

/** DynamoDB, or what speaks its language at an endpoint. Only here is the SDK loaded. */
export async function dynamoDbEngine({ endpoint, name, onStop }: DynamoDbOptions = {}): Promise<Engine> {
  const problem = endpoint === undefined ? undefined : addressProblem(endpoint);
  if (problem !== undefined) throw new Error(`an endpoint ${problem}`);
  const shown = endpoint === undefined ? 'AWS' : shownAddress(endpoint);
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  const { core, sdk } = await loadSdk();
  const client = new core.DynamoDBClient({
    ...(endpoint === undefined
      ? {}
      : { endpoint, region: 'local', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
    maxAttempts: 3,
    // What takes a connection and never answers is an error too.
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 30_000, throwOnRequestTimeout: true },
  });
  const send = sdk.dynamo(client);
  const waiting = { client, maxWaitTime: 300, minDelay: 1 };
  const drop = async (TableName: string) => {
    await client.send(new core.DeleteTableCommand({ TableName }));
    await core.waitUntilTableNotExists(waiting, { TableName });
  };
  const probe = { abortSignal: AbortSignal.timeout(PATIENCE) };
  await client.send(new core.ListTablesCommand({ Limit: 1 }), probe).catch((error: Error) => {
    // Whoever says no is there.
    if (error.name === 'AccessDeniedException') return;
    client.destroy();
    throw new Error(`no DynamoDB answers at ${shown} (${reasonOf(error)})`);
  });
  return {
    name: name ?? shown,
    ...(endpoint === undefined ? {} : { endpoint }),
    async provision(template: TemplateJson) {
      const made: string[] = [];
      try {
        for (const { create, ttl } of tableRequests(template)) {
          const { TableDescription } = await client.send(new core.CreateTableCommand(create as never));
          made.push(create.TableName as string);
          if (TableDescription?.TableStatus !== 'ACTIVE')
            await core.waitUntilTableExists(waiting, { TableName: create.TableName as string });
          if (ttl !== undefined) await client.send(new core.UpdateTimeToLiveCommand(ttl as never));
        }
      } catch (error) {
        for (const tableName of made) await drop(tableName);
        throw error;
      }
      return made;
    },
    drop,
    send: (command, input) => send(command, { ...input, ReturnConsumedCapacity: 'INDEXES' }),
    async stop() {
      client.destroy();
      await onStop?.();
    },
  };
}

async function loadSdk() {
  try {
    return { core: await import('@aws-sdk/client-dynamodb'), sdk: await import('../sdk') };
  } catch (error) {
    throw new Error(
      `an engine needs the AWS SDK: npm install --save-dev @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb (${(error as Error).message.split('\n')[0]})`,
    );
  }
}

function reasonOf(error: Error & { readonly errors?: readonly Error[] }): string {
  if (error.name === 'AbortError') return `not within ${PATIENCE / 1000} seconds`;
  // A connection that more than one address refused carries the reasons inside.
  const { message, name } = error.errors?.[0] ?? error;
  return message.split('\n')[0] || name;
}
