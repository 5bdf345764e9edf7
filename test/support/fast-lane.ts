import { AsyncLocalStorage } from 'node:async_hooks';
import processes from 'node:child_process';
import { Server, Socket } from 'node:net';
import { basename } from 'node:path';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { TestEnvironment } from 'jest-environment-node';

/**
 * The functions that a fast test must not call. All code that starts a process, opens a port or opens a connection
 * calls one of them.
 */
const FORBIDDEN: readonly (readonly [owner: object, name: string, what: string])[] = [
  [processes.ChildProcess.prototype, 'spawn', 'starts a process'],
  [processes, 'spawnSync', 'starts a process'],
  [processes, 'execSync', 'starts a process'],
  [processes, 'execFileSync', 'starts a process'],
  [Server.prototype, 'listen', 'opens a port'],
  [Socket.prototype, 'connect', 'opens a connection'],
];

/**
 * The test environment of the file whose code is running. Work that the file starts keeps this environment, even if it
 * runs later.
 */
const current = new AsyncLocalStorage<FastLane>();

/**
 * The jest environment of the fast lane. A test that reaches outside its own process fails, even if the code under test
 * hides the error.
 */
export default class FastLane extends TestEnvironment {
  private readonly file: string;
  private readonly originals = FORBIDDEN.map(([owner, name]) => Reflect.get(owner, name));
  private fault: Error | undefined;

  public constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    this.file = basename(context.testPath);
  }

  public override async setup(): Promise<void> {
    // Enters the environment before the first await, so that it also applies to the caller, which then runs the file.
    current.enterWith(this);
    await super.setup();
    const isMine = () => current.getStore() === this;
    const refuse = (name: string, what: string) => this.refuse(name, what);
    for (const [i, [owner, name, what]] of FORBIDDEN.entries()) {
      const original = this.originals[i];
      Reflect.set(owner, name, function guarded(this: unknown, ...args: readonly unknown[]) {
        // Does not blame this file for work that an earlier file in this process left behind.
        return isMine() ? refuse(name, what) : original.apply(this, args);
      });
    }
  }

  private refuse(name: string, what: string): never {
    const slow = this.file.replace(/\.test\.ts$/, '.slow.test.ts');
    this.fault ??= new Error(`${this.file} ${what} (${name}), and is in the fast lane; rename it to ${slow}`);
    throw this.fault;
  }

  /** Restores the functions, because the next file in this worker may be a slow test. */
  public override async teardown(): Promise<void> {
    for (const [i, [owner, name]] of FORBIDDEN.entries()) Reflect.set(owner, name, this.originals[i]);
    await super.teardown();
    if (this.fault !== undefined) throw this.fault;
  }
}
