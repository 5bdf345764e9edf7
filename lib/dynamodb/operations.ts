import type { Access } from '../blueprint/accesses';
import { TRANSACTION_ITEMS } from '../blueprint/clouds';
import type { PatternBlueprint, TableOutline } from '../blueprint/outline';
import type { Fan } from '../blueprint/template-parts';
import type { PatternDesign, QueryPattern } from '../design/pattern';
import type { Operation } from '../items/calls';
import type { Item } from '../items/item';
import type { Seen } from '../items/observe';
import type { Page, UnknownPolicy } from '../items/result';
import type { Reporting } from '../items/unknown';
import { readBatch, writeBatch } from './batch';
import { fanPage, fanQueries, type PartitionQuery, tagOf, withKeys } from './fan';
import type { Find } from './find';
import { type PacedOptions, refuseUnpaced } from './paced';
import { type Builder, cursorKeys, type ReadOptions } from './read';
import type { CommandName } from './requests';
import type { Sender } from './sending';
import { refuseTooLarge } from './sizes';
import { type TransactionOptions, tokenOf } from './step';
import { UnfinishedBatch } from './unfinished';
import { type Prepare, type PreparedWrite, transactInput } from './write';

/** The options for calling any pattern. */
export type AnyOptions = ReadOptions & TransactionOptions & PacedOptions;

/** The request builder of any pattern. */
export interface AnyRequest {
  (values: object, options?: ReadOptions): Item;
  readonly command: CommandName;
  read(output: Item, onUnknown?: UnknownPolicy): unknown;
}

/** Everything that a client needs to call one of its patterns. */
export interface Bound {
  readonly name: string;
  readonly pattern: PatternBlueprint;
  readonly prepare: Prepare;
  readonly request: AnyRequest;
  readonly sender: Sender;
  readonly policy: Reporting;
  /**
   * The two requests of a `find` pattern: the first for the guard, the second for the item.
   * @default - the pattern has a different `op`
   */
  readonly find?: (Find & { holds(item: Item, request: Item): boolean }) | undefined;
}

type Made<T> = Operation<AnyOptions, T>;

/** Returns the functions that build and send the requests of a pattern. `whole` builds a batch of any size. */
export function operationOf(bound: Bound, whole: Builder): Made<never> {
  switch (bound.request.command) {
    case 'Scan':
      return scanning(bound) as Made<never>;
    case 'Get':
      return (bound.find === undefined ? reading(bound) : finding(bound, bound.find)) as Made<never>;
    case 'Query':
    case 'TransactGet':
      return reading(bound) as Made<never>;
    case 'BatchGet':
      return readingBatch(bound, whole) as Made<never>;
    case 'BatchWrite':
      return writingBatch(bound) as Made<never>;
    default:
      return (isInChunks(bound.pattern.design) ? writingChunks(bound) : writing(bound)) as Made<never>;
  }
}

/** An input, and the values from which it was built. */
interface MadeOf {
  readonly input: Item;
  readonly values: object;
}

function reading({ name, pattern, request, sender, policy }: Bound): Made<MadeOf> {
  return {
    make: (values, given) => ({ input: request(values, given), values }),
    send: ({ input, values }, { onUnknown }) =>
      sender.sent(name, request.command, input, (output, seen) => request.read(output, policy(seen, onUnknown)), {
        read: { pattern, values },
      }),
  };
}

/** Reads the guard, and then the item that the guard identifies; returns undefined if the guard is missing or stale. */
function finding({ name, request, sender, policy }: Bound, find: NonNullable<Bound['find']>): Made<Item> {
  return {
    make: (values, given) => request(values, given),
    async send(input, { onUnknown }) {
      const guard = await sender.sent(name, 'Get', input, (output) => output);
      const next = find.next(guard, input);
      if (next === undefined) return undefined;
      return sender.sent(name, 'Get', next, (output, seen) => {
        const isOwn = output.Item === undefined || find.holds(output.Item as Item, input);
        return isOwn ? request.read(output, policy(seen, onUnknown)) : undefined;
      });
    },
  };
}

