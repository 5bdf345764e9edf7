import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'lib/blueprint';
const WHOLE = resolve('dist', FOLDER, 'whole.js');
const REQUIRED = /^(?:var|const) (\w+) = require\("(\.[^"]+)"\);$/;

/**
 * Makes one file of the blueprint, which is loaded nearly whole by whatever loads some of it; what was a file of it takes
 * its part from there, so that there is one of each. `placed` says where other files are.
 */
export async function makeWhole(placed) {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const names = files.map((file) => file.slice(0, -'.ts'.length).split(sep).join('/'));
  await build({
    stdin: {
      contents: names.map((name) => `export * as ${partOf(name)} from './${name}';`).join('\n'),
      resolveDir: FOLDER,
    },
    ...{ bundle: true, packages: 'external', platform: 'node', target: 'node20', format: 'cjs' },
    ...{ outfile: WHOLE, logLevel: 'warning', plugins: [placed(WHOLE, (file) => file.startsWith(resolve(FOLDER)))] },
  });
  requireOnce(WHOLE);
  for (const name of names) {
    const made = resolve('dist', FOLDER, `${name}.js`);
    rmSync(`${made}.map`, { force: true });
    writeFileSync(made, `module.exports = require("${from(made, WHOLE)}").${partOf(name)};\n`);
  }
}

/** Has a file that was made of many load each of the others once, and of the blueprint all in one. */
export function requireOnce(made) {
  const seen = new Map();
  const lines = readFileSync(made, 'utf8').split('\n');
  const once = lines.map((line) => {
    const [, name, path] = REQUIRED.exec(line) ?? [];
    if (name === undefined) return line;
    const before = seen.get(path);
    seen.set(path, before ?? name);
    return `var ${name} = ${before ?? required(made, path)};`;
  });
  writeFileSync(made, once.join('\n'));
}

function required(made, path) {
  const part = relative(resolve('dist', FOLDER), resolve(dirname(made), path))
    .split(sep)
    .join('/');
  if (!part.startsWith('.') && made !== WHOLE) return `require("${from(made, WHOLE)}").${partOf(part)}`;
  // Spelt out, so that Node need not try what else it could be.
  return `require("${path}${existsSync(resolve(dirname(made), `${path}.js`)) ? '' : '/index'}.js")`;
}

function from(made, other) {
  const path = relative(dirname(made), other).split(sep).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}

function partOf(name) {
  return name.replace(/\W/g, '_');
}
