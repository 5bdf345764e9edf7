import type { PatternValues } from '../design/infer';
import type { TableDesign } from '../design/table';
import { type ObserverOptions, observing, refusable } from '../items/observe';
import { isPage, type OnUnknown } from '../items/result';
import { type CursorOptions, sealOf } from '../items/sealed-cursor';
import type { AzureCall, AzureOutput } from './calls';
import { translated } from './errors';
import { type PatternResult, type RequestOptions, requests } from './requests';
import type { Send } from './sender';

/** The patterns of a design on Azure Tables, sent and read. Procedures are written over it, so that they need no SDK. */
export type Client<D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: (
    values: PatternValues<D, P>,
    options?: RequestOptions,
  ) => Promise<PatternResult<D, P>>;
};

export interface ClientOptions extends ObserverOptions<AzureCall['method']> {
  /**
   * Given every entity that the design does not know, or that is not as designed; the others are returned.
   * @default - it is thrown as an ItemError
   */
  readonly onUnknown?: OnUnknown;
  /**
   * Seals cursors, so that callers can neither read the keys in them nor make some of their own.
   * @default - cursors are readable, and checked against the partition that is asked for
   */
  readonly cursors?: CursorOptions;
}

interface AnyRequest {
  (values: object, options?: RequestOptions): AzureCall;
  readonly method: AzureCall['method'];
  read(call: AzureCall, output: AzureOutput, onUnknown?: OnUnknown): unknown;
}

export function client<D extends TableDesign>(
  design: D,
  tableName: string,
  send: Send,
  options: ClientOptions = {},
): Client<D> {
  const { onUnknown, cursors } = options;
  const patterns = requests(design, tableName).patterns as unknown as Readonly<Record<string, AnyRequest>>;
  const observed = observing(tableName, options);
  const seal = cursors && sealOf(cursors);
  const run = async (pattern: string, values: object, given: RequestOptions = {}): Promise<unknown> => {
    const request = patterns[pattern] as AnyRequest;
    const place = `${tableName} ${pattern}`;
    const { cursor } = given;
    let call: AzureCall;
    try {
      const opened = seal && cursor !== undefined ? { ...given, cursor: await seal.open(place, cursor) } : given;
      call = request(values, opened);
    } catch (refusal) {
      return observed(pattern, request.method, () => Promise.reject(refusal));
    }
    const result = await observed(pattern, call.method, async () => {
      try {
        return request.read(call, await send(tableName, call), onUnknown);
      } catch (error) {
        throw translated(tableName, pattern, call, error);
      }
    });
    if (seal === undefined || !isPage(result) || result.cursor === undefined) return result;
    return { ...result, cursor: await seal.close(place, result.cursor) };
  };
  const bound = Object.entries(patterns).map(([pattern, { method }]) => [
    pattern,
    refusable(
      (values: object, given?: RequestOptions) => run(pattern, values, given),
      (error) => observed(pattern, method, () => Promise.reject(error)),
    ),
  ]);
  return Object.fromEntries(bound) as Client<D>;
}
