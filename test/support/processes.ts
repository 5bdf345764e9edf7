import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so, but not for ever: what comes next tells whether it is. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo() && waited < 15_000; waited += 20) await sleep(20);
}

export async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids).not.toEqual([]);
  await until(() => !pids.some(isRunning));
  expect(pids.filter(isRunning)).toEqual([]);
}

/** A process that ended and was not yet asked for its exit code is no more than a name. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
