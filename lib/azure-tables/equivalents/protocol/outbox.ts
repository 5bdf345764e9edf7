import { keysIn } from '../../../blueprint/outline';
import { entityOf, type Item } from '../../../items/item';
import type { Entity } from '../../edm';
import { followingKeysOf, type Place, rowKeysOf } from './places';
import { COLUMN, entityFor, type RowKeys, type Target } from './row';
import { merged, rowAt, type Store, trying, written } from './store';

/** The entity that an item belongs to; the entity's schema determines the column types. */
export function entityIn({ table }: Place, item: Item) {
  return entityOf(table, item, table.entities);
}

/** Whether items of the item's entity can ever have index or mirror rows, even if this item currently has none. */
export function isFollowed(place: Place, item: Item): boolean {
  const entity = entityIn(place, item);
  return place.followers.some(({ azure }) => {
    const index = place.table.indexes.find(({ name }) => name === azure.index);
    return entity === undefined || index === undefined || keysIn(entity, index) !== undefined;
  });
}

/** Returns an item's following rows at this version, keyed by table and row keys. */
function followersOf(place: Place, item: Item | undefined, version: number): ReadonlyMap<string, Following> {
  const rows = new Map<string, Following>();
  if (item === undefined) return rows;
  const entity = entityIn(place, item);
  for (const follower of place.followers) {
    const keys = followingKeysOf(follower, item);
    if (keys === undefined) continue;
    const held = follower.holds === undefined ? item : pick(item, follower.holds);
    const target: Target = [follower.azure.name, keys.partitionKey, keys.rowKey];
    rows.set(JSON.stringify(target), { target, row: entityFor(keys, { version, item: held, entity }) });
  }
  return rows;
}

/** Returns the item's own row and its following rows, each with the name of its Azure table. */
export function rowsOf(
  place: Place,
  item: Item,
  version: number,
): readonly { readonly table: string; readonly row: Entity }[] {
  const own = entityFor(rowKeysOf(place, item), { version, item, entity: entityIn(place, item) });
  const following = Array.from(followersOf(place, item, version).values(), ({ target: [table], row }) => ({
    table,
    row,
  }));
  return [{ table: place.base.name, row: own }, ...following];
}

interface Following {
  readonly target: Target;
  readonly row: Entity;
}

function pick(item: Item, names: ReadonlySet<string>): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.has(name)));
}

/** Returns the rows to update when an item changes: rows that differ, and rows that an earlier writer left stale. */
export function pendingFor(
  place: Place,
  before: { readonly item: Item | undefined; readonly outbox: readonly Target[] } | undefined,
  next: Item | undefined,
): readonly Target[] {
  const [old, now] = [followersOf(place, before?.item, 0), followersOf(place, next, 0)];
  const pending = new Map((before?.outbox ?? []).map((target) => [JSON.stringify(target), target]));
  for (const [key, { target, row }] of now)
    if (JSON.stringify(old.get(key)?.row) !== JSON.stringify(row)) pending.set(key, target);
  for (const [key, { target }] of old) if (!now.has(key)) pending.set(key, target);
  return [...pending.values()];
}

/** A row whose outbox must be emptied. */
export interface Outgoing extends RowKeys {
  readonly etag: string;
  readonly version: number;
  readonly item: Item | undefined;
  readonly outbox: readonly Target[];
  /**
   * The item before the change, if known. If that item had no row in an index or a mirror, the new row there can be
   * created without a read.
   */
  readonly before?: Item | undefined;
}

/** Updates the rows that an outbox lists, and then empties the outbox unless the row that holds it has changed. */
export async function flush(store: Store, place: Place, row: Outgoing): Promise<void> {
  if (row.outbox.length === 0) return;
  const now = followersOf(place, row.item, row.version);
  const old = followersOf(place, row.before, 0);
  // An outbox that an older or newer release wrote may list rows of tables that are not in this design. Clients of that
  // release update those rows.
  const known = new Set(place.followers.map(({ azure }) => azure.name));
  const own = row.outbox.filter(([table]) => known.has(table));
  await Promise.all(
    own.map((target) => {
      const key = JSON.stringify(target);
      const next = now.get(key)?.row ?? entityFor(rowKeysIn(target), { version: row.version });
      return raise(store, target, next, row.version, now.has(key) && !old.has(key));
    }),
  );
  if (own.length === row.outbox.length) await merged(store, place.base.name, row, { [COLUMN.outbox]: '' });
}

function rowKeysIn([, partitionKey, rowKey]: Target): RowKeys {
  return { partitionKey, rowKey };
}

/**
 * Writes an index or mirror row, unless the row already has this version or a later one. To delete a row, replaces it
 * with a tombstone.
 */
function raise(store: Store, target: Target, next: Entity, version: number, isNew: boolean): Promise<true> {
  const [table] = target;
  return trying(store, async (count) => {
    const there = isNew && count === 0 ? undefined : await rowAt(store, table, rowKeysIn(target));
    if (there !== undefined && there.version >= version) return true;
    const write =
      there === undefined
        ? ({ kind: 'create', entity: next } as const)
        : ({ kind: 'replace', entity: next, etag: there.etag } as const);
    return (await written(store, table, [write])) === undefined ? undefined : true;
  });
}
