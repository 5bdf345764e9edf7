import { hostname } from 'node:os';
import { Pace } from '../../../items/pace';
import type { Migration, PhaseOfItems } from '../migration';
import { Interrupted } from './bound';
import { type Begun, begin, changedIn, type PageResult, type Pages, sum } from './pass';
import { type Failure, isAbout, Lease, NONE, type Pass, type Position, type State } from './state';
import type { Segment, StateStore, Store } from './store';
import { Turns } from './turns';

export interface RunOptions {
  readonly migration: Migration;
  readonly phase: PhaseOfItems;
  /** The step of the plan that this run carries out. */
  readonly step: string;
  readonly store: Store;
  /** The store for the run's state, and the name of the state in that store. @default - a dry run, which only counts */
  readonly writing?: { readonly states: StateStore; readonly id: string };
  /** The capacity units per second that reads and writes together may consume. @default - unlimited */
  readonly capacity?: number | undefined;
  /** The number of segments of each table to read in parallel. @default 1 */
  readonly segments?: number | undefined;
  /** The number of items per segment to write in parallel. @default 16 */
  readonly parallel?: number | undefined;
  /** The number of failures that are allowed before the run stops. @default 20 */
  readonly failures?: number | undefined;
  /** The time limit on the user's code for one item, in milliseconds. @default 5000 */
  readonly itemLimit?: number | undefined;
  /** The maximum number of passes over all tables. @default 5 */
  readonly passes?: number | undefined;
  /** The time, in milliseconds, after which a lease expires unless it is renewed. @default 30000 */
  readonly lease?: number | undefined;
  /** Whether to wait for another runner to finish. @default false */
  readonly wait?: boolean | undefined;
  /** Stops the run once the pages in progress are finished. */
  readonly signal?: AbortSignal | undefined;
  /** Called after every page. */
  readonly progress?: (state: Pick<State, 'passes' | 'failures'>) => void;
}

export type RunResult = Pick<State, 'status' | 'passes' | 'failures'>;

/** The minimum time between two saves of the state, in milliseconds. */
const CHECKPOINT = 1000;

/**
 * Converts every stored item to the new form; a dry run only counts the items that would change. Makes passes over all
 * tables until a pass finds nothing to do. A single pass is not enough, because other writers may still store items in
 * the old form in a part of the table that the pass has already read.
 */
