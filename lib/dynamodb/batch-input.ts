import type { Item } from '../items/item';
import type { PreparedWrite } from './write';

/** The input of a BatchWriteItem request for puts and deletes that are independent of each other. */
export function batchWriteInput(writes: readonly PreparedWrite[]): Item {
  const [first] = writes;
  const requests = writes.map(({ part, input }) =>
    part === 'Put' ? { PutRequest: { Item: input.Item } } : { DeleteRequest: { Key: input.Key } },
  );
  return { RequestItems: { [first?.input.TableName as string]: requests } };
}
