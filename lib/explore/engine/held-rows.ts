import { outline, type TableOutline } from '../../blueprint/outline';
import { damaged } from '../../items/cursor';
import type { Item } from '../../items/item';
import { collect, Items, itemView, type Stored } from '../items';
import { rowsOf } from '../rows';
import type { Explored } from '../system';
import type { ItemView, RowsView } from '../view';
import type { Held } from './held';

/** The maximum number of items to read for one page, even if few match the filter. */
const LOOKED_THROUGH = 1000;

/** The number of items on a page. */
const PAGE = 100;

/**
 * Reads a page of a running table's items. The returned cursor also contains the number of items before the next page.
 */
export async function heldRows(
  held: Held,
  { name, table }: { readonly name: string; readonly table: TableOutline },
  index: string | undefined,
  { cursor, filter = '' }: { readonly cursor?: string | undefined; readonly filter?: string },
): Promise<RowsView> {
  const key = table.indexes.find((candidate) => candidate.name === index) ?? table.key;
  const { from, token } = placeIn(cursor);
  const items: ItemView[] = [];
  for (let next = token; ; ) {
    const page = await held.page(name, index, next);
    for (const item of page.items) items.push(itemView(table, { item }, from + items.length));
    next = page.cursor;
    const { partitions, total } = rowsOf(collect(key, items), { filter, size: items.length });
    if (next === undefined) return { partitions, from };
    if (total >= PAGE || items.length >= LOOKED_THROUGH)
      return { partitions, from, cursor: `${from + items.length}.${next}` };
  }
}

/** Parses a cursor, which may be forged. */
function placeIn(cursor: string | undefined): { readonly from: number; readonly token?: string } {
  if (cursor === undefined) return { from: 0 };
  const [, from, token] = /^(\d{1,12})\.([\w-]+)$/.exec(cursor) ?? [];
  if (from === undefined || token === undefined) throw damaged();
  return { from: Number(from), token };
}

/** Reads the first items of running tables, to fill forms with example values. Throws if a table does not exist. */
export async function sampled(
  held: Held,
  tables: readonly { readonly name: string }[],
): Promise<ReadonlyMap<string, readonly Item[]>> {
  const samples = new Map<string, readonly Item[]>();
  for (const { name } of tables) samples.set(name, (await held.page(name, undefined, undefined)).items);
  return samples;
}

/** The number of items to copy from each table. */
export const COPIED = 2000;

/** Reads the first items of each table in the design, to fill the copy that patterns run on. */
export async function copied({ system, items }: Explored, held: Held): Promise<ReadonlyMap<string, Items>> {
  const all = new Map<string, Items>();
  for (const table of items.keys()) {
    const known = outline(system.tables[table] as (typeof system.tables)[string]);
    const found: Stored[] = [];
    let cursor: string | undefined;
    do {
      const page = await held.page(table, undefined, cursor);
      for (const item of page.items) if (itemView(known, { item }, 0).entity !== undefined) found.push({ item });
      ({ cursor } = page);
    } while (cursor !== undefined && found.length < COPIED);
    all.set(table, new Items(known, found.slice(0, COPIED)));
  }
  return all;
}