export async function runMigration(options: RunOptions): Promise<RunResult> {
  const pace = new Pace(options.capacity);
  if (options.writing === undefined) return dryRun(options, pace);
  const { states, id } = options.writing;
  const { lease: ttl = 30_000, wait = false, passes: most = 5 } = options;
  const owner = `${hostname()} (process ${process.pid})`;
  const lease = await Lease.take(states, id, (before) => beginning(options, before), { owner, ttl, wait });
  // A failed renewal can be ignored here, because the next awaited save fails too.
  const beat = setInterval(() => lease.renew().catch(() => undefined), ttl / 3);
  try {
    for (;;) {
      const stopped = await onePass(options, pace, lease);
      const { passes, failures } = lease.state;
      const { counts } = passes.at(-1) as Pass;
      const status =
        stopped ??
        (failures.length > 0 && changedIn(counts) === 0
          ? 'stopped'
          : changedIn(counts) === 0
            ? 'done'
            : passes.length >= most
              ? 'unclean'
              : undefined);
      if (status !== undefined) return await end(lease, status);
      await lease.save((state) => ({ ...state, passes: [...state.passes, emptyPass(options)], failures: [] }));
    }
  } catch (error) {
    // Release the lease, unless it is lost, so that another runner need not wait until the lease expires.
    await end(lease, 'paused').catch(() => undefined);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

async function end(lease: Lease, status: State['status']): Promise<RunResult> {
  return lease.save(({ wanted: _, ...state }) => ({ ...state, status }), 'back');
}

async function dryRun(options: RunOptions, pace: Pace): Promise<RunResult> {
  let state: Pick<State, 'passes' | 'failures'> = { passes: [emptyPass(options)], failures: [] };
  const { failures: most = FAILURES, signal } = options;
  const isStopped = () => signal?.aborted === true || failedIn(state) > most;
  const pages = pagesFor(options, pace, () => undefined, isStopped);
  await eachSegment(options, state.passes[0] as Pass, pages, isStopped, async (segment, result) => {
    state = advanced(state, segment, result, most);
    options.progress?.(state);
  });
  return { ...state, status: signal?.aborted ? 'paused' : state.failures.length > 0 ? 'stopped' : 'done' };
}

/** Returns the initial state of a run: the state of an interrupted run on the same tables, or a new state. */
function beginning(options: RunOptions, before: State | undefined): Omit<State, 'lease' | 'token' | 'updatedAt'> {
  const { step, phase, migration, store, segments = 1 } = options;
  const tables = Object.fromEntries(migration.verified.map((table) => [table, store.nameOf(table)]));
  const last = before?.passes.at(-1);
  // Ignore the state of a run on other tables or with a different number of segments.
  const isSame =
    before !== undefined &&
    isAbout(before, tables) &&
    last !== undefined &&
    Object.values(last.positions).every(({ length }) => length === segments);
  const isOnTheWay = before?.status === 'running' || before?.status === 'paused';
  if (before !== undefined && isOnTheWay && isSame) return { ...withoutRequest(before), status: 'running' };
  const startedAt = new Date().toISOString();
  return { step, phase, tables, status: 'running', startedAt, passes: [emptyPass(options)], failures: [] };
}

function withoutRequest({ wanted: _, lease: __, ...state }: State): Omit<State, 'lease' | 'wanted'> {
  return state;
}

function emptyPass({ migration, phase, segments = 1 }: RunOptions): Pass {
  const positions = migration.tables[phase].map((table) => [table, Array.from({ length: segments }, () => ({}))]);
  return { positions: Object.fromEntries(positions), counts: NONE };
}

/** Continues the latest pass to its end. Returns a status only if the pass was stopped. */
async function onePass(options: RunOptions, pace: Pace, lease: Lease): Promise<State['status'] | undefined> {
  const { failures: most = FAILURES, lease: ttl = 30_000, signal } = options;
  let now: Pick<State, 'passes' | 'failures'> = lease.state;
  let kept = Date.now();
  const save = () => lease.save((state) => ({ ...state, passes: now.passes, failures: now.failures }));
  const stop = (): State['status'] | undefined => {
    const { wanted } = lease.state;
    if (wanted === 'abort') return 'aborted';
    if (wanted === 'pause' || signal?.aborted) return 'paused';
    return failedIn(now) > most ? 'stopped' : undefined;
  };
  const isStopped = () => stop() !== undefined;
  const pages = pagesFor(options, pace, () => lease.held(), isStopped);
  try {
    await eachSegment(options, now.passes.at(-1) as Pass, pages, isStopped, async (segment, result) => {
      now = advanced(now, segment, result, most);
      options.progress?.(now);
      if (Date.now() - kept < Math.min(CHECKPOINT, ttl / 3)) return;
      kept = Date.now();
      await save();
    });
  } finally {
    // Save the state even after an error, so that the next run skips finished pages. If the lease is lost, this save
    // fails as well.
    await save().catch(() => undefined);
  }
  await lease.held();
  return stop();
}

function pagesFor(options: RunOptions, pace: Pace, allowed: Pages['allowed'], isStopped: () => boolean): Pages {
  const { store, migration, phase, writing, parallel = 16, failures: mostFailures = FAILURES, itemLimit } = options;
  return {
    store,
    migration,
    phase,
    pace,
    write: writing !== undefined,
    consistent: false,
    parallel,
    allowed,
    isStopped,
    mostFailures,
    ...(itemLimit === undefined ? {} : { itemLimit }),
  };
}

/** Processes the tables one by one, and all segments of a table in parallel. */
export async function eachSegment(
  { segments = 1 }: Pick<RunOptions, 'segments'>,
  { positions }: Pick<Pass, 'positions'>,
  pages: Pages,
  isStopped: () => boolean,
  done: (segment: Segment, result: PageResult) => Promise<void>,
): Promise<void> {
  for (const [table, begins] of Object.entries(positions)) {
    let failed: { readonly error: unknown } | undefined;
    const through = async (segment: Segment, { at, isThrough }: Position) => {
      if (isThrough || isStopped()) return;
      const turns = new Turns(pages.parallel);
      let page: Begun | undefined = await begin(pages, segment, at, turns);
      while (page !== undefined) {
        // Read the next page now, so that its writes can begin while the last writes of this page are still under way.
        const ahead: Promise<Begun> | undefined =
          page.next === undefined ? undefined : begin(pages, segment, page.next, turns);
        ahead?.catch(() => undefined);
        try {
          await done(segment, await page.result);
          if (isStopped() || failed !== undefined) throw new Interrupted();
          page = await ahead;
        } catch (error) {
          turns.close(error);
          await ahead?.then(({ result }) => result).catch(() => undefined);
          throw error;
        }
      }
    };
    await Promise.all(
      begins.map((begin, segment) =>
        through({ table, segment, segments }, begin).catch((error: unknown) => {
          if (!(error instanceof Interrupted)) failed ??= { error };
        }),
      ),
    );
    if (failed !== undefined) throw (failed as { readonly error: unknown }).error;
  }
}

/** Returns the state with a page's result added. */
function advanced(
  { passes, failures }: Pick<State, 'passes' | 'failures'>,
  { table, segment }: Segment,
  { counts, failures: more, next }: PageResult,
  most: number,
): { readonly passes: readonly Pass[]; readonly failures: readonly Failure[] } {
  const last = passes.at(-1) as Pass;
  const position: Position = next === undefined ? { isThrough: true } : { at: next };
  const positions = { ...last.positions, [table]: (last.positions[table] ?? []).with(segment, position) };
  return {
    passes: [...passes.slice(0, -1), { positions, counts: sum(last.counts, counts) }],
    // Keep at most one failure more than the limit: the one that stops the run.
    failures: [...failures, ...more].slice(0, Math.min(KEPT, most + 1)),
  };
}

function failedIn({ passes }: Pick<State, 'passes'>): number {
  return passes.at(-1)?.counts.failed ?? 0;
}

/** The number of failures that a run allows by default. */
const FAILURES = 20;

/** The maximum number of failures to keep; the state of a run must stay small. */
const KEPT = 200;
