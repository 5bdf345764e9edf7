import type { Access } from '../blueprint/accesses';
import type { KeyAttribute } from '../blueprint/outline';
import { CursorError, writeCursor } from '../items/cursor';
import type { Item } from '../items/item';
import { sideBySide } from './batch';
import type { ReadOptions } from './read';

/** Queries one shard, and returns the raw output. */
export type AskShard = (shard: number, options: ReadOptions) => Promise<Item>;

/** What was read from one shard, and where it continues. */
interface Shard {
  readonly items: readonly Item[];
  /** The key of the last item that DynamoDB looked at, if there is more. */
  readonly last?: Item;
  /** The cursor that it was read from. */
  readonly start: string;
  taken: number;
}

/** In a cursor over shards, marks a shard that was read to its end; an empty text is one that was not begun. */
const DONE = '0';

/**
 * A page over every shard, in the order of the sort key: all shards that are not at their end are queried side by side, and the
 * page takes the items that are sure to come next. Items that were read but not taken are read again for the next page.
 */
export async function fanPage(
  name: string,
  { key }: Access,
  keys: readonly KeyAttribute[],
  shards: number,
  given: ReadOptions & { readonly isDescending: boolean; readonly size: number | undefined },
  ask: AskShard,
): Promise<{ readonly items: readonly Item[]; readonly cursor?: string }> {
  const { cursor, isDescending, size = Infinity, ...options } = given;
  const starts = startsIn(name, shards, cursor);
  const read: (Shard | undefined)[] = starts.map(() => undefined);
  const open = Array.from(starts.keys()).filter((i) => starts[i] !== DONE);
  await sideBySide(open, async (i) => {
    const start = starts[i] as string;
    const output = await ask(i, { ...options, ...(start === '' ? {} : { cursor: start }) });
    read[i] = { items: output.Items as Item[], last: output.LastEvaluatedKey as Item | undefined, start, taken: 0 };
  });
  const isBefore = (a: Item | undefined, b: Item | undefined): boolean => {
    for (const { name } of key?.sortBy ?? []) {
      if (isLess(a?.[name], b?.[name])) return !isDescending;
      if (isLess(b?.[name], a?.[name])) return isDescending;
    }
    return false;
  };
  const items: Item[] = [];
  while (items.length < size) {
    const next = nextOf(read, isBefore);
    if (next === undefined) break;
    items.push(next.items[next.taken++] as Item);
  }
  const ends = read.map((shard) => {
    if (shard === undefined) return DONE;
    if (shard.taken === shard.items.length)
      return shard.last === undefined ? DONE : writeCursor(name, keys, shard.last);
    if (shard.taken === 0) return shard.start;
    return writeCursor(name, keys, shard.items[shard.taken - 1] as Item);
  });
  return ends.every((end) => end === DONE) ? { items } : { items, cursor: ends.join('.') };
}

/** The shard with the next item; undefined if another shard that is not at its end may have an earlier one. */
function nextOf(
  read: readonly (Shard | undefined)[],
  isBefore: (a: Item | undefined, b: Item | undefined) => boolean,
): Shard | undefined {
  let next: Shard | undefined;
  for (const shard of read) {
    const item = shard?.items[shard.taken];
    if (item !== undefined && (next === undefined || isBefore(item, next.items[next.taken]))) next = shard;
  }
  const first = next?.items[next.taken];
  const isOpen = (shard: Shard | undefined) => shard?.last !== undefined && shard.taken === shard.items.length;
  return read.some((shard) => isOpen(shard) && isBefore(shard?.last, first)) ? undefined : next;
}

/** As DynamoDB sorts: numbers by value, strings and binary values by their bytes. */
function isLess(a: unknown, b: unknown): boolean {
  const [x, y] = [a, b].map((value) => (typeof value === 'string' ? new TextEncoder().encode(value) : value));
  return x instanceof Uint8Array && y instanceof Uint8Array ? isLessByBytes(x, y) : (a as number) < (b as number);
}

function isLessByBytes(a: Uint8Array, b: Uint8Array): boolean {
  const at = a.findIndex((byte, i) => byte !== b[i]);
  return at === -1 ? a.length < b.length : at < b.length && (a[at] as number) < (b[at] as number);
}

/** The cursor of each shard; the query that gets it checks its contents. */
function startsIn(name: string, shards: number, cursor: string | undefined): readonly string[] {
  if (cursor === undefined) return Array<string>(shards).fill('');
  const starts = typeof cursor === 'string' ? cursor.split('.') : [];
  if (starts.length === shards) return starts;
  throw new CursorError(`the cursor is not from '${name}'; use the one that came with the page`);
}

/** The same query, which also selects the keys that are needed to merge its items and to continue. */
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

/** The sum of the counts of all shards, which are counted side by side. */
export async function fanCount(shards: number, count: (shard: number) => Promise<number>): Promise<number> {
  let sum = 0;
  await sideBySide(
    Array.from({ length: shards }, (_, i) => i),
    async (i) => {
      const found = await count(i);
      sum += found;
    },
  );
  return sum;
}
