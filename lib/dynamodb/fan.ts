import type { Access } from '../blueprint/accesses';
import { PARTITIONS } from '../blueprint/clouds';
import type { KeyAttribute } from '../blueprint/outline';
import type { Fan } from '../blueprint/template-parts';
import { CursorError, writeCursor } from '../items/cursor';
import { scopesOf } from '../items/each';
import { type Item, ItemError } from '../items/item';
import { sideBySide } from '../items/side-by-side';
import type { ReadOptions } from './read';

/**
 * Splits the values of a call into one set of values per query. Each element of the list gets one query, or one query
 * per shard.
 */
export function fanScopes(name: string, { each, shards }: Fan, values: object): readonly object[] {
  // Removes repeated elements, because they identify the same partition.
  const listed =
    each === undefined
      ? [values]
      : [
          ...new Map(
            scopesOf(name, each, values).map((scope) => {
              const element = (scope as Item)[each];
              return [JSON.stringify(element), scope] as const;
            }),
          ).values(),
        ];
  const isOne = shards === undefined || (values as Item).shard !== undefined;
  const scopes = isOne
    ? listed
    : listed.flatMap((scope) => Array.from({ length: shards }, (_, shard) => ({ ...scope, shard })));
  if (scopes.length > PARTITIONS)
    throw new ItemError(
      `${name}: ${scopes.length} partitions exceed the limit of ${PARTITIONS} per call; pass fewer elements of '${each}'`,
    );
  return scopes;
}

/**
 * The query for one partition, and the cursor where it starts; `input` is undefined if the partition has already been
 * read to the end.
 */
export interface PartitionQuery {
  readonly start: string;
  /** The values for this query. */
  readonly values: object;
  readonly input?: Item;
}

/** Returns the queries for one page across several partitions. */
export function fanQueries(
  name: string,
  fan: Fan,
  values: object,
  { cursor, ...options }: ReadOptions,
  ask: (scope: object, options: ReadOptions) => Item,
): readonly PartitionQuery[] {
  const scopes = fanScopes(name, fan, values);
  return startsIn(name, scopes.length, tagOf(fan, values), cursor).map((start, i) => {
    const scope = scopes[i] as object;
    if (start === DONE) return { start, values: scope };
    return { start, values: scope, input: ask(scope, start === '' ? options : { ...options, cursor: start }) };
  });
}

/** The items that were read from one partition, and the key after which to continue. */
interface Partition {
  readonly items: readonly Item[];
  /** The key of the last item that DynamoDB examined; undefined at the end of the partition. */
  readonly last?: Item;
  taken: number;
}

/** Marks a finished partition in a cursor over partitions; an empty string marks a partition that was not started. */
const DONE = '0';

export interface FanOptions {
  readonly isDescending: boolean;
  readonly size: number | undefined;
  /** Whether the page merges the partitions by sort key, instead of listing them one after another. */
  readonly isMerged: boolean;
  /** Identifies the list of partitions that the cursor belongs to. */
  readonly tag: string | undefined;
}

/**
 * Reads one page over several partitions. A merged page queries all unfinished partitions in parallel, and takes only
 * items that no unread item can precede. An unmerged page takes items from one partition after another. Items that this
 * page read but did not take are read again for the next page.
 */
export async function fanPage(
  name: string,
  { key }: Access,
  keys: readonly KeyAttribute[],
  queries: readonly PartitionQuery[],
  { isDescending, size = Infinity, isMerged, tag }: FanOptions,
  ask: (input: Item, values: object) => Promise<Item>,
): Promise<{ readonly items: readonly Item[]; readonly cursor?: string }> {
  const read = Array<Partition | undefined>(queries.length).fill(undefined);
  const readAt = async (at: number) => {
    const { input, values } = queries[at] as PartitionQuery;
    const output = await ask(input as Item, values);
    read[at] = { items: output.Items as Item[], last: output.LastEvaluatedKey as Item | undefined, taken: 0 };
  };
  const open = queries.flatMap(({ input }, at) => (input === undefined ? [] : [at]));
  const items: Item[] = [];
  if (isMerged) {
    await sideBySide(open, readAt);
    const isBefore = orderOf(key?.sortBy ?? [], isDescending);
    while (items.length < size) {
      const next = nextOf(read, isBefore);
      if (next === undefined) break;
      items.push(next.items[next.taken++] as Item);
    }
  } else {
    // A page with a size limit reads one partition at a time, because the first partition often fills the page.
    const width = size === Infinity ? 4 : 1;
    for (let isOpen = true; isOpen && open.length > 0 && items.length < size; ) {
      const group = open.splice(0, width);
      await sideBySide(group, readAt);
      for (const at of group) {
        const partition = read[at] as Partition;
        if (!isOpen) break;
        partition.taken = Math.min(partition.items.length, size - items.length);
        items.push(...partition.items.slice(0, partition.taken));
        isOpen = partition.last === undefined && partition.taken === partition.items.length;
      }
    }
  }
  const ends = queries.map(({ start }, at) => {
    const partition = read[at];
    if (partition === undefined) return start;
    const { items: own, taken, last } = partition;
    if (taken === own.length) return last === undefined ? DONE : writeCursor(name, keys, last);
    return taken === 0 ? start : writeCursor(name, keys, own[taken - 1] as Item);
  });
  if (ends.every((end) => end === DONE)) return { items };
  return { items, cursor: [...(tag === undefined ? [] : [tag]), ...ends].join('.') };
}

