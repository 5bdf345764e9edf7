import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { State } from '../../../../lib/evolve/migration/run/state';
import { endOf } from '../../../support/migration-project';

/** The settings for starting the runners, killing them, and observing their progress. */
export interface Killing {
  readonly kills: number;
  /** Starts a runner that waits for the lease. */
  readonly start: () => ChildProcess;
  readonly stateNow: () => Promise<State | undefined>;
  readonly random: () => number;
}

/** The number of items that runners have read, according to their checkpoints. */
function doneIn(state: State | undefined): number {
  return state?.passes.reduce((sum, { counts }) => sum + counts.read, 0) ?? 0;
}

/** Repeatedly kills the runner that holds the lease, while the next runner waits for the lease. */
export async function killRunners({ kills, start, stateNow, random }: Killing) {
  const runners = new Map<number, { readonly child: ChildProcess; isGone: boolean }>();
  const errors: string[] = [];
  // Keeps two runners alive: one works while the other waits for the lease. A runner that loses the lease, as may
  // happen on a slow machine, exits by itself.
  const keepTwo = () => {
    for (const [pid, { isGone }] of runners) if (isGone) runners.delete(pid);
    while (runners.size < 2) {
      const child = start();
      const runner = { child, isGone: false };
      runners.set(child.pid as number, runner);
      endOf(child).then(({ code, output }) => {
        runner.isGone = true;
        if (code !== null && !output.includes('the lease is lost')) errors.push(`${code}: ${output}`);
      });
    }
  };
  let [killed, lastToken, furthest, advances] = [0, 0, 0, 0];
  while (killed < kills && errors.length === 0) {
    keepTwo();
    await sleep(30);
    const now = await stateNow();
    if (now?.lease === undefined || now.token <= lastToken) continue;
    // Kills every third runner soon after it takes the lease. Before the other kills, waits until the runner has got
    // further than all earlier runners.
    if (killed % 3 !== 2) for (let i = 0; i < 200 && doneIn(await stateNow()) <= furthest; i++) await sleep(100);
    await sleep(random() * 300);
    const owner = runners.get(Number(/process (\d+)/.exec(now.lease.owner)?.[1]));
    if (owner === undefined || owner.isGone) continue;
    owner.child.kill('SIGKILL');
    lastToken = now.token;
    killed++;
    const done = doneIn(await stateNow());
    if (done > furthest) advances++;
    furthest = Math.max(furthest, done);
  }
  const end = () => {
    for (const { child } of runners.values()) child.kill('SIGKILL');
  };
  /**
   * `furthest` is the highest number of items read by the time of a kill; `advances` counts the runners that got
   * further than all earlier runners.
   */
  return { errors, furthest, advances, end };
}
