import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(__dirname, '..');

/** The rows of the map in ARCHITECTURE.md, from the ground up: the places of a row, and the packages that it may load. */
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

const importsOf = (file: string) =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export)\b[^;]*?from '([^']+)'|(?:import|require)\('([^']+)'\)/gm,
    ),
  ].map(([, fixed, lazy]) => (fixed ?? lazy) as string);

const targetsOf = (file: string) =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, dirname(file), name)));

const isIn = (file: string, place: string) =>
  new RegExp(`^${place.replace(/\.ts$/, '').replace('*', '[^/]+')}(/|\\.ts$|$)`).test(file);

/** The row with the longest place that a file is in: the procedures of a system are above its design. */
const rowOf = (file: string) => {
  const found = rows.flatMap(({ places }, row) =>
    places.filter((place) => isIn(file, place)).map((place) => ({ row, length: place.length })),
  );
  return found.sort((a, b) => b.length - a.length)[0]?.row ?? -1;
};

test('every place of the map is there', () => {
  const places = rows.flatMap(({ places }) => places);
  expect(places.length).toBeGreaterThan(20);
  expect(places.filter((place) => !files.some((file) => isIn(file, place)))).toEqual([]);
});

test.each(files)('%s is on the map', (file) => {
  expect(rowOf(file)).toBeGreaterThanOrEqual(0);
});

test.each(files)('%s imports from its own row of the map or from above', (file) => {
  expect(targetsOf(file).filter((target) => rowOf(target) > rowOf(file))).toEqual([]);
});

test.each(files)('%s loads only the packages of its row', (file) => {
  const foreign = importsOf(file).filter(
    (name) =>
      !name.startsWith('.') &&
      !rows[rowOf(file)]?.packages.some(
        (start) => name === start || name.startsWith(start.endsWith(':') ? start : `${start}/`),
      ),
  );
  expect(foreign).toEqual([]);
});

test('the clouds do not know each other', () => {
  const clouds = [
    ['lib/dynamodb', 'constructs/aws'],
    ['lib/azure-tables', 'constructs/azure'],
  ];
  const cloudOf = (file: string) => clouds.findIndex((places) => places.some((place) => isIn(file, place)));
  const isAcross = (file: string, target: string) =>
    cloudOf(target) !== -1 && cloudOf(file) !== -1 && cloudOf(target) !== cloudOf(file);
  const found = files.filter((file) => targetsOf(file).some((target) => isAcross(file, target)));
  expect(found).toEqual([]);
});

describe('the waist: only lib/design and lib/blueprint look into', () => {
  const outside = files.filter((file) => !/^lib\/(design|blueprint)\//.test(file));
  const codeOf = (file: string) => readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
  const found = (sign: RegExp) => outside.filter((file) => sign.test(codeOf(file)));

  const looksInto = {
    zod: /\b_zod\b/,
    parts: /\.parts\b|(?<!\$)\{[^{}()'"]*\bparts\b[^{}()]*\}/,
    holes: /\.holes\b|(?<!\$)\{[^{}()'"]*\bholes\b[^{}()]*\}/,
    // They may be left out, which tells them from the patterns of a blueprint.
    patterns: /\b(?:design|table|(?<!cases\.)tables\[\w+\])\??\.patterns\s*\?[?.]|\bpatterns = \{\}/,
  };

  test('the schemas of zod', () => {
    expect(found(looksInto.zod)).toEqual([]);
  });

  test('what key templates consist of', () => {
    expect(found(looksInto.parts)).toEqual([]);
    expect(found(looksInto.holes)).toEqual([]);
  });

  test('the patterns of a design', () => {
    expect(found(looksInto.patterns)).toEqual([]);
  });

  test('and they do', () => {
    const inside = files.filter((file) => !outside.includes(file));
    for (const sign of Object.values(looksInto))
      expect(inside.filter((file) => sign.test(codeOf(file)))).not.toEqual([]);
  });
});

test.each(files)('%s never loads the whole of aws-cdk-lib', (file) => {
  expect(importsOf(file)).not.toContain('aws-cdk-lib');
});

test.each(files)('%s names node modules by their prefix, so that no package can stand in for them', (file) => {
  expect(importsOf(file).filter((name) => builtinModules.includes(name))).toEqual([]);
});

/** Folders that are one file when they are built (build.mjs), and the way into them. */
const parts = [{ entry: 'lib/check', folders: ['lib/check'], but: ['lib/check/examples'] }];

test.each(files)('%s takes the way into what is built as one file', (file) => {
  const valueImports = [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'|(?:import|require)\('(\.[^']+)'\)/gm,
    ),
  ];
  const targets = valueImports.map(([, fixed, lazy]) =>
    relative(root, resolve(root, dirname(file), (fixed ?? lazy) as string)),
  );
  for (const { entry, folders, but } of parts) {
    const isInside = (path: string) =>
      folders.some((folder) => isIn(path, folder)) && !but.some((folder) => isIn(path, folder));
    if (isInside(file)) continue;
    expect(targets.filter((target) => isInside(target) && target !== entry)).toEqual([]);
  }
});
