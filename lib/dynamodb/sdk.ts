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

/** Sends through a client of the AWS SDK. Values that are undefined are not stored, as in the proof. */
export function dynamo(client: Parameters<typeof DynamoDBDocumentClient.from>[0]): Send {
  const documents =
    client instanceof DynamoDBDocumentClient
      ? client
      : DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  return (command, input) => {
    const Command = COMMANDS[command] as new (input: Item) => never;
    return documents.send(new Command(input)) as Promise<Item>;
  };
}
