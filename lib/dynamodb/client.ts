import type { Access } from '../blueprint/accesses';
import { outline, type PatternBlueprint, type TableOutline } from '../blueprint/outline';
import { fanOf } from '../blueprint/template-parts';
import type { PatternItem, PatternValues } from '../design/infer';
import type { QueryPattern } from '../design/pattern';
import type { TableDesign } from '../design/table';
import type { SharedClientOptions } from '../items/client';
import { type Item, ItemError } from '../items/item';
import { refusable, type Seen } from '../items/observe';
import { type Paged, paged } from '../items/pages';
import { isPage, type Page, type UnknownPolicy } from '../items/result';
import { type Seal, sealOf } from '../items/sealed-cursor';
import { reporting } from '../items/unknown';
import { readBatch, writeBatch } from './batch';
import { fanCount, fanPage, withKeys } from './fan';
import { type PacedOptions, pacedPages, refuseUnpaced } from './paced';
import { type Builder, cursorKeys, type ReadOptions } from './read';
import {
  type BatchWritten,
  builderOf,
  type CommandName,
  type PatternResult,
  type ReadOptionsOf,
  requests,
} from './requests';
import { type Send, type Sender, senderOf } from './sending';
import { refuseTooLarge } from './sizes';
import { type ReadStep, stepOf, type TransactionOptions, tokenOf, type WriteStep } from './step';
import { UnfinishedBatch } from './unfinished';
import { type Plan, type PlannedWrite, planner, transactInput } from './write';

/** The patterns of a design as functions that send them and read the result, with methods beside the call. */
export type Client<D extends TableDesign> = {
  readonly [P in keyof D['patterns']]: Call<D, P> & Methods<D, P, D['patterns'][P]>;
};

/** Only the calls of a client. A procedure written over it needs no SDK, and a test can give it plain functions. */
export type Calls<D extends TableDesign> = { readonly [P in keyof D['patterns']]: Call<D, P> };

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
    : Pattern extends { readonly op: 'put' | 'update' | 'delete' | 'transaction' }
      ? { step(values: PatternValues<D, P>): WriteStep }
      : unknown;

export interface ClientOptions extends SharedClientOptions<CommandName> {
  /**
   * What `evolving` of `tablewright/evolve/dynamodb` returned, while a plan is under way: both old and new items are read.
   * @default - all items fit the design
   */
  readonly evolving?: Evolving | undefined;
}

/** Makes the client of a table that is on its way from one design to the next. */
export type Evolving = (design: TableDesign, tableName: string, send: Send, options: ClientOptions) => object;

/** The request of any pattern. */
interface AnyRequest {
  (values: object, options?: ReadOptions): Item;
  readonly command: CommandName;
  read(output: Item, onUnknown?: UnknownPolicy): unknown;
}

/** The options of a call, for any pattern. */
type AnyOptions = ReadOptions & TransactionOptions & PacedOptions;

export function client<D extends TableDesign>(
  design: D,
  tableName: string,
  send: Send,
  { evolving, ...options }: ClientOptions = {},
): Client<D> {
  if (evolving !== undefined) return evolving(design, tableName, send, options) as Client<D>;
  const table = outline(design);
  const patterns = requests(design, tableName).patterns as unknown as Readonly<Record<string, AnyRequest>>;
  const sender = senderOf(tableName, send, options);
  const seal = options.cursors && sealOf(options.cursors);
  const policy = reporting(options);
  const all = table.patterns.map((pattern) => {
    const { name } = pattern;
    const request = patterns[name] as AnyRequest;
    const bound = { name, pattern, request, plan: planOf(table, tableName, pattern), sender, policy };
    const call = callOf(bound, (values, given) => builderOf(table, tableName, pattern)(values, given));
    const shards = fanOf(pattern.design);
    const whole = shards === undefined ? call : fanning(bound, table, shards, call);
    const sealed = seal === undefined || !isPaged(request) ? whole : sealing(bound, tableName, seal, whole);
    return [name, Object.assign(refusable(sealed, refusing(bound)), methodsOf(bound, sealed))];
  });
  return Object.fromEntries(all) as Client<D>;
}

