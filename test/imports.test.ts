import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(__dirname, '..');

/**
 * The rows of the map in ARCHITECTURE.md, from the bottom layer up. Each row has paths, and the packages that files
 * under these paths may load.
 */
const rows = [
  ...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| (`[^|]+) \|[^|]+\|([^|]*)\|$/gm),
].map(([, places = '', packages = '']) => ({ places: codeIn(places), packages: codeIn(packages) }));

function codeIn(cell: string): readonly string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code as string);
}

const files = ['lib', 'constructs', 'bin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

/** Caches the result for each file, because most tests read all files. */
function once<T>(look: (file: string) => T): (file: string) => T {
  const known = new Map<string, T>();
  return (file) => {
    if (!known.has(file)) known.set(file, look(file));
    return known.get(file) as T;
  };
}

const textOf = once((file) => readFileSync(join(root, file), 'utf8'));

const importsOf = once((file) =>
  [...textOf(file).matchAll(/^(?:import|export)\b[^;(]*?from '([^']+)'|(?:import|require)\('([^']+)'\)/gm)].map(
    ([, fixed, lazy]) => (fixed ?? lazy) as string,
  ),
);

const targetsOf = (file: string) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, dirname(file), name)));

const isIn = (file: string, place: string) =>
  new RegExp(`^${place.replace(/\.ts$/, '').replace('*', '[^/]+')}(/|\\.ts$|$)`).test(file);

/**
 * Returns the row with the longest matching path. For example, a system's design and its procedures both match
 * `lib/systems`, but the procedures also match a longer path, in their own row.
 */
const rowOf = once((file) => {
  const found = rows.flatMap(({ places }, row) =>
    places.filter((place) => isIn(file, place)).map((place) => ({ row, length: place.length })),
  );
  return found.sort((a, b) => b.length - a.length)[0]?.row ?? -1;
});

/** Returns the offenses in all files, each as `file: offense`. */
const offenses = (found: (file: string) => readonly string[]) =>
  files.flatMap((file) => found(file).map((what) => `${file}: ${what}`));

test('every path in the map of ARCHITECTURE.md exists', () => {
  const places = rows.flatMap(({ places }) => places);
  expect(places.length).toBeGreaterThan(20);
  expect(places.filter((place) => !files.some((file) => isIn(file, place)))).toEqual([]);
});

test('the map of ARCHITECTURE.md covers every file', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => rowOf(file) < 0)).toEqual([]);
});

test('every file imports only from its own row of the map or an earlier row', () => {
  expect(offenses((file) => targetsOf(file).filter((target) => rowOf(target) > rowOf(file)))).toEqual([]);
});

test('every file loads only the packages that its row of the map allows', () => {
  const mayLoad = (file: string, name: string) =>
    rows[rowOf(file)]?.packages.some(
      (start) => name === start || name.startsWith(start.endsWith(':') ? start : `${start}/`),
    );
  expect(offenses((file) => importsOf(file).filter((name) => !name.startsWith('.') && !mayLoad(file, name)))).toEqual(
    [],
  );
});

test('the code for DynamoDB and the code for Azure Tables do not import each other', () => {
  const clouds = [
    ['lib/dynamodb', 'constructs/aws'],
    ['lib/azure-tables', 'constructs/azure'],
  ];
  const cloudOf = (file: string) => clouds.findIndex((places) => places.some((place) => isIn(file, place)));
  const isAcross = (file: string, target: string) =>
    cloudOf(target) !== -1 && cloudOf(file) !== -1 && cloudOf(target) !== cloudOf(file);
  expect(offenses((file) => targetsOf(file).filter((target) => isAcross(file, target)))).toEqual([]);
});

describe('the parts of a design', () => {
  const outside = files.filter((file) => !/^lib\/(design|blueprint)\//.test(file));
  const codeOf = (file: string) => textOf(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const found = (sign: RegExp) => outside.filter((file) => sign.test(codeOf(file)));

  const looksInto = {
    schemas: /\b_zod\b/,
    'key templates': /(?<!\.)\.pieces\b|\b(?:template|source|bound|asked|partition)\.parts\b/,
    // Patterns are optional in a design but not in a blueprint, so code that handles missing patterns reads a design.
    patterns: /\b(?:design|table|(?<!cases\.)tables\[\w+\])\??\.patterns\s*\?[?.]|\bpatterns = \{\}/,
  };

  test.each(Object.entries(looksInto))('only lib/design and lib/blueprint read the %s of a design', (_, sign) => {
    expect(found(sign)).toEqual([]);
    // The expression must match the allowed code; an expression that matches nothing would let this test always pass.
    expect(files.filter((file) => !outside.includes(file) && sign.test(codeOf(file)))).not.toEqual([]);
  });
});

test('no file imports the whole of aws-cdk-lib', () => {
  expect(files.filter((file) => importsOf(file).includes('aws-cdk-lib'))).toEqual([]);
});

test("every file imports Node's modules with the prefix node:, so that no package can replace them", () => {
  expect(offenses((file) => importsOf(file).filter((name) => builtinModules.includes(name)))).toEqual([]);
});

/** The groups of folders that the build (build.mjs) bundles into one file each, with the entry file of each group. */
const parts = [{ entry: 'lib/check', folders: ['lib/check'], but: ['lib/check/language'] }];

test('every file imports a bundled folder through its entry file', () => {
  expect(offenses(waysAround)).toEqual([]);
});

/** Returns the imports of files that exist only inside a bundle after the build. */
function waysAround(file: string): readonly string[] {
  const valueImports = [
    ...textOf(file).matchAll(
      /^(?:import|export) (?!type\b)[^;(]*?from '(\.[^']+)'|(?:import|require)\('(\.[^']+)'\)/gm,
    ),
  ];
  const targets = valueImports.map(([, fixed, lazy]) =>
    relative(root, resolve(root, dirname(file), (fixed ?? lazy) as string)),
  );
  return parts.flatMap(({ entry, folders, but }) => {
    const isInside = (path: string) =>
      folders.some((folder) => isIn(path, folder)) && !but.some((folder) => isIn(path, folder));
    return isInside(file) ? [] : targets.filter((target) => isInside(target) && target !== entry);
  });
}
