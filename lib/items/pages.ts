import type { Page } from './result';

/** Ways to read all pages of a pattern, in order. */
export interface Paged<Values, I, Options> {
  /** Every page, except pages that a filter left empty. */
  pages(values: Values, options?: Options): AsyncIterable<Page<I>>;
  /** Every item of every page. */
  all(values: Values, options?: Options): AsyncIterable<I>;
  /** The first item; undefined if the read finds no items. */
  first(values: Values, options?: Options): Promise<I | undefined>;
  /** The number of items that `all` would return. */
  count(values: Values, options?: Options): Promise<number>;
}

interface AnyOptions {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

/**
 * @param isSieved whether the read drops items after the page limit has been applied, so that a page with a limit of
 * one may be empty
 * @param largest the page size for `count`; by default, the pattern's own page size
 */
export function paged<Values, I, Options extends AnyOptions>(
  run: (values: Values, options: Options) => Promise<Page<I>>,
  isSieved: boolean,
  largest?: number,
): Paged<Values, I, Options> {
  const pages = async function* (values: Values, options = {} as Options) {
    let given = options;
    while (true) {
      const page = await run(values, given);
      if (page.items.length > 0 || page.unknown !== undefined) yield page;
      if (page.cursor === undefined) return;
      given = { ...given, cursor: page.cursor };
    }
  };
  const all = async function* (values: Values, options?: Options) {
    for await (const { items } of pages(values, options)) yield* items;
  };
  return {
    pages,
    all,
    async first(values, options = {} as Options) {
      for await (const item of all(values, isSieved ? options : { limit: 1, ...options })) return item;
      return undefined;
    },
    async count(values, options = {} as Options) {
      let count = 0;
      // Reads the items instead of letting the database count them, because the database would also count items that
      // the read omits.
      for await (const { items } of pages(values, largest ? { limit: largest, ...options } : options))
        count += items.length;
      return count;
    },
  };
}
