import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until a condition is true or the time limit is reached. The assertion after this call shows whether the
 * condition became true.
 */
export async function until(isSo: () => boolean): Promise<void> {
  for (let waited = 0; !isSo() && waited < 45_000; waited += 20) await sleep(20);
}

/** Returns the ids of all descendants of a process. */
export function descendantsOf(pid: number | undefined): readonly number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n');
  // Leaves out `ps` itself, which also appears in its output.
  const pairs = lines
    .filter((line) => !/ ps$/.test(line))
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const under = (parent: number): readonly number[] =>
    pairs.filter(([, of]) => of === parent).flatMap(([child]) => [child, ...under(child)]);
  return pid === undefined ? [] : under(pid);
}

/**
 * Suspends processes, and waits until all their threads have stopped, because the kernel may deliver the signal after
 * `kill` returns.
 */
export async function freeze(pids: readonly number[]): Promise<void> {
  expect(pids).not.toEqual([]);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  await until(() => pids.every(isStopped));
  expect(pids.filter((pid) => !isStopped(pid))).toEqual([]);
}

function isStopped(pid: number): boolean {
  if (process.platform === 'linux') {
    return readdirSync(`/proc/${pid}/task`).every((thread) => statOf(`${pid}/task/${thread}`)[0] === 'T');
  }
  return execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).startsWith('T');
}

export async function expectGone(pids: readonly number[]): Promise<void> {
  expect(pids).not.toEqual([]);
  await until(() => !pids.some(isRunning));
  expect(pids.filter(isRunning)).toEqual([]);
}

/** Expects that the given processes have ended, and so have all other processes in the groups that they lead. */
export async function expectGroupsGone(pids: readonly number[]): Promise<void> {
  await expectGone(pids);
  await until(() => !pids.some(hasGroup));
  expect(pids.filter(hasGroup)).toEqual([]);
}

function hasGroup(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return process.platform !== 'linux' || readdirSync('/proc').some((name) => isOfGroup(name, pid));
  } catch {
    return false;
  }
}

function isOfGroup(name: string, group: number): boolean {
  const [state, , of] = /^\d+$/.test(name) ? statOf(name) : [];
  return Number(of) === group && state !== 'Z';
}

/** Whether a process is running. A zombie process, whose exit code nobody has read yet, is not running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || statOf(pid)[0] !== 'Z';
  } catch {
    return false;
  }
}

/** Returns a process's fields in /proc, from the state onward. A process that does not exist is treated as a zombie. */
function statOf(pid: number | string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^\d+ \(.*\) /s, '')
      .split(' ');
  } catch {
    return ['Z'];
  }
}

/** Returns a port that no process listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
