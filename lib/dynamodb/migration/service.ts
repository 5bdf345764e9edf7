import type { Item } from '../../items/item';
import { plainItem } from '../attribute-values';
import type { Connection } from '../engine/connection';
import type { CommandName } from '../requests';
import type { Send } from '../sending';
import { storedItem } from './stored';

/** What a migration asks of DynamoDB. */
export interface Service {
  /** Sends a request whose values, and those of its answer, are as the service writes them: no digit of a number is lost. */
  readonly send: Send;
  /** Where it is, for a person. */
  readonly shown: string;
  /** About how many items a table has; undefined where nobody knows. */
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

/** The same through a client that takes and gives plain values. */
export function serviceThrough(send: Send, shown: string): Service {
  return {
    shown,
    send: async (command, input) => changed(await send(command, changed(input, plainItem as never)), storedItem),
    count: async () => undefined,
  };
}

const VALUES = ['Key', 'Item', 'ExclusiveStartKey', 'LastEvaluatedKey', 'ExpressionAttributeValues'];
const WRITES = ['Put', 'Update', 'Delete', 'ConditionCheck'];

/** A request or an answer with all that holds values brought from one notation to the other. */
function changed(input: Item, values: (item: Item) => Item): Item {
  const entries = Object.entries(input).map(([name, part]): [string, unknown] => {
    if (part === undefined) return [name, part];
    if (VALUES.includes(name)) return [name, values(part as Item)];
    if (WRITES.includes(name)) return [name, changed(part as Item, values)];
    if (name === 'Items') return [name, (part as Item[]).map(values)];
    if (name === 'RequestItems' || name === 'UnprocessedKeys')
      return [name, mapped(part, ({ Keys, ...rest }: { Keys: Item[] }) => ({ ...rest, Keys: Keys.map(values) }))];
    if (name === 'Responses') return [name, mapped(part, (items: Item[]) => items.map(values))];
    if (name === 'TransactItems') return [name, (part as Item[]).map((one) => changed(one, values))];
    return [name, part];
  });
  return Object.fromEntries(entries);
}

/** What a batch has, table by table. */
function mapped<T>(part: unknown, map: (of: T) => unknown): Item {
  return Object.fromEntries(Object.entries(part as Record<string, T>).map(([table, of]) => [table, map(of)]));
}
