import { setTimeout as sleep } from 'node:timers/promises';
import { endingOfAll } from '../../engine/ending';
import { tableRequests } from '../template/create-table';
import type { TemplateJson } from '../template/tables';
import { type Connection, dynamoDbClient, loaded } from './connection';
import type { Database, TableChange } from './database';
import { exactly } from './exact';
import type { Credentials } from './front/signature';
import type { Upstream } from './front/upstream';
import { answeredBy } from './in-process';
import { through } from './stored';

export interface DynamoDbOptions {
  /** @default - AWS, with the credentials and region of the process's environment */
  readonly endpoint?: string | undefined;
  readonly name?: string | undefined;
  /**
   * The credentials for signing requests to the endpoint.
   * @default - the credentials in the process's environment, or arbitrary credentials
   */
  readonly credentials?: Credentials;
  /** Handles the requests in place of the endpoint. @default - the endpoint handles all requests */
  readonly answer?: Upstream;
  /** Called when the engine stops. @default - nothing */
  readonly onStop?: () => Promise<void>;
}

/** The time, in milliseconds, that an engine may take for its first response. */
const PATIENCE = 5_000;

/** Returns a database on DynamoDB, or on an endpoint that speaks the DynamoDB protocol. */
export async function dynamoDbEngine({
  endpoint,
  name,
  credentials,
  answer,
  onStop,
}: DynamoDbOptions = {}): Promise<Database> {
  const connection = await dynamoDbClient(endpoint, undefined, credentials, answer ? answeredBy(answer) : {});
  const { core, client, shown } = connection;
  const sdk = await loaded(() => import('../sdk'));
  const ending = endingOfAll();
  endWith(client, ending.signal);
  const send = sdk.dynamo(client);
  const waiting = { client, maxWaitTime: 300, minDelay: 1 };
  const drop = async (TableName: string) => {
    await client.send(new core.DeleteTableCommand({ TableName }));
    await core.waitUntilTableNotExists(waiting, { TableName });
  };
  /** Waits until a table and its indexes are active, because DynamoDB accepts only one change to a table at a time. */
  const settled = async (TableName: string) => {
    for (let pause = 20; ; pause = Math.min(pause * 2, 5_000)) {
      const { Table = {} } = await client.send(new core.DescribeTableCommand({ TableName }));
      const indexes = Table.GlobalSecondaryIndexes ?? [];
      if (Table.TableStatus === 'ACTIVE' && indexes.every(({ IndexStatus = 'ACTIVE' }) => IndexStatus === 'ACTIVE'))
        return;
      await sleep(pause);
    }
  };
  const probe = { abortSignal: AbortSignal.timeout(PATIENCE) };
  await client.send(new core.ListTablesCommand({ Limit: 1 }), probe).catch((error: Error) => {
    // An engine that denies access is up and running.
    if (error.name === 'AccessDeniedException') return;
    client.destroy();
    throw new Error(`no DynamoDB responds at ${shown} (${reasonOf(error)})`);
  });
  const tables = {
    ...exactly(connection),
    cloud: 'aws' as const,
    name: name ?? shown,
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(credentials === undefined ? {} : { credentials }),
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
    async alter({ table, ttl }: TableChange) {
      if (table !== undefined) {
        await client.send(new core.UpdateTableCommand(table as never));
        await settled(table.TableName as string);
      }
      if (ttl !== undefined) await client.send(new core.UpdateTimeToLiveCommand(ttl as never));
    },
    async stop() {
      ending.abort();
      client.destroy();
      await onStop?.();
    },
  };
  return through(tables, (command, input) => send(command, { ...input, ReturnConsumedCapacity: 'INDEXES' }));
}

/**
 * Aborts requests in flight when the engine stops; otherwise the SDK would consider the requests lost and retry them.
 */
function endWith({ config: { requestHandler } }: Connection['client'], abortSignal: AbortSignal): void {
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = (request, options) => handle(request, { abortSignal, ...options });
}

function reasonOf(error: Error & { readonly errors?: readonly Error[] }): string {
  if (error.name === 'AbortError') return `no response within ${PATIENCE / 1000} seconds`;
  // If several addresses refused the connection, `errors` contains the reason for each address.
  const { message, name } = error.errors?.[0] ?? error;
  return message.split('\n')[0] || name;
}
