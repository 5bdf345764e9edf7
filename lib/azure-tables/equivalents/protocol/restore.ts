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

/** The number of rows that are written concurrently. */
const AT_ONCE = 8;

/**
 * Makes a system's tables consistent after an import: completes the committed transactions in the file, and then
 * rebuilds all indexes and mirrors, which an export leaves out.
 * @param exportedAt the time at which the export began, in milliseconds
 * @returns the number of items
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

/** Applies a committed transaction's write to a row, unless the export read the row after the commit. */
async function redo(store: Store, id: string, { table, entity, ...keys }: Step, isDuring: boolean): Promise<void> {
  const place = store.places.named(table);
  if (place === undefined || entity === undefined) return;
  const row = await rowAt(store, table, keys);
  const { version } = rowIn(entity as RawEntity);
  // A row that is missing from the file, although the transaction began before the export, was deleted after the
  // transaction.
  if (row === undefined ? !isDuring : row.lock !== id && row.version >= version) return;
  const write =
    row === undefined ? ({ kind: 'create', entity } as const) : ({ kind: 'replace', entity, etag: row.etag } as const);
  await written(store, table, [write]);
}

/**
 * Unlocks a row and writes its index and mirror rows, or removes the row if it has no item; returns whether it has one.
 */
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
