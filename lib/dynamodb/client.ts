import type { PatternValues } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { Item } from '../items/item';
import { type ObserverOptions, observing, refusable } from '../items/observe';
import { isPage, type OnUnknown, type PatternResult } from '../items/result';
import { type CursorOptions, sealOf } from '../items/sealed-cursor';
import { sendBatch } from './batch';
import type { ReadOptions } from './read';
import { type CommandName, requests } from './requests';
import { wasDoneBefore } from './resent';

/** Sends the input of one command; the SDK's client in a few lines, or an engine. */
export type Send = (command: CommandName, input: Item) => Promise<Item>;

/** The patterns of a design, sent and read. Procedures are written over it, so that they need no SDK. */
export type Client<D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: (
    values: PatternValues<D, P>,
    options?: ReadOptions,
  ) => Promise<PatternResult<D, P>>;
};

export interface ClientOptions extends ObserverOptions<CommandName> {
  /**
   * Given every item that the design does not know, or that is not as designed; the others are returned.
   * @default - it is thrown as an ItemError
   */
  readonly onUnknown?: OnUnknown;
  /**
   * Seals cursors, so that callers can neither read the keys in them nor make some of their own.
   * @default - cursors are readable, and checked against the partition that is asked for
   */
  readonly cursors?: CursorOptions;
}

/** A pattern's request, whichever it is. */
interface AnyRequest {
  (values: object, options?: ReadOptions): Item;
  readonly command: CommandName;
  read(output: Item, onUnknown?: OnUnknown): unknown;
}

export function client<D extends TableDesign>(
  design: D,
  tableName: string,
  send: Send,
  options: ClientOptions = {},
): Client<D> {
  const { onUnknown, cursors, observe } = options;
  const patterns = requests(design, tableName).patterns as unknown as Readonly<Record<string, AnyRequest>>;
  const observed = observing(tableName, options);
  const seal = cursors && sealOf(cursors);
  const sent = <T>(pattern: string, command: CommandName, input: Item, then: (output: Item) => T) =>
    observed(pattern, command, async (seen) => {
      // What a request consumes is only told to who asks for it.
      const asked = observe === undefined ? input : { ...input, ReturnConsumedCapacity: 'TOTAL' };
      const output = await (command === 'Put' ? sendPut(send, asked) : send(command, asked));
      const capacity = capacityOf(output.ConsumedCapacity);
      if (capacity !== undefined) seen.capacity = capacity;
      return then(output);
    });
  const run = async (pattern: string, values: object, given: ReadOptions = {}): Promise<unknown> => {
    const request = patterns[pattern] as AnyRequest;
    const { command } = request;
    const place = `${tableName} ${pattern}`;
    const { cursor } = given;
    let input: Item;
    try {
      const opened = seal && cursor !== undefined ? { ...given, cursor: await seal.open(place, cursor) } : given;
      input = request(values, opened);
    } catch (refusal) {
      return observed(pattern, command, () => Promise.reject(refusal));
    }
    const read = (output: Item) => request.read(output, onUnknown);
    const result =
      command === 'BatchGet'
        ? await readBatch(
            await sendBatch(input, (part) => sent(pattern, command, part, (output) => output)),
            read,
            (fault) => observed(pattern, command, () => Promise.reject(fault)),
          )
        : await sent(pattern, command, input, read);
    if (seal === undefined || !isPage(result) || result.cursor === undefined) return result;
    return { ...result, cursor: await seal.close(place, result.cursor) };
  };
  const bound = Object.entries(patterns).map(([pattern, { command }]) => [
    pattern,
    refusable(
      (values: object, given?: ReadOptions) => run(pattern, values, given),
      (error) => observed(pattern, command, () => Promise.reject(error)),
    ),
  ]);
  return Object.fromEntries(bound) as Client<D>;
}

/** All parts of a batch were told of when they came: only that it cannot be read is news. */
async function readBatch<T>(output: Item, read: (output: Item) => T, told: (fault: unknown) => Promise<T>): Promise<T> {
  try {
    return read(output);
  } catch (fault) {
    return told(fault);
  }
}

/** A put that fails shows what is there instead, so that one that the SDK sent twice is not taken for a conflict. */
async function sendPut(send: Send, input: Item): Promise<Item> {
  try {
    return await send('Put', { ...input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
  } catch (error) {
    if (wasDoneBefore(input, error)) return {};
    throw error;
  }
}

/** The units of all tables that a request came to, where it told. */
function capacityOf(consumed: unknown): number | undefined {
  const units = [consumed].flat().map((one) => (one as { CapacityUnits?: number } | undefined)?.CapacityUnits);
  return units.some((one) => one !== undefined) ? units.reduce<number>((sum, one) => sum + (one ?? 0), 0) : undefined;
}
