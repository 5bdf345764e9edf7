import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** The outcome of the command, as `spawnSync` returns it. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Loads ES modules in a way that allows a reload after a test changes a module. Node itself caches ES modules forever. */
const FLAGS = ['--no-experimental-require-module'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

let child: ChildProcess | undefined;
let turn: Promise<unknown> = Promise.resolve();
afterAll(() => child?.kill());

/**
 * Runs the built command in one process for all runs of a test file, one run after another, because a separate process takes 0.3 seconds to start.
 * Tests of the process itself, such as tests of its signals and open handles, start separate processes.
 */
export function tablewrightIn(folder: string, args: readonly string[], env = process.env): Promise<Ended> {
  const ended = turn.then(() => sent({ folder, args, env }));
  turn = ended.catch(() => undefined);
  return ended;
}

function sent(message: object): Promise<Ended> {
  child ??= fork(join(__dirname, 'warm-command.cjs'), { stdio: 'inherit', execArgv: ['--no-warnings', ...FLAGS] });
  const started = child;
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`the command ended its process with code ${code}`));
    started.once('exit', gone);
    started.once('message', (ended) => {
      started.off('exit', gone);
      resolve(ended as Ended);
    });
    started.send(message);
  });
}
