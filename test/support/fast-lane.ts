import processes from 'node:child_process';
import { Server, Socket } from 'node:net';
import { basename } from 'node:path';
import type { EnvironmentContext, JestEnvironmentConfig } from '@jest/environment';
import { TestEnvironment } from 'jest-environment-node';

/** What a fast test must not do, and where Node does it: everything that starts a process or opens a connection comes here. */
const FORBIDDEN: readonly (readonly [owner: object, name: string, what: string])[] = [
  [processes.ChildProcess.prototype, 'spawn', 'starts a process'],
  [processes, 'spawnSync', 'starts a process'],
  [processes, 'execSync', 'starts a process'],
  [processes, 'execFileSync', 'starts a process'],
  [Server.prototype, 'listen', 'opens a port'],
  [Socket.prototype, 'connect', 'opens a connection'],
];

/** The environment of the fast lane: a test that leaves its own process fails, even where the code under test hides the error. */
export default class FastLane extends TestEnvironment {
  private readonly file: string;
  private readonly originals = FORBIDDEN.map(([owner, name]) => Reflect.get(owner, name));
  private fault: Error | undefined;

  public constructor(config: JestEnvironmentConfig, context: EnvironmentContext) {
    super(config, context);
    this.file = basename(context.testPath);
  }

  public override async setup(): Promise<void> {
    await super.setup();
    for (const [owner, name, what] of FORBIDDEN) {
      Reflect.set(owner, name, () => {
        const slow = this.file.replace(/\.test\.ts$/, '.slow.test.ts');
        this.fault ??= new Error(`${this.file} ${what} (${name}), and is in the fast lane; rename it to ${slow}`);
        throw this.fault;
      });
    }
  }

  /** The next file of this worker may be a slow one. */
  public override async teardown(): Promise<void> {
    for (const [i, [owner, name]] of FORBIDDEN.entries()) Reflect.set(owner, name, this.originals[i]);
    await super.teardown();
    if (this.fault !== undefined) throw this.fault;
  }
}
