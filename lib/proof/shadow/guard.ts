import type { IndexBlueprint } from '../../blueprint/table';
import type { CommandName } from '../../dynamodb/requests';
import type { Send } from '../../dynamodb/sending';
import type { Item } from '../../items/item';
import { firstViolation, violationOf } from './violators';

/** The indexes of a table, and the names of the indexes that are still being filled. */
interface Guarded {
  readonly indexes: readonly IndexBlueprint[];
  readonly filling: readonly string[];
}

/**
 * Rejects requests that DynamoDB would reject: reads from an index that is still being filled, and writes of items that
 * an index cannot contain.
 * @param plain converts an item from the format of `send` to plain values
 */
export function guarded(
  send: Send,
  named: (tableName: unknown) => Guarded | undefined,
  plain = (item: Item): Item => item,
): Send {
  const check = (tableName: unknown, item: Item | undefined) => {
    const found = item && firstViolation(named(tableName)?.indexes ?? [], plain(item));
    if (found !== undefined) throw refusal(`One or more parameter values were invalid: ${found}`);
  };
  const read = async ({ TableName, Key }: Item) =>
    (await send('Get', { TableName, Key, ConsistentRead: true })).Item as Item | undefined;
  return async (command: CommandName, input: Item) => {
    if (command === 'Query' || command === 'Scan') {
      const found = named(input.TableName);
      const { IndexName } = input as { IndexName?: string };
      if (found === undefined || IndexName === undefined) return send(command, input);
      if (found.filling.includes(IndexName))
        throw refusal(`Cannot read from backfilling global secondary index: ${IndexName}`);
      const output = await send(command, input);
      const index = found.indexes.find(({ name }) => name === IndexName);
      // The embedded engine puts these items into the index, but DynamoDB does not.
      const there = ((output.Items ?? []) as Item[]).filter(
        (item) => index && violationOf(index, plain(item)) === undefined,
      );
      return { ...output, Items: there, Count: there.length };
    }
    const writes = writesIn(command, input);
    for (const { Item: item, TableName } of writes) check(TableName, item as Item | undefined);
    const updates = writes.filter(
      (write) => write.UpdateExpression !== undefined && named(write.TableName)?.indexes.length,
    );
    const before = await Promise.all(updates.map(read));
    const output = await send(command, input);
    const after = await Promise.all(updates.map(read));
    for (const [i, { TableName }] of updates.entries()) {
      try {
        check(TableName, after[i]);
      } catch (error) {
        await undo(send, updates, before);
        throw error;
      }
    }
    return output;
  };
}

function refusal(message: string): Error {
  return Object.assign(new Error(message), { name: 'ValidationException' });
}

/** The individual writes in a request. */
function writesIn(command: CommandName, input: Item): readonly Item[] {
  if (command === 'Put' || command === 'Update') return [input];
  if (command === 'TransactWrite')
    return (input.TransactItems as Item[]).flatMap((item) => Object.values(item) as Item[]);
  if (command !== 'BatchWrite') return [];
  return Object.entries(input.RequestItems as Record<string, Item[]>).flatMap(([TableName, requests]) =>
    requests.map(({ PutRequest }) => ({ TableName, Item: (PutRequest as Item | undefined)?.Item })),
  );
}

async function undo(send: Send, updates: readonly Item[], before: readonly (Item | undefined)[]): Promise<void> {
  for (const [i, { TableName, Key }] of updates.entries()) {
    const was = before[i];
    if (was === undefined) await send('Delete', { TableName, Key });
    else await send('Put', { TableName, Item: was });
  }
}