function scanning(bound: Bound): Made<MadeOf> {
  const { name, pattern, request, sender, policy } = bound;
  return {
    make(values, given) {
      refuseUnpaced(name, given);
      return { input: request(values, given), values };
    },
    async send({ input, values }, { pace, onUnknown }) {
      await pace?.ready();
      const read = (output: Item, seen: Seen) => {
        pace?.used(seen.capacity ?? 0);
        return request.read(output, policy(seen, onUnknown));
      };
      return sender.sent(name, 'Scan', input, read, { read: { pattern, values } });
    },
  };
}

/** The queries for one page across several partitions, and the tag of the list of partitions. */
interface MadeOfMany {
  readonly queries: readonly PartitionQuery[];
  readonly tag: string | undefined;
}

/**
 * Returns the functions that run a query over a list of partitions, or over all shards unless the caller passes one
 * `shard`.
 */
export function fanning(bound: Bound, table: TableOutline, fan: Fan): Made<MadeOf | MadeOfMany> {
  const { name, pattern, request, sender, policy } = bound;
  const one = reading(bound);
  const access = pattern.accesses[0] as Access;
  const keys = cursorKeys(table, access);
  const { order, pageSize, merge } = pattern.design as QueryPattern;
  return {
    make(values, given) {
      if (fan.each === undefined && (values as Item).shard !== undefined) return one.make(values, given);
      const { each } = fan;
      const queries = fanQueries(name, fan, values, given, (scope, options) => {
        const own = each === undefined ? scope : { ...scope, [each]: [(scope as Item)[each]] };
        return withKeys(request(own, options), keys);
      });
      return { queries, tag: tagOf(fan, values) };
    },
    async send(made, given) {
      if ('input' in made) return one.send(made, given);
      const isDescending = (given.order ?? order) === 'descending';
      const isMerged = fan.each === undefined || merge === true;
      const { queries, tag } = made;
      const options = { isDescending, size: given.limit ?? pageSize, isMerged, tag };
      const { items, cursor } = await fanPage(name, access, keys, queries, options, (input, values) =>
        sender.sent(name, 'Query', input, (output) => output, { read: { pattern, values } }),
      );
      const seen: Seen = {};
      const page = request.read({ Items: items }, policy(seen, given.onUnknown)) as Page<unknown>;
      if (seen.unknown !== undefined) await sender.observed(name, 'Query', async (own) => Object.assign(own, seen));
      return cursor === undefined ? page : { ...page, cursor };
    },
  };
}

function readingBatch({ name, request, sender, policy }: Bound, whole: Builder): Made<Item> {
  return {
    make: (values, given) => whole(values, given),
    send: (input, { onUnknown }) =>
      readBatch(name, input, (part) =>
        sender.sent(name, 'BatchGet', part, ({ UnprocessedKeys, ...output }, seen) => ({
          page: request.read(output, policy(seen, onUnknown)) as Page<unknown>,
          left: Object.values((UnprocessedKeys ?? {}) as Record<string, { Keys: Item[] }>).flatMap(({ Keys }) => Keys),
        })),
      ),
  };
}

/** Sends one write, or all writes of a transaction. */
function writing({ name, request, sender, prepare }: Bound): Made<{ writes: readonly PreparedWrite[]; input: Item }> {
  const { command } = request;
  return {
    make(values, given) {
      const writes = prepare(values);
      refuseTooLarge(name, writes);
      if (command !== 'TransactWrite') return { writes, input: shown(writes[0] as PreparedWrite).input };
      return { writes, input: { ...transactInput(name, writes.map(shown)), ...tokenOf(name, given) } };
    },
    send: ({ writes, input }) =>
      sender.sent(name, command, input, (output) => request.read(output, 'throw'), { writes }),
  };
}

/** Whether a pattern splits its writes into as many transactions as needed. */
export function isInChunks(design: PatternDesign): boolean {
  return design.op === 'transaction' && design.atomic === false;
}

interface Chunk {
  /** The number of list elements that this part writes. */
  count: number;
  readonly writes: PreparedWrite[];
}

/**
 * Splits the writes of a list into transactions, each as large as allowed; all writes of one element stay in one
 * transaction.
 */
