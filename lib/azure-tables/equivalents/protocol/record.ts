import type { AzureCall } from '../../calls';
import { AS_STORED } from '../../calls';
import type { Entity, RawEntity } from '../../edm';
import { isOutdated } from './refusals';
import type { RowKeys } from './row';
import type { Store } from './store';
import { fromPieces, inPieces, tagged, untagged, valueIn } from './values';

/**
 * A transaction's change to one row. If there is no entity, the transaction depends on the row but does not change it.
 */
export interface Step extends RowKeys {
  readonly table: string;
  readonly entity?: Entity;
}

/** The write-ahead record of a transaction. A transaction without a record was aborted, or finished long ago. */
export interface TransactionRecord {
  readonly id: string;
  readonly etag: string;
  readonly isCommitted: boolean;
  /** The time, in milliseconds since the epoch, after which other clients may abort the transaction. */
  readonly deadline: number;
  readonly madeAt: number;
  /** A hash of the request, which shows whether two transactions with the same token are identical. */
  readonly hash: string;
  /** The number of rows that store the record. */
  readonly rows: number;
  readonly steps: readonly Step[];
}

/**
 * The RowKey of a record's first row, which holds the state. A record that is too large for one row continues in
 * further rows.
 */
const FIRST = '0';
/** The maximum number of characters of serialized steps in one row. */
const ROW_LENGTH = 390_000;

export interface NewRecord {
  readonly id: string;
  readonly hash: string;
  readonly steps: readonly Step[];
}

type Handle = Pick<TransactionRecord, 'id' | 'etag' | 'rows'>;

/** Writes the record; returns undefined if a record with the same id already exists. */
export async function createRecord(store: Store, { id, hash, steps }: NewRecord): Promise<Handle | undefined> {
  const text = JSON.stringify(tagged(undefined, 'steps', steps));
  const count = Math.max(1, Math.ceil(text.length / ROW_LENGTH));
  const now = Date.now();
  const rows = Array.from({ length: count }, (_, i): Entity => {
    const about = { state: 'pending', hash, rows: count, madeAt: int64(now), deadline: int64(now + store.deadline) };
    const keys = { partitionKey: id, rowKey: String(i) };
    return {
      ...keys,
      ...(i === 0 ? about : {}),
      ...inPieces('steps', text.slice(i * ROW_LENGTH, (i + 1) * ROW_LENGTH)),
    };
  });
  const call: AzureCall =
    count === 1
      ? { method: 'createEntity', args: [rows[0] as Entity] }
      : { method: 'submitTransaction', args: [rows.map((row) => ['create', row])] };
  try {
    const { etag, etags } = await store.send(store.places.transactions, call);
    return { id, etag: etags?.[0] ?? etag ?? '', rows: count };
  } catch (error) {
    if (isOutdated(error)) return undefined;
    throw error;
  }
}

function int64(value: number) {
  return { type: 'Int64', value: String(value) } as const;
}

export async function recordOf(store: Store, id: string): Promise<TransactionRecord | undefined> {
  const rowAt = async (row: string) =>
    (await store.send(store.places.transactions, { method: 'getEntity', args: [id, row, AS_STORED] })).entity;
  const first = await rowAt(FIRST);
  if (first === undefined) return undefined;
  const others = await Promise.all(
    Array.from({ length: Number(valueIn(first.rows)) - 1 }, (_, i) => rowAt(String(i + 1))),
  );
  // A record that another client removes during the read is treated as missing.
  if (others.includes(undefined)) return undefined;
  return readRecord(first, others as readonly RawEntity[]);
}

function readRecord(first: RawEntity, others: readonly RawEntity[]): TransactionRecord {
  const text = [first, ...others].map((row) => fromPieces('steps', row)).join('');
  return {
    id: first.partitionKey as string,
    etag: first.etag as string,
    isCommitted: valueIn(first.state) === 'committed',
    deadline: Number(valueIn(first.deadline)),
    madeAt: Number(valueIn(first.madeAt)),
    hash: valueIn(first.hash) as string,
    rows: others.length + 1,
    steps: untagged(JSON.parse(text)) as readonly Step[],
  };
}

/** Commits the transaction with a single write. Returns false if another client has aborted the transaction. */
export async function committed(store: Store, { id, etag }: Handle): Promise<boolean> {
  const entity = { partitionKey: id, rowKey: FIRST, state: 'committed' };
  const call: AzureCall = { method: 'updateEntity', args: [entity, 'Merge', { etag }] };
  try {
    await store.send(store.places.transactions, call);
    return true;
  } catch (error) {
    if (!isOutdated(error)) throw error;
    // An earlier attempt may have committed the transaction, even if its response was lost.
    return (await recordOf(store, id))?.isCommitted === true;
  }
}

/**
 * Removes a record, which aborts the transaction if it is pending. If the record has changed since it was read, keeps
 * it and returns false.
 */
export async function removeRecord(store: Store, { id, etag, rows }: Handle): Promise<boolean> {
  const remove = (row: string, own: string): AzureCall => ({ method: 'deleteEntity', args: [id, row, { etag: own }] });
  try {
    await store.send(store.places.transactions, remove(FIRST, etag));
  } catch (error) {
    if (isOutdated(error)) return false;
    throw error;
  }
  for (let i = 1; i < rows; i++) await store.send(store.places.transactions, remove(String(i), '*'));
  return true;
}
