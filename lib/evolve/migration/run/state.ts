import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { EvolutionError } from '../../lock/read';
import type { PhaseOfItems } from '../migration';
import type { StateStore } from './store';

/**
 * The saved state of a run: its runner, progress and result. Each step of a plan has one state, which later runs
 * continue or replace.
 */
export interface State {
  readonly step: string;
  readonly phase: PhaseOfItems;
  /** The deployed names of the tables in the run, keyed by their names in the system. */
  readonly tables: TableNames;
  readonly status: 'running' | 'paused' | 'aborted' | 'stopped' | 'unclean' | 'done';
  /** The action that another process asks the runner to take. */
  readonly wanted?: 'pause' | 'abort';
  /** The lease of the runner that may write. */
  readonly lease?: LeaseOf;
  /** A number that increases with every new runner. A runner that holds a different number has lost its lease. */
  readonly token: number;
  readonly startedAt: string;
  readonly updatedAt: string;
  /** The passes over all tables. While the run is active, the last pass is under way. */
  readonly passes: readonly Pass[];
  readonly failures: readonly Failure[];
  /** The result of the last verification after the run ended. @default - no verification since then */
  readonly verified?: Verified;
}

export type TableNames = Readonly<Record<string, string>>;

/**
 * Whether a state belongs to a run on these tables. A run of the same step on other tables, such as copies of these
 * tables, is a different run.
 */
export function isAbout({ tables }: Pick<State, 'tables'>, names: TableNames): boolean {
  return isDeepStrictEqual(tables, names);
}

/** Formats the deployed names of tables as the values of `--table` options. */
export function shownTables(names: TableNames = {}): string {
  return Object.entries(names)
    .map(([table, name]) => `${table}=${name}`)
    .join(' ');
}

export interface Verified {
  readonly complete: boolean;
  readonly at: string;
}

export interface LeaseOf {
  readonly owner: string;
  readonly token: number;
  /** The time, in milliseconds, after which the lease expires unless it is renewed. */
  readonly ttl: number;
  /** The number of times that the owner has saved its progress. */
  readonly checkpoints: number;
  /**
   * A number that increases with every renewal. It lets other runners see, without comparing clocks, that the owner is
   * alive.
   */
  readonly beat: number;
}

export interface Pass {
  /** The position of each segment, keyed by table. */
  readonly positions: Readonly<Record<string, readonly Position[]>>;
  readonly counts: Counts;
}

export interface Position {
  /** The position of the next page. @default - the segment has not started */
  readonly at?: unknown;
  readonly isThrough?: boolean;
}

export interface Counts {
  readonly read: number;
  readonly unchanged: number;
  readonly updated: number;
  readonly moved: number;
  readonly deleted: number;
  /** Items that were derived from other items, or updated to match them. */
  readonly made: number;
  /** The number of items that fit neither design. */
  readonly unknown: number;
  readonly failed: number;
  /**
   * The number of writes that failed because the item had changed. After such a write, the run reads the item again.
   */
  readonly conflicts: number;
}

export interface Failure {
  readonly table: string;
  readonly key: string;
  readonly why: string;
}

export const NONE: Counts = {
  read: 0,
  unchanged: 0,
  updated: 0,
  moved: 0,
  deleted: 0,
  made: 0,
  unknown: 0,
  failed: 0,
  conflicts: 0,
};

/** Thrown when another runner has the lease, or when this runner has lost it. */
export class LeaseError extends Error {
  public override readonly name = 'LeaseError';
}

interface Kept {
  readonly state: State;
  readonly version: string;
}

export async function loadState(states: StateStore, id: string): Promise<Kept | undefined> {
  const kept = await states.load(id);
  if (kept === undefined) return undefined;
  try {
    return { state: JSON.parse(kept.value) as State, version: kept.version };
  } catch {
    throw new EvolutionError(
      `the state '${id}' in '${states.name}' is damaged; remove it, and run again: nothing is lost`,
    );
  }
}

export interface LeaseOptions {
  readonly owner: string;
  /** The time, in milliseconds, after which a lease expires unless it is renewed. */
  readonly ttl: number;
  /** Whether to wait while another runner holds the lease, instead of giving up. */
  readonly wait: boolean;
  readonly clock?: Clock;
}

