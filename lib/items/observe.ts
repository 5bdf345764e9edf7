/** A request, as reported for logs, billing or metrics. */
export interface Observation<Operation extends string = string> {
  readonly table: string;
  readonly pattern: string;
  readonly operation: Operation;
  readonly milliseconds: number;
  /** The capacity that the request consumed, in the cloud's units, if the cloud reports it. */
  readonly capacity?: number;
  /** Why the request failed, or why the library refused to send it. */
  readonly error?: unknown;
  /** Why the read omitted items: the design does not know them, or they do not match their entity. */
  readonly unknown?: readonly Error[];
  readonly context: Readonly<Record<string, unknown>>;
}

export interface ObserverOptions<Operation extends string> {
  /**
   * Called after every request that succeeds, fails or is refused. An error that the observer throws becomes a
   * warning and does not affect the request.
   * @default - the client has no observer
   */
  readonly observe?: (observation: Observation<Operation>) => void;
  /**
   * Data that every observation of this client includes, such as the tenant's ID and the API key's ID.
   * @default - nothing
   */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** Facts that the library learns about a request while it runs. */
export interface Seen {
  capacity?: number;
  unknown?: Error[];
}

/** Runs `work`, and reports its outcome to the observer. */
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

/** Registers a pattern's function, so that `refused` can report to the pattern's observer. */
export function refusable<R extends object>(run: R, refuse: (error: unknown) => Promise<unknown>): R {
  refusals.set(run, (error) => refuse(error).catch(() => undefined));
  return run;
}

/**
 * When a procedure refuses to send a pattern, reports its error to the pattern's observer, and returns the error:
 * `throw refused(client.bookSlot, new BookingInvalid('…'))`
 */
export function refused<E>(run: object, error: E): E {
  refusals.get(run)?.(error);
  return error;
}

/**
 * Calls an observer. If the observer fails, the function prints a warning and does not change the outcome of the
 * request.
 */
export function tell<O>(observe: (observation: O) => unknown, observation: O): void {
  try {
    const result = observe(observation);
    // An async observer fails later, when no other code would catch its error.
    if (result instanceof Promise) result.catch(warn);
  } catch (fault) {
    warn(fault);
  }
}

function warn(fault: unknown): void {
  console.warn(
    `an observer failed; the observed request is not affected: ${fault instanceof Error ? fault.message : fault}`,
  );
}
