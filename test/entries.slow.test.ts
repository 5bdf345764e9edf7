import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import entries from '../entries.json';
import { exports, sideEffects } from '../package.json';
import { run } from './support/run';

const root = join(__dirname, '..');
type Exports = Readonly<Record<string, readonly string[]>>;

/**
 * Runs a script in a separate process, where the package can be required by name, and parses the script's JSON output.
 */
function printed<T>(script: string, ...flags: readonly string[]): T {
  const { code, output } = run(root, process.execPath, ...flags, '-e', script);
  if (code !== 0) throw new Error(output);
  return JSON.parse(output) as T;
}

const sorted = (all: Exports): Exports =>
  Object.fromEntries(Object.entries(all).map(([name, own]) => [name, [...own].sort()]));

/** Returns the names that an ES module can import from each file or package, without the names that Node adds. */
function importedFrom(places: Readonly<Record<string, string>>): Exports {
  const script = `const all = {};
    for (const [name, place] of Object.entries(${JSON.stringify(places)})) all[name] = Object.keys(await import(place));
    console.log(JSON.stringify(all));`;
  const own = (name: string) => !['default', 'module.exports', '__esModule'].includes(name);
  const imported = Object.entries(printed<Exports>(script, '--input-type=module'));
  return sorted(Object.fromEntries(imported.map(([name, exported]) => [name, exported.filter(own)])));
}

