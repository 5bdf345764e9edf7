import type { Entity } from '../../edm';
import { flushAll, type Group } from './changes';
import { flush } from './outbox';
import type { Place } from './places';
import { recordOf, removeRecord, type Step, type TransactionRecord } from './record';
import { COLUMN, entityFor, placeholder, type Row, type RowKeys, rowIn } from './row';
import { merged, type RowWrite, removed, rowAt, type Store, written } from './store';

/** Locks every row of a group for a transaction; returns their ETags, or undefined if a row has changed. */
export function locked(store: Store, { place, changes }: Group, id: string): Promise<readonly string[] | undefined> {
  const writes = changes.map(({ row, keys }): RowWrite => {
    if (row === undefined) return { kind: 'create', entity: placeholder(keys, id) };
    return { kind: 'merge', entity: { ...keys, [COLUMN.lock]: id }, etag: row.etag };
  });
  return written(store, place.base.name, writes);
}

/**
 * Writes the new content of every locked row, and then the index and mirror rows. If a locked row has changed in the
 * meantime, another client has already written the new content of all locked rows, but possibly not the index and
 * mirror rows. In that case, this client writes the index and mirror rows, unless a later writer has taken over the
 * outbox.
 */
export async function apply(store: Store, group: Group, etags: readonly string[]): Promise<void> {
  const { place, changes } = group;
  const writes = changes.map(({ entity, row, keys }, i) => unlocking(keys, entity, row, etags[i] as string));
  const now = await written(store, place.base.name, writes);
  if (now !== undefined) return flushAll(store, group, now);
  for (const { next, keys } of changes) {
    const row = next && (await rowAt(store, place.base.name, keys));
    if (row !== undefined && row.lock === '' && row.version === next?.version)
      await flush(store, place, { ...next, etag: row.etag, outbox: row.outbox });
  }
}

/** Unlocks a group's rows without changing their items. */
export async function release(store: Store, { place, changes }: Group, etags: readonly string[]): Promise<void> {
  const writes = changes.map(({ row, keys }, i) => unlocking(keys, undefined, row, etags[i] as string));
  await written(store, place.base.name, writes);
}

/** Returns the write that unlocks a row, with its new or old content. An unused placeholder becomes a tombstone. */
function unlocking(
  keys: RowKeys,
  entity: Entity | undefined,
  row: Pick<Row, 'state'> | undefined,
  etag: string,
): RowWrite {
  if (entity !== undefined) return { kind: 'replace', entity, etag };
  if (row === undefined || row.state === 'new')
    return { kind: 'replace', entity: entityFor(keys, { version: 0 }), etag };
  return { kind: 'merge', entity: { ...keys, [COLUMN.lock]: '' }, etag };
}

async function free(store: Store, { base }: Place, row: Row): Promise<void> {
  if (row.state === 'new') await removed(store, base.name, row);
  else await merged(store, base.name, row, { [COLUMN.lock]: '' });
}

/**
 * Unlocks a row if the transaction that locked it has ended; returns false while that transaction is pending. Writes
 * only to the row's own partition, because this client may not have access to the indexes or to the transaction's other
 * tables.
 */
export async function settle(store: Store, place: Place, row: Row, now = Date.now()): Promise<boolean> {
  const record = await recordOf(store, row.lock);
  if (record?.isCommitted) {
    const isNear = ({ table, partitionKey }: Step) => table === place.base.name && partitionKey === row.partitionKey;
    await writtenTogether(store, record.id, record.steps.filter(isNear));
  } else {
    if (record !== undefined && now <= record.deadline) return false;
    if (record === undefined || (await removeRecord(store, record))) await free(store, place, row);
  }
  return true;
}

/** Aborts a transaction that is past its deadline, and unlocks its rows. */
export async function abort(store: Store, record: TransactionRecord): Promise<void> {
  if (!(await removeRecord(store, record))) return;
  await Promise.all(
    record.steps.map(async ({ table, ...keys }) => {
      const place = store.places.named(table);
      const row = place && (await rowAt(store, table, keys));
      if (row !== undefined && row.lock === record.id) await free(store, place as Place, row);
    }),
  );
}

/**
 * Completes the unfinished writes of a committed transaction: writes the new content, partition by partition, and then
 * the index and mirror rows. Returns false if nothing was left to write.
 */
export async function finish(store: Store, record: TransactionRecord): Promise<boolean> {
  const groups = new Map<string, Step[]>();
  for (const step of record.steps) {
    const key = JSON.stringify([step.table, step.partitionKey]);
    groups.set(key, [...(groups.get(key) ?? []), step]);
  }
  const done = await Promise.all(
    Array.from(groups.values(), async (steps) => {
      const place = store.places.named((steps[0] as Step).table);
      const etags = place && (await writtenTogether(store, record.id, steps));
      if (place === undefined || etags === undefined) return false;
      await Promise.all(
        steps.map(({ entity }, i) => entity && flush(store, place, { ...rowIn(entity), etag: etags[i] as string })),
      );
      return true;
    }),
  );
  return done.includes(true);
}

/**
 * Writes the new content of a committed transaction in one partition; returns undefined if another client has already
 * written it.
 */
async function writtenTogether(
  store: Store,
  id: string,
  steps: readonly Step[],
): Promise<readonly string[] | undefined> {
  const { table } = steps[0] as Step;
  const rows = await Promise.all(steps.map((step) => rowAt(store, table, step)));
  // One batch writes all rows of a partition, so either all of the rows are still locked or none is.
  if (!rows.every((row) => row?.lock === id)) return undefined;
  const writes = steps.map(({ partitionKey, rowKey, entity }, i) =>
    unlocking({ partitionKey, rowKey }, entity, rows[i], (rows[i] as Row).etag),
  );
  return written(store, table, writes);
}
