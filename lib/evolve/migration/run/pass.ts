import { setTimeout as sleep } from 'node:timers/promises';
import { entityOf } from '../../../items/item';
import { Pace } from '../../../items/pace';
import type { Migration, PhaseOfItems } from '../migration';
import type { Made, Outcome } from '../outcome';
import { Interrupted, ITEM_LIMIT, within } from './bound';
import { type Counts, type Failure, NONE } from './state';
import type { Act, Lacking, Page, Read, Segment, Store } from './store';
import type { Turns } from './turns';

/** The maximum number of times that a run reads an item that keeps changing. */
const ATTEMPTS = 10;

/** The maximum length of a failure's reason. Longer reasons are cut, because the state of a run must stay small. */
const LONGEST = 500;

export interface Pages {
  readonly store: Store;
  readonly migration: Migration;
  readonly phase: PhaseOfItems;
  readonly pace: Pace;
  /** Whether to write the changes, or only to count them. */
  readonly write: boolean;
  readonly consistent: boolean;
  /** The number of items to write concurrently. */
  readonly parallel: number;
  /** Called before every request; throws if the runner must stop, and returns a promise if it must wait. */
  readonly allowed: () => Promise<void> | undefined;
  /** Whether the run should stop. @default - never */
  readonly isStopped?: () => boolean;
  /** The number of items that may fail before the run skips the rest of a page. @default - any number */
  readonly mostFailures?: number;
  /** The time limit on the user's code for one item, in milliseconds. @default 5000 */
  readonly itemLimit?: number;
  /** Called with every item and its outcome. @default - no callback */
  readonly seen?: (table: string, read: Read, outcome: Outcome, lacking: readonly Lacking[]) => void;
}

export interface PageResult {
  readonly counts: Counts;
  readonly failures: readonly Failure[];
  readonly next?: unknown;
}

/** Checks whether the runner may send its next request. Returns a promise only if the runner must wait. */
function permitted({ pace, allowed }: Pages): Promise<void> | undefined {
  const refilled = pace.ready();
  return refilled === undefined ? allowed() : refilled.then(allowed);
}

async function readPage(pages: Pages, segment: Segment, from: unknown): Promise<Page> {
  const { store, pace } = pages;
  await permitted(pages);
  const page = await store.page(segment, from, { consistent: pages.consistent });
  pace.used(page.consumed);
  return page;
}

/** A page whose items are being converted, or only counted. */
export interface Begun {
  readonly next?: unknown;
  /** Rejects if the page cannot be finished. */
  readonly result: Promise<PageResult>;
}

/** Reads a page, and queues its items for conversion. */
export async function begin(pages: Pages, segment: Segment, from: unknown, turns: Turns): Promise<Begun> {
  const page = await readPage(pages, segment, from);
  const result = pageOf(pages, segment, page, turns);
  result.catch(() => undefined);
  return { next: page.next, result };
}

async function pageOf(pages: Pages, { table }: Segment, page: Page, turns: Turns): Promise<PageResult> {
  const { mostFailures = Infinity } = pages;
  const tally = new Tally();
  const failures: Failure[] = [];
  const tasks = await tasksOf(pages, table, page.items);
  const act = async (read: Read) => {
    if (failures.length <= mostFailures) await itemOf(pages, table, read, tally, failures, tasks.get(read));
  };
  await turns.all(page.items, act);
  return { counts: tally.counts, failures, ...(page.next === undefined ? {} : { next: page.next }) };
}

/** Converts one item to the new form, as a run would. Returns the reason if the conversion fails. */
export async function bring(
  { store, migration }: Pick<Pages, 'store' | 'migration'>,
  table: string,
  read: Read,
): Promise<string | undefined> {
  const failures: Failure[] = [];
  const allowed = () => undefined;
  const pages: Pages = {
    store,
    migration,
    phase: 'fill',
    pace: new Pace(),
    write: true,
    consistent: true,
    parallel: 1,
    allowed,
  };
  await itemOf(pages, table, read, new Tally(), failures);
  return failures[0]?.why;
}

