import { setTimeout as sleep } from 'node:timers/promises';
import type { Pace } from '../../../items/pace';
import type { Migration, PhaseOfItems } from '../migration';
import type { Outcome } from '../outcome';
import { type Counts, type Failure, NONE } from './state';
import type { Act, Page, Read, Segment, Store } from './store';

/** How often an item that is always another is read again, before it is given up for this time. */
const ATTEMPTS = 10;

export interface Pages {
  readonly store: Store;
  readonly migration: Migration;
  readonly phase: PhaseOfItems;
  readonly pace: Pace;
  /** Whether something is written, or it is only told what would be. */
  readonly write: boolean;
  readonly consistent: boolean;
  /** How many items are written at the same time. */
  readonly parallel: number;
  /** Asked before every write: throws where there must be no more. */
  readonly allowed: () => void;
  /** Called with every item and its outcome. @default - nothing is called */
  readonly seen?: (table: string, read: Read, outcome: Outcome) => void;
}

export interface PageResult {
  readonly counts: Counts;
  readonly failures: readonly Failure[];
  readonly next?: unknown;
}

/** Reads one page, and does what has to be done to its items: all of it, or it throws. */
export async function pageOf(pages: Pages, segment: Segment, from: unknown): Promise<PageResult> {
  const { store, pace } = pages;
  await pace.ready();
  pages.allowed();
  const page: Page = await store.page(segment, from, { consistent: pages.consistent });
  pace.used(page.consumed);
  const tally = new Tally(page.consumed);
  const failures: Failure[] = [];
  let at = 0;
  const worker = async () => {
    while (at < page.items.length) {
      const read = page.items[at++] as Read;
      await itemOf(pages, segment.table, read, tally, failures);
    }
  };
  const working = Array.from({ length: Math.min(pages.parallel, page.items.length) }, worker);
  // What is on its way is waited for, whatever became of the others: nothing goes on behind an error.
  const ended = await Promise.allSettled(working);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return { counts: tally.counts, failures, ...(page.next === undefined ? {} : { next: page.next }) };
}

async function itemOf(pages: Pages, table: string, first: Read, tally: Tally, failures: Failure[]): Promise<void> {
  const { store, migration, phase, pace, seen } = pages;
  const fail = (read: Read, why: string) => {
    tally.add('failed');
    failures.push({ table, key: store.shown(table, read.item), why });
  };
  tally.add('read');
  let read = first;
  if (pages.write && store.mend !== undefined) {
    pages.allowed();
    const mended = await store.mend(table, first);
    tally.took(mended.consumed, pace);
    if (mended.read === undefined) return tally.add('unchanged');
    read = mended.read;
  }
  for (let attempt = 1; ; attempt++) {
    const outcome = migration.outcome(phase, table, read.item);
    if (attempt === 1) seen?.(table, read, outcome);
    if (outcome.kind === 'unchanged' || outcome.kind === 'unknown') return tally.add(outcome.kind);
    if (outcome.kind === 'failed') return fail(read, outcome.why);
    if (!pages.write) return tally.add(NAMES[outcome.kind]);
    await pace.ready();
    pages.allowed();
    const done = await store.act(table, read, outcome, migration.decidedBy(table, outcome.entity));
    tally.took(done.consumed, pace);
    if (done.kind === 'done') return tally.add(NAMES[outcome.kind]);
    if (done.kind === 'refused') return fail(read, done.why);
    tally.add('conflicts');
    if (attempt === ATTEMPTS) return fail(read, `it changed each of the ${ATTEMPTS} times it was read; run again`);
    // Who is always too late waits a little longer each time.
    if (attempt > 1) await sleep(Math.random() * 5 * 2 ** attempt);
    await pace.ready();
    const again = await store.again(table, read);
    tally.took(again.consumed, pace);
    // Somebody removed or moved it: it is no item of this table any more, or it is met under its new key.
    if (again.read === undefined) return tally.add('unchanged');
    read = again.read;
  }
}

const NAMES: Readonly<Record<Act['kind'], 'updated' | 'moved' | 'deleted'>> = {
  update: 'updated',
  move: 'moved',
  delete: 'deleted',
};

class Tally {
  readonly #counts: { -readonly [N in keyof Counts]: Counts[N] };

  public constructor(consumed: number) {
    this.#counts = { ...NONE, consumed };
  }

  public get counts(): Counts {
    return this.#counts;
  }

  public add(name: keyof Counts): void {
    this.#counts[name]++;
  }

  public took(consumed: number, pace: Pace): void {
    this.#counts.consumed += consumed;
    pace.used(consumed);
  }
}

export function sum(a: Counts, b: Counts): Counts {
  const names = Object.keys(NONE) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as unknown as Counts;
}

/** How many items were changed, or would have to be. */
export function changedIn({ updated, moved, deleted }: Counts): number {
  return updated + moved + deleted;
}
