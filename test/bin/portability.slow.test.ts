import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systems } from '../../lib/systems';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

const portability = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), 'portability', ...args], {
    encoding: 'utf8',
    cwd: folder,
  });

test("`portability` shows a system's Azure tables, the differences, and what to do about each", () => {
  const { stdout, status } = portability('blog');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^blog: 7 tables on Azure, \d+ differences$/m);
  expect(stdout).toContain('  blogGSI1 (blog, index GSI1): PartitionKey GSI1PK, RowKey GSI1SK + PK + SK\n');
  expect(stdout).toContain('  blogGSI1Descending (blog, index GSI1, descending): PartitionKey GSI1PK');
  expect(stdout).toContain(': the client writes the index rows');
  expect(stdout).toContain('\n    run the sweeper on a timer');
});

test('`portability --demo --json` covers all bundled systems', () => {
  const { result } = JSON.parse(portability('--demo', '--json').stdout);
  expect(result.systems.map(({ system }: { system: string }) => system)).toEqual(Object.keys(systems));
});

test("`portability` covers a user's own table", () => {
  const design = `{ name: 'my-things', key: { partition: 'id' }, ttl: 'n',
    entities: { Thing: { attributes: z.object({ id: z.string(), n: z.int() }) } } }`;
  const zod = JSON.stringify(join(root, 'node_modules/zod'));
  writeFileSync(join(folder, 'things.js'), `const { z } = require(${zod}); exports.things = ${design};`);
  const { stdout, status } = portability('things.js');
  expect(status).toBe(0);
  expect(stdout).toMatch(/ {2}mythings[a-z2-7]{8} \(my-things\): PartitionKey id, RowKey '-'\n/);
  expect(stdout).toContain('  tables.my-things.ttl: expired items stay until the sweeper deletes them\n');
});

test('`portability` exits with 2 for invalid arguments', () => {
  expect(portability('nope').status).toBe(2);
});
