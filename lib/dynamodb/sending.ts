import type { Item } from '../items/item';
import { type Observed, type ObserverOptions, observing, type Seen } from '../items/observe';
import { capacityOf } from './commands';
import { explained } from './errors';
import type { CommandName } from './requests';
import { wasDoneBefore } from './resent';
import type { PlannedWrite } from './write';

/** Sends the input of one command, through the SDK (`dynamo`) or to an engine. */
export type Send = ((command: CommandName, input: Item) => Promise<Item>) & {
  /** The `send` that it wraps, and how. @default - it wraps none */
  readonly over?: { readonly send: Send; wrap(send: Send): Send };
};

/** Sends the requests of one client, and tells the observer how they ended. */
export interface Sender {
  readonly send: Send;
  readonly observed: Observed<CommandName>;
  /** Sends one request and reads its output; explains why DynamoDB refused any of `writes` in the design's words. */
  sent<T>(
    pattern: string,
    command: CommandName,
    input: Item,
    read: (output: Item, seen: Seen) => T,
    writes?: readonly PlannedWrite[],
    through?: Send,
  ): Promise<T>;
}

export function senderOf(tableName: string, send: Send, options: ObserverOptions<CommandName>): Sender {
  const observed = observing(tableName, options);
  return {
    send,
    observed,
    sent: (pattern, command, input, read, writes = [], through = send) =>
      observed(pattern, command, async (seen) => {
        // DynamoDB says what a request consumed only if asked.
        const measured = options.observe === undefined ? input : { ...input, ReturnConsumedCapacity: 'TOTAL' };
        const output = await through(command, measured).catch((error: unknown) => {
          // A put that the SDK sent again for want of an answer has succeeded if its own item is stored.
          if (command === 'Put' && wasDoneBefore(input, error)) return {} as Item;
          throw explained(pattern, writes, error);
        });
        const capacity = capacityOf(output.ConsumedCapacity);
        if (capacity !== undefined) seen.capacity = capacity;
        return read(output, seen);
      }),
  };
}
