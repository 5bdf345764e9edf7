import { BATCH_ITEMS } from '../blueprint/clouds';
import { keyText } from '../items/cursor';
import type { Item } from '../items/item';
import type { Page } from '../items/result';
import { batchWriteInput } from './batch-input';
import { RequestError } from './errors';
import { keyOfWrite, type PreparedWrite } from './write';

/** The batch gives up after this many consecutive rounds in which DynamoDB accepts nothing. */
const ATTEMPTS = 5;

/** The maximum number of parts of a batch that are in flight at once. */
const SIDE_BY_SIDE = 4;

/** The elements of a batch that were not processed, and the error that ended the batch, if any. */
interface Rest<T> {
  readonly left: readonly T[];
  readonly error?: unknown;
}

/**
 * Reads the items with these keys, in several requests if necessary: a response contains at most 16 MB, and DynamoDB
 * reads only some of the keys if it throttles the table.
 */
export async function readBatch<I>(
  name: string,
  input: Item,
  send: (input: Item) => Promise<{ readonly page: Page<I>; readonly left: readonly Item[] }>,
): Promise<Page<I>> {
  const [[table, { Keys, ...rest }] = ['', { Keys: [] }]] = Object.entries(input.RequestItems as Requested);
  const items: I[] = [];
  let unknown = 0;
  const { left, ...refused } = await inParts(Keys, BATCH_ITEMS.batchGet, async (keys) => {
    const got = await send({ RequestItems: { [table]: { Keys: keys, ...rest } } });
    items.push(...got.page.items);
    unknown += got.page.unknown ?? 0;
    return got.left;
  });
  if ('error' in refused) throw refused.error;
  if (left.length > 0) throw new Error(`${table}: ${name}: keys not read: ${left.length}; retry the call`);
  return unknown === 0 ? { items } : { items, unknown };
}

type Requested = Readonly<Record<string, { readonly Keys: readonly Item[] }>>;

/** Sends any number of writes, and returns the writes that DynamoDB did not process. */
export function writeBatch(
  writes: readonly PreparedWrite[],
  send: (input: Item, writes: readonly PreparedWrite[]) => Promise<Item>,
): Promise<Rest<PreparedWrite>> {
  return inParts(writes, BATCH_ITEMS.batchWrite, async (part) => {
    const output = await send(batchWriteInput(part), part);
    const unprocessed = Object.values((output.UnprocessedItems ?? {}) as Record<string, Item[]>).flat();
    const keys = new Set(unprocessed.map((request) => textOfKey(part[0] as PreparedWrite, request)));
    return part.filter((write) => keys.has(keyText(keyOfWrite(write))));
  });
}

/** Returns the key, as a string, of an item that DynamoDB reports as unprocessed. */
function textOfKey(like: PreparedWrite, request: Item): string {
  const { PutRequest, DeleteRequest } = request as { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };
  const input = { Key: DeleteRequest?.Key, Item: PutRequest?.Item };
  return keyText(keyOfWrite({ ...like, input: input as Item }));
}

/**
 * Sends a batch in rounds of a few parts, and adapts the pace to throttling. If DynamoDB throttles even one item, the
 * next round has half as many parts and starts after a longer pause (exponential backoff). Only a fully accepted round
 * speeds the batch up again. After a refusal, the batch sends nothing more. A refused part may have been partly
 * processed, so all its elements count as unprocessed.
 */
export async function inParts<T>(
  all: readonly T[],
  size: number,
  send: (part: readonly T[]) => Promise<readonly T[]>,
): Promise<Rest<T>> {
  let waiting = all;
  let parts = SIDE_BY_SIDE;
  let level = 0;
  for (let stalled = 0; waiting.length > 0 && stalled < ATTEMPTS; ) {
    const sent = waiting.slice(0, parts * size);
    const outcomes = await Promise.all(parted(sent, size).map((part) => outcomeOf(part, send)));
    const left = outcomes.flatMap((outcome) => outcome.left);
    waiting = [...left, ...waiting.slice(sent.length)];
    const refused = outcomes.find((outcome) => 'error' in outcome);
    if (refused !== undefined) return { left: waiting, error: refused.error };
    stalled = left.length === sent.length ? stalled + 1 : 0;
    parts = left.length > 0 ? Math.ceil(parts / 2) : Math.min(parts + 1, SIDE_BY_SIDE);
    level = left.length > 0 ? Math.min(level + 1, ATTEMPTS) : Math.max(level - 1, 0);
    if (level > 0 && waiting.length > 0 && stalled < ATTEMPTS) await pause(level);
  }
  return { left: waiting };
}

/** Returns the elements of one part that were not processed: all elements if DynamoDB throttled or refused the part. */
async function outcomeOf<T>(part: readonly T[], send: (part: readonly T[]) => Promise<readonly T[]>): Promise<Rest<T>> {
  try {
    return { left: await send(part) };
  } catch (error) {
    return error instanceof RequestError && error.kind === 'throttled' ? { left: part } : { left: part, error };
  }
}

/**
 * Waits with exponential backoff: each level roughly doubles the wait. Jitter keeps waiting callers from all retrying
 * at once.
 */
function pause(level: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, (0.5 + Math.random() / 2) * 25 * 2 ** level));
}

function parted<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}
