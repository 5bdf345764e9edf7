import type { RetryOptions } from '../items/retry';

/** The maximum number of attempts, and of concurrent callers, because each pair of callers conflicts at most once. */
const ATTEMPTS = 60;

/** Every attempt conflicted with other writers, and nothing was written. */
export class Contention extends Error {
  public override readonly name = 'Contention';
}

/** Calls a function until it returns a value; also calls it again if its transaction conflicts with another one. */
export async function untilUndisturbed<T>(
  { pause = randomPause }: RetryOptions,
  run: () => Promise<T | undefined>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const start = performance.now();
    try {
      const done = await run();
      if (done !== undefined) return done;
    } catch (error) {
      if (!isDisturbance(error)) throw error;
    }
    if (attempt === ATTEMPTS) throw new Contention(`all ${attempt} attempts conflicted with other callers; try again`);
    await pause(attempt, performance.now() - start);
  }
}

/** Waits a random time, up to 40 ms at first and up to 400 ms later, so that conflicting callers spread out. */
function randomPause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(400, 20 * 2 ** attempt)));
}

/** Whether a transaction failed because of a conflict, and not because of its own contents. */
function isDisturbance(error: unknown): boolean {
  if ((error as Error | undefined)?.name !== 'TransactionCanceledException') return false;
  const { CancellationReasons: reasons = [] } = error as { CancellationReasons?: readonly { Code?: string }[] };
  return reasons.every(({ Code = 'None' }) => ['None', 'ConditionalCheckFailed', 'TransactionConflict'].includes(Code));
}
