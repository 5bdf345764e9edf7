// Runs after tsc. Bundles a part into a single file if its files are always loaded together, because reading thirty
// small files takes longer than everything else that a stack does. The script also builds the outputs that entries.json
// lists.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { lazyLine, makeLazy } from './build/lazy.mjs';
import { makeModules } from './build/modules.mjs';
import { sayNeeds } from './build/needs.mjs';
import { makePage } from './build/page.mjs';

/**
 * Matches imports of the design language's schema, which loads zod. Only a check needs the schema; other code loads the
 * files with these imports just for their error classes.
 */
const SCHEMA = /design\/schema\//;

/**
 * The entry file of each bundle, and the folders to bundle with it. Subfolders in `but` are left out. The files of a
 * `shared` bundle are also kept as separate files, because other files load them too. They must contain no state,
 * because they may be loaded twice. Imports that match `lazy` are loaded on first use. For example, the check is as
 * large as the rest of the code, so it is loaded only when the first table is created, not when the constructs are
 * imported.
 */
const PARTS = [
  { entry: 'lib/check/index', folders: ['lib/check'], but: ['lib/check/language'], lazy: SCHEMA },
  {
    entry: 'constructs/aws/index',
    folders: ['constructs/aws', 'lib/permissions'],
    but: ['constructs/aws/operations', 'constructs/aws/context'],
    shared: true,
    lazy: /"\.\.\/\.\.\/lib\//,
  },
];

for (const { entry, folders, but = [], shared = false, lazy } of PARTS) {
  const outfile = resolve('dist', `${entry}.js`);
  const isIn = (file) => (folder) => file.startsWith(resolve(folder));
  const inside = (file) => folders.some(isIn(file)) && !but.some(isIn(file));
  const { metafile } = await build({
    entryPoints: [`${entry}.ts`],
    bundle: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // The output is not minified, because Node prints the line that threw an error.
    outfile,
    metafile: true,
    logLevel: 'warning',
    plugins: [others(outfile, inside)],
  });
  if (lazy !== undefined) putOff(outfile, lazy);
  for (const input of shared ? [] : Object.keys(metafile.inputs)) {
    const made = resolve('dist', input.replace(/\.ts$/, '.js'));
    if (made !== outfile) for (const file of [made, `${made}.map`]) rmSync(file, { force: true });
  }
}

for (const file of ['malformed', 'misshapes', 'wording']) putOff(`dist/lib/check/language/${file}.js`, SCHEMA);
// The validation is loaded on first use, because only a user's own environment needs it.
putOff('dist/constructs/environment.js', /show|environment-problems/);
await makePage();
makeLazy();
sayNeeds();
await makeModules();
// In a clone, `npx tablewright` executes this file directly, so the file must be executable; tsc does not make it so.
chmodSync('dist/bin/tablewright.js', 0o755);

/** Rewrites an output file so that imports that match `lazy` are loaded on first use. */
function putOff(file, lazy) {
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.map((line) => (lazy.test(line) ? lazyLine(line) : line)).join('\n'));
}

/** Keeps imports of files outside the bundled folders external. */
function others(outfile, inside) {
  return {
    name: 'others-stay',
    setup: (to) => to.onResolve({ filter: /^\.\.?\// }, (at) => placed(at, inside, outfile)),
  };
}

/**
 * Keeps an import of a file outside the bundled folders external, and resolves it to the file's output, relative to the
 * bundle.
 */
function placed({ path, resolveDir }, inside, outfile) {
  const source = resolve(resolveDir, path);
  if (inside(`${source}.ts`) || inside(`${source}/index.ts`)) return undefined;
  const made = relative(dirname(outfile), resolve('dist', relative(process.cwd(), source)));
  return { path: made.startsWith('.') ? made.split(sep).join('/') : `./${made.split(sep).join('/')}`, external: true };
}
