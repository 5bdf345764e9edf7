import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { entries, MODULES } from './entries.mjs';

/** It also imports files that nothing is taken of, for what they might do; they do nothing (`sideEffects` in package.json). */
const FOR_EFFECT = /^import "[^"]+";\n/gm;

/** Makes the ES modules that bundlers take: what entries share is in files of its own, so that it is there once. */
export async function makeModules() {
  rmSync(MODULES, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: entries.filter(({ module }) => module).map(({ source }) => source),
    outdir: MODULES,
    outbase: '.',
    outExtension: { '.js': '.mjs' },
    chunkNames: 'shared/[name]-[hash]',
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    metafile: true,
    logLevel: 'warning',
  });
  for (const file of Object.keys(metafile.outputs)) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(FOR_EFFECT, ''));
  }
}
