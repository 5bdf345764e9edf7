import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { Item } from '../items/item';
import type { CommandName } from './requests';
import type { Send } from './sending';

const COMMANDS: Readonly<Record<CommandName, unknown>> = {
  Get: GetCommand,
  Query: QueryCommand,
  Scan: ScanCommand,
  BatchGet: BatchGetCommand,
  Put: PutCommand,
  Update: UpdateCommand,
  Delete: DeleteCommand,
  TransactWrite: TransactWriteCommand,
  BatchWrite: BatchWriteCommand,
  TransactGet: TransactGetCommand,
};

/** Wraps a client of the AWS SDK as a `send`. The document client removes undefined values, as it does in the proof. */
export function dynamo(client: Parameters<typeof DynamoDBDocumentClient.from>[0]): Send {
  if (typeof (client as { readonly send?: unknown } | undefined)?.send !== 'function')
    throw new Error('dynamo: pass a client of the AWS SDK, as in dynamo(new DynamoDBClient())');
  const documents =
    client instanceof DynamoDBDocumentClient
      ? client
      : DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  watchAttempts(documents);
  return (command, input) => {
    const Command = COMMANDS[command] as new (input: Item) => never;
    return documents.send(new Command(input)) as Promise<Item>;
  };
}

/** One attempt to send a request, as the SDK's middleware sees it. */
type Attempt = (args: { readonly request: object }) => Promise<unknown>;

/** The requests that had an attempt without a response; such an attempt may have succeeded. */
const unanswered = new WeakSet<object>();

/** Marks the error of a request if an earlier attempt got no response, because the SDK retries silently. */
function watchAttempts({ middlewareStack }: DynamoDBDocumentClient): void {
  const noting =
    (next: Attempt): Attempt =>
    async (args) => {
      const { request } = args;
      try {
        return await next(args);
      } catch (error) {
        if (unanswered.has(request)) Object.assign(error as object, { unanswered: true });
        if (!isRefusal(error)) unanswered.add(request);
        throw error;
      }
    };
  middlewareStack.addRelativeTo(noting as never, {
    name: 'tablewrightUnanswered',
    relation: 'after',
    toMiddleware: 'retryMiddleware',
    override: true,
  });
}

/** Whether DynamoDB responded that it refused the request, for example because of throttling. */
function isRefusal(error: unknown): boolean {
  const { httpStatusCode = 0 } = (error as { $metadata?: { httpStatusCode?: number } })?.$metadata ?? {};
  return httpStatusCode >= 400 && httpStatusCode < 500;
}
