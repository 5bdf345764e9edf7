import type { RetryOptions } from '../items/retry';

/** Each disturbs the others once, so that this is enough for as many at the same moment. */
const ATTEMPTS = 60;

/**
 * Does something again as long as its transaction fails because another one was faster, or it asks for it with undefined.
 * `givenUp` says what it is called that others were faster every time.
 */
export async function untilUndisturbed<T>(
  { pause = randomPause }: RetryOptions,
  givenUp: (message: string) => Error,
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
    if (attempt === ATTEMPTS)
      throw givenUp(`others were faster ${attempt} times; nothing was written, try again later`);
    await pause(attempt, performance.now() - start);
  }
}

/** Up to 40 ms at first and 400 ms later: those who disturbed each other do not come back together. */
function randomPause(attempt: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(400, 20 * 2 ** attempt)));
}

/** Whether a transaction failed for what others did, and not for what is wrong with it. */
function isDisturbance(error: unknown): boolean {
  if (!isNamed(error, 'TransactionCanceledException')) return false;
  const { CancellationReasons: reasons = [] } = error as { CancellationReasons?: readonly { Code?: string }[] };
  return reasons.every(({ Code = 'None' }) => ['None', 'ConditionalCheckFailed', 'TransactionConflict'].includes(Code));
}

export function isNamed(error: unknown, ...names: readonly string[]): boolean {
  return names.includes((error as Error | undefined)?.name ?? '');
}
