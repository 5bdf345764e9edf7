import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from './processes';

const root = join(__dirname, '../..');

/** The functions that scripts can call, each with its compiled file. */
const MODULES = {
  embeddedEngine: 'lib/dynamodb/engine/embedded.js',
  azuriteEngine: 'lib/azure-tables/engine/azurite.js',
  removeWithProcess: 'lib/engine/keeper.js',
  startKept: 'lib/engine/keeper.js',
  writeWhole: 'lib/files/write.js',
} as const;

/**
 * Returns a function that runs a script in its own process. A script reports the id of every process that it starts.
 */
export function scripts() {
  const started: ChildProcess[] = [];
  afterAll(() => {
    for (const script of started) script.kill('SIGKILL');
  });
  return (code: string) => {
    const script = spawn(
      process.execPath,
      [
        '-e',
        `const processes = require('node:child_process');
        const { spawn } = processes;
        const pids = [];
        processes.spawn = (...args) => {
          const child = spawn(...args);
          pids.push(child.pid);
          console.log('pid ' + child.pid);
          return child;
        };
        ${Object.entries(MODULES)
          .map(([name, file]) => `const ${name} = (...args) => require('./dist/${file}').${name}(...args);`)
          .join('\n')}
        const say = (text) => console.log('said ' + text);
        const isRunning = (pid) => { try { return process.kill(pid, 0); } catch { return false; } };
        (async () => { ${code} })();`,
      ],
      { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    started.push(script);
    let output = '';
    let errors = '';
    script.stdout.on('data', (text) => {
      output += text;
    });
    script.stderr.on('data', (text) => {
      errors += text;
    });
    const all = (word: string) =>
      [...output.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, text]) => text ?? '');
    const ended = new Promise<number | null>((resolve) => script.once('close', resolve));
    return {
      script,
      ended,
      pids: () => all('pid').map(Number),
      said: () => all('said'),
      errors: () => errors,
      /** Waits until the script has called `say` with the given text. */
      async says(text: string) {
        await until(() => all('said').includes(text) || script.exitCode !== null);
        expect({ said: all('said'), errors }).toEqual({ said: expect.arrayContaining([text]), errors: '' });
      },
    };
  };
}

/** Whether a server accepts connections at an address. */
export function answers(address: string): Promise<boolean> {
  const { port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.once('error', () => resolve(false)).once('connect', () => resolve(true));
    socket.once('connect', () => socket.destroy());
  });
}
