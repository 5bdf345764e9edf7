import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { entries, MODULES } from './entries.mjs';

/**
 * Matches imports without names. esbuild keeps them in case the files have side effects, but ours have none
 * (`sideEffects` in package.json).
 */
const FOR_EFFECT = /^import "[^"]+";\n/gm;

/** Builds the ES modules for bundlers. Code that several entries share goes into separate files, so a bundle contains it only once. */
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
