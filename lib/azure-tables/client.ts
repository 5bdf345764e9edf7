import type { PatternItem, PatternValues } from '../design/infer';
import type { TableDesign } from '../design/table';
import { callOf, placed } from '../items/calls';
import type { SharedClientOptions } from '../items/client';
import { assertSend, assertTable } from '../items/given';
import { observing, refusable } from '../items/observe';
import { type Paged, paged } from '../items/pages';
import type { Page, UnknownPolicy } from '../items/result';
import { sealOf } from '../items/sealed-cursor';
import { reporting } from '../items/unknown';
import type { AzureCall, AzureOutput } from './calls';
import { translated } from './errors';
import { type ClockOptions, type PatternResult, type RequestOptions, requests } from './requests';
import type { Send } from './sender';

/**
 * One function per pattern of a design. Each function sends its pattern to Azure Tables and reads the result. Queries
 * and scans also have methods for paging.
 */
export type Client<in out D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: Call<D, P> &
    (D['patterns'][P] extends { readonly op: 'query' | 'scan' }
      ? Paged<PatternValues<D, P>, PatternItem<D, P>, RequestOptions>
      : unknown);
};

/**
 * A client whose calls are plain functions, without paging methods. A procedure that takes `Calls` needs no SDK, and a
 * test can pass plain functions.
 */
export type Calls<in out D extends TableDesign> = { readonly [P in keyof D['patterns']]: Call<D, P> };

type Call<D extends TableDesign, P extends keyof D['patterns']> = (
  values: PatternValues<D, P>,
  options?: RequestOptions,
) => Promise<PatternResult<D, P>>;

export interface ClientOptions extends SharedClientOptions<AzureCall['method']>, ClockOptions {
  /**
   * The result of `evolving` from `tablewright/evolve/azure-tables`. Pass it while a plan is under way, so that the
   * client reads both old and new items.
   * @default - all items fit the design
   */
  readonly evolving?: Evolving | undefined;
}

/** Creates the client for a table that is migrating from one design to the next. */
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
  assertTable(design, 'client');
  if (evolving !== undefined) return evolving(design, tableName, send, options) as Client<D>;
  const built = requests(design, tableName, options) as unknown as Readonly<Record<string, AnyRequest>>;
  assertSend(tableName, send, 'storage(account, credential) from tablewright/azure-tables/sdk');
  const observed = observing(tableName, options);
  const seal = options.cursors && sealOf(options.cursors);
  const policy = reporting(options);
  const all = Object.entries(built).map(([name, request]) => {
    const { method, isSieved } = request;
    const refuse = (refusal: unknown) =>
      observed<never>(name, method, () => Promise.reject(placed(tableName, name, refusal)));
    const call = callOf<RequestOptions, AzureCall>(
      { tableName, name, seal, refuse },
      {
        make: (values, given) => request(values, given),
        send: (made, { onUnknown }) =>
          observed(name, made.method, async (seen) => {
            try {
              return request.read(made, await send(tableName, made), policy(seen, onUnknown));
            } catch (error) {
              throw translated(tableName, name, made, error);
            }
          }),
      },
    );
    const methods = method === 'listEntities' ? paged(call as AnyRead, isSieved, AZURE_TABLES_PAGE) : {};
    return [name, Object.assign(refusable(call, refuse), methods)];
  });
  return Object.fromEntries(all) as Client<D>;
}

/** The largest page that the service returns. */
const AZURE_TABLES_PAGE = 1_000;

type AnyRead = (values: object, given?: RequestOptions) => Promise<Page<unknown>>;