/** Measures time; clocks of different machines are never compared. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  now(): number;
  sleep(milliseconds: number): Promise<unknown>;
}

/** The longest term of a lease, in milliseconds. A term that proves too short is doubled, up to this limit. */
const LONGEST_TERM = 300_000;

const CLOCK: Clock = { now: () => performance.now(), sleep: (milliseconds) => sleep(milliseconds) };

/**
 * Watches another runner's lease. If the owner does not renew its lease for a whole term, the owner is considered gone.
 */
class Watch {
  readonly #clock: Clock;
  #seen: { readonly sign: string; readonly at: number } | undefined;

  public constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns whether the lease's owner is alive. If it is too early to tell, waits briefly and returns `unsure`. */
  public async look({ token, beat, ttl }: LeaseOf): Promise<'alive' | 'gone' | 'unsure'> {
    const sign = `${token} ${beat}`;
    const before = this.#seen;
    if (before?.sign !== sign) this.#seen = { sign, at: this.#clock.now() };
    if (before !== undefined && before.sign !== sign) return 'alive';
    const left = (this.#seen as { readonly at: number }).at + ttl - this.#clock.now();
    if (left <= 0) return 'gone';
    await this.#clock.sleep(Math.min(left, Math.max(ttl / 10, 10)));
    return 'unsure';
  }
}

/** The right to write, held by one runner at a time; each new runner gets the next token. */
export class Lease {
  readonly #states: StateStore;
  readonly #id: string;
  readonly #options: LeaseOptions;
  #kept: Kept;
  #saving: Promise<unknown> = Promise.resolve();
  #renewing: Promise<unknown> | undefined;
  #lost: LeaseError | undefined;
  /** The time of the last renewal; other runners start counting only when they see the renewal. */
  #renewedAt: number;

  private constructor(states: StateStore, id: string, options: LeaseOptions, kept: Kept, at: number) {
    this.#renewedAt = at;
    this.#states = states;
    this.#id = id;
    this.#options = options;
    this.#kept = kept;
  }

  /** Acquires the lease, and saves the initial state of the run. */
  public static async take(
    states: StateStore,
    id: string,
    begin: (before: State | undefined) => Omit<State, 'lease' | 'token' | 'updatedAt' | 'wanted'>,
    options: LeaseOptions,
  ): Promise<Lease> {
    const watch = new Watch(options.clock ?? CLOCK);
    for (;;) {
      const before = await loadState(states, id);
      const held = before?.state.lease;
      const found = held === undefined ? 'gone' : await watch.look(held);
      if (found === 'alive' && !options.wait)
        throw new LeaseError(
          `${held?.owner} is running this migration, and renewed its lease a moment ago; wait for it (--wait), or pause it with 'npx tablewright migrate pause'`,
        );
      if (found !== 'gone') continue;
      const token = (before?.state.token ?? 0) + 1;
      // An owner that has saved no progress may be alive but slow. If the term did not grow, slow runners could replace
      // each other forever.
      const ttl = held?.checkpoints === 0 ? longer(held.ttl, options.ttl) : options.ttl;
      const lease = { owner: options.owner, token, ttl, checkpoints: 0, beat: 0 };
      const at = (options.clock ?? CLOCK).now();
      const state: State = { ...begin(before?.state), token, lease, updatedAt: today() };
      const version = await states.save(id, JSON.stringify(state), before?.version);
      if (version !== undefined) return new Lease(states, id, options, { state, version }, at);
    }
  }

  public get state(): State {
    return this.#kept.state;
  }

