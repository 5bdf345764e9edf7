import type { Item } from '../items/item';
import { type Observed, type ObserverOptions, observing, type Seen } from '../items/observe';
import { explained } from './errors';
import type { CommandName } from './requests';
import { wasDoneBefore } from './resent';
import type { PlannedWrite } from './write';

/** Sends the input of one command; `dynamo` of the SDK, or an engine. */
export type Send = ((command: CommandName, input: Item) => Promise<Item>) & {
  /** What it changes requests for, where it is one that goes through another. @default - it goes through none */
  readonly over?: { readonly send: Send; wrap(send: Send): Send };
};

/** Sends the requests of one client, and sees to it that whoever looks on is told what came of them. */
export interface Sender {
  readonly send: Send;
  readonly observed: Observed<CommandName>;
  /** Sends one request and reads its output. What DynamoDB refuses of some writes is said in the words of the design. */
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
        // What a request consumes is only told to who asks for it.
        const asked = options.observe === undefined ? input : { ...input, ReturnConsumedCapacity: 'TOTAL' };
        const output = await through(command, asked).catch((error: unknown) => {
          // A put that the SDK sent twice, because no answer came, is done if its own item is there.
          if (command === 'Put' && wasDoneBefore(input, error)) return {} as Item;
          throw explained(pattern, writes, error);
        });
        const capacity = capacityOf(output.ConsumedCapacity);
        if (capacity !== undefined) seen.capacity = capacity;
        return read(output, seen);
      }),
  };
}

/** The units of all tables that a request came to, where it told. */
function capacityOf(consumed: unknown): number | undefined {
  const units = [consumed].flat().map((one) => (one as { CapacityUnits?: number } | undefined)?.CapacityUnits);
  return units.some((one) => one !== undefined) ? units.reduce<number>((sum, one) => sum + (one ?? 0), 0) : undefined;
}
