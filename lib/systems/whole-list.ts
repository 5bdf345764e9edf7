interface ReadPage<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
  readonly unknown?: number;
}

/**
 * All items of a list that something is decided by, of every page. One that is not as designed may be the very one that would
 * decide otherwise: then nothing is decided, and `refusal` says why.
 */
export async function wholeList<T>(
  read: (options: { readonly cursor?: string }) => Promise<ReadPage<T>>,
  refusal: (unread: string) => Error,
): Promise<readonly T[]> {
  const found: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor === undefined ? {} : { cursor });
    if (page.unknown) throw refusal(page.unknown === 1 ? '1 item is' : `${page.unknown} items are`);
    found.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return found;
}