async function itemOf(
  pages: Pages,
  table: string,
  first: Read,
  tally: Tally,
  failures: Failure[],
  known?: Task,
): Promise<void> {
  const { store, migration, pace, seen } = pages;
  const fail = (read: Read, why: string) => {
    tally.add('failed');
    failures.push({ table, key: store.shown(table, read.item), why: why.slice(0, LONGEST) });
  };
  tally.add('read');
  let read = first;
  if (pages.write && store.mend !== undefined) {
    await pages.allowed();
    const mended = await store.mend(table, first);
    pace.used(mended.consumed);
    if (mended.read === undefined) return tally.add('unchanged');
    read = mended.read;
  }
  for (let attempt = 1; ; attempt++) {
    // An outcome that was computed with the whole page is valid only for the version of the item on that page.
    const { outcome, lacking } = (read === first ? known : undefined) ?? (await taskOf(pages, table, read));
    known = undefined;
    if (attempt === 1) seen?.(table, read, outcome, lacking);
    if (outcome.kind === 'unknown') return tally.add('unknown');
    if (outcome.kind === 'failed') return fail(read, outcome.why);
    const settle = () => {
      tally.add(NAMES[outcome.kind]);
      tally.add('made', lacking.length);
    };
    if (!pages.write || (outcome.kind === 'unchanged' && lacking.length === 0)) return settle();
    const permission = permitted(pages);
    if (permission !== undefined) await permission;
    const taken = lacking.length === 0 ? undefined : await takenFrom(pages, table, read, lacking);
    if (taken !== undefined) return fail(read, taken);
    const done = await store.act(table, read, outcome, migration.decidedBy(table, outcome.entity), lacking);
    pace.used(done.consumed);
    if (done.kind === 'done') return settle();
    if (done.kind === 'refused') return fail(read, done.why);
    tally.add('conflicts');
    if (attempt === ATTEMPTS) return fail(read, `it changed after each of ${ATTEMPTS} reads; run again`);
    // Exponential backoff with jitter after each conflict.
    if (attempt > 1) await sleep(Math.random() * 5 * 2 ** attempt);
    await pace.ready();
    const again = await store.again(table, read);
    pace.used(again.consumed);
    // Another writer deleted the item, or moved it to another key, where the scan will find it.
    if (again.read === undefined) return tally.add('unchanged');
    read = again.read;
  }
}

/** The outcome for an item, and its derived items that are missing or differ from what is stored. */
interface Task {
  readonly outcome: Outcome;
  readonly lacking: readonly Lacking[];
}

async function taskOf(pages: Pages, table: string, read: Read): Promise<Task> {
  const [{ outcome, makes }] = (await worksOf(pages, table, [read])) as [Work];
  const { lacking, consumed } = makes.length === 0 ? NOTHING_LACKS : await pages.store.lacking(makes);
  pages.pace.used(consumed);
  return { outcome, lacking };
}

/** Returns the task for each item on a page. Reads the derived items of the whole page together. */
async function tasksOf(pages: Pages, table: string, items: readonly Read[]): Promise<ReadonlyMap<Read, Task>> {
  const works = await worksOf(pages, table, items);
  const tasks = works.map((work, i) => ({ read: items[i] as Read, ...work }));
  const all = tasks.flatMap(({ makes }) => makes);
  const { lacking, consumed } = all.length === 0 ? NOTHING_LACKS : await pages.store.lacking(all);
  pages.pace.used(consumed);
  const lackingOf = (makes: readonly Made[]) => lacking.filter(({ made }) => makes.includes(made));
  return new Map(
    tasks.map(({ read, outcome, makes }) => [read, { outcome, lacking: makes.length === 0 ? [] : lackingOf(makes) }]),
  );
}

/** The outcome for an item, and the items that must exist alongside it. */
interface Work {
  readonly outcome: Outcome;
  readonly makes: readonly Made[];
}