type IsBefore = (a: Item | undefined, b: Item | undefined) => boolean;

function orderOf(sortBy: readonly KeyAttribute[], isDescending: boolean): IsBefore {
  return (a, b) => {
    for (const { name } of sortBy) {
      if (isLess(a?.[name], b?.[name])) return !isDescending;
      if (isLess(b?.[name], a?.[name])) return isDescending;
    }
    return false;
  };
}

/**
 * Returns the partition that has the next item, or undefined if an unfinished partition may still return an earlier
 * item.
 */
function nextOf(read: readonly (Partition | undefined)[], isBefore: IsBefore): Partition | undefined {
  let next: Partition | undefined;
  for (const partition of read) {
    const item = partition?.items[partition.taken];
    if (item !== undefined && (next === undefined || isBefore(item, next.items[next.taken]))) next = partition;
  }
  const first = next?.items[next.taken];
  const isOpen = (partition: Partition | undefined) =>
    partition?.last !== undefined && partition.taken === partition.items.length;
  return read.some((partition) => isOpen(partition) && isBefore(partition?.last, first)) ? undefined : next;
}

/** Compares like DynamoDB: numbers by value, strings and binary values by their bytes. */
function isLess(a: unknown, b: unknown): boolean {
  const [x, y] = [a, b].map((value) => (typeof value === 'string' ? new TextEncoder().encode(value) : value));
  return x instanceof Uint8Array && y instanceof Uint8Array ? isLessByBytes(x, y) : (a as number) < (b as number);
}

function isLessByBytes(a: Uint8Array, b: Uint8Array): boolean {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at === -1 ? a.length < b.length : at < b.length && (a[at] as number) < (b[at] as number);
}

/**
 * Returns the tag that identifies a list of partitions in a cursor. The keys in a cursor cannot identify the list,
 * because a finished or unstarted partition has no key in the cursor.
 */
export function tagOf({ each }: Fan, values: object): string | undefined {
  if (each === undefined) return undefined;
  let hash = 0;
  for (const unit of JSON.stringify((values as Item)[each])) hash = (Math.imul(hash, 31) + unit.charCodeAt(0)) | 0;
  return `l${(hash >>> 0).toString(36)}`;
}

/** Splits a cursor into the cursors of the partitions; each query checks the contents of its cursor. */
function startsIn(name: string, count: number, tag: string | undefined, cursor: string | undefined): readonly string[] {
  if (cursor === undefined) return Array<string>(count).fill('');
  const parts = typeof cursor === 'string' ? cursor.split('.') : [];
  const starts = tag === undefined ? parts : parts.slice(1);
  if (starts.length === count && (tag === undefined || parts[0] === tag)) return starts;
  throw new CursorError(
    `the cursor is not from '${name}'${tag === undefined ? '' : ' with the same list'}; use the previous page's cursor`,
  );
}

/** Extends a query's projection with the keys that are needed to merge the items and to resume after them. */
export function withKeys(input: Item, keys: readonly KeyAttribute[]): Item {
  const { ProjectionExpression: selected, ExpressionAttributeNames: names } = input as {
    ProjectionExpression?: string;
    ExpressionAttributeNames: Record<string, string>;
  };
  if (selected === undefined) return input;
  const there = selected.split(', ').map((placeholder) => names[placeholder]);
  const more = keys.filter(({ name }) => !there.includes(name)).map(({ name }, i) => [`#k${i}`, name] as const);
  return {
    ...input,
    ProjectionExpression: [selected, ...more.map(([placeholder]) => placeholder)].join(', '),
    ExpressionAttributeNames: { ...names, ...Object.fromEntries(more) },
  };
}
