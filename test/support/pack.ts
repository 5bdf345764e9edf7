import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { run } from './run';

const root = join(__dirname, '../..');
const leftOut = new Set(['.git', 'node_modules', 'dist', 'cdk.out', 'cdktf.out']);

/** Packs the package as `npm publish` would, in a copy: `prepack` empties dist, which other tests read. */
export function pack(folder: string): string {
  const copy = join(folder, 'copy');
  cpSync(root, copy, { recursive: true, filter: (source) => !leftOut.has(relative(root, source)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  const { code, output } = run(copy, 'npm', 'pack', '--pack-destination', packed);
  const tarball = readdirSync(packed)[0];
  if (code !== 0 || tarball === undefined) throw new Error(`npm pack failed:\n${output}`);
  return join(packed, tarball);
}
