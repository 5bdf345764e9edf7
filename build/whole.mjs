import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

const REQUIRED = /^(?:var|const) (\w+) = require\("(\.[^"]+)"\);$/;
/** In the midst of a line: what is loaded when it is first used. */
const REQUIRED_LATER = /(?<!^(?:var|const) \w+ = )require\("(\.[^"]+)"\)/g;

const BLUEPRINT = 'lib/blueprint';
const CHECK = 'lib/check';
const RULES = `${CHECK}/rules`;

/** What is small, and rules of nearly every table ask for. */
const OFTEN = [`${CHECK}/sorting.ts`, `${CHECK}/step.ts`, `${BLUEPRINT}/attributes/texts.ts`];

/** Where each file went that was made a part of another: the one file, and its part of that. */
const parts = new Map();

/**
 * Makes one file of all that a table needs in any case, of the blueprint and of the check, and another of what only some
 * need. Each rule of the check is a file of its own, which is loaded when a table has what it is about. What was a file
 * takes its part from there, so that there is one of each. `placed` says where other files are.
 */
export async function makeWholes(placed) {
  const needed = await neededBy(`${CHECK}/check.ts`, ...OFTEN);
  const isNeeded = (file) => needed.has(file);
  const isRule = (file) => dirname(file) === RULES && !isNeeded(file);
  const blueprint = filesIn(BLUEPRINT);
  const check = filesIn(CHECK).filter(
    (file) => !/\/(examples|index)[/.]/.test(file.slice(CHECK.length)) || isNeeded(file),
  );
  const wholes = [
    { made: `${BLUEPRINT}/whole`, files: blueprint.filter(isNeeded) },
    { made: `${BLUEPRINT}/more`, files: blueprint.filter((file) => !isNeeded(file)) },
    { made: `${CHECK}/whole`, files: check.filter(isNeeded) },
    { made: `${CHECK}/more`, files: check.filter((file) => !isNeeded(file) && !isRule(file)) },
  ];
  for (const { made, files } of wholes) {
    for (const file of files) parts.set(builtOf(file), { made: resolve('dist', `${made}.js`), part: partOf(file) });
  }
  for (const whole of wholes) await makeOne(whole, placed);
  for (const file of [`${CHECK}/index.ts`, ...check.filter(isRule)]) requireOnce(`${builtOf(file)}.js`);
  for (const file of [...blueprint, ...check]) {
    const made = `${builtOf(file)}.js`;
    rmSync(`${made}.map`, { force: true });
    const whole = parts.get(builtOf(file));
    if (whole === undefined) continue;
    // The check has one way into it.
    if (file.startsWith(CHECK)) rmSync(made, { force: true });
    else writeFileSync(made, `module.exports = require("${from(made, whole.made)}").${whole.part};\n`);
  }
}

async function makeOne({ made, files }, placed) {
  const outfile = resolve('dist', `${made}.js`);
  const isInside = (file) => files.includes(relative(process.cwd(), file).split(sep).join('/'));
  const contents = files
    .map((file) => `export * as ${partOf(file)} from './${file.slice(0, -'.ts'.length)}';`)
    .join('\n');
  await build({
    stdin: { contents, resolveDir: '.' },
    ...{ bundle: true, packages: 'external', platform: 'node', target: 'node20', format: 'cjs' },
    // It is not minified: Node shows the line that threw.
    ...{ outfile, logLevel: 'warning', plugins: [placed(outfile, isInside)] },
  });
  requireOnce(outfile);
  settleExports(outfile);
}

const GETTERS = '__defProp(target, name, { get: all[name], enumerable: true });';

/**
 * Makes plain fields of what esbuild exports by getters, once the file has run: every call into another file would call a
 * getter first. Nothing that is exported changes after that.
 */
function settleExports(outfile) {
  const made = readFileSync(outfile, 'utf8');
  if (!made.includes(GETTERS)) throw new Error(`${outfile}: esbuild writes exports in another way now`);
  const settled = made.replace(GETTERS, '__exported.push(target, name, all[name]);');
  const fields =
    'for (let i = 0; i < __exported.length; i += 3) __exported[i][__exported[i + 1]] = __exported[i + 2]();';
  const copied = 'module.exports = __toCommonJS(stdin_exports);';
  if (!made.includes(copied)) throw new Error(`${outfile}: esbuild writes module.exports in another way now`);
  writeFileSync(
    outfile,
    `var __exported = [];\n${settled.replace(copied, '')}\n${fields}\nmodule.exports = stdin_exports;\n`,
  );
}

/** All files that these load before they are used. */
async function neededBy(...entries) {
  const later = {
    name: 'loaded-later',
    setup: (to) =>
      to.onResolve({ filter: /^\./ }, ({ kind }) =>
        kind === 'require-call' ? { path: 'later', external: true } : undefined,
      ),
  };
  const { metafile } = await build({
    ...{ entryPoints: entries, bundle: true, packages: 'external', platform: 'node', format: 'cjs' },
    ...{ outdir: 'dist', write: false, metafile: true, logLevel: 'warning', plugins: [later] },
  });
  return new Set(Object.keys(metafile.inputs));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file.split(sep).join('/')}`);
}

/** Has a file that was made of many load each of the others once, and of what became one file its part. */
export function requireOnce(made) {
  const seen = new Map();
  const lines = readFileSync(made, 'utf8').split('\n');
  const once = lines.map((line) => {
    const [, name, path] = REQUIRED.exec(line) ?? [];
    if (name === undefined) return line.replace(REQUIRED_LATER, (_, later) => required(made, later));
    const before = seen.get(path);
    seen.set(path, before ?? name);
    return `var ${name} = ${before ?? required(made, path)};`;
  });
  writeFileSync(made, once.join('\n'));
}

function required(made, path) {
  const file = resolve(dirname(made), path.replace(/\.js$/, ''));
  const whole = parts.get(file) ?? parts.get(`${file}/index`);
  if (whole !== undefined && whole.made !== made) return `require("${from(made, whole.made)}").${whole.part}`;
  // Spelt out, so that Node need not try what else it could be.
  const end = path.endsWith('.js') ? '' : existsSync(`${file}.js`) ? '.js' : '/index.js';
  return `require("${path}${end}")`;
}

function builtOf(file) {
  return resolve('dist', file.slice(0, -'.ts'.length));
}

function from(made, other) {
  const path = relative(dirname(made), other).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

function partOf(file) {
  return file
    .slice(0, -'.ts'.length)
    .replace(/^lib\/(blueprint|check)\//, '')
    .replace(/\W/g, '_');
}
