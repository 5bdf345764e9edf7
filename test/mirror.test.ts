import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

/**
 * Folders whose tests are elsewhere: systems are tested together, commands through the command line, and rule helpers
 * through their rules.
 */
const TESTED_ELSEWHERE = /^(lib\/systems\/.+|bin\/commands|lib\/check\/(keys|names|requests|tenants))$/;

const namesIn = (folder: string) => readdirSync(join(root, folder), { withFileTypes: true });

function foldersIn(folder: string): readonly string[] {
  const inner = namesIn(folder).filter((entry) => entry.isDirectory());
  return [folder, ...inner.flatMap(({ name }) => foldersIn(`${folder}/${name}`))];
}

const sources = ['lib', 'constructs', 'bin'].flatMap(foldersIn);

test('every code folder with more than one file has tests in the same folder under test', () => {
  const hasCode = (folder: string) => namesIn(folder).filter(({ name }) => /\.tsx?$/.test(name)).length > 1;
  const hasTests = (folder: string) =>
    existsSync(join(root, 'test', folder)) && namesIn(`test/${folder}`).some(({ name }) => name.endsWith('.test.ts'));
  const bare = sources.filter((folder) => hasCode(folder) && !TESTED_ELSEWHERE.test(folder) && !hasTests(folder));
  expect(sources.length).toBeGreaterThan(50);
  expect(bare).toEqual([]);
});

test('every test folder mirrors a folder of code', () => {
  const tests = ['test/lib', 'test/constructs', 'test/bin'].flatMap(foldersIn);
  expect(tests.filter((folder) => !existsSync(join(root, folder.slice('test/'.length))))).toEqual([]);
});
