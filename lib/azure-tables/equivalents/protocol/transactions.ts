import { createHash } from 'node:crypto';
import type { AskedWrite } from '../../../items/asked';
import type { Item } from '../../../items/item';
import { encodeKey } from '../key-text';
import { changed, changeTo, type Group, groupsOf, type RowChange } from './changes';
import { abort, apply, finish, locked, release, settle } from './locks';
import { keyOfWrite, needsNone, type Outcome, outcomeOf } from './outcomes';
import { rowKeysOf } from './places';
import { committed, createRecord, recordOf, removeRecord, type Step, type TransactionRecord } from './record';
import { conflict, otherValues } from './refusals';
import { done, rowAt, type Store, trying } from './store';

/** One write, with its outcome and the change to its row. */
interface Planned {
  readonly write: AskedWrite;
  readonly outcome: Outcome;
  readonly change: RowChange;
}

/** The item before and after a write. */
export interface Effect {
  readonly before: Item | undefined;
  readonly after: Item | undefined;
}

/**
 * Thrown if a condition or a conflict stopped a transaction; contains the reason and the existing item for each write,
 * in order.
 */
export class Refused extends Error {
  public constructor(
    public readonly kinds: readonly ('none' | 'condition' | 'conflict')[],
    public readonly items: readonly (Item | undefined)[] = [],
  ) {
    super('refused');
  }
}

/** Applies all writes atomically. @param token makes retries with the same token idempotent */
export function commit(store: Store, writes: readonly AskedWrite[], token?: string): Promise<readonly Effect[]> {
  let busy: readonly boolean[] = [];
  const giveUp = () =>
    busy.includes(true) ? new Refused(writes.map((_, i) => (busy[i] ? 'conflict' : 'none'))) : conflict();
  const once = token === undefined ? undefined : { id: `token ${encodeKey([token])}`, hash: hashOf(writes) };
  const attempt = async (count: number) => {
    // When a finished transaction is retried, its own writes may make the conditions fail.
    if (once !== undefined && (await doneBefore(store, once))) return [];
    const found = await Promise.all(writes.map((write) => find(store, write, count === 0)));
    busy = found.map((one) => one === undefined);
    if (busy.includes(true)) return undefined;
    const planned = writes.map((write, i) => plan(write, found[i] as RowChange));
    const kinds = planned.map(({ outcome }) => (outcome.kind === 'refused' ? 'condition' : 'none'));
    if (kinds.includes('condition')) {
      // Tries once more, and also reads the items that this attempt assumed to be missing: each one that exists is
      // another reason to refuse the transaction.
      if (count === 0 && writes.some(needsNone)) return undefined;
      throw new Refused(
        kinds,
        planned.map(({ change }) => change.row?.item),
      );
    }
    return (await carryOut(store, planned, once)) ? planned.map(effectOf) : undefined;
  };
  return trying(store, attempt, giveUp);
}

function effectOf({ change: { row }, outcome }: Planned): Effect {
  return { before: row?.item, after: outcome.kind === 'written' ? outcome.item : row?.item };
}

/** The row that a write changes; undefined if another transaction has locked the row. */
async function find(store: Store, write: AskedWrite, isFirst: boolean): Promise<RowChange | undefined> {
  const place = store.places.of(write.table);
  const keys = rowKeysOf(place, keyOfWrite(write));
  if (isFirst && needsNone(write)) return { place, keys, row: undefined };
  const row = await rowAt(store, place.base.name, keys);
  if (row === undefined || row.lock === '') return { place, keys, row };
  if (!(await settle(store, place, row))) return undefined;
  const again = await rowAt(store, place.base.name, keys);
  return again === undefined || again.lock === '' ? { place, keys, row: again } : undefined;
}

function plan(write: AskedWrite, found: RowChange): Planned {
  const outcome = outcomeOf(write, found.row?.item);
  // Deleting a missing item changes nothing.
  const isKept = outcome.kind !== 'written' || (outcome.item === undefined && found.row?.item === undefined);
  return { write, outcome, change: isKept ? found : changeTo(found, outcome.item) };
}

/** The record id of an idempotent transaction, and the hash that distinguishes requests with the same token. */
type Once = Pick<TransactionRecord, 'id' | 'hash'>;

async function carryOut(store: Store, planned: readonly Planned[], once: Once | undefined): Promise<boolean> {
  const needed = planned.filter(({ change, write }) => change.entity !== undefined || dependsOn(write));
  const groups = groupsOf(needed.map(({ change }) => change));
  const [only] = groups;
  if (only === undefined && once === undefined) return true;
  // A batch can test that a row is unchanged, but not that a row does not exist.
  const isBatch = needed.every(({ change: { entity, row } }) => entity !== undefined || row !== undefined);
  if (only !== undefined && groups.length === 1 && isBatch && once === undefined) return changed(store, only);
  return inRecord(store, groups, once ?? { id: crypto.randomUUID(), hash: '' });
}

/** Whether a write that changes nothing still depends on its item. */
function dependsOn({ part, step }: AskedWrite): boolean {
  return part === 'ConditionCheck' || ('condition' in step && step.condition !== undefined);
}

/**
 * Writes the write-ahead record, locks every row, commits, and then writes the new rows. This takes 2k + 2 requests for
 * k partitions.
 */
async function inRecord(store: Store, groups: readonly Group[], { id, hash }: Once): Promise<boolean> {
  const steps = groups.flatMap(({ place, changes }) =>
    changes.map(({ keys, entity }): Step => ({ table: place.base.name, ...keys, ...(entity && { entity }) })),
  );
  const record = await createRecord(store, { id, hash, steps });
  if (record === undefined) return false;
  const etags = await Promise.all(groups.map((group) => locked(store, group, id)));
  const isLocked = !etags.includes(undefined);
  if (isLocked && (await committed(store, record))) {
    await done(Promise.all(groups.map((group, i) => apply(store, group, etags[i] as readonly string[]))));
    return true;
  }
  // Removing the record aborts the transaction, even if its locks remain.
  if (!isLocked) await removeRecord(store, record);
  await Promise.all(groups.map((group, i) => etags[i] && release(store, group, etags[i])));
  return false;
}

function hashOf(writes: readonly AskedWrite[]): string {
  const asked = writes.map(({ name, part, input, values }) => [name, part, input.Key ?? input.Item, values]);
  const text = JSON.stringify(asked, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
  return createHash('sha256').update(text).digest('base64url');
}

/** How long, in milliseconds, a token keeps retries idempotent, as on DynamoDB. */
export const TOKEN_LIFE = 600_000;

/** Whether the writes with this token have already been applied; if not, the caller may retry the writes. */
async function doneBefore(store: Store, { id, hash }: Once): Promise<boolean> {
  const record = await recordOf(store, id);
  if (record === undefined) return false;
  const isOver = Date.now() > record.madeAt + TOKEN_LIFE;
  if (!isOver && record.hash !== hash) throw otherValues();
  if (!record.isCommitted) {
    if (Date.now() > record.deadline) await abort(store, record);
    return false;
  }
  await finish(store, record);
  if (isOver) await removeRecord(store, record);
  return !isOver;
}
