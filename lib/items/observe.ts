/** One request, for logs, bills or metrics. */
export interface Observation<Operation extends string = string> {
  readonly table: string;
  readonly pattern: string;
  readonly operation: Operation;
  readonly milliseconds: number;
  /** The capacity that it consumed, in the cloud's units, if the cloud reports it. */
  readonly capacity?: number;
  /** Why it failed, or was refused before it was sent. */
  readonly error?: unknown;
  /** Why items that were read are not returned: the design does not know them, or they do not fit it. */
  readonly unknown?: readonly Error[];
  readonly context: Readonly<Record<string, unknown>>;
}

export interface ObserverOptions<Operation extends string> {
  /**
   * Called after every request, whether it succeeds, fails or is refused. An error that it throws becomes a warning and
   * changes nothing.
   * @default - nothing is called
   */
  readonly observe?: (observation: Observation<Operation>) => void;
  /**
   * What all requests of this client have in common, such as the tenant and the API key it serves.
   * @default - nothing
   */
  readonly context?: Readonly<Record<string, unknown>>;
}

/** What becomes known about a request while it runs. */
export interface Seen {
  capacity?: number;
  unknown?: Error[];
}

/** Does some work, and reports its outcome to the observer. */
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

/** The function of a pattern, marked so that `refused` can report a refusal. */
export function refusable<R extends object>(run: R, refuse: (error: unknown) => Promise<unknown>): R {
  refusals.set(run, (error) => refuse(error).catch(() => undefined));
  return run;
}

/**
 * Reports the error with which a procedure refuses a pattern before sending it, so that the observer receives it.
 * `throw refused(client.bookSlot, new BookingInvalid('…'))`
 */
export function refused<E>(run: object, error: E): E {
  refusals.get(run)?.(error);
  return error;
}

/** Calls an observer. If the observer fails, this prints a warning and does not change the outcome of the request. */
export function tell<O>(observe: (observation: O) => unknown, observation: O): void {
  try {
    const result = observe(observation);
    // An async observer fails later, when nothing else would catch its error.
    if (result instanceof Promise) result.catch(warn);
  } catch (fault) {
    warn(fault);
  }
}

function warn(fault: unknown): void {
  console.warn(
    `an observer failed, which does not affect its request: ${fault instanceof Error ? fault.message : fault}`,
  );
}
