import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

const draw = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), 'draw', ...args], {
    encoding: 'utf8',
    cwd: folder,
  });

test('`draw` writes a picture only to an existing folder, and overwrites an older picture', () => {
  const missing = draw('--demo', 'blog', '--output', 'docs/blog.svg');
  expect([missing.status, missing.stderr]).toEqual([
    2,
    "tablewright: --output: there is no folder 'docs'; create the folder first, or choose another file\n",
  ]);
  expect(existsSync(join(folder, 'docs'))).toBe(false);
  mkdirSync(join(folder, 'docs'));
  const file = join(folder, 'docs/blog.svg');
  for (const picture of ['map', 'collections']) {
    const { status, stdout } = draw('--demo', 'blog', '--picture', picture, '--output', 'docs/blog.svg');
    expect([status, stdout]).toEqual([0, 'docs/blog.svg: written\n']);
  }
  expect(readFileSync(file, 'utf8')).toContain('The item collections of blog');
});

test("`draw` shows the items of the cases that a user's module exports with its design, and reports missing cases", () => {
  const zod = JSON.stringify(join(root, 'node_modules/zod'));
  const design = `const { z } = require(${zod});
    const table = { name: 'things', key: { partition: 'id' }, entities: { Thing: { attributes: z.object({ id: z.string() }) } }, patterns: {} };
    const system = exports.system = { name: 'own', cloud: 'aws', tables: { things: table } };`;
  writeFileSync(join(folder, 'bare.js'), design);
  expect(draw('./bare.js').stderr).toContain(
    "'things' has no items to draw; export its cases from the same file, or pass --picture map",
  );
  writeFileSync(
    join(folder, 'cases.js'),
    `${design} exports.cases = { system, tables: { things: { items: { one: ['Thing', { id: 'the-one' }] }, patterns: {} } } };`,
  );
  expect(draw('./cases.js').stdout).toContain('>the-one<');
  expect(draw('./bare.js', '--picture', 'map').stdout).toContain('reached by no pattern');
});

test('`draw` refuses invalid arguments and names the valid ones', () => {
  expect(draw('--demo', 'trimobe').stderr).toMatch(/a picture shows one table; choose one with --table: \w+, /);
  expect(draw('--demo', 'blog', '--index', 'GSI9').stderr).toMatch(/--index: 'blog' has no index 'GSI9'; .*GSI1/);
  expect(draw('--demo', 'blog', '--rows', '0').stderr).toContain("--rows must be a number from 1 to 9999, got: '0'");
  expect(draw('--demo', 'blog', '--rows', '0').status).toBe(2);
});
