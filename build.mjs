// After tsc: makes one file of each part that is always loaded whole. Reading thirty small files takes longer than all
// that a stack does with them. Then what entries.json asks for.
import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { lazyLine, makeLazy } from './build/lazy.mjs';
import { makeModules } from './build/modules.mjs';
import { sayNeeds } from './build/needs.mjs';
import { makePage } from './build/page.mjs';

/** The schema of the language loads zod, which only a check needs, and not everyone who can name its errors. */
const SCHEMA = /design\/schema\//;

/**
 * Entries, and the folders whose files are loaded with them, but for some. What is `shared` is loaded from elsewhere too,
 * and so stays beside the one file; it must hold no state. What is `lazy` is loaded when it is first used: the check, which
 * is as much code as all the rest, by the first table that is made and not by everyone who imports its class.
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
    // It is not minified: Node shows the line that threw.
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
// Only an environment of the user's own is looked into.
putOff('dist/constructs/environment.js', /show|environment-problems/);
await makePage();
makeLazy();
sayNeeds();
await makeModules();
// tsc makes it a file like any other; `npx tablewright` in a clone runs it.
chmodSync('dist/bin/tablewright.js', 0o755);

/** Loads the files that `lazy` matches when they are first used. */
function putOff(file, lazy) {
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.map((line) => (lazy.test(line) ? lazyLine(line) : line)).join('\n'));
}

/** Leaves all that is not inside of the folders where it is. */
function others(outfile, inside) {
  return {
    name: 'others-stay',
    setup: (to) => to.onResolve({ filter: /^\.\.?\// }, (at) => placed(at, inside, outfile)),
  };
}

/** What is outside of the folders is loaded from where it is, seen from the one file. */
function placed({ path, resolveDir }, inside, outfile) {
  const source = resolve(resolveDir, path);
  if (inside(`${source}.ts`) || inside(`${source}/index.ts`)) return undefined;
  const made = relative(dirname(outfile), resolve('dist', relative(process.cwd(), source)));
  return { path: made.startsWith('.') ? made.split(sep).join('/') : `./${made.split(sep).join('/')}`, external: true };
}
