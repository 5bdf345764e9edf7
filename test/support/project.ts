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

  /** Installs tarballs, packages with a given version, and other packages in the version that this repo locks. */
  public install(...packages: readonly string[]): void {
    expectSuccess(run(this.folder, 'npm', 'install', ...FLAGS, ...packages.map(asLocked)));
  }

  /** Resolves the newest versions without an installation, and returns the output of npm. */
  public resolve(...packages: readonly string[]): string {
    const ended = run(this.folder, 'npm', 'install', '--package-lock-only', ...FLAGS, ...packages);
    expectSuccess(ended);
    return ended.output;
  }

  /** Compiles without skipLibCheck, because the installed declarations must be correct too. */
  public tsc(module: string, types: string, ...args: readonly string[]): Run {
    return this.tscAlone(module, types, '--skipLibCheck', 'false', ...args);
  }

  /** Compiles only the user's own files if the declarations were checked before: a cloud's declarations take most of the time. */
  public tscAlone(module: string, types: string, ...args: readonly string[]): Run {
    const strict = ['--strict', '--skipLibCheck', '--target', 'es2022', '--types', types, '--module', module];
    return run(this.folder, join(this.folder, 'node_modules/.bin/tsc'), ...strict, ...args);
  }

  public node(...args: readonly string[]): Run {
    return run(this.folder, process.execPath, ...args);
  }

  /** The path of the command that `npx` finds. */
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
