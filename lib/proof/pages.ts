import { fanOf } from '../blueprint/template-parts';
import type { PatternDesign, QueryPattern, ScanPattern } from '../design/pattern';
import { counted } from '../design/show';
import type { Item } from '../items/item';
import type { Look } from './cases';
import type { Stage, Tally } from './stage';

type Pages = readonly (readonly Item[])[];

/**
 * Returns the problem with a read's pages, if there is one. Each page must be read with one request (or one per
 * partition) that asks for the pattern's page size and continues where the previous page ended. If all items fit on one
 * page, the proof repeats the read with smaller pages.
 * @param mismatch returns the problem with the items that a read returned, if there is one
 */
export async function wrongPages(
  stage: Stage,
  pattern: PatternDesign,
  look: Look,
  pages: Pages,
  { requests }: Tally,
  mismatch: (items: readonly Item[]) => string | undefined,
): Promise<string | undefined> {
  // A `find` sends one request for the guard and a second request for the item.
  const shards =
    pattern.op === 'find'
      ? 2
      : 'keys' in pattern && stage.readsOneByOne
        ? Infinity
        : partitionsOf(pattern, look.values as Item);
  if (requests < pages.length || requests > pages.length * shards) {
    const expected = shards === 1 ? 'one request per page' : `1 to ${shards} requests per page`;
    return `expected ${expected}, got ${requests} for ${counted(pages.length, 'page')}`;
  }
  const size = isPaged(pattern) ? pattern.pageSize : undefined;
  if (size === undefined) return pages.length === 1 ? undefined : `expected one page, got ${pages.length}`;
  const other = stage.asked.find((limit) => limit !== size);
  if (other !== undefined || stage.asked.length === 0)
    return `expected pages of ${size} to be requested, got ${other ?? 'none'}`;
  if (pages.length > 1) return shortPage(pattern, pages, size);
  const { length } = pages.flat();
  if (length < 2) return `expected at least two items, to show that a read continues on the next page`;
  const small = Math.ceil(length / 2);
  const smaller = await stage.pages(look, small);
  const failure =
    mismatch(smaller.flat()) ??
    (smaller.length < 2 ? 'expected more than one page, got one' : shortPage(pattern, smaller, small));
  return failure && `in pages of ${small}: ${failure}`;
}

/** The number of partitions that a read queries. */
function partitionsOf(pattern: PatternDesign, values: Item): number {
  const { each, shards = 1 } = fanOf(pattern) ?? { each: undefined };
  return shards * (each === undefined ? 1 : (values[each] as readonly unknown[]).length);
}

function isPaged(pattern: PatternDesign): pattern is QueryPattern | ScanPattern {
  return pattern.op === 'query' || pattern.op === 'scan';
}

/**
 * Finds a page that is too short. Every page except the last must be full, unless a filter drops items after the read.
 */
function shortPage(pattern: PatternDesign, pages: Pages, size: number): string | undefined {
  if (pattern.op !== 'query' || pattern.filter !== undefined || pattern.unexpired) return undefined;
  const short = pages.slice(0, -1).find((page) => page.length !== size);
  return short && `expected pages of ${size}, got a page of ${short.length}`;
}
