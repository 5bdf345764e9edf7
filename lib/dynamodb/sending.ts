import type { TableOutline } from '../blueprint/outline';
import type { Asked, AskedWrite } from '../items/asked';
import { assertSend } from '../items/given';
import type { Item } from '../items/item';
import { type Observed, type ObserverOptions, observing, type Seen } from '../items/observe';
import { capacityOf } from './commands';
import { explained } from './errors';
import { ownerOf } from './guards';
import type { CommandName } from './requests';
import { wasDoneBefore } from './resent';
import type { PreparedWrite } from './write';

/**
 * Sends the input of one command through the SDK (`dynamo`) or to an engine. A client also passes `asked`, a
 * description of the request in the design's terms, which `equivalents` from `tablewright/azure-tables/equivalents`
 * uses on Azure.
 */
export type Send = ((command: CommandName, input: Item, asked?: Asked) => Promise<Item>) & {
  /**
   * If this function wraps another `send`: the wrapped `send`, and a function that wraps any `send` in the same way.
   * @default - this function wraps no `send`
   */
  readonly over?: { readonly send: Send; wrap(send: Send): Send };
};

/** Sends the requests of one client, and reports the outcome of each request to the observer. */
export interface Sender {
  readonly tableName: string;
  readonly table: TableOutline;
  readonly send: Send;
  readonly observed: Observed<CommandName>;
  /**
   * Sends one request and parses the output; if DynamoDB refuses any of `writes`, throws an error in the design's
   * terms.
   */
  sent<T>(
    pattern: string,
    command: CommandName,
    input: Item,
    read: (output: Item, seen: Seen) => T,
    about?: Sending,
  ): Promise<T>;
}

/** Details about a request that its input does not contain. */
export interface Sending extends Pick<Asked, 'read' | 'tables' | 'token'> {
  /** @default - the request only reads */
  readonly writes?: readonly PreparedWrite[];
  /** @default - the `send` of the client */
  readonly through?: Send;
}

export function senderOf(
  table: TableOutline,
  tableName: string,
  send: Send,
  options: ObserverOptions<CommandName>,
): Sender {
  assertSend(tableName, send, 'dynamo(client) from tablewright/dynamodb/sdk');
  const observed = observing(tableName, options);
  return {
    tableName,
    table,
    send,
    observed,
    sent: (pattern, command, input, read, { writes = [], through = send, ...about } = {}) =>
      observed(pattern, command, async (seen) => {
        // DynamoDB reports consumed capacity only if the request asks for it.
        const measured = options.observe === undefined ? input : { ...input, ReturnConsumedCapacity: 'TOTAL' };
        const output = await sendGuarded(through, command, measured, writes, { table, ...about }).catch(
          (error: unknown) => {
            // If the SDK retried a put because it got no response, and the stored item equals the put's item, the put
            // has succeeded.
            if (command === 'Put' && wasDoneBefore(input, error)) return {} as Item;
            throw explained(tableName, pattern, writes, error);
          },
        );
        const capacity = capacityOf(output.ConsumedCapacity);
        if (capacity !== undefined) seen.capacity = capacity;
        return read(output, seen);
      }),
  };
}

/**
 * Sends a request. If DynamoDB refuses the request only because it deletes guards of other owners, sends it again
 * without these deletes.
 */
async function sendGuarded(
  send: Send,
  command: CommandName,
  input: Item,
  writes: readonly PreparedWrite[],
  about: Omit<Asked, 'writes'>,
): Promise<Item> {
  const asking = (all: readonly PreparedWrite[]): Asked =>
    all.length === 0 ? about : { ...about, writes: all.map(asked) };
  try {
    return await send(command, input, asking(writes));
  } catch (error) {
    const left = writes.find(({ unique }) => unique !== undefined)?.unique?.withoutForeign(error, input, writes);
    if (left === undefined) throw error;
    return left.writes.length === 0 ? {} : send(command, left.input, asking(left.writes));
  }
}

/**
 * Describes a write in the design's terms. For a guard write, adds the guard's owner, which would otherwise appear only
 * among the expression's values.
 */
function asked({ unique, ...write }: PreparedWrite): AskedWrite {
  return unique === undefined ? write : { ...write, unique: { ...unique, owner: ownerOf(write.input) } };
}
