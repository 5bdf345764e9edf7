import type { PatternValues } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { ItemError } from '../items/item';
import { tell } from '../items/observe';
import type { Item } from '../items/plan';
import { sendBatch } from './batch';
import type { ReadOptions } from './read';
import { type CommandName, type PatternResult, requests } from './requests';

/** Sends the input of one command; the SDK's client in a few lines, or an engine. */
export type Send = (command: CommandName, input: Item) => Promise<Item>;

/** The patterns of a design, sent and read. Procedures are written over it, so that they need no SDK. */
export type Client<D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: (
    values: PatternValues<D, P>,
    options?: ReadOptions,
  ) => Promise<PatternResult<D, P>>;
};

export interface ClientOptions {
  /**
   * Given every item that the design does not know, or that is not as designed; the others are returned.
   * @default - it is thrown as an ItemError
   */
  readonly onUnknown?: (item: Item, reason: ItemError) => void;
  /**
   * Told of every request, whether it succeeds or fails. A fault of its own changes nothing: it becomes a warning.
   * @default - nobody is told
   */
  readonly observe?: (observation: Observation) => void;
  /**
   * What is true of all requests of this client, such as the tenant and the API key it serves.
   * @default - nothing
   */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** One request, as it is logged, billed or measured. */
export interface Observation {
  readonly table: string;
  readonly pattern: string;
  readonly operation: CommandName;
  readonly milliseconds: number;
  readonly error?: unknown;
  readonly context: Readonly<Record<string, unknown>>;
}

/** A pattern's request, whichever it is. */
interface AnyRequest {
  (values: object, options?: ReadOptions): Item;
  readonly command: CommandName;
  read(output: Item, onUnknown?: ClientOptions['onUnknown']): unknown;
}

export function client<D extends TableDesign>(
  design: D,
  tableName: string,
  send: Send,
  { observe, onUnknown, context = {} }: ClientOptions = {},
): Client<D> {
  const patterns = requests(design, tableName).patterns as unknown as Readonly<Record<string, AnyRequest>>;
  const observed = async <T>(pattern: string, operation: CommandName, work: () => Promise<T>): Promise<T> => {
    const start = performance.now();
    let outcome: { error?: unknown } = {};
    try {
      return await work();
    } catch (error) {
      outcome = { error };
      throw error;
    } finally {
      const milliseconds = performance.now() - start;
      tell(observe, { table: tableName, pattern, operation, milliseconds, ...outcome, context });
    }
  };
  const run = async (pattern: string, values: object, options?: ReadOptions): Promise<unknown> => {
    const request = patterns[pattern] as AnyRequest;
    const { command } = request;
    const input = request(values, options);
    if (command !== 'BatchGet') {
      return observed(pattern, command, async () => request.read(await send(command, input), onUnknown));
    }
    const output = await sendBatch(input, (part) => observed(pattern, command, () => send(command, part)));
    return request.read(output, onUnknown);
  };
  const bound = Object.keys(patterns).map((pattern) => [
    pattern,
    (values: object, options?: ReadOptions) => run(pattern, values, options),
  ]);
  return Object.fromEntries(bound) as Client<D>;
}
