import type { ItemView, PartitionView, RowsView } from './view';

/**
 * Items in the order of a table or an index: grouped by partition, and within a partition in the engine's sort order.
 */
export interface Collection {
  readonly partitions: readonly { readonly key: unknown; readonly rows: readonly ItemView[] }[];
  readonly size: number;
}

/** Which items to show. */
export interface Look {
  /** @default - the first page is shown */
  readonly cursor?: number;
  /** Text that a key, an attribute or the entity's name must contain. @default - all items are shown */
  readonly filter?: string;
  readonly size?: number;
}

const PAGE = 50;

/** A page of items with a known total. */
type Counted = RowsView & { readonly total: number; readonly cursor?: number };

export function rowsOf(collection: Collection, { cursor = 0, filter = '', size = PAGE }: Look): Counted {
  return pageOf(filtered(collection, filter), cursor, size);
}

function filtered({ partitions, size }: Collection, filter: string): Collection {
  const wanted = filter.trim().toLowerCase();
  if (wanted === '') return { partitions, size };
  const has = (value: unknown) => textOf(value).toLowerCase().includes(wanted);
  const kept = partitions.flatMap((partition) => {
    const rows = partition.rows.filter(
      ({ entity = '', name = '', attributes }) => has(entity) || has(name) || Object.values(attributes).some(has),
    );
    return rows.length === 0 ? [] : [{ key: partition.key, rows }];
  });
  return { partitions: kept, size: kept.reduce((sum, { rows }) => sum + rows.length, 0) };
}

/** Returns the rows at the cursor, up to the page size. A page can contain more than one partition. */
function pageOf({ partitions, size: total }: Collection, cursor: number, size: number): Counted {
  const page: PartitionView[] = [];
  let at = 0;
  for (const { key, rows } of partitions) {
    const from = Math.max(0, cursor - at);
    const until = Math.min(rows.length, cursor + size - at);
    if (from < until) page.push({ key, from, of: rows.length, rows: rows.slice(from, until) });
    at += rows.length;
    if (at >= cursor + size) break;
  }
  return { partitions: page, total, from: cursor, ...(cursor + size < total ? { cursor: cursor + size } : {}) };
}

/** Formats a value as text: a string unchanged, anything else as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
