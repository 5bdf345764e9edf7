import type { Item } from '../items/item';

/** How often a batch is sent in all. */
const ATTEMPTS = 6;

/** Sends a batch until all of it is read. A table that is busy reads part of one, and says so where others would fail. */
export async function sendBatch(input: Item, send: (part: Item) => Promise<Item>): Promise<Item> {
  let output = await send(input);
  for (let attempt = 1; isLeft(output) && attempt < ATTEMPTS; attempt++) {
    await pause(attempt);
    const { Responses, UnprocessedKeys } = await send({ ...input, RequestItems: output.UnprocessedKeys });
    output = { ...output, Responses: joined(output.Responses as Answers, Responses as Answers), UnprocessedKeys };
  }
  return output;
}

type Answers = Readonly<Record<string, readonly Item[]>> | undefined;

function isLeft({ UnprocessedKeys }: Item): boolean {
  return Object.keys(UnprocessedKeys ?? {}).length > 0;
}

function joined(some: Answers = {}, more: Answers = {}): Answers {
  const all = Object.entries(more).map(([table, items]) => [table, [...(some[table] ?? []), ...items]]);
  return { ...some, ...Object.fromEntries(all) };
}

/** Up to twice as long each time, and by chance, so that those who wait do not come back together. */
function pause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * 25 * 2 ** attempt));
}
