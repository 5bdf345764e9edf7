import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { documents, linksIn } from './support/documents';
import { pack } from './support/pack';
import { run } from './support/run';

const bin = join(__dirname, '../node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-package-'));
let tarball: string;

beforeAll(() => {
  tarball = pack(folder);
}, 300_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('publint finds nothing to say about the package, not even a suggestion', () => {
  const { code, output } = run(folder, join(bin, 'publint'), 'run', tarball, '--strict');
  expect(output).toMatch(/All good!$/);
  expect(code).toBe(0);
}, 300_000);

test('every entry point has its types, however a user resolves it: node10, node16 from CommonJS and ESM, bundler', () => {
  const { code, output } = run(folder, join(bin, 'attw'), tarball, '--profile', 'strict', '--no-definitely-typed');
  expect(output).toContain('No problems found');
  expect(code).toBe(0);
}, 300_000);

test('what its documents link to is in the package, as are no maps', () => {
  const files = run(folder, 'tar', '-tzf', tarball).output.split('\n');
  const links = documents.flatMap((document) =>
    linksIn(document).map((link) => join('package', dirname(document), link)),
  );
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !files.includes(link))).toEqual([]);
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
});
