import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packages as locked } from '../../package-lock.json';
import { type Run, run } from './run';

/** A user's project, with the fixtures of a consumer in it. */
export class Project {
  public constructor(public readonly folder: string) {
    cpSync(join(__dirname, '../fixtures/consumer'), folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  }

  /** Installs tarballs, packages with their version, and others as they are locked here. */
  public install(...packages: readonly string[]): void {
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    expectSuccess(run(this.folder, 'npm', 'install', ...flags, ...packages.map(asLocked)));
  }

  /** Without skipLibCheck: the declarations that were installed must be right, too. */
  public tsc(module: string, types: string, ...args: readonly string[]): Run {
    return this.tscAlone(module, types, '--skipLibCheck', 'false', ...args);
  }

  /** The user's own files alone, where the declarations were read before: those of a cloud take most of the time. */
  public tscAlone(module: string, types: string, ...args: readonly string[]): Run {
    const strict = ['--strict', '--skipLibCheck', '--target', 'es2022', '--types', types, '--module', module];
    return run(this.folder, join(this.folder, 'node_modules/.bin/tsc'), ...strict, ...args);
  }

  public node(...args: readonly string[]): Run {
    return run(this.folder, process.execPath, ...args);
  }

  /** The command, as `npx` finds it. */
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
