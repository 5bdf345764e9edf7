import { BATCH_ITEMS } from '../blueprint/clouds';
import { keyText } from '../items/cursor';
import type { Item } from '../items/item';
import type { Page } from '../items/result';
import { batchWriteInput } from './batch-input';
import { keyOfWrite, type PlannedWrite } from './write';

/** How often the rest of a batch is sent again without any progress. */
const ATTEMPTS = 5;

/** How many parts of a batch are sent at once. */
const SIDE_BY_SIDE = 4;

/**
 * Reads any number of keys. A response holds at most 16 MB, and a busy table reads only some of the keys: the rest is sent
 * again, more and more slowly, as long as there is progress.
 */
export async function readBatch<I>(
  name: string,
  input: Item,
  send: (input: Item) => Promise<{ readonly page: Page<I>; readonly left: readonly Item[] }>,
): Promise<Page<I>> {
  const [[table, { Keys, ...rest }] = ['', { Keys: [] }]] = Object.entries(input.RequestItems as Requested);
  const items: I[] = [];
  let unknown = 0;
  await sideBySide(parted(Keys, BATCH_ITEMS.batchGet), async (part) => {
    const left = await untilDone(part, async (keys) => {
      const got = await send({ RequestItems: { [table]: { Keys: keys, ...rest } } });
      items.push(...got.page.items);
      unknown += got.page.unknown ?? 0;
      return got.left;
    });
    if (left.length > 0) throw new Error(`${name}: ${left.length} of its keys were not read; send it again`);
  });
  return unknown === 0 ? { items } : { items, unknown };
}

type Requested = Readonly<Record<string, { readonly Keys: readonly Item[] }>>;

/** Does any number of writes; returns those that are left, and the error if there was one. */
export async function writeBatch(
  writes: readonly PlannedWrite[],
  send: (input: Item) => Promise<Item>,
): Promise<{ readonly left: readonly PlannedWrite[]; readonly error?: unknown }> {
  const remaining: PlannedWrite[] = [];
  let failed: { readonly error?: unknown } = {};
  await sideBySide(parted(writes, BATCH_ITEMS.batchWrite), async (part) => {
    let left = part;
    try {
      left = await untilDone(part, async (pending) => {
        // A part that fails may have been done by half: all of it counts as left.
        left = pending;
        const output = await send(batchWriteInput(pending));
        const unprocessed = Object.values((output.UnprocessedItems ?? {}) as Record<string, Item[]>).flat();
        const keys = new Set(unprocessed.map((request) => textOfKey(pending[0] as PlannedWrite, request)));
        return pending.filter((write) => keys.has(keyText(keyOfWrite(write))));
      });
    } catch (error) {
      failed = { error };
    }
    remaining.push(...left);
  });
  return { left: remaining, ...failed };
}

/** The key of an item that DynamoDB reports as not written. */
function textOfKey(like: PlannedWrite, request: Item): string {
  const { PutRequest, DeleteRequest } = request as { PutRequest?: { Item: Item }; DeleteRequest?: { Key: Item } };
  const input = { Key: DeleteRequest?.Key, Item: PutRequest?.Item };
  return keyText(keyOfWrite({ ...like, input: input as Item }));
}

/** Repeats the work until nothing is left, or there was no progress too often; returns what is left. */
async function untilDone<T>(all: readonly T[], work: (part: readonly T[]) => Promise<readonly T[]>) {
  let left = await work(all);
  let before = all.length;
  for (let attempt = 1; left.length > 0 && attempt <= ATTEMPTS; attempt++) {
    if (left.length < before) attempt = 1;
    before = left.length;
    await pause(attempt);
    left = await work(left);
  }
  return left;
}

/** Up to twice as long each time, and random, so that waiting callers do not all come back at once. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 25 * 2 ** attempt));
}

function parted<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));
}

/** Works on all parts, a few at a time. */
export async function sideBySide<T>(parts: readonly T[], work: (part: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < parts.length) await work(parts[next++] as T);
  };
  await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, parts.length) }, worker));
}
