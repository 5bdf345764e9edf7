import type { Sent } from '../../engine/sent';
import type { Item } from '../../items/item';
import { capacityOf, isReading } from '../commands';
import type { Send } from '../sending';

/** Reports every request to `seen`, once the request has succeeded or failed. */
export function reporting(send: Send, seen: (sent: Sent) => void): Send {
  return async (command, input, asked) => {
    const isRead = isReading(command);
    const limit = input.Limit as number | undefined;
    const about = { command, input, isRead, ...(limit === undefined ? {} : { limit }) };
    const touched = isRead ? [] : touchedBy(input);
    try {
      const output = await send(command, input, asked);
      const units = capacityOf(output.ConsumedCapacity);
      seen({ ...about, ...(units === undefined ? {} : { units }), read: isRead ? readBy(input, output) : [], touched });
      return output;
    } catch (error) {
      seen({ ...about, read: [], touched });
      throw error;
    }
  };
}

function readBy(input: Item, { Item: one, Items: several, Responses: responses = {} }: Item): Sent['read'] {
  const { TableName, IndexName, TransactItems: gets } = input as ReadInput;
  if (gets !== undefined)
    return (responses as readonly { readonly Item?: Item }[]).flatMap(({ Item: item }, i) =>
      item === undefined ? [] : [{ tableName: (gets[i] as Get).Get.TableName, items: [item] }],
    );
  if (TableName === undefined)
    return Object.entries(responses as Record<string, Item[]>).map(([tableName, items]) => ({ tableName, items }));
  const items = (several ?? (one === undefined ? [] : [one])) as Item[];
  return [{ tableName: TableName, ...(IndexName === undefined ? {} : { index: IndexName }), items }];
}

interface Get {
  readonly Get: { readonly TableName: string };
}

interface ReadInput {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly TransactItems?: readonly Get[];
}

interface WriteInput {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Key?: Item;
}

function touchedBy(input: Item): Sent['touched'] {
  const batch = Object.entries((input.RequestItems ?? {}) as Record<string, Item[]>).flatMap(([TableName, requests]) =>
    requests.map(({ PutRequest, DeleteRequest }) => ({ TableName, ...((PutRequest ?? DeleteRequest) as object) })),
  );
  const steps = ((input.TransactItems ?? []) as Record<string, WriteInput>[]).flatMap((step) =>
    ['Put', 'Update', 'Delete'].flatMap((kind) => step[kind] ?? []),
  );
  return [input as WriteInput, ...steps, ...batch].flatMap(({ TableName: tableName, Item: item, Key }: WriteInput) => {
    const key = item ?? Key;
    return tableName === undefined || key === undefined ? [] : [{ tableName, key }];
  });
}
