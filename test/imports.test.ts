import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(__dirname, '..');

/** Layers from the ground up: a file imports from its own layer or from one below it. */
const layers = [
  ['lib/design'],
  ['lib/blueprint'],
  ['lib/systems'],
  ['lib/check'],
  // Above the check, so that no stack loads them.
  ['lib/check/examples'],
  // How a design looks on Azure is derived from its blueprint, as its permissions there are.
  ['lib/azure-tables/equivalents'],
  ['lib/permissions'],
  ['lib/items', 'lib/engine'],
  ['lib/dynamodb'],
  ['lib/azure-tables'],
  ['lib/proof'],
  // What a system is comes first; its procedures and what proves it stand on all of the above.
  [
    'lib/systems/*/procedures',
    'lib/systems/*/cases.ts',
    'lib/systems/*/examples.ts',
    'lib/systems/*/items.ts',
    'lib/systems/cases.ts',
    'lib/systems/index.ts',
  ],
  ['lib/index.ts'],
  ['constructs/azure-environment.ts'],
  ['constructs/environment-problems.ts'],
  ['constructs/environment.ts'],
  ['constructs/aws', 'constructs/azure', 'constructs/testing'],
  ['bin'],
];

/** What each folder may load from outside; `lib` loads no cloud library. */
const packages: Readonly<Record<string, readonly string[]>> = {
  'bin/azure.ts': ['cdktn'],
  'constructs/azure': ['cdktn', 'constructs', 'node:'],
  'lib/design': ['zod'],
  'lib/systems': ['zod'],
  'lib/blueprint': ['zod'],
  'lib/check/examples': ['zod'],
  'lib/check': [],
  'lib/permissions': [],
  'lib/items': [],
  'lib/engine': ['node:'],
  'lib/dynamodb/engine': ['node:', '@aws-sdk'],
  'lib/dynamodb/template': ['node:'],
  'lib/dynamodb': [],
  'lib/azure-tables/engine': ['node:', '@azure'],
  'lib/azure-tables/equivalents': ['node:'],
  'lib/azure-tables/terraform.ts': ['node:'],
  'lib/azure-tables/backup': ['node:'],
  'lib/azure-tables': [],
  'lib/proof': ['node:'],
  'lib/index.ts': [],
  // It reads the templates that were synthesized.
  'constructs/aws/operations/table-checks.ts': ['aws-cdk-lib', 'node:'],
  constructs: ['aws-cdk-lib', 'constructs'],
  bin: ['aws-cdk-lib', 'node:'],
};

const files = ['lib', 'constructs', 'bin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file)),
);

const importsOf = (file: string) =>
  [
    ...readFileSync(join(root, file), 'utf8').matchAll(
      /^(?:import|export)\b[^;]*?from '([^']+)'|import\('([^']+)'\)/gm,
    ),
  ].map(([, fixed, lazy]) => (fixed ?? lazy) as string);

/** The layer of the longest place that a file is in: the parts of a system are above its folder. */
const layerOf = (file: string) => {
  const found = layers.flatMap((places, layer) =>
    places
      .filter((place) => new RegExp(`^${place.replace(/\.ts$/, '').replace('*', '[^/]+')}(/|\\.ts$|$)`).test(file))
      .map((place) => ({ layer, length: place.length })),
  );
  return found.sort((a, b) => b.length - a.length)[0]?.layer ?? -1;
};

test.each(files)('%s has a layer', (file) => {
  expect(layerOf(file)).toBeGreaterThanOrEqual(0);
});

test.each(files)('%s imports from its own layer or from below', (file) => {
  const targets = importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, dirname(file), name)));
  const upwards = targets.filter((target) => layerOf(target) > layerOf(file));
  expect(upwards).toEqual([]);
});

test.each(files)('%s loads only the packages of its folder', (file) => {
  const allowed = Object.entries(packages).find(([folder]) => file.startsWith(folder))?.[1] ?? [];
  const foreign = importsOf(file).filter(
    (name) =>
      !name.startsWith('.') &&
      !allowed.some(
        (start) => name === start || name.startsWith(`${start.replace(/:$/, '')}${start.endsWith(':') ? ':' : '/'}`),
      ),
  );
  expect(foreign).toEqual([]);
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
    ...readFileSync(join(root, file), 'utf8').matchAll(/^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)'/gm),
  ];
  const targets = valueImports.map(([, name]) => relative(root, resolve(root, dirname(file), name as string)));
  for (const { entry, folders, but } of parts) {
    const isIn = (path: string) => (folder: string) => path === folder || path.startsWith(`${folder}/`);
    const isInside = (path: string) => folders.some(isIn(path)) && !but.some(isIn(path));
    if (isInside(file)) continue;
    expect(targets.filter((target) => isInside(target) && target !== entry)).toEqual([]);
  }
});
