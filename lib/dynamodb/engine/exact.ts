import type { Item } from '../../items/item';
import type { CommandName } from '../requests';
import type { Connection } from './connection';
import type { Exact } from './database';

/** Sends requests through the SDK's low-level client, which leaves values in DynamoDB's own format. */
export function exactly({ core, client, shown }: Connection): Exact {
  const commands: Readonly<Record<CommandName, unknown>> = {
    Get: core.GetItemCommand,
    Query: core.QueryCommand,
    Scan: core.ScanCommand,
    BatchGet: core.BatchGetItemCommand,
    Put: core.PutItemCommand,
    Update: core.UpdateItemCommand,
    Delete: core.DeleteItemCommand,
    TransactWrite: core.TransactWriteItemsCommand,
    BatchWrite: core.BatchWriteItemCommand,
    TransactGet: core.TransactGetItemsCommand,
  };
  return {
    name: shown,
    async sendExact(command, input) {
      const Command = commands[command] as new (input: Item) => never;
      return { ...(await client.send(new Command(input))) };
    },
    async describe(TableName) {
      const { Table = {} } = await client.send(new core.DescribeTableCommand({ TableName }));
      const key = (Table.KeySchema ?? []).map(({ AttributeName }) => AttributeName as string);
      return { key, items: Table.ItemCount };
    },
  };
}
