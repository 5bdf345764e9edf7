import { setTimeout as sleep } from 'node:timers/promises';
import type { RetryOptions } from '../../items/retry';

const ATTEMPTS = 8;

/**
 * Retries while the connection is lost or the service is overloaded; by default, pauses for up to half a minute between
 * attempts.
 */
export async function patiently<T>({ pause = longerAndLonger }: RetryOptions, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const start = performance.now();
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isPassing(error)) throw error;
    }
    await pause(attempt, performance.now() - start);
  }
}

const CONNECTION =
  /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|REQUEST_SEND_ERROR|PARSE_ERROR)/;

/** Whether a retry after this error may succeed. */
function isPassing(error: unknown): boolean {
  const { statusCode, code = '' } = (error ?? {}) as { statusCode?: number; code?: unknown };
  if (statusCode !== undefined) return statusCode >= 500 || statusCode === 408 || statusCode === 429;
  return CONNECTION.test(String(code));
}

function longerAndLonger(attempt: number): Promise<unknown> {
  return sleep(Math.min(30_000, 500 * 2 ** attempt) * (0.5 + Math.random() / 2));
}
