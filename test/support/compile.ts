import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');

const STRICT = '--strict --noUncheckedIndexedAccess --skipLibCheck --target ES2023 --lib ES2024 --module node16'.split(
  ' ',
);

/** Compiles the given files with the repo's own compiler, and returns its errors, or an empty string. */
export function compile(files: readonly string[], ...flags: readonly string[]): string {
  const types = ['--types', 'node,jest', '--typeRoots', join(ROOT, 'node_modules/@types')];
  return tsc('--ignoreConfig', '--noEmit', ...STRICT, ...types, ...flags, ...files);
}

export function tsc(...args: readonly string[]): string {
  const { stdout, error } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), args, { encoding: 'utf8', cwd: ROOT });
  if (error !== undefined) throw error;
  return stdout;
}
