import type { PatternDesign } from '../../../lib/design/pattern';
import type { Item } from '../../../lib/items/item';
import { wrongPages } from '../../../lib/proof/pages';
import type { Stage } from '../../../lib/proof/stage';

const query = { op: 'query', where: { PK: 'A' }, returns: ['Note'] } as const;
const paged = { ...query, pageSize: 100 };
const pagesOf = (...sizes: readonly number[]) => sizes.map((size) => Array.from({ length: size }, (): Item => ({})));

/**
 * Returns the fault that the proof finds in a read. `sizes` are the page sizes of the first run, and `smaller` those of
 * a second run, which requests smaller pages.
 */
function wrong(
  pattern: PatternDesign,
  sizes: readonly number[],
  { requests = sizes.length, asked = sizes.map(() => 100), smaller = [] as readonly number[] } = {},
) {
  const stage = { asked, pages: async () => pagesOf(...smaller) } as unknown as Stage;
  const look = { pattern: 'notes', values: {}, returns: [] };
  return wrongPages(stage, pattern, look, pagesOf(...sizes), { requests, capacity: 0 }, () => undefined);
}

test('reports a read that takes more than one request per page', async () => {
  expect(await wrong(query, [3], { requests: 2 })).toBe('expected one request per page, got 2 for 1 page');
  expect(await wrong(query, [3, 1])).toBe('expected one page, got 2');
  expect(await wrong(query, [3])).toBeUndefined();
});

test("reports a read that does not request the pattern's page size", async () => {
  expect(await wrong(paged, [3], { asked: [50] })).toBe('expected pages of 100 to be requested, got 50');
  expect(await wrong(paged, [3], { asked: [] })).toBe('expected pages of 100 to be requested, got none');
});

test('reports a page that is not full, unless it is the last page or a filter drops items after the read', async () => {
  expect(await wrong(paged, [100, 7])).toBeUndefined();
  expect(await wrong(paged, [99, 7])).toBe('expected pages of 100, got a page of 99');
  expect(await wrong({ ...paged, filter: { text: 'x' } }, [99, 7])).toBeUndefined();
  expect(await wrong({ ...paged, unexpired: true }, [99, 7])).toBeUndefined();
  expect(await wrong({ op: 'scan', returns: ['Note'], pageSize: 100 }, [99, 7])).toBeUndefined();
});

test('repeats a read that returns only one page, with pages half as long as its result', async () => {
  expect(await wrong(paged, [3], { smaller: [2, 1] })).toBeUndefined();
  expect(await wrong(paged, [3], { smaller: [3] })).toBe('in pages of 2: expected more than one page, got one');
  expect(await wrong(paged, [3], { smaller: [1, 1, 1] })).toBe('in pages of 2: expected pages of 2, got a page of 1');
  expect(await wrong(paged, [1])).toBe('expected at least two items, to show that a read continues on the next page');
});
