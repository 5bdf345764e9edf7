import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { entries, MODULES } from './entries.mjs';

/** Imports without names, which esbuild keeps for their side effects; our files have none (`sideEffects` in package.json). */
const FOR_EFFECT = /^import "[^"]+";\n/gm;

/** Builds the ES modules for bundlers, with shared code in separate files, so that a bundle contains it only once. */
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
