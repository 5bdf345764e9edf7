import type { ChildProcess } from 'node:child_process';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a program is started. */
export interface Binary {
  readonly command: string;
  readonly args: readonly string[];
}

/** A port that nobody has at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the engine takes connections; fails as soon as it is clear that it will not. */
export async function listening(child: ChildProcess, port: number, patience = 10_000): Promise<void> {
  let said = '';
  child.stderr?.on('data', (text) => {
    said = `${said}${text}`.slice(-1000);
  });
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  for (const start = Date.now(); Date.now() - start < patience; await sleep(10)) {
    if (failure !== undefined || child.exitCode !== null || child.signalCode !== null) {
      const reason = failure?.message ?? (said.trim().split('\n').at(-1) || `it ended with code ${child.exitCode}`);
      throw new Error(`the embedded engine did not start: ${reason}`);
    }
    if (await accepts(port)) return;
  }
  throw new Error(`the embedded engine did not answer within ${patience / 1000} seconds`);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The engines of this process. They share one handler a signal, which can so tell whether it is alone. */
const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) child.kill('SIGKILL');
}

const handlers = Object.entries(SIGNALS).map(([signal, code]) => {
  const handler = () => {
    killAll();
    // Others may want to clean up too; without them, nothing would end the process.
    if (process.listenerCount(signal) === 1) process.exit(code);
  };
  return [signal as NodeJS.Signals, handler] as const;
});

/** Ends the engine when this process ends, by itself or by a signal; returns how to end it before. */
export function endWithProcess(child: ChildProcess): () => Promise<void> {
  if (running.size === 0) {
    process.on('exit', killAll);
    for (const [signal, handler] of handlers) process.on(signal, handler);
  }
  running.add(child);
  child.unref();
  (child.stderr as Socket | null)?.unref();
  return async () => {
    running.delete(child);
    if (running.size === 0) {
      process.removeListener('exit', killAll);
      for (const [signal, handler] of handlers) process.removeListener(signal, handler);
    }
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.ref();
    child.kill('SIGKILL');
    await ended;
  };
}
