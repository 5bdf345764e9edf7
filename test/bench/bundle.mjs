import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { readmeDesign } from './readme.mjs';

/**
 * The sides to compare. Each side is a Lambda with one entity and one query. `file` is the side's file in `lambda`, and
 * `zod` is the zod flavor that the side uses, if any.
 */
export const SIDES = {
  'hand-written': { file: 'hand-written' },
  'tablewright, zod/mini': { file: 'tablewright', zod: 'zod/mini' },
  'tablewright, zod': { file: 'tablewright', zod: 'zod' },
  'tablewright, and writes': { file: 'tablewright-requests', zod: 'zod/mini' },
  ElectroDB: { file: 'electrodb' },
  'dynamodb-toolbox': { file: 'dynamodb-toolbox' },
  OneTable: { file: 'onetable' },
};
export const OURS = 'tablewright, zod/mini';
export const PEERS = ['ElectroDB', 'dynamodb-toolbox', 'OneTable'];

/**
 * Bundles and minifies a side with esbuild, as for a Lambda. The bundle contains all dependencies except the packages
 * in `without` and the AWS SDK, which every side needs and the runtime provides.
 */
export async function bundleOf({ file, zod }, ...without) {
  const { outputFiles, metafile } = await build({
    entryPoints: [fileURLToPath(new URL(`lambda/${file}.mjs`, import.meta.url))],
    plugins: [{ name: 'readme', setup: (bundler) => fromReadme(bundler, zod) }],
    external: ['@aws-sdk/*', ...without],
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    write: false,
    outdir: 'bundle',
    metafile: true,
    logLevel: 'error',
  });
  const [{ contents: code }] = outputFiles;
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const packages = imports.filter(({ external, path }) => external && path.startsWith('@aws-sdk/'));
  return { code, sdk: [...new Set(packages.map(({ path }) => path))] };
}

export const gzipped = ({ code }) => gzipSync(code, { level: 9 }).length;

function fromReadme(bundler, zod) {
  bundler.onResolve({ filter: /^\.\/blog$/ }, () => ({ path: 'blog.ts', namespace: 'readme' }));
  bundler.onLoad({ filter: /.*/, namespace: 'readme' }, () => ({
    contents: readmeDesign(zod),
    loader: 'ts',
    resolveDir: fileURLToPath(new URL('.', import.meta.url)),
  }));
}
