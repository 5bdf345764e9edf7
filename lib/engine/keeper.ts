import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The command that starts a program. */
export interface Binary {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * The program that watches a pipe held open by this process, and cleans up when the pipe closes. The pipe closes even
 * if this process is killed with `kill -9`, which no signal handler can catch. A shell starts in a millisecond; Node is
 * the fallback on systems without a shell.
 */
export type Keeper = 'shell' | 'node';

const SHELL = '/bin/sh';

const DEFAULT: Keeper = existsSync(SHELL) ? 'shell' : 'node';

/**
 * The shell replaces itself with the engine. The watcher stays in the same process group, which prevents the operating
 * system from reusing the group's id.
 */
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

/** Starts an engine in a separate process group, which ends with this process, even if this process is killed. */
export function startKept({ command, args }: Binary, more: readonly string[], keeper: Keeper = DEFAULT): ChildProcess {
  const child = start(keeper, ENGINE, [command, ...args, ...more], 'pipe');
  // If the engine exits by itself, its watcher must be stopped too.
  child.once('exit', () => killGroup(child));
  return child;
}

/** Kills an engine and all processes that it started. */
export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The whole process group has already exited.
  }
}

const REMOVAL: Readonly<Record<Keeper, string>> = {
  shell: 'read -r end; rm -rf -- "$1"',
  node: `process.stdin.resume().once('close', () =>
    require('node:fs').rmSync(process.argv[1], { recursive: true, force: true }));`,
};

/** Creates a folder that is removed when this process ends, even if this process is killed. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = join(tmpdir(), `tablewright-${randomBytes(8).toString('hex')}`);
  const remove = removeWithProcess(path);
  mkdirSync(path, { mode: 0o700 });
  return { path, remove };
}

/**
 * Removes a file or folder when this process ends, even if this process is killed; returns a function that removes the
 * path earlier. Callers pass a unique path before they create the file, so that the file is never left behind.
 */
export function removeWithProcess(path: string, keeper: Keeper = DEFAULT): () => void {
  const child = start(keeper, REMOVAL, [path], 'ignore');
  const remove = () => {
    try {
      rmSync(path, { recursive: true, force: true });
    } catch {
      // Ignores a path that was never created, or that now belongs to another user.
    }
  };
  // A process that exits normally removes the path itself.
  process.once('exit', remove);
  return () => {
    process.removeListener('exit', remove);
    remove();
    child.stdin?.destroy();
  };
}

/** Starts a program in a separate session: Ctrl-C reaches only this process, which then stops the program. */
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
  // Ignores write errors, because the keeper may exit before the pipe is closed.
  child.stdin?.on('error', () => undefined);
  for (const held of [child, child.stdin, child.stderr]) (held as { unref?(): void } | null)?.unref?.();
  return child;
}

function nodeWith(script: string): readonly [string, readonly string[]] {
  return [process.execPath, ['-e', script, '--']];
}
