import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages as locked } from '../../package-lock.json';
import { type Run, run } from './run';

const FLAGS = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];

/** A user's project that contains the consumer fixtures. */
export class Project {
  public constructor(public readonly folder: string) {
    cpSync(join(__dirname, '../fixtures/consumer'), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  }

  /**
   * Installs packages. A package that this repo locks is installed at the locked version, unless a version or a tarball
   * is given.
   */
  public install(...packages: readonly string[]): void {
    expectSuccess(run(this.folder, 'npm', 'install', ...FLAGS, ...packages.map(asLocked)));
  }

  /** Lets npm resolve the newest versions without installing them, and returns npm's output. */
  public resolve(...packages: readonly string[]): string {
    const ended = run(this.folder, 'npm', 'install', '--package-lock-only', ...FLAGS, ...packages);
    expectSuccess(ended);
    return ended.output;
  }

  /** Compiles without skipLibCheck, because the installed declarations must be correct too. */
  public tsc(module: string, types: string, ...args: readonly string[]): Run {
    return this.tscAlone(module, types, '--skipLibCheck', 'false', ...args);
  }

  /**
   * Compiles without checking declarations. Checking a cloud's declarations takes most of the time, and another test
   * already does it.
   */
  public tscAlone(module: string, types: string, ...args: readonly string[]): Run {
    const strict = ['--strict', '--skipLibCheck', '--target', 'es2022', '--types', types, '--module', module];
    return run(this.folder, join(this.folder, 'node_modules/.bin/tsc'), ...strict, ...args);
  }

  public node(...args: readonly string[]): Run {
    return run(this.folder, process.execPath, ...args);
  }

  /** Runs the command that `npx` would find. */
  public tablewright(...args: readonly string[]): Run {
    return run(this.folder, join(this.folder, 'node_modules/.bin/tablewright'), ...args);
  }
}

export function expectSuccess({ code, output }: Run): void {
  expect(code === 0 ? '' : output).toBe('');
}

function asLocked(name: string): string {
  const { version } = (locked as Record<string, { version?: string }>)[`node_modules/${name}`] ?? {};
  return version === undefined ? name : `${name}@${version}`;
}
