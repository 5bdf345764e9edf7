/** How to wait before a retry. */
export interface RetryOptions {
  /**
   * Waits before the next attempt; `took` is how many milliseconds the last one took.
   * @default - a random time, which grows with every attempt
   */
  readonly pause?: (attempt: number, took: number) => Promise<unknown>;
}
