import type { PatternValues } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { Item } from './plan';
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
   * Told of every request, whether it succeeds or fails.
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
  read(output: Item): unknown;
}

export function client<D extends TableDesign>(
  design: D,
  tableName: string,
  send: Send,
  { observe, context = {} }: ClientOptions = {},
): Client<D> {
  const patterns = requests(design, tableName).patterns as unknown as Readonly<Record<string, AnyRequest>>;
  const run = async (pattern: string, values: object, options?: ReadOptions): Promise<unknown> => {
    const request = patterns[pattern] as AnyRequest;
    const input = request(values, options);
    const start = performance.now();
    let outcome: { error?: unknown } = {};
    try {
      return request.read(await send(request.command, input));
    } catch (error) {
      outcome = { error };
      throw error;
    } finally {
      const milliseconds = performance.now() - start;
      observe?.({ table: tableName, pattern, operation: request.command, milliseconds, ...outcome, context });
    }
  };
  const bound = Object.keys(patterns).map((pattern) => [
    pattern,
    (values: object, options?: ReadOptions) => run(pattern, values, options),
  ]);
  return Object.fromEntries(bound) as Client<D>;
}
