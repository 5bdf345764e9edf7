import type { Item } from '../../items/item';
import { plainItem } from '../attribute-values';
import type { Connection } from '../engine/connection';
import type { CommandName } from '../requests';
import type { Send } from '../sending';
import { storedItem } from './stored';

/** What a migration needs from DynamoDB. */
export interface Service {
  /** Sends a request, with values in DynamoDB's own format in it and in the answer, so that no digit of a number is lost. */
  readonly send: Send;
  /** Its address, for people to read. */
  readonly shown: string;
  /** About how many items a table has; undefined if unknown. */
  count(tableName: string): Promise<number | undefined>;
}

export function serviceOf({ core, client, shown }: Connection): Service {
  const commands: Partial<Record<CommandName, unknown>> = {
    Scan: core.ScanCommand,
    Get: core.GetItemCommand,
    BatchGet: core.BatchGetItemCommand,
    Update: core.UpdateItemCommand,
    Delete: core.DeleteItemCommand,
    TransactWrite: core.TransactWriteItemsCommand,
  };
  return {
    shown,
    async send(command, input) {
      const Command = commands[command] as new (input: Item) => never;
      return { ...(await client.send(new Command(input))) };
    },
    async count(TableName) {
      const { Table } = await client.send(new core.DescribeTableCommand({ TableName })).catch(() => ({
        Table: undefined,
      }));
      return Table?.ItemCount;
    },
  };
}

/** The same through a client that takes and returns plain values. */
export function serviceThrough(send: Send, shown: string): Service {
  return {
    shown,
    send: async (command, input) => changed(await send(command, changed(input, plainItem as never)), storedItem),
    count: async () => undefined,
  };
}

const VALUES = ['Key', 'Item', 'ExclusiveStartKey', 'LastEvaluatedKey', 'ExpressionAttributeValues'];
const WRITES = ['Put', 'Update', 'Delete', 'ConditionCheck'];

/** A request or an answer with its values converted from one format to the other. */
function changed(input: Item, values: (item: Item) => Item): Item {
  const entries = Object.entries(input).map(([name, part]): [string, unknown] => {
    if (part === undefined) return [name, part];
    if (VALUES.includes(name)) return [name, values(part as Item)];
    if (WRITES.includes(name)) return [name, changed(part as Item, values)];
    if (name === 'Items') return [name, (part as Item[]).map(values)];
    if (name === 'RequestItems' || name === 'UnprocessedKeys')
      return [name, mapped(part, ({ Keys, ...rest }: { Keys: Item[] }) => ({ ...rest, Keys: Keys.map(values) }))];
    if (name === 'Responses') return [name, mapped(part, (items: Item[]) => items.map(values))];
    if (name === 'TransactItems') return [name, (part as Item[]).map((write) => changed(write, values))];
    return [name, part];
  });
  return Object.fromEntries(entries);
}

/** Maps what a batch has for each table. */
function mapped<T>(part: unknown, map: (content: T) => unknown): Item {
  return Object.fromEntries(Object.entries(part as Record<string, T>).map(([table, content]) => [table, map(content)]));
}
