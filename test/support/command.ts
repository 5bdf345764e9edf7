import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** The outcome of the command, in the form that `spawnSync` returns. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Turns off Node's own `require` of ES modules, because Node caches these modules forever, and a test may change a
 * module between two runs.
 */
const FLAGS = ['--no-experimental-require-module'].filter((flag) => process.allowedNodeEnvironmentFlags.has(flag));

let child: ChildProcess | undefined;
let turn: Promise<unknown> = Promise.resolve();
afterAll(() => child?.kill());

/**
 * Runs the built command. All runs of a test file share one process and run one after another, because starting a
 * process takes 0.3 seconds. Tests of the process itself, for example of its signals and open handles, start their own
 * processes.
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