/** A query over every shard, unless the caller gives the number of one. */
function fanning(bound: Bound, table: TableOutline, shards: number, call: AnyCall): AnyCall {
  const { name, pattern, request, sender, policy } = bound;
  return async (values, given = {}) => {
    if ((values as Item)?.shard !== undefined) return call(values, given);
    const access = pattern.accesses[0] as Access;
    const keys = cursorKeys(table, access);
    const { order, pageSize } = pattern.design as QueryPattern;
    const ask = (shard: number, options: ReadOptions) =>
      built(
        bound,
        () => withKeys(request({ ...values, shard }, options), keys),
        (input) => sender.sent(name, 'Query', input, (output) => output),
      );
    const isDescending = (given.order ?? order) === 'descending';
    const size = given.limit ?? pageSize;
    const { items, cursor } = await fanPage(name, access, keys, shards, { ...given, isDescending, size }, ask);
    const seen: Seen = {};
    const page = request.read({ Items: items }, policy(seen)) as Page<unknown>;
    if (seen.unknown !== undefined) await sender.observed(name, 'Query', async (own) => Object.assign(own, seen));
    return cursor === undefined ? page : { ...page, cursor };
  };
}

function isPaged({ command }: AnyRequest): boolean {
  return command === 'Query' || command === 'Scan';
}

/** The same call, with cursors that only the holder of the secret can read. */
function sealing(bound: Bound, tableName: string, seal: Seal, call: AnyCall): AnyCall {
  const place = `${tableName} ${bound.name}`;
  return async (values, given = {}) => {
    const { cursor } = given;
    const opened = cursor === undefined ? cursor : await seal.open(place, cursor).catch(refusing(bound));
    const page = await call(values, { ...given, cursor: opened });
    if (!isPage(page) || page.cursor === undefined) return page;
    return { ...page, cursor: await seal.close(place, page.cursor) };
  };
}

/** One pattern of a client. */
interface Bound {
  readonly name: string;
  readonly pattern: PatternBlueprint;
  readonly plan: Plan;
  readonly request: AnyRequest;
  readonly sender: Sender;
  readonly policy: (seen: Seen) => UnknownPolicy;
}

type AnyCall = (values: object, options?: AnyOptions) => Promise<unknown>;

function callOf(bound: Bound, whole: Builder): AnyCall {
  const { name, request, sender, policy } = bound;
  const { command } = request;
  const read = (output: Item, seen: Seen) => request.read(output, policy(seen));
  const readPart = ({ UnprocessedKeys, ...output }: Item, seen: Seen) => ({
    page: read(output, seen) as Page<unknown>,
    left: Object.values((UnprocessedKeys ?? {}) as Record<string, { Keys: Item[] }>).flatMap(({ Keys }) => Keys),
  });
  switch (command) {
    case 'Scan':
      return (values, given) =>
        built(
          bound,
          () => {
            refuseUnpaced(name, given);
            return request(values, given);
          },
          async (input) => {
            await given?.pace?.ready();
            return sender.sent(name, command, input, (output, seen) => {
              given?.pace?.used(seen.capacity ?? 0);
              return read(output, seen);
            });
          },
        );
    case 'Get':
    case 'Query':
      return (values, given) =>
        built(
          bound,
          () => request(values, given),
          (input) => sender.sent(name, command, input, read),
        );
    case 'BatchGet':
      return (values, given) =>
        built(
          bound,
          () => whole(values ?? {}, given),
          (input) => readBatch(name, input, (part) => sender.sent(name, command, part, readPart)),
        );
    case 'BatchWrite':
      return (values) => sendBatchWrite(bound, values);
    default:
      return (values, given) => sendWrites(bound, values, given);
  }
}

/** Makes a request and sends it, with nothing in between. */
function built<T, R>(bound: Bound, make: () => T, send: (made: T) => Promise<R>): Promise<R> {
  let made: T;
  try {
    made = make();
  } catch (refusal) {
    return refusing(bound)(refusal);
  }
  return send(made);
}

/** Fails a call that was never sent: the observer hears of it like of any other failure. */
function refusing({ name, request, sender }: Bound): (refusal: unknown) => Promise<never> {
  return (refusal) => sender.observed(name, request.command, () => Promise.reject(refusal));
}

/** Sends one write, or all writes of a transaction. */
function sendWrites(bound: Bound, values: object, given: AnyOptions = {}): Promise<unknown> {
  const { name, request, sender } = bound;
  const { command } = request;
  const make = () => {
    const writes = bound.plan(values ?? {});
    refuseTooLarge(name, writes);
    if (command !== 'TransactWrite') return { writes, input: showing(writes[0] as PlannedWrite) };
    return { writes, input: { ...transactInput(name, writes.map(shown)), ...tokenOf(name, given) } };
  };
  return built(bound, make, ({ input, writes }) =>
    sender.sent(name, command, input, (output) => request.read(output, 'throw'), writes),
  );
}