  /**
   * Ensures that this runner has the lease before it writes. Renews an expired lease, and throws if another runner took
   * the lease.
   */
  public held(): Promise<void> | undefined {
    if (this.#lost !== undefined) throw this.#lost;
    const { lease } = this.#kept.state;
    if (lease === undefined) return this.#lose('it was released');
    return this.#isExpired(lease) ? this.renew().then(() => this.held()) : undefined;
  }

  /**
   * Renews the lease. Callers share a renewal that is in progress, so that renewals never queue up on a slow engine.
   */
  public renew(): Promise<unknown> {
    this.#renewing ??= this.save((state) => state).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  #isExpired({ ttl }: LeaseOf): boolean {
    return this.#now() >= this.#renewedAt + ttl;
  }

  #now(): number {
    return (this.#options.clock ?? CLOCK).now();
  }

  /** Changes and saves the state, and renews the lease. With `give`, releases the lease instead. */
  public save(change: (state: State) => State, give?: 'back'): Promise<State> {
    const saved = this.#saving.then(() => this.#save(change, give));
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #save(change: (state: State) => State, give: 'back' | undefined): Promise<State> {
    for (;;) {
      if (this.#lost !== undefined) throw this.#lost;
      const held = this.#kept.state.lease;
      // The lease was released in the meantime; a late renewal must not acquire it again.
      if (held === undefined) return this.#kept.state;
      const at = this.#now();
      const { lease: _, ...rest } = change(this.#kept.state);
      const lease = {
        ...held,
        ttl: this.#isExpired(held) ? longer(held.ttl, held.ttl) : held.ttl,
        checkpoints: held.checkpoints + (rest.passes === this.#kept.state.passes ? 0 : 1),
        beat: held.beat + 1,
      };
      const state: State = { ...rest, ...(give === 'back' ? {} : { lease }), updatedAt: today() };
      const version = await this.#states.save(this.#id, JSON.stringify(state), this.#kept.version);
      if (version !== undefined) {
        this.#kept = { state, version };
        this.#renewedAt = at;
        return state;
      }
      const there = await loadState(this.#states, this.#id);
      if (there === undefined || there.state.token !== held.token) {
        this.#lose(
          there === undefined ? 'its state was removed' : `${there.state.lease?.owner ?? 'another runner'} took it`,
        );
      } else {
        // Another process saved the state only to ask the runner to pause or abort.
        this.#kept = {
          state: { ...this.#kept.state, ...(there.state.wanted && { wanted: there.state.wanted }) },
          version: there.version,
        };
      }
    }
  }

  #lose(why: string): never {
    this.#lost = new LeaseError(
      `the lease is lost (${why}): this runner writes nothing more, and finished work is kept; run the command again to continue`,
    );
    throw this.#lost;
  }
}

/** Returns a longer term for a lease whose term proved too short, but never less than the requested term. */
function longer(ttl: number, asked: number): number {
  return Math.max(asked, Math.min(ttl * 2, LONGEST_TERM));
}

/** Asks the runner to pause or abort, or sets the status directly if no runner is active. Returns the new state. */
export async function want(
  states: StateStore,
  id: string,
  wanted: 'pause' | 'abort',
  clock: Clock = CLOCK,
): Promise<State | undefined> {
  const watch = new Watch(clock);
  for (;;) {
    const kept = await loadState(states, id);
    if (kept === undefined) return undefined;
    const { lease, ...rest } = kept.state;
    if (kept.state.status === 'done') return kept.state;
    const isAsked = kept.state.wanted === wanted;
    const found = lease === undefined ? 'gone' : isAsked ? await watch.look(lease) : 'unsure';
    if (found === 'alive') return kept.state;
    if (found === 'unsure' && isAsked) continue;
    const status = wanted === 'pause' ? ('paused' as const) : ('aborted' as const);
    const state: State = found === 'gone' ? { ...rest, status, updatedAt: today() } : { ...kept.state, wanted };
    const version = await states.save(id, JSON.stringify(state), kept.version);
    if (version !== undefined && found === 'gone') return state;
  }
}

/** Adds a verification's result to the state of the run on the same tables, if that run has ended. */
export async function noteVerified(
  states: StateStore,
  id: string,
  complete: boolean,
  now: number,
  names: TableNames,
): Promise<void> {
  for (;;) {
    const kept = await loadState(states, id);
    if (kept === undefined || kept.state.status === 'running' || !isAbout(kept.state, names)) return;
    const state: State = { ...kept.state, verified: { complete, at: new Date(now).toISOString() } };
    if ((await states.save(id, JSON.stringify(state), kept.version)) !== undefined) return;
  }
}

function today(): string {
  return new Date().toISOString();
}
