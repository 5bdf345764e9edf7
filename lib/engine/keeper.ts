import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How a program is started. */
export interface Binary {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * What holds the other end of a pipe from this process. The pipe closes however the process ends, also by `kill -9`, which
 * no handler sees; a keeper then does what is left to do. A shell does it in a millisecond; node stands in where there is
 * none.
 */
export type Keeper = 'shell' | 'node';

const SHELL = '/bin/sh';

const DEFAULT: Keeper = existsSync(SHELL) ? 'shell' : 'node';

/** The shell becomes the engine; its watcher is of the same group, so that the group's number cannot be another's. */
const ENGINE: Readonly<Record<Keeper, string>> = {
  shell: 'exec 3<&0 </dev/null; (read -r end <&3; kill -s KILL -- -$$) >/dev/null 2>&1 & exec "$@" 3<&-',
  node: `const [command, ...args] = process.argv.slice(1);
    const engine = require('node:child_process').spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    engine.once('error', ({ message }) => { console.error(message); process.exit(127); });
    engine.once('exit', (code) => process.exit(code ?? 1));
    process.stdin.resume().once('close', () => {
      if (process.platform !== 'win32') process.kill(-process.pid, 'SIGKILL');
      engine.kill('SIGKILL');
      process.exit(1);
    });`,
};

/** Starts an engine in a process group of its own, which ends with this process, however that ends. */
export function startKept({ command, args }: Binary, more: readonly string[], keeper: Keeper = DEFAULT): ChildProcess {
  const child = start(keeper, ENGINE, [command, ...args, ...more], 'pipe');
  // Where the engine ends by itself, its watcher ends too.
  child.once('exit', () => killGroup(child));
  return child;
}

/** Ends an engine and whatever it started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of it has ended.
  }
}

const REMOVAL: Readonly<Record<Keeper, string>> = {
  shell: 'read -r end; rm -rf -- "$1"',
  node: `process.stdin.resume().once('close', () =>
    require('node:fs').rmSync(process.argv[1], { recursive: true, force: true }));`,
};

/** A folder of this process's own, which goes with it, however it ends. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = join(tmpdir(), `tablewright-${randomBytes(8).toString('hex')}`);
  const remove = removeWithProcess(path);
  mkdirSync(path, { mode: 0o700 });
  return { path, remove };
}

/**
 * Removes a file or folder when this process ends, however that ends; returns how to remove it before. It is to be called
 * before the file is made, under a name that nobody else has: then there is no moment at which it would stay.
 */
export function removeWithProcess(path: string, keeper: Keeper = DEFAULT): () => void {
  const child = start(keeper, REMOVAL, [path], 'ignore');
  const remove = () => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // A path that cannot be removed was never made, or is no longer this user's: either way it is no reason to fail.
    }
  };
  // At once where the process can, so that whoever waits for its end finds nothing.
  process.once('exit', remove);
  return () => {
    process.removeListener('exit', remove);
    remove();
    child.stdin?.destroy();
  };
}

/** In a session of its own: ctrl-C reaches this process, which then sees to it. */
function start(
  keeper: Keeper,
  scripts: typeof ENGINE,
  args: readonly string[],
  stderr: 'pipe' | 'ignore',
): ChildProcess {
  const [command, options] = keeper === 'shell' ? [SHELL, ['-c', scripts.shell, SHELL]] : nodeWith(scripts.node);
  const child = spawn(command, [...options, ...args], {
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'ignore', stderr],
    windowsHide: true,
  });
  // It may end before the pipe is closed.
  child.stdin?.on('error', () => undefined);
  for (const held of [child, child.stdin, child.stderr]) (held as { unref?(): void } | null)?.unref?.();
  return child;
}

function nodeWith(script: string): readonly [string, readonly string[]] {
  return [process.execPath, ['-e', script, '--']];
}