/** Asks for the stored item when a condition fails, which shows the reason. */
const SHOWN = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' };

function showing({ input }: PlannedWrite): Item {
  return input.ConditionExpression === undefined ? input : { ...input, ...SHOWN };
}

export function shown(write: PlannedWrite): PlannedWrite {
  return { ...write, input: showing(write) };
}

function sendBatchWrite(bound: Bound, values: object): Promise<BatchWritten<object>> {
  const { name, sender } = bound;
  const make = () => {
    const writes = bound.plan(values ?? {});
    for (const write of writes) refuseTooLarge(name, [write]);
    return writes;
  };
  return built(bound, make, async (writes) => {
    const send = (part: Item) => sender.sent(name, 'BatchWrite', part, (output) => output);
    const { left, ...failed } = await writeBatch(writes, send);
    if (left.length === 0) return {};
    const rest = leftOf(values, left);
    if (!('error' in failed)) return { left: rest };
    const reason = failed.error instanceof Error ? failed.error.message : String(failed.error);
    const message = `${name}: ${left.length} of ${writes.length} writes were not done: ${reason}`;
    throw new UnfinishedBatch(message, rest, failed.error);
  });
}

/** The same values, with only the elements that are left in their lists. */
function leftOf(values: object, left: readonly PlannedWrite[]): object {
  const lists = new Map<string, unknown[]>();
  for (const { step, values: scope } of left) {
    const { each } = step as { readonly each: string };
    const list = lists.get(each) ?? [];
    const element = (scope as Item)[each];
    if (!list.includes(element)) list.push(element);
    lists.set(each, list);
  }
  const none = Object.entries(values)
    .filter(([, value]) => Array.isArray(value))
    .map(([name]) => [name, []]);
  return { ...values, ...Object.fromEntries(none), ...Object.fromEntries(lists) };
}

/** Plans the writes of a pattern; prepared when it is first used. */
function planOf(table: TableOutline, tableName: string, pattern: PatternBlueprint): Plan {
  let plan: Plan | undefined;
  return (values) => {
    plan ??= planner(table, tableName, pattern);
    return plan(values);
  };
}

/** Whether items are dropped after they were read, and whether DynamoDB can count the items of a query. */
function readingOf({ design }: PatternBlueprint): { isSieved: boolean; canCount: boolean } {
  const { filter, select, unexpired } = design as QueryPattern;
  return { isSieved: filter !== undefined || unexpired === true, canCount: select === undefined && !unexpired };
}

/** The methods of a pattern beside its call. */
function methodsOf(bound: Bound, call: AnyCall): object {
  const { name, pattern, request, sender, policy, plan } = bound;
  const { command } = request;
  if (isPaged(request)) {
    const page = call as (values: object, given?: AnyOptions) => Promise<Page<unknown>>;
    if (command === 'Scan') return pacedPages(page);
    const { isSieved, canCount } = readingOf(pattern);
    return paged(page, isSieved, canCount ? (values, given) => countAll(bound, values, given) : undefined);
  }
  if (command === 'BatchGet' || command === 'BatchWrite') return {};
  return { step: (values: object) => stepOf({ name, request, sender, policy, plan }, values) };
}

/** Counts in every shard, if there are shards. */
function countAll(bound: Bound, values: object, given: ReadOptions): Promise<number> {
  const shards = fanOf(bound.pattern.design);
  if (shards === undefined || (values as Item)?.shard !== undefined) return count(bound, values, given);
  return fanCount(shards, (shard) => count(bound, { ...values, shard }, given));
}

/** Counts without reading the items, in pages as large as possible. */
function count(bound: Bound, values: object, given: ReadOptions): Promise<number> {
  const { name, request, sender } = bound;
  const make = () => {
    if (given.cursor !== undefined) throw new ItemError(`${name}: a count covers everything; leave the cursor out`);
    const { Limit: _, ...input } = request(values, given);
    return { ...input, Select: 'COUNT' };
  };
  return built(bound, make, async (input) => {
    let found = 0;
    let start: unknown;
    do {
      const page = start === undefined ? input : { ...input, ExclusiveStartKey: start };
      const output = await sender.sent(name, 'Query', page, (counted) => counted);
      found += output.Count as number;
      start = output.LastEvaluatedKey;
    } while (start !== undefined);
    return found;
  });
}
