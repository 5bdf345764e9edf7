import type { RetryOptions as Pausing } from '../items/retry';
import { RequestError } from './errors';

export interface RetryOptions extends Pausing {
  /** The maximum number of attempts. @default 10 */
  readonly attempts?: number;
}

/**
 * Calls a function that reads items and writes values computed from them, and repeats the call after each conflict with
 * another writer. The function must read the items again on every call. If the last attempt fails, `retry` throws its
 * error.
 */
export async function retry<T>(
  work: (attempt: number) => Promise<T>,
  { attempts = 10, pause = randomPause }: RetryOptions = {},
): Promise<T> {
  if (!Number.isInteger(attempts) || attempts < 1)
    throw new Error(`retry: attempts must be a positive integer, got: ${attempts}`);
  for (let attempt = 1; ; attempt++) {
    const start = performance.now();
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt === attempts || !isLostRace(error)) throw error;
    }
    await pause(attempt, performance.now() - start);
  }
}

/**
 * Whether the item changed between the read and the write. A conflict over a unique value is not a lost race, because a
 * retry would fail again.
 */
function isLostRace(error: unknown): boolean {
  if (!(error instanceof RequestError)) return false;
  const { kind, writes } = error;
  if (kind === 'exists') return !writes.some(({ unique }) => unique);
  return kind === 'conflict' || kind === 'condition' || kind === 'stale';
}

/** Waits at most 2 seconds, with jitter, so that conflicting writers do not retry at the same time. */
function randomPause(attempt: number): Promise<void> {
  const most = Math.min(2_000, 25 * 2 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most));
}
