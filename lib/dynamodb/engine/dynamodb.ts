import { endingOfAll } from '../../engine/ending';
import type { Item } from '../../items/item';
import { tableRequests } from '../template/create-table';
import type { TemplateJson } from '../template/tables';
import { type Connection, dynamoDbClient, loaded } from './connection';
import type { Engine } from './engine';

export interface DynamoDbOptions {
  /** @default - AWS, with the credentials and region of the process's environment */
  readonly endpoint?: string;
  readonly name?: string;
  /** Called when the engine stops. @default - nothing */
  readonly onStop?: () => Promise<void>;
}

/** How many milliseconds an engine has for its first answer. */
const PATIENCE = 5_000;

/** DynamoDB, or an endpoint that speaks its protocol. */
export async function dynamoDbEngine({ endpoint, name, onStop }: DynamoDbOptions = {}): Promise<Engine> {
  const { core, client, shown } = await dynamoDbClient(endpoint);
  const [lib, sdk] = await loaded(() => Promise.all([import('@aws-sdk/lib-dynamodb'), import('../sdk')]));
  const ending = endingOfAll();
  endWith(client, ending.signal);
  const documents = lib.DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const send = sdk.dynamo(documents);
  const waiting = { client, maxWaitTime: 300, minDelay: 1 };
  const drop = async (TableName: string) => {
    await client.send(new core.DeleteTableCommand({ TableName }));
    await core.waitUntilTableNotExists(waiting, { TableName });
  };
  const probe = { abortSignal: AbortSignal.timeout(PATIENCE) };
  await client.send(new core.ListTablesCommand({ Limit: 1 }), probe).catch((error: Error) => {
    // An engine that denies access is there.
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
    async alter({ table, ttl }) {
      if (table !== undefined) await client.send(new core.UpdateTableCommand(table as never));
      if (ttl !== undefined) await client.send(new core.UpdateTimeToLiveCommand(ttl as never));
    },
    async *scan(TableName) {
      for (
        let ExclusiveStartKey: Item | undefined, first = true;
        first || ExclusiveStartKey !== undefined;
        first = false
      ) {
        const page = await documents.send(new lib.ScanCommand({ TableName, ExclusiveStartKey, ConsistentRead: true }));
        yield* page.Items ?? [];
        ExclusiveStartKey = page.LastEvaluatedKey;
      }
    },
    send: (command, input) => send(command, { ...input, ReturnConsumedCapacity: 'INDEXES' }),
    async stop() {
      ending.abort();
      client.destroy();
      await onStop?.();
    },
  };
}

/** A request that is under way at the end is given up; the SDK would take it for lost, and send it again. */
function endWith({ config: { requestHandler } }: Connection['client'], abortSignal: AbortSignal): void {
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = (request, options) => handle(request, { abortSignal, ...options });
}

function reasonOf(error: Error & { readonly errors?: readonly Error[] }): string {
  if (error.name === 'AbortError') return `not within ${PATIENCE / 1000} seconds`;
  // If several addresses refused the connection, their reasons are inside.
  const { message, name } = error.errors?.[0] ?? error;
  return message.split('\n')[0] || name;
}
