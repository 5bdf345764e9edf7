import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { entries, MODULES } from './entries.mjs';

/** It also imports files that nothing is taken of, for what they might do; they do nothing (`sideEffects` in package.json). */
const FOR_EFFECT = /^import "[^"]+";\n/gm;

/**
 * What is loaded later by `require` is imported: a bundler would wrap all that it leads to, the blueprint included, and leave
 * none of it out.
 */
const requiredAtOnce = {
  name: 'required-at-once',
  setup: (to) =>
    to.onLoad({ filter: /lib\/check\/rules\/index\.ts$/ }, ({ path }) => {
      const imports = [];
      const contents = readFileSync(path, 'utf8').replace(/require\('(\.[^']+)'\)\.(\w+)/g, (_, file, name) => {
        imports.push(`import { ${name} } from '${file}';`);
        return name;
      });
      return { contents: [...imports, contents].join('\n'), loader: 'ts' };
    }),
};

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
    plugins: [requiredAtOnce],
  });
  for (const file of Object.keys(metafile.outputs)) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(FOR_EFFECT, ''));
  }
}