function chunksOf(name: string, writes: readonly PreparedWrite[]): readonly Chunk[] {
  const listOf = ({ step }: PreparedWrite) => (step as { readonly each?: string }).each;
  const shared = writes.filter((write) => listOf(write) === undefined && write.unique === undefined);
  const elements = new Map<unknown, PreparedWrite[]>();
  let element: unknown;
  for (const write of writes) {
    const list = listOf(write);
    // In `writes`, an item's guard writes directly follow the item's own write.
    if (list !== undefined) element = (write.values as Item)[list];
    else if (write.unique === undefined) continue;
    elements.set(element, [...(elements.get(element) ?? []), write]);
  }
  const chunks: Chunk[] = [];
  for (const own of elements.values()) {
    const last = chunks.at(-1);
    const together = [...(last?.writes ?? []), ...own];
    if (last !== undefined && together.length <= TRANSACTION_ITEMS && fits(name, together)) {
      last.writes.push(...own);
      last.count++;
    } else chunks.push({ count: 1, writes: [...shared, ...own] });
  }
  return chunks;
}

function fits(name: string, writes: readonly PreparedWrite[]): boolean {
  try {
    refuseTooLarge(name, writes);
    return true;
  } catch {
    return false;
  }
}

/** Sends the parts of a transaction one after another, and stops at the first part that fails. */
function writingChunks({ name, sender, prepare }: Bound): Made<{ values: object; chunks: readonly SentChunk[] }> {
  return {
    make(values, given) {
      const parts = chunksOf(name, prepare(values));
      const chunks = parts.map(({ count, writes }, i) => {
        refuseTooLarge(name, writes);
        const token = given.token === undefined ? given : { token: `${given.token}.${i}` };
        return { count, writes, input: { ...transactInput(name, writes.map(shown)), ...tokenOf(name, token) } };
      });
      return { values, chunks };
    },
    async send({ values, chunks }) {
      let done = 0;
      for (const [i, { count, writes, input }] of chunks.entries()) {
        try {
          await sender.sent(name, 'TransactWrite', input, () => undefined, { writes });
        } catch (error) {
          const left = chunks.slice(i);
          const all = done + left.reduce((sum, chunk) => sum + chunk.count, 0);
          const message = `${sender.tableName}: ${name}: ${all - done} of ${all} elements were not written: ${(error as Error).message}`;
          const listed = left.flatMap((chunk) => chunk.writes.filter(({ step }) => 'each' in step));
          throw new UnfinishedBatch(message, leftOf(values, listed), error, done);
        }
        done += count;
      }
      return { done };
    },
  };
}

interface SentChunk extends Chunk {
  readonly input: Item;
}

/**
 * Asks DynamoDB to return the stored item if the condition of a write fails, so that the error can explain the failure.
 */
export function shown(write: PreparedWrite): PreparedWrite {
  // Never asks for a stored guard, because the response would reveal the guard's owner.
  if (write.input.ConditionExpression === undefined || write.unique !== undefined) return write;
  return { ...write, input: { ...write.input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } };
}

function writingBatch({ name, sender, prepare }: Bound): Made<{ values: object; writes: readonly PreparedWrite[] }> {
  return {
    make(values) {
      const writes = prepare(values);
      for (const write of writes) refuseTooLarge(name, [write]);
      return { values, writes };
    },
    async send({ values, writes }) {
      const { left, ...failed } = await writeBatch(writes, (input, part) =>
        sender.sent(name, 'BatchWrite', input, (output) => output, { writes: part }),
      );
      if (left.length === 0) return {};
      const rest = leftOf(values, left);
      if (!('error' in failed)) return { left: rest };
      const reason = failed.error instanceof Error ? failed.error.message : String(failed.error);
      const message = `${sender.tableName}: ${name}: ${left.length} of ${writes.length} writes did not complete: ${reason}`;
      throw new UnfinishedBatch(message, rest, failed.error);
    },
  };
}

/** The call's values, with each list reduced to the elements that were not written. */
function leftOf(values: object, left: readonly PreparedWrite[]): object {
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
