import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import engine from '../build/engine/package.json';
import { packages as locked } from '../package-lock.json';
import { documents, linksIn } from './support/documents';
import { pack } from './support/pack';
import { run } from './support/run';

const bin = join(__dirname, '../node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-package-'));
let tarball: string;

beforeAll(async () => {
  tarball = await pack();
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('publint reports nothing about the package, not even a suggestion', () => {
  const { code, output } = run(folder, join(bin, 'publint'), 'run', tarball, '--strict');
  expect(output).toMatch(/All good!$/);
  expect(code).toBe(0);
}, 300_000);

test('every entry point has types in every resolution mode: node10, node16 (CommonJS and ESM) and bundler', () => {
  const { code, output } = run(folder, join(bin, 'attw'), tarball, '--profile', 'strict', '--no-definitely-typed');
  expect(output).toContain('No problems found');
  expect(code).toBe(0);
}, 300_000);

test('the package has the files that its documents link to, and no source maps', () => {
  const files = run(folder, 'tar', '-tzf', tarball).output.split('\n');
  const links = documents.flatMap((document) =>
    linksIn(document).map((link) => join('package', dirname(document), link)),
  );
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !files.includes(link))).toEqual([]);
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
});

describe("the package's dependencies", () => {
  const packed = () => JSON.parse(run(folder, 'tar', '-xzOf', tarball, 'package/package.json').output);

  test("the package's dependencies include no binary, no optional package and no install script", () => {
    const { dependencies, optionalDependencies, bundleDependencies, bundledDependencies, scripts } = packed();
    expect({ optionalDependencies, bundleDependencies, bundledDependencies }).toEqual({});
    expect(Object.keys(dependencies)).toEqual(['jiti']);
    const atInstall = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'dependencies'];
    expect(Object.keys(scripts).filter((name) => atInstall.includes(name))).toEqual([]);
    // npm runs node-gyp when it installs a package that contains this file.
    expect(run(folder, 'tar', '-tzf', tarball).output).not.toContain('binding.gyp');
  });

  test("a clone of the repo installs the package's dependencies, plus an exact version of the engine as a dev dependency", () => {
    const packages = locked as Record<string, Locked>;
    const production = Object.entries(packages).filter(
      ([name, { dev, peer, devOptional, link }]) => name !== '' && !(dev || peer || devOptional || link),
    );
    expect(production.map(([name]) => name)).toEqual(['node_modules/jiti']);
    expect(production.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
    const { version, dev, optional } = packages['node_modules/@dynoxide/linux-x64'] ?? {};
    expect({ version, dev, optional }).toEqual({
      version: engine.optionalDependencies['@dynoxide/linux-x64'],
      dev: true,
      optional: true,
    });
  });
});

interface Locked {
  readonly version?: string;
  readonly dev?: boolean;
  readonly peer?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}
