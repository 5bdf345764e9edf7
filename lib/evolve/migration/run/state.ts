import { EvolutionError } from '../../lock/read';
import type { PhaseOfItems } from '../migration';
import type { StateStore } from './store';

/** The state of the runs of one step of a plan: who runs, how far they are, and the result. */
export interface State {
  readonly step: string;
  readonly phase: PhaseOfItems;
  readonly status: 'running' | 'paused' | 'aborted' | 'stopped' | 'unclean' | 'done';
  /** What another process asked the runner to do. */
  readonly wanted?: 'pause' | 'abort';
  /** Who may write, and until when. */
  readonly lease?: LeaseOf;
  /** Counts up with every runner: a runner with another number has lost its lease. */
  readonly token: number;
  readonly startedAt: string;
  readonly updatedAt: string;
  /** The passes over all tables; the last one is under way. */
  readonly passes: readonly Pass[];
  readonly failures: readonly Failure[];
}

export interface LeaseOf {
  readonly owner: string;
  readonly token: number;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** One pass over all tables. */
export interface Pass {
  /** How far each segment is, by table. */
  readonly positions: Readonly<Record<string, readonly Position[]>>;
  readonly counts: Counts;
}

export interface Position {
  /** Where the next page begins. @default - it has not begun */
  readonly at?: unknown;
  readonly isThrough?: boolean;
}

export interface Counts {
  readonly read: number;
  readonly unchanged: number;
  readonly updated: number;
  readonly moved: number;
  readonly deleted: number;
  /** Items that were made from others, or brought in line with them. */
  readonly made: number;
  /** Items that neither design knows. */
  readonly unknown: number;
  readonly failed: number;
  /** How often an item had changed by the time it was written, and was read again. */
  readonly conflicts: number;
  /** The capacity that reads and writes consumed. */
  readonly consumed: number;
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
  consumed: 0,
};

/** Raised when another runner has the lease, or took it. */
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
  /** How many milliseconds a lease holds without being renewed. */
  readonly ttl: number;
  /** Whether to wait for another runner instead of giving up. */
  readonly wait: boolean;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/** The right to write, held by one runner at a time; whoever takes it over has the next token. */
export class Lease {
  readonly #states: StateStore;
  readonly #id: string;
  readonly #options: LeaseOptions;
  #kept: Kept;
  #saving: Promise<unknown> = Promise.resolve();
  #lost: LeaseError | undefined;

  private constructor(states: StateStore, id: string, options: LeaseOptions, kept: Kept) {
    this.#states = states;
    this.#id = id;
    this.#options = options;
    this.#kept = kept;
  }

  /** Takes the lease, and saves the state that the run begins with. */
  public static async take(
    states: StateStore,
    id: string,
    begin: (before: State | undefined) => Omit<State, 'lease' | 'token' | 'updatedAt' | 'wanted'>,
    options: LeaseOptions,
  ): Promise<Lease> {
    for (;;) {
      const before = await loadState(states, id);
      const held = before?.state.lease;
      const now = options.now();
      if (held !== undefined && held.until > now) {
        if (!options.wait)
          throw new LeaseError(
            `${held.owner} is running this migration, with a lease until ${iso(held.until)}; wait (--wait), or pause it: tablewright migrate pause`,
          );
        await options.sleep(Math.min(held.until - now + 1, options.ttl));
        continue;
      }
      const token = (before?.state.token ?? 0) + 1;
      const lease = { owner: options.owner, token, until: now + options.ttl };
      const state: State = { ...begin(before?.state), token, lease, updatedAt: iso(now) };
      const version = await states.save(id, JSON.stringify(state), before?.version);
      if (version !== undefined) return new Lease(states, id, options, { state, version });
    }
  }

  public get state(): State {
    return this.#kept.state;
  }

  /** Throws if another runner may have the lease by now; called before every write. */
  public assertHeld(): void {
    if (this.#lost !== undefined) throw this.#lost;
    const { lease } = this.#kept.state;
    if (lease === undefined) this.#lose('it was released');
    if (this.#options.now() >= lease.until) this.#lose('it was not renewed in time');
  }

  /** Saves a state and renews the lease, or gives it back. */
  public save(change: (state: State) => State, give?: 'back'): Promise<State> {
    const saved = this.#saving.then(() => this.#save(change, give));
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #save(change: (state: State) => State, give: 'back' | undefined): Promise<State> {
    for (;;) {
      if (this.#lost !== undefined) throw this.#lost;
      const held = this.#kept.state.lease;
      // A renewal that was under way when the lease was given back must not take it again.
      if (held === undefined) return this.#kept.state;
      const now = this.#options.now();
      const { lease: _, ...rest } = change(this.#kept.state);
      const state: State = {
        ...rest,
        ...(give === 'back' ? {} : { lease: { ...held, until: now + this.#options.ttl } }),
        updatedAt: iso(now),
      };
      const version = await this.#states.save(this.#id, JSON.stringify(state), this.#kept.version);
      if (version !== undefined) {
        this.#kept = { state, version };
        return state;
      }
      const there = await loadState(this.#states, this.#id);
      if (there === undefined || there.state.token !== held.token) {
        this.#lose(
          there === undefined ? 'its state was removed' : `${there.state.lease?.owner ?? 'another runner'} took it`,
        );
      } else {
        // Another process only asked the runner to pause or abort.
        this.#kept = {
          state: { ...this.#kept.state, ...(there.state.wanted && { wanted: there.state.wanted }) },
          version: there.version,
        };
      }
    }
  }

  #lose(why: string): never {
    this.#lost = new LeaseError(
      `the lease is lost (${why}): nothing more is written; what is done stays done, run it again to continue`,
    );
    throw this.#lost;
  }
}

/** Asks a runner to stop, or sets the status at once if none is at work. Returns the new state. */
export async function want(
  states: StateStore,
  id: string,
  wanted: 'pause' | 'abort',
  now: number,
): Promise<State | undefined> {
  for (;;) {
    const kept = await loadState(states, id);
    if (kept === undefined) return undefined;
    const { lease, ...rest } = kept.state;
    const isHeld = lease !== undefined && lease.until > now;
    if (kept.state.status === 'done') return kept.state;
    const state: State = isHeld
      ? { ...kept.state, wanted }
      : { ...rest, status: wanted === 'pause' ? 'paused' : 'aborted', updatedAt: iso(now) };
    if ((await states.save(id, JSON.stringify(state), kept.version)) !== undefined) return state;
  }
}

function iso(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
