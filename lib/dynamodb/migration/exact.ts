import type { Item } from '../../items/item';
import { plainItem } from '../attribute-values';
import type { Exact } from '../engine/database';
import type { Send } from '../sending';
import { storedItem } from './stored';

/** Wraps a `send` for plain values, so that it accepts and returns values in DynamoDB's own format. */
export function exactThrough(send: Send): Exact['sendExact'] {
  return async (command, input) => changed(await send(command, changed(input, plainItem as never)), storedItem);
}

const VALUES = ['Key', 'Item', 'ExclusiveStartKey', 'LastEvaluatedKey', 'ExpressionAttributeValues'];
const WRITES = ['Put', 'Update', 'Delete', 'ConditionCheck'];

/** Converts the keys, items and expression values in a request or a response. */
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

/** Applies `map` to each table's entry in a batch. */
function mapped<T>(part: unknown, map: (content: T) => unknown): Item {
  return Object.fromEntries(Object.entries(part as Record<string, T>).map(([table, content]) => [table, map(content)]));
}
