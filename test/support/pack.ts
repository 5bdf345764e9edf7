import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run';

const root = join(__dirname, '../..');
const leftOut = new Set(['.git', 'node_modules', 'dist', 'cdk.out', 'cdktf.out']);

/**
 * Returns the path of the package that `npm publish` would publish. The first test that needs the package packs it for
 * all tests in the run.
 */
export async function pack(): Promise<string> {
  const { TABLEWRIGHT_TEMP: shared } = process.env;
  if (shared === undefined)
    throw new Error('TABLEWRIGHT_TEMP is not set; run the test with jest.config.js, which sets it');
  const [folder, packed] = [join(shared, 'packing'), join(shared, 'packed')];
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) packIn(folder, packed);
  while (!existsSync(packed) && !existsSync(join(folder, 'failed'))) await sleep(100);
  const [tarball] = existsSync(packed) ? readdirSync(packed) : [];
  if (tarball === undefined) throw new Error('npm pack failed; the first test that called it reports the reason');
  return join(packed, tarball);
}

/** Packs a copy of the repo, because `prepack` empties `dist`, which other tests read. */
function packIn(folder: string, packed: string): void {
  const copy = join(folder, 'copy');
  cpSync(root, copy, { recursive: true, filter: (source) => !leftOut.has(relative(root, source)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const made = join(folder, 'made');
  mkdirSync(made);
  const { code, output } = run(copy, 'npm', 'pack', '--pack-destination', made);
  if (code !== 0) {
    mkdirSync(join(folder, 'failed'));
    throw new Error(`npm pack failed:\n${output}`);
  }
  // Renames the folder atomically, so that no other test finds it incomplete.
  renameSync(made, packed);
}
