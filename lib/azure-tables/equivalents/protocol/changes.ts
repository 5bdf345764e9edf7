import type { Item } from '../../../items/item';
import type { Entity } from '../../edm';
import { entityIn, flush, isFollowed, type Outgoing, pendingFor } from './outbox';
import type { Place } from './places';
import { COLUMN, entityFor, type Row, type RowKeys } from './row';
import { done, type RowWrite, removed, type Store, written } from './store';

/** The change to one row. */
export interface RowChange {
  readonly place: Place;
  readonly keys: RowKeys;
  /** The row that was read; undefined if the row did not exist. */
  readonly row: Row | undefined;
  /** The new content of the row. @default - the row stays unchanged */
  readonly entity?: Entity;
  /** The row's item and outbox after the change. */
  readonly next?: Outgoing;
}

type Found = Pick<RowChange, 'place' | 'keys' | 'row'>;

/**
 * Returns the change that writes an item to a row. If there is no item, the row becomes a tombstone, which keeps the
 * version and lists the index and mirror rows to delete.
 */
export function changeTo(found: Found, item: Item | undefined): RowChange {
  const { place, keys, row } = found;
  const outbox = pendingFor(place, row, item);
  // Versions are times, so that a new item gets a later version even after the sweeper has removed the tombstone of the
  // old item.
  const version = Math.max((row?.version ?? 0) + 1, Date.now());
  const entity = entityFor(keys, { version, item, outbox, entity: item && entityIn(place, item) });
  return { ...found, entity, next: { ...keys, etag: '', version, item, outbox, before: row?.item } };
}

/** Changes to rows of one partition. Azure applies them atomically. */
export interface Group {
  readonly place: Place;
  readonly changes: readonly RowChange[];
}

export function groupsOf(changes: readonly RowChange[]): readonly Group[] {
  const groups = new Map<string, RowChange[]>();
  for (const change of changes) {
    const key = JSON.stringify([change.place.base.name, change.keys.partitionKey]);
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  return Array.from(groups.values(), (own) => ({ place: (own[0] as RowChange).place, changes: own }));
}

/**
 * Applies a group's changes in one request, and then updates the index and mirror rows. Returns false if another client
 * has changed one of the rows.
 */
export async function changed(store: Store, group: Group): Promise<boolean> {
  const { place, changes } = group;
  const [alone] = changes;
  if (changes.length === 1 && alone?.row?.item !== undefined && isPlainDelete(alone, alone.row.item))
    return removed(store, place.base.name, alone.row);
  const writes = changes.map(({ entity, row, keys }): RowWrite => {
    if (row === undefined) return { kind: 'create', entity: entity as Entity };
    // Writes to the row without changing its item, so that the batch fails if another client has changed the row.
    return entity === undefined
      ? { kind: 'merge', entity: { ...keys, [COLUMN.lock]: '' }, etag: row.etag }
      : { kind: 'replace', entity, etag: row.etag };
  });
  const etags = await written(store, place.base.name, writes);
  if (etags === undefined) return false;
  await done(flushAll(store, group, etags));
  return true;
}

/**
 * Whether a row can be deleted without leaving a tombstone, because the item has never had index or mirror rows.
 * Otherwise, a tombstone must keep the version: if a new item had a lower version than the tombstones of its index and
 * mirror rows, these rows would never be written.
 */
function isPlainDelete({ place, next }: RowChange, item: Item): boolean {
  return next !== undefined && next.item === undefined && next.outbox.length === 0 && !isFollowed(place, item);
}

export async function flushAll(store: Store, { place, changes }: Group, etags: readonly string[]): Promise<void> {
  await Promise.all(changes.map(({ next }, i) => next && flush(store, place, { ...next, etag: etags[i] as string })));
}
