import type { PatternItem, PatternValues } from '../design/infer';
import type { TableDesign } from '../design/table';
import type { SharedClientOptions } from '../items/client';
import { observing, refusable } from '../items/observe';
import { type Paged, paged } from '../items/pages';
import { isPage, type Page, type UnknownPolicy } from '../items/result';
import { sealOf } from '../items/sealed-cursor';
import { reporting } from '../items/unknown';
import type { AzureCall, AzureOutput } from './calls';
import { translated } from './errors';
import { type PatternResult, type RequestOptions, requests } from './requests';
import type { Send } from './sender';

/** The patterns of a design as functions that send them to Azure Tables and read the result, with methods beside the call. */
export type Client<D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: Call<D, P> &
    (D['patterns'][P] extends { readonly op: 'query' | 'scan' }
      ? Paged<PatternValues<D, P>, PatternItem<D, P>, RequestOptions>
      : unknown);
};

/** Only the calls of a client. A procedure written over it needs no SDK, and a test can give it plain functions. */
export type Calls<D extends TableDesign> = { readonly [P in keyof D['patterns']]: Call<D, P> };

type Call<D extends TableDesign, P extends keyof D['patterns']> = (
  values: PatternValues<D, P>,
  options?: RequestOptions,
) => Promise<PatternResult<D, P>>;

export interface ClientOptions extends SharedClientOptions<AzureCall['method']> {
  /**
   * What `evolving` of `tablewright/evolve/azure-tables` returned, while a plan is under way: both old and new items are read.
   * @default - all items fit the design
   */
  readonly evolving?: Evolving | undefined;
}

/** Makes the client of a table that is on its way from one design to the next. */
export type Evolving = (design: TableDesign, tableName: string, send: Send, options: ClientOptions) => object;

interface AnyRequest {
  (values: object, options?: RequestOptions): AzureCall;
  readonly method: AzureCall['method'];
  readonly isSieved: boolean;
  read(call: AzureCall, output: AzureOutput, onUnknown?: UnknownPolicy): unknown;
}

export function client<D extends TableDesign>(
  design: D,
  tableName: string,
  send: Send,
  { evolving, ...options }: ClientOptions = {},
): Client<D> {
  if (evolving !== undefined) return evolving(design, tableName, send, options) as Client<D>;
  const { cursors } = options;
  const policy = reporting(options);
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
    const result = await observed(pattern, call.method, async (seen) => {
      try {
        return request.read(call, await send(tableName, call), policy(seen));
      } catch (error) {
        throw translated(tableName, pattern, call, error);
      }
    });
    if (seal === undefined || !isPage(result) || result.cursor === undefined) return result;
    return { ...result, cursor: await seal.close(place, result.cursor) };
  };
  const bound = Object.entries(patterns).map(([pattern, { method, isSieved }]) => {
    const call = refusable(
      (values: object, given?: RequestOptions) => run(pattern, values, given),
      (error) => observed(pattern, method, () => Promise.reject(error)),
    );
    if (method !== 'listEntities') return [pattern, call];
    return [pattern, Object.assign(call, paged(call as typeof call & AnyRead, isSieved))];
  });
  return Object.fromEntries(bound) as Client<D>;
}

type AnyRead = (values: object, given?: RequestOptions) => Promise<Page<unknown>>;
