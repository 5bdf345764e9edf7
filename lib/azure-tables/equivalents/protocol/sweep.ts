import type { SystemDesign } from '../../../design/system';
import { assertSend, assertSystem } from '../../../items/given';
import { listCall } from '../../calls';
import type { RawEntity } from '../../edm';
import type { Send } from '../../sender';
import { changed, changeTo } from './changes';
import { abort, finish, settle } from './locks';
import { flush } from './outbox';
import type { Place } from './places';
import { recordOf, removeRecord } from './record';
import { COLUMN, type Row, rowIn } from './row';
import { type EquivalentsOptions, removed, rowAt, type Store, storeOf } from './store';
import { TOKEN_LIFE } from './transactions';

export interface SweepOptions extends EquivalentsOptions {
  /**
   * How long, in milliseconds, the sweeper keeps tombstones and the records of finished transactions. Must be longer
   * than any client can stall between two requests of one write.
   * @default 3600000, an hour
   */
  readonly grace?: number;
  /** @default - the current time of this machine, in milliseconds */
  readonly now?: number;
}

/** The number of changes that a sweep made, by kind. */
export interface Swept {
  /** The number of expired items that the sweep deleted. */
  expired: number;
  /** The number of unfinished transactions that the sweep completed (if committed) or aborted (if pending). */
  transactions: number;
  /** The number of items whose stale index rows the sweep updated. */
  outboxes: number;
  /** The number of tombstones and records of finished transactions that the sweep removed. */
  traces: number;
}

/**
 * Deletes expired items, completes writes that clients left unfinished, and removes old tombstones and records. Run the
 * sweep on a timer, for example every hour. Sweeps may run concurrently, and a sweep may stop at any point.
 */
export async function sweep(
  system: SystemDesign,
  send: Send,
  { grace = 3_600_000, now = Date.now(), ...options }: SweepOptions = {},
): Promise<Swept> {
  assertSystem(system);
  assertSend(system.name, send, 'storage(account, credential) from tablewright/azure-tables/sdk');
  const store = storeOf(system, send, options);
  const sweeping: Sweeping = {
    store,
    now,
    isOld: (at) => at < now - grace,
    done: { expired: 0, transactions: 0, outboxes: 0, traces: 0 },
  };
  await sweepRecords(sweeping);
  for (const place of store.places.all) await sweepItems(sweeping, place);
  for (const { followers } of store.places.all)
    for (const { azure } of followers) await sweepTraces(sweeping, azure.name);
  return sweeping.done;
}

interface Sweeping {
  readonly store: Store;
  readonly now: number;
  isOld(at: number): boolean;
  readonly done: Swept;
}

async function sweepRecords({ store, now, isOld, done }: Sweeping): Promise<void> {
  for await (const raw of rowsIn(store, store.places.transactions)) {
    const record = await recordOf(store, raw.partitionKey as string);
    if (record === undefined) {
      // These rows are leftovers of a record whose first row was removed.
      const { partitionKey, rowKey, etag, writtenAt } = rowIn({ ...raw, [COLUMN.outbox]: '' });
      if (isOld(writtenAt) && (await removed(store, store.places.transactions, { partitionKey, rowKey, etag })))
        done.traces++;
    } else if (raw.rowKey === '0' && !record.isCommitted && now > record.deadline) {
      await abort(store, record);
      done.transactions++;
    } else if (raw.rowKey === '0' && record.isCommitted) {
      if (await finish(store, record)) done.transactions++;
      // A table that exists only in a newer or older release may still contain the transaction's locks.
      const isWhole = record.steps.every(({ table }) => store.places.named(table) !== undefined);
      const isOver = isOld(record.madeAt) && now > record.madeAt + TOKEN_LIFE;
      if (isWhole && isOver && (await removeRecord(store, record))) done.traces++;
    }
  }
}

async function sweepItems({ store, now, isOld, done }: Sweeping, place: Place): Promise<void> {
  const { base, table } = place;
  const seconds = Math.floor(now / 1000);
  const tests = [
    `${COLUMN.state} ne 'item'`,
    `${COLUMN.outbox} gt ''`,
    `${COLUMN.lock} gt ''`,
    ...(table.ttl === undefined ? [] : [`${table.ttl} le ${seconds}L`, `${table.ttl} le ${seconds}.0`]),
  ];
  for await (const raw of rowsIn(store, base.name, tests.join(' or '))) {
    const row = rowIn(raw);
    if (row.lock !== '') {
      if (await settle(store, place, row, now)) done.transactions++;
    } else if (isExpired(row, table.ttl, seconds)) {
      if (await changed(store, { place, changes: [changeTo({ place, keys: row, row }, undefined)] })) done.expired++;
    } else {
      if (row.outbox.length > 0) {
        await flush(store, place, row);
        done.outboxes++;
      }
      if (row.state !== 'gone' || !isOld(row.writtenAt)) continue;
      const now = row.outbox.length > 0 ? await rowAt(store, base.name, row) : row;
      const isTrace = now?.state === 'gone' && now.lock === '' && now.outbox.length === 0;
      if (isTrace && (await removed(store, base.name, now))) done.traces++;
    }
  }
}

function isExpired({ item }: Row, ttl: string | undefined, seconds: number): boolean {
  const until = ttl === undefined ? undefined : item?.[ttl];
  return (typeof until === 'number' || typeof until === 'bigint') && until <= seconds;
}

async function sweepTraces({ store, isOld, done }: Sweeping, table: string): Promise<void> {
  for await (const raw of rowsIn(store, table, `${COLUMN.state} eq 'gone'`)) {
    const row = rowIn(raw);
    if (isOld(row.writtenAt) && (await removed(store, table, row))) done.traces++;
  }
}

/** All rows of a table that pass the filter. */
export async function* rowsIn(store: Store, table: string, filter?: string): AsyncIterable<RawEntity> {
  let continuationToken: string | undefined;
  do {
    const page = continuationToken === undefined ? {} : { continuationToken };
    const output = await store.send(table, listCall(filter === undefined ? {} : { filter }, page));
    yield* output.entities ?? [];
    continuationToken = output.continuationToken;
  } while (continuationToken !== undefined);
}
