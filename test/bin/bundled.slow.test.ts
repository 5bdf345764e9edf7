import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));
const hook = join(folder, 'hook.cjs');
writeFileSync(
  hook,
  "process.on('exit', () => process.stderr.write(Object.keys(require.cache).filter((file) => file.includes('/dist/lib/systems/')).join('\\n')));",
);
writeFileSync(
  join(folder, 'designs.cjs'),
  `const { defineSystem, defineTable } = require(${JSON.stringify(join(root, 'dist/lib/index.js'))});
const { z } = require(${JSON.stringify(join(root, 'node_modules/zod'))});
const notes = defineTable({
  name: 'notes',
  key: { partition: 'PK' },
  entities: { Note: { attributes: z.object({ id: z.string() }), keys: { PK: 'NOTE#<id>' } } },
  patterns: { note: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['Note'] } },
});
exports.system = defineSystem({ name: 'pad', cloud: 'aws', tables: { notes } });
`,
);

function loadedBy(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['-r', hook, join(root, 'dist/bin/tablewright.js'), ...args],
    { cwd: folder, encoding: 'utf8' },
  );
  return { status, stdout, systems: stderr.split('\n').filter((line) => line.includes('/dist/lib/systems/')) };
}

test.each([
  ['check', './designs.cjs'],
  ['iam', './designs.cjs'],
  ['record', './designs.cjs'],
  ['diff', './designs.cjs'],
  ['draw', './designs.cjs', '--picture', 'map'],
  ['portability', './designs.cjs'],
  ['help'],
])('`tablewright %s` loads no bundled system', (...args) => {
  expect(loadedBy(...args)).toMatchObject({ status: 0, systems: [] });
});

test('the command loads a bundled system if the user refers to it by name', () => {
  const { status, systems } = loadedBy('check', 'blog');
  expect(status).toBe(0);
  expect(systems).not.toEqual([]);
});
