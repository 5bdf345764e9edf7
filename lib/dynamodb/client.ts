import { PARTITIONS } from '../blueprint/clouds';
import type { PatternBlueprint, TableOutline } from '../blueprint/outline';
import { fanOf } from '../blueprint/template-parts';
import { unions } from '../blueprint/unions';
import { formats } from '../design/formats';
import type { PatternItem, PatternValues } from '../design/infer';
import type { FindPattern, QueryPattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import { callOf, placed } from '../items/calls';
import type { SharedClientOptions } from '../items/client';
import { assertTable } from '../items/given';
import { type Item, ItemError } from '../items/item';
import { refusable } from '../items/observe';
import { type Paged, paged } from '../items/pages';
import type { Page } from '../items/result';
import { sealOf } from '../items/sealed-cursor';
import { reporting } from '../items/unknown';
import { type Features, lists, outlineWith, scans } from './features';
import { type AnyOptions, type AnyRequest, type Bound, fanning, isInChunks, operationOf } from './operations';
import { pacedPages } from './paced';
import { builderOf, type CommandName, type PatternResult, type ReadOptionsOf, requests } from './requests';
import { type Send, senderOf } from './sending';
import { keysStep, type ReadStep, stepOf, type TransactionOptions, type WriteStep } from './step';
import { type Prepare, preparer } from './write';

/**
 * The patterns of a design, as functions that send the requests and return the results. Most functions also have
 * methods, such as `.pages()` or `.step()`.
 */
export type Client<in out D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: Call<D, P> & Methods<D, P, D['patterns'][P]>;
};

/**
 * The functions of a client, without their methods. A procedure that accepts `Calls` needs no SDK, and a test can pass
 * it plain functions.
 */
export type Calls<in out D extends TableDesign> = { readonly [P in keyof D['patterns']]: Call<D, P> };

type Call<D extends TableDesign, P extends keyof D['patterns']> = (
  values: PatternValues<D, P>,
  options?: OptionsOf<D['patterns'][P]>,
) => Promise<PatternResult<D, P>>;

type OptionsOf<P> = P extends { readonly op: 'transaction' } ? TransactionOptions : ReadOptionsOf<P>;

type Methods<D extends TableDesign, P extends keyof D['patterns'], Pattern> = Pattern extends {
  readonly op: 'query' | 'scan';
}
  ? Paged<PatternValues<D, P>, PatternItem<D, P>, ReadOptionsOf<Pattern>>
  : Pattern extends { readonly op: 'get' }
    ? { step(values: PatternValues<D, P>): ReadStep<PatternItem<D, P> | undefined> }
    : Pattern extends { readonly atomic: false }
      ? unknown
      : Pattern extends { readonly op: 'put' | 'update' | 'delete' | 'transaction' }
        ? { step(values: PatternValues<D, P>): WriteStep }
        : unknown;

export interface ClientOptions
  extends SharedClientOptions<CommandName>,
    Pick<Features, 'unique' | 'written' | 'stored' | 'clock'> {
  /**
   * The result of `evolving` from `tablewright/evolve/dynamodb` while a plan is under way. The client then reads items
   * of both the old and the new design.
   * @default - all items fit the design
   */
  readonly evolving?: Evolving | undefined;
}

/** Makes the client for a table that is migrating from one design to the next. */
export type Evolving = (design: TableDesign, tableName: string, send: Send, options: ClientOptions) => object;

/** A page size that no page reaches, since DynamoDB ends a page at 1 MB. */
const WHOLE_PAGE = 1_000_000;

export function client<D extends TableDesign>(
  design: D,
  tableName: string,
  send: Send,
  { evolving, ...options }: ClientOptions = {},
): Client<D> {
  assertTable(design, 'client');
  if (evolving !== undefined) return evolving(design, tableName, send, options) as Client<D>;
  const { unique, written, stored, clock } = options;
  const features = { unique, written, stored, clock, scans, lists, formats, unions };
  const table = outlineWith('client', design, features);
  const built = requests(design, tableName, features) as unknown as Readonly<Record<string, AnyRequest>>;
  const sender = senderOf(table, tableName, send, options);
  const seal = options.cursors && sealOf(options.cursors);
  const policy = reporting(options);
  const all = table.patterns.map((pattern) => {
    const { name } = pattern;
    const request = built[name] as AnyRequest;
    const find = pattern.design.op === 'find' ? finderOf(table, tableName, pattern.design, unique) : undefined;
    const prepare = prepareOf(table, tableName, pattern, features);
    const bound = { name, pattern, request, prepare, sender, policy, find };
    const fan = fanOf(pattern.design);
    // A cursor from a query over a list of partitions also identifies that list.
    const shards = fan && (fan.each === undefined ? fan.shards : PARTITIONS + 1);
    const operation =
      fan === undefined
        ? operationOf(bound, (values, given) => builderOf(table, tableName, pattern, features)(values, given))
        : fanning(bound, table, fan);
    const refuse = (refusal: unknown) =>
      sender.observed<never>(name, request.command, () => Promise.reject(placed(tableName, name, refusal)));
    const call = callOf<AnyOptions, never>({ tableName, name, seal, shards, refuse }, operation as never);
    return [name, Object.assign(refusable(call, refuse), methodsOf(bound, table, call))];
  });
  return Object.fromEntries(all) as Client<D>;
}

function refuseChunks(name: string): never {
  throw new ItemError(`${name}: it is sent in parts, so it cannot join a transaction; call ${name}(values) alone`);
}

/**
 * Returns the functions that a `find` pattern uses to find the item and to test whether the item still has the unique
 * value.
 */
function finderOf(
  table: TableOutline,
  tableName: string,
  design: FindPattern,
  unique: Features['unique'],
): Bound['find'] {
  if (unique === undefined) return undefined;
  const holds = (item: Item, request: Item) => unique.holdsValue(table, design, item, request);
  return { ...unique.findOf(table, tableName, design), holds };
}

/** Returns a function that prepares the writes of a pattern. That function creates its preparer on the first call. */
function prepareOf(table: TableOutline, tableName: string, pattern: PatternBlueprint, features: Features): Prepare {
  let prepare: Prepare | undefined;
  return (values) => {
    prepare ??= preparer(table, tableName, pattern, features);
    return prepare(values);
  };
}

/** The methods that the client attaches to a pattern's function. */
function methodsOf(
  bound: Bound,
  table: TableOutline,
  call: (values: object, given?: AnyOptions) => Promise<unknown>,
): object {
  const page = call as (values: object, given?: AnyOptions) => Promise<Page<unknown>>;
  switch (bound.request.command) {
    case 'Scan':
      return pacedPages(page);
    case 'Query': {
      const { filter, unexpired } = bound.pattern.design as QueryPattern;
      return paged(page, filter !== undefined || unexpired === true, WHOLE_PAGE);
    }
    case 'BatchGet':
    case 'TransactGet':
      return { step: keysStep(bound, table) };
    case 'BatchWrite':
      return {};
    default:
      if (bound.find !== undefined) return {};
      if (isInChunks(bound.pattern.design)) return { step: () => refuseChunks(bound.name) };
      return { step: (values: object) => stepOf(bound, values) };
  }
}
