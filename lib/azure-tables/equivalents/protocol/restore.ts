import type { SystemDesign } from '../../../design/system';
import { sideBySide } from '../../../items/side-by-side';
import type { RawEntity } from '../../edm';
import type { Send } from '../../sender';
import { rowsOf } from './outbox';
import type { Place } from './places';
import { recordOf, removeRecord, type Step } from './record';
import { type Row, rowIn } from './row';
import { removed, rowAt, type Store, storeOf, written } from './store';
import { rowsIn } from './sweep';

/** How many rows are written at once. */
const AT_ONCE = 8;

/**
 * Makes the tables of a system whole after their rows were imported: whatever a transaction in the file did, it did to all of its
 * rows. Then every index and mirror is made anew, which an export leaves out.
 * @param exportedAt when the export began, in milliseconds
 * @returns how many items there are
 */
export async function makeWhole(system: SystemDesign, send: Send, exportedAt: number): Promise<number> {
  const store = storeOf(system, send);
  for await (const { partitionKey, rowKey } of rowsIn(store, store.places.transactions)) {
    const record = rowKey === '0' ? await recordOf(store, partitionKey as string) : undefined;
    if (record === undefined) continue;
    if (record.isCommitted)
      for (const step of record.steps) await redo(store, record.id, step, record.madeAt >= exportedAt);
    await removeRecord(store, record);
  }
  let items = 0;
  for (const place of store.places.all) {
    const rows: Row[] = [];
    for await (const raw of rowsIn(store, place.base.name)) rows.push(rowIn(raw));
    await sideBySide(
      rows,
      async (row) => {
        if (await isRestored(store, place, row)) items++;
      },
      AT_ONCE,
    );
  }
  return items;
}

/** Gives a row what a committed transaction wrote to it, unless the row was read after that. */
async function redo(store: Store, id: string, { table, entity, ...keys }: Step, isDuring: boolean): Promise<void> {
  const place = store.places.named(table);
  if (place === undefined || entity === undefined) return;
  const row = await rowAt(store, table, keys);
  const { version } = rowIn(entity as RawEntity);
  // A row that the file lacks was deleted since, unless the transaction is younger than the beginning of the export.
  if (row === undefined ? !isDuring : row.lock !== id && row.version >= version) return;
  const write =
    row === undefined ? ({ kind: 'create', entity } as const) : ({ kind: 'replace', entity, etag: row.etag } as const);
  await written(store, table, [write]);
}

/** Frees a row, and writes the rows that follow it; returns whether it stands for an item. */
async function isRestored(store: Store, place: Place, row: Row): Promise<boolean> {
  if (row.item === undefined) {
    await removed(store, place.base.name, row);
    return false;
  }
  const [own, ...following] = rowsOf(place, row.item, row.version) as [
    { row: RawEntity },
    ...{ table: string; row: never }[],
  ];
  for (const { table, row: entity } of following)
    await store.send(table, { method: 'upsertEntity', args: [entity, 'Replace'] });
  if (row.lock !== '' || row.outbox.length > 0)
    await written(store, place.base.name, [{ kind: 'replace', entity: own.row as never, etag: row.etag }]);
  return true;
}
