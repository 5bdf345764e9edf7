import type { ChildProcess } from 'node:child_process';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Binary, killGroup, startKept } from './keeper';

export interface StartOptions {
  /** How long to wait for the engine to accept connections, in milliseconds. @default 10,000 */
  readonly patience?: number;
  /** The local addresses to try, one per attempt. @default 127.0.0.1 */
  readonly hosts?: readonly string[];
  /** @default - a free port */
  readonly port?: number;
}

/**
 * Starts an engine on a free local port, and connects to the engine. `end` stops the engine, and `whenEnded` resolves
 * with the reason when the engine stops.
 */
export async function startEngine<E>(
  binary: Binary,
  argsAt: (port: number, host: string) => readonly string[],
  connect: (port: number, end: () => Promise<void>, host: string, whenEnded: Promise<string>) => Promise<E>,
  { patience, hosts = ['127.0.0.1'], port: wanted }: StartOptions = {},
): Promise<E> {
  // Retries with a different port, because another process can take the free port before the engine.
  for (let attempt = 1; ; attempt++) {
    const host = hosts[Math.min(attempt, hosts.length) - 1] as string;
    const port = wanted ?? (await freePort(host).catch(() => undefined));
    // Refuses a port that is in use; otherwise the client would connect to a different program.
    if (wanted !== undefined && (await accepts(wanted, host))) throw portTaken(wanted);
    if (port === undefined && attempt < 3) continue;
    const child = startKept(binary, argsAt(port ?? 0, host));
    const end = endWithProcess(child);
    const said = lastWords(child);
    const whenEnded = new Promise<string>((resolve) => child.once('exit', () => resolve(said())));
    try {
      await listening(child, port ?? 0, host, said, patience);
      return await connect(port ?? 0, end, host, whenEnded);
    } catch (error) {
      await end();
      if (attempt === 3) throw error;
    }
  }
}

function portTaken(port: number): Error {
  return Object.assign(new Error(`port ${port} is taken`), { code: 'EADDRINUSE' });
}

/** The last line that the engine wrote to its standard error or, if it wrote none, its exit code or signal. */
function lastWords(child: ChildProcess): () => string {
  let said = '';
  child.stderr?.on('data', (text) => {
    said = `${said}${text}`.slice(-1000);
  });
  return () =>
    said.trim().split('\n').at(-1) || `the engine exited with ${child.signalCode ?? `code ${child.exitCode}`}`;
}

/** Finds a port that is currently free. */
async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, host, resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the engine accepts connections; fails as soon as the engine has exited. */
async function listening(
  child: ChildProcess,
  port: number,
  host: string,
  said: () => string,
  patience = 10_000,
): Promise<void> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  for (const start = Date.now(); Date.now() - start < patience; await sleep(10)) {
    if (failure !== undefined || child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the embedded engine did not start: ${failure?.message ?? said()}`);
    }
    if (await accepts(port, host)) return;
  }
  throw new Error(`the embedded engine did not respond within ${patience / 1000} seconds`);
}

function accepts(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** The signals that ask a process to terminate, each with its exit code. */
export const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * The running engines of this process. The engines share one handler per signal, so that the handler can tell whether
 * the process has other handlers.
 */
const running = new Set<ChildProcess>();

function killAll(): void {
  for (const child of running) killGroup(child);
}

const handlers = Object.entries(SIGNALS).map(([signal, code]) => {
  const handler = () => {
    killAll();
    // Other handlers may clean up and then exit the process; without other handlers, this handler must exit it.
    if (process.listenerCount(signal) === 1) process.exit(code);
  };
  return [signal as NodeJS.Signals, handler] as const;
});

/**
 * Stops the engine when this process ends, normally or by a signal; returns a function that stops the engine earlier.
 */
function endWithProcess(child: ChildProcess): () => Promise<void> {
  if (running.size === 0) {
    process.on('exit', killAll);
    for (const [signal, handler] of handlers) process.on(signal, handler);
  }
  running.add(child);
  return async () => {
    running.delete(child);
    if (running.size === 0) {
      process.removeListener('exit', killAll);
      for (const [signal, handler] of handlers) process.removeListener(signal, handler);
    }
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.ref();
    killGroup(child);
    await ended;
  };
}
