import type { SystemDesign } from '../../../design/system';
import type { AzureCall, AzureOutput, BatchAction } from '../../calls';
import { AS_STORED } from '../../calls';
import type { Entity } from '../../edm';
import type { Send } from '../../sender';
import { type Places, placesOf } from './places';
import { conflict, inDynamoDbNames, isOutdated, isPassing } from './refusals';
import { type COLUMN, type Row, type RowKeys, rowIn } from './row';

export interface EquivalentsOptions {
  /** How long a transaction may run, in milliseconds, before other clients may abort it. @default 5000 */
  readonly deadline?: number;
  /**
   * The maximum time, in milliseconds, that a write waits for other clients that are writing the same items.
   * @default 10000
   */
  readonly patience?: number;
}

/** The Azure tables of a system, and the function that sends calls to them. */
export interface Store {
  readonly places: Places;
  readonly deadline: number;
  readonly patience: number;
  send(table: string, call: AzureCall): Promise<AzureOutput>;
}

export function storeOf(
  system: SystemDesign,
  send: Send,
  { deadline = 5_000, patience = 10_000 }: EquivalentsOptions = {},
): Store {
  return { places: placesOf(system), deadline, patience, send };
}

/** The row with these keys; undefined if the row does not exist. */
export async function rowAt(store: Store, table: string, { partitionKey, rowKey }: RowKeys): Promise<Row | undefined> {
  const { entity } = await store.send(table, { method: 'getEntity', args: [partitionKey, rowKey, AS_STORED] });
  return entity && rowIn(entity);
}

/** A write to one row. The write succeeds only if the row has not changed since it was read. */
export type RowWrite =
  | { readonly kind: 'create'; readonly entity: Entity }
  | { readonly kind: 'replace' | 'merge'; readonly entity: Entity; readonly etag: string };

/** Writes rows of one partition atomically; returns their ETags, or undefined if a row has changed since the read. */
export async function written(
  store: Store,
  table: string,
  writes: readonly RowWrite[],
): Promise<readonly string[] | undefined> {
  const [only] = writes;
  const call: AzureCall =
    writes.length === 1 ? callOf(only as RowWrite) : { method: 'submitTransaction', args: [writes.map(actionOf)] };
  const output = await refusedAsUndefined(store.send(table, call));
  return output && (output.etags ?? [output.etag ?? '']);
}

function callOf(write: RowWrite): AzureCall {
  if (write.kind === 'create') return { method: 'createEntity', args: [write.entity] };
  const mode = write.kind === 'merge' ? 'Merge' : 'Replace';
  return { method: 'updateEntity', args: [write.entity, mode, { etag: write.etag }] };
}

function actionOf(write: RowWrite): BatchAction {
  if (write.kind === 'create') return ['create', write.entity];
  return ['update', write.entity, write.kind === 'merge' ? 'Merge' : 'Replace', { etag: write.etag }];
}

/** Deletes a row that is unchanged since the read; returns false if the row has changed. */
export async function removed(
  store: Store,
  table: string,
  { partitionKey, rowKey, etag }: RowKeys & { readonly etag: string },
) {
  const call: AzureCall = { method: 'deleteEntity', args: [partitionKey, rowKey, { etag }] };
  return (await refusedAsUndefined(store.send(table, call))) !== undefined;
}

/**
 * Changes some columns of a row that is unchanged since the read; returns its new ETag, or undefined if the row has
 * changed.
 */
export async function merged(
  store: Store,
  table: string,
  { partitionKey, rowKey, etag }: RowKeys & { readonly etag: string },
  columns: Partial<Record<(typeof COLUMN)[keyof typeof COLUMN], string>>,
): Promise<string | undefined> {
  const entity = { partitionKey, rowKey, ...columns } as Entity;
  return (await written(store, table, [{ kind: 'merge', entity, etag }]))?.[0];
}

/**
 * Waits for the work that follows a completed write. Ignores temporary failures, because an error would make the caller
 * repeat the write. An outbox or a record lists the remaining work, which the next writer or the sweeper completes.
 */
export async function done(rest: Promise<unknown>): Promise<void> {
  try {
    await rest;
  } catch (error) {
    if (!isPassing(inDynamoDbNames(error))) throw error;
  }
}

async function refusedAsUndefined<T>(sent: Promise<T>): Promise<T | undefined> {
  try {
    return await sent;
  } catch (error) {
    if (isOutdated(inDynamoDbNames(error))) return undefined;
    throw error;
  }
}

/**
 * Retries until an attempt returns a result. Pauses between attempts with exponential backoff and jitter. After
 * `patience`, throws the error that `giveUp` returns.
 */
export async function trying<T>(
  { patience }: Store,
  attempt: (count: number) => Promise<T | undefined>,
  giveUp: () => Error = conflict,
): Promise<T> {
  const start = performance.now();
  for (let count = 0; ; count++) {
    const begin = performance.now();
    const result = await attempt(count);
    if (result !== undefined) return result;
    const now = performance.now();
    if (now - start > patience) throw giveUp();
    // Slow requests lengthen the pauses, so that clients do not retry at the same time.
    const most = Math.max(Math.min(250, 4 * 2 ** count), Math.min(count, 4) * (now - begin));
    await new Promise((resolve) => setTimeout(resolve, Math.random() * most));
  }
}
