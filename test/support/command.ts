import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** What a run of the command came to, as `spawnSync` returns it. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Has ES modules loaded in a way that they can be loaded again, after a test changed them: Node itself keeps them forever. */
const FLAGS = ['--no-experimental-require-module'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

let child: ChildProcess | undefined;
let turn: Promise<unknown> = Promise.resolve();
afterAll(() => child?.kill());

/**
 * Runs the command as it is built, in a process that serves all runs of a test file, one after another: a process of its own
 * takes 0.3 seconds to start. Tests about the process itself, such as its signals and what it leaves open, start one.
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
