/** The options for waiting before a retry. */
export interface RetryOptions {
  /**
   * Waits before the next attempt. `took` is the duration of the last attempt in milliseconds.
   * @default - waits with exponential backoff and jitter
   */
  readonly pause?: (attempt: number, took: number) => Promise<unknown>;
}
