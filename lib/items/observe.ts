/** One request, as it is logged, billed or measured. */
export interface Observation<Operation extends string = string> {
  readonly table: string;
  readonly pattern: string;
  readonly operation: Operation;
  readonly milliseconds: number;
  /** What it consumed, in the cloud's units, where the cloud tells. */
  readonly capacity?: number;
  /** Why it failed; also where it was refused before it was sent. */
  readonly error?: unknown;
  /** Why items that were read are not returned: the design does not know them, or they are not as designed. */
  readonly unknown?: readonly Error[];
  readonly context: Readonly<Record<string, unknown>>;
}

export interface ObserverOptions<Operation extends string> {
  /**
   * Told of every request, whether it succeeds, fails or is refused. A fault of its own changes nothing: it becomes a
   * warning.
   * @default - nobody is told
   */
  readonly observe?: (observation: Observation<Operation>) => void;
  /**
   * What is true of all requests of this client, such as the tenant and the API key it serves.
   * @default - nothing
   */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** What is learnt of a request while it is under way. */
export interface Seen {
  capacity?: number;
  unknown?: Error[];
}

/** Does some work, and tells the observer what came of it. */
export type Observed<Operation extends string> = <T>(
  pattern: string,
  operation: Operation,
  work: (seen: Seen) => Promise<T>,
) => Promise<T>;

export function observing<Operation extends string>(
  table: string,
  { observe, context = {} }: ObserverOptions<Operation>,
): Observed<Operation> {
  if (observe === undefined) return (_, __, work) => work({});
  return async (pattern, operation, work) => {
    const start = performance.now();
    const seen: Seen = {};
    let outcome: { error?: unknown } = {};
    try {
      return await work(seen);
    } catch (error) {
      outcome = { error };
      throw error;
    } finally {
      const milliseconds = performance.now() - start;
      tell(observe, { table, pattern, operation, milliseconds, ...seen, ...outcome, context });
    }
  };
}

const refusals = new WeakMap<object, (error: unknown) => void>();

/** The run of a pattern, which others can also refuse themselves. */
export function refusable<R extends object>(run: R, refuse: (error: unknown) => Promise<unknown>): R {
  refusals.set(run, (error) => refuse(error).catch(() => undefined));
  return run;
}

/**
 * The error that a procedure refuses a pattern with, before it is sent: the observer hears of it like any other.
 * `throw refused(client.bookSlot, new BookingInvalid('…'))`
 */
export function refused<E>(run: object, error: E): E {
  refusals.get(run)?.(error);
  return error;
}

/** Tells an observer: what is wrong with it is warned of, and never changes what came of the request. */
export function tell<O>(observe: (observation: O) => unknown, observation: O): void {
  try {
    const told = observe(observation);
    // One that is async fails later, and nobody else waits for it.
    if (told instanceof Promise) told.catch(warn);
  } catch (fault) {
    warn(fault);
  }
}

function warn(fault: unknown): void {
  console.warn(
    `an observer failed, which does not affect its request: ${fault instanceof Error ? fault.message : fault}`,
  );
}