/** Returns the files that a script loads. The paths of the package's own files are relative to `dist`. */
function loadedBy(script: string): readonly string[] {
  const files = printed<string[]>(`${script}; console.log(JSON.stringify(Object.keys(require.cache)))`);
  return files.map((file) => file.replace(join(root, 'dist/'), '').replace(/^.*\/node_modules\//, ''));
}

const within = (files: readonly string[], ...folders: readonly string[]) =>
  files.filter((file) => folders.some((folder) => file.startsWith(folder)));

test('package.json declares every entry of entries.json in every module format', () => {
  expect(run(root, process.execPath, 'build/entries.mjs', '--check')).toEqual({ code: 0, output: '' });
});

test('every entry exports the same names for require, import and bundlers', () => {
  const names = Object.keys(entries).map((entry) => entry.replace('.', 'tablewright'));
  const required = printed<Exports>(
    `console.log(JSON.stringify(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, Object.keys(require(name))]))))`,
  );
  expect(Object.keys(required).filter((name) => required[name]?.length === 0)).toEqual([]);
  expect(importedFrom(Object.fromEntries(names.map((name) => [name, name])))).toEqual(sorted(required));

  const modules = Object.entries(exports).flatMap(([entry, form]) =>
    typeof form === 'object' && 'module' in form ? [[entry.replace('.', 'tablewright'), join(root, form.module)]] : [],
  );
  const offered = Object.fromEntries(modules.map(([name = '']) => [name, required[name] ?? []]));
  expect(modules.length).toBeGreaterThan(8);
  expect(importedFrom(Object.fromEntries(modules))).toEqual(sorted(offered));
});

test('bundlers can tree-shake the modules, because loading them has no side effects', () => {
  expect(sideEffects).toBe(false);
  for (const file of readdirSync(join(root, 'dist/esm'), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.mjs')) {
      expect([file, /^import ["']/m.test(readFileSync(join(root, 'dist/esm', file), 'utf8'))]).toEqual([file, false]);
    }
  }
});

describe('what is loaded', () => {
  test("'tablewright' loads only the design language", () => {
    const loaded = loadedBy("Object.values(require('tablewright'))");
    expect(loaded).toContain('lib/design/table.js');
    expect(within(loaded, 'lib/design/', 'lib/index.js')).toEqual(loaded);
  });

  test.each(['tablewright/dynamodb', 'tablewright/azure-tables'])(
    "'%s' loads only code that runs in a Lambda: no check, no SDK, no zod",
    (entry) => {
      const loaded = loadedBy(`Object.values(require('${entry}'))`);
      const folder = entry.replace('tablewright', 'lib');
      expect(loaded).toContain(`${folder}/requests.js`);
      expect(within(loaded, 'lib/design/', 'lib/blueprint/', 'lib/items/', 'lib/dynamodb/', `${folder}/`)).toEqual(
        loaded,
      );
      expect(within(loaded, `${folder}/engine/`, `${folder}/template/`, `${folder}/equivalents/`)).toEqual([]);
    },
  );

  test('the entry for equivalents does not load the check', () => {
    const entry = "require('tablewright/azure-tables/equivalents')";
    expect(within(loadedBy(`${entry}.encodeKey(['a'])`), 'lib/check/')).toEqual([]);
    expect(within(loadedBy(`${entry}.azureTables`), 'lib/check/')).toEqual([]);
    expect(within(loadedBy(`${entry}.portability`), 'lib/check/')).toEqual([]);
  });

  test("'tablewright/aws' loads the check, which is most of its code, only when needed", () => {
    const entry = "const { DesignedTable, DesignError } = require('tablewright/aws')";
    const imported = loadedBy("require('tablewright/aws').DesignedTable");
    expect(within(imported, 'lib/check/', 'lib/blueprint/')).toEqual([]);
    expect(within(loadedBy(`${entry}; DesignError`), 'lib/check/')).toContain('lib/check/index.js');
  });

  const folders = ['blog', 'booking', 'controle-pgm', 'transporte', 'trimobe'].map((name) => `lib/systems/${name}/`);

  test.each([
    ["require('tablewright/systems')", []],
    ["require('tablewright/systems').blog", ['lib/systems/blog/']],
    ["require('tablewright/systems').systems", folders],
    ["require('tablewright/systems/blog').blog", ['lib/systems/blog/']],
    ["require('tablewright/systems/booking').booking", ['lib/systems/booking/']],
    ["require('tablewright/systems/booking').createBooking", ['lib/systems/booking/']],
    ["require('tablewright/systems/controle-pgm').controlePgm", ['lib/systems/controle-pgm/']],
    ["require('tablewright/systems/transporte').transporte", ['lib/systems/transporte/']],
    ["require('tablewright/systems/trimobe').trimobe", ['lib/systems/trimobe/']],
  ] as const)('%s loads exactly these systems: %j', (script, expected) => {
    const loaded = loadedBy(script);
    expect(folders.filter((folder) => within(loaded, folder).length > 0)).toEqual(expected);
    expect(within(loaded, 'lib/check/', 'lib/proof/')).toEqual([]);
  });

  test('every entry returns the same system object', () => {
    const both = "require('tablewright/systems').blog === require('tablewright/systems/blog').blog";
    expect(printed<boolean>(`console.log(${both})`)).toBe(true);
  });
});

test('the benchmarks import only the entries that users import', () => {
  const files = readdirSync(join(root, 'test/bench'), { recursive: true, encoding: 'utf8' });
  const around = files
    // Users start the migration runner with a command instead of importing it, so its benchmarks may import internal
    // files.
    .filter((file) => /\.[cm]js$/.test(file) && !['memory.mjs', 'migrate.mjs', 'notes-table.mjs'].includes(file))
    .filter((file) => /['"/](dist|lib|constructs)\//.test(readFileSync(join(root, 'test/bench', file), 'utf8')));
  expect(around).toEqual([]);
});

test('the build itself makes the command executable, without relying on npm', () => {
  expect(statSync(join(root, 'dist/bin/tablewright.js')).mode & 0o111).toBe(0o111);
});

describe('an error', () => {
  test('Node shows a readable line of code for an uncaught error', () => {
    const design = "{ name: 'posts', key: { partition: 'PK' }, entities: {}, patterns: { p: { op: 'nope' } } }";
    const { code, output } = run(root, process.execPath, '-e', `require('tablewright/check').assertSound(${design})`);
    const lines = output.split('\n');
    const message = lines.findIndex((line) => line.startsWith('DesignError'));
    expect(code).not.toBe(0);
    // The message already lists the findings. Node also prints an error's fields, which must not repeat them.
    expect(output.split("'nope' is not an operation of a pattern")).toHaveLength(2);
    expect(lines.slice(0, message).join('\n')).toContain('throw');
    expect(lines.slice(0, message).filter((line) => line.length > 200)).toEqual([]);
  });

  test('no file has a line too long to read when Node prints it with an uncaught error', () => {
    const files = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' });
    const long = files
      // The explorer's page runs in a browser, so its lines are exempt.
      .filter((file) => file.endsWith('.js') && !file.startsWith('lib/explore/page/'))
      .flatMap((file) => readFileSync(join(root, 'dist', file), 'utf8').split('\n'))
      // Lines that only re-export names throw no errors.
      .filter((line) => line.length > 300 && !line.startsWith('exports.'));
    expect(long).toEqual([]);
  });
});
