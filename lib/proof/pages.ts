import { fanOf } from '../blueprint/template-parts';
import type { PatternDesign, QueryPattern, ScanPattern } from '../design/pattern';
import type { Item } from '../items/item';
import type { Look } from './cases';
import type { Stage, Tally } from './stage';

type Pages = readonly (readonly Item[])[];

/**
 * What is wrong with the pages that a read came in, if anything: a page is one request, or one for each shard, of the size that the pattern says,
 * and it goes on where the last one ended. Where there are fewer items than a page holds, smaller pages show that.
 * @param mismatch what is wrong with items that the same read came to
 */
export async function wrongPages(
  stage: Stage,
  pattern: PatternDesign,
  look: Look,
  pages: Pages,
  { requests }: Tally,
  mismatch: (items: readonly Item[]) => string | undefined,
): Promise<string | undefined> {
  const shards = fanOf(pattern) ?? 1;
  if (requests < pages.length || requests > pages.length * shards) {
    const expected = shards === 1 ? 'one request a page' : `1 to ${shards} requests a page`;
    return `expected ${expected}, got ${requests} for ${pages.length}`;
  }
  const size = isPaged(pattern) ? pattern.pageSize : undefined;
  if (size === undefined) return pages.length === 1 ? undefined : `expected one page, got ${pages.length}`;
  const other = stage.limits.find((limit) => limit !== size);
  if (other !== undefined || stage.limits.length === 0)
    return `expected pages of ${size} to be asked for, got ${other ?? 'none'}`;
  if (pages.length > 1) return shortPage(pattern, pages, size);
  const { length } = pages.flat();
  if (length < 2) return `expected two items or more, to show that it goes on from page to page`;
  const small = Math.ceil(length / 2);
  const smaller = await stage.pages(look, small);
  const failure =
    mismatch(smaller.flat()) ??
    (smaller.length < 2 ? 'expected it to go on, got one page' : shortPage(pattern, smaller, small));
  return failure && `in pages of ${small}: ${failure}`;
}

function isPaged(pattern: PatternDesign): pattern is QueryPattern | ScanPattern {
  return pattern.op === 'query' || pattern.op === 'scan';
}

/** All pages but the last are full, unless items are dropped after they were read, as a scan does anyway. */
function shortPage(pattern: PatternDesign, pages: Pages, size: number): string | undefined {
  if (pattern.op !== 'query' || pattern.filter !== undefined || pattern.unexpired) return undefined;
  const short = pages.slice(0, -1).find((page) => page.length !== size);
  return short && `expected pages of ${size}, got one of ${short.length}`;
}
