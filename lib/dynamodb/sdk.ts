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

/**
 * Wraps an AWS SDK client in a `send` function. If the client is not a document client, `dynamo` creates one that
 * removes undefined values, as the proof does.
 */
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

/** The requests that may have succeeded because one of their attempts got no response. */
const unanswered = new WeakSet<object>();

/**
 * Marks an error if an earlier attempt at the same request got no response. The SDK retries silently, so the error
 * itself does not mention earlier attempts.
 */
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

/** Whether DynamoDB responded and refused the request, for example by throttling it. */
function isRefusal(error: unknown): boolean {
  const { httpStatusCode = 0 } = (error as { $metadata?: { httpStatusCode?: number } })?.$metadata ?? {};
  return httpStatusCode >= 400 && httpStatusCode < 500;
}
