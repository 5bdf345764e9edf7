interface ReadPage<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
  readonly unknown?: number;
}

type ReadList<T> = (options: { readonly cursor?: string }) => Promise<ReadPage<T>>;

/** Reads a list page by page. */
export async function* pagesOf<T>(read: ReadList<T>): AsyncIterable<ReadPage<T>> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? {} : { cursor });
    yield page;
    cursor = page.cursor;
  } while (cursor !== undefined);
}

/**
 * All items of a list, from every page, for a decision. An unreadable item might change the decision, so then the function
 * throws, and `refusal` says why.
 */
export async function wholeList<T>(read: ReadList<T>, refusal: (unread: string) => Error): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const { items, unknown } of pagesOf(read)) {
    if (unknown) throw refusal(unknown === 1 ? '1 item is' : `${unknown} items are`);
    found.push(...items);
  }
  return found;
}