/** Computes the outcomes of items, with a time limit on the user's code. */
async function worksOf(pages: Pages, table: string, items: readonly Read[]): Promise<readonly Work[]> {
  const { itemLimit = ITEM_LIMIT, isStopped } = pages;
  const works: Work[] = [];
  const one = () => works.push(workOut(pages, table, items[works.length] as Read));
  const all = () => {
    while (works.length < items.length) one();
  };
  const { code } = pages.migration;
  if (code === undefined) {
    all();
    return works;
  }
  // Setting a time limit costs as much as processing a hundred items, so the limit first applies to a whole page. Only
  // a page that exceeds the limit is processed item by item.
  while (!within(itemLimit, all)) {
    await catchUp(isStopped);
    const { item } = items[works.length] as Read;
    if (within(itemLimit, one)) continue;
    const { before, after } = pages.migration.sides(table);
    const [known] = [before, after].flatMap((side) => (side && entityOf(side, item, side.entities)) ?? []);
    const entity = known?.name ?? table;
    const why = `${code === 'up' ? "'up'" : code} of ${entity} did not return within ${itemLimit / 1000} seconds; it must return for every item`;
    works.push({ outcome: { kind: 'failed', entity, why }, makes: [] });
    await catchUp(isStopped);
  }
  return works;
}

/** Yields to the event loop, so that signals and timers can run. */
async function catchUp(isStopped: Pages['isStopped']): Promise<void> {
  await sleep(1);
  if (isStopped?.()) throw new Interrupted();
}

function workOut({ migration, phase }: Pages, table: string, { item }: Read): Work {
  const outcome = migration.outcome(phase, table, item);
  const stays = outcome.kind === 'unchanged' || outcome.kind === 'update' || outcome.kind === 'move';
  // Split items are derived from the old form, which exists only in the fill phase.
  const makes = phase === 'fill' && stays ? migration.made(table, item) : [];
  return typeof makes === 'string'
    ? { outcome: { kind: 'failed', entity: (outcome as Act).entity, why: makes }, makes: [] }
    : { outcome, makes };
}

/**
 * Returns the reason for failing if a derived item already belongs to another item. For example, two users may share an
 * email address, but the derived item can reserve the address for only one of them.
 */
async function takenFrom(
  { store, migration, pace }: Pages,
  table: string,
  read: Read,
  lacking: readonly Lacking[],
): Promise<string | undefined> {
  for (const { made, there } of lacking) {
    if (there === undefined) continue;
    for (const key of migration.rivals(table, read.item, made, there.item)) {
      const { read: rival, consumed } = await store.find(table, key);
      pace.used(consumed);
      const claims = rival === undefined ? [] : migration.made(table, rival.item);
      const shown = store.shown(made.table, made.item);
      if (
        typeof claims !== 'string' &&
        claims.some(({ table: at, item }) => at === made.table && store.shown(at, item) === shown)
      )
        return `its ${made.entity} (${shown}) belongs to ${store.shown(table, key)}, which also claims it; change one of the two items`;
    }
  }
  return undefined;
}

const NOTHING_LACKS: Awaited<ReturnType<Store['lacking']>> = { lacking: [], consumed: 0 };

const NAMES: Readonly<Record<Act['kind'], 'unchanged' | 'updated' | 'moved' | 'deleted'>> = {
  unchanged: 'unchanged',
  update: 'updated',
  move: 'moved',
  delete: 'deleted',
};

class Tally {
  readonly #counts: { -readonly [N in keyof Counts]: Counts[N] } = { ...NONE };

  public get counts(): Counts {
    return this.#counts;
  }

  public add(name: keyof Counts, count = 1): void {
    this.#counts[name] += count;
  }
}

export function sum(a: Counts, b: Counts): Counts {
  const names = Object.keys(NONE) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, a[name] + b[name]])) as unknown as Counts;
}

/** Returns how many items were changed, or would be changed in a dry run. */
export function changedIn({ updated, moved, deleted, made }: Counts): number {
  return updated + moved + deleted + made;
}
