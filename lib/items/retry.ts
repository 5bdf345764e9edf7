/** How to wait before something is tried again. */
export interface RetryOptions {
  /**
   * Waits before the next attempt, after one that took so many milliseconds.
   * @default - a random time, which grows with every attempt
   */
  readonly pause?: (attempt: number, took: number) => Promise<unknown>;
}
