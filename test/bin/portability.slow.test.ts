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

test('shows the tables that a system comes to on Azure, and every line with its place and what to do', () => {
  const { stdout, status } = portability('blog');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^blog: 4 tables on Azure, 43 lines of what does not carry over$/m);
  expect(stdout).toContain('  blogGSI1 (blog, index GSI1): PartitionKey GSI1PK, RowKey GSI1SK + PK + SK\n');
  expect(stdout).toContain(
    '  tables.blog.patterns.latestPosts.order: Azure Tables read in ascending order only\n    fix: store a key that decreases',
  );
});

test('looks at all systems on request, and gives the same as JSON', () => {
  const reports = JSON.parse(portability('--demo', '--format', 'json').stdout);
  expect(reports.map(({ system }: { system: string }) => system)).toEqual(Object.keys(systems));
});

test("looks at a table of the user's own as well, and shows what its design acknowledges", () => {
  const design = `{ name: 'my-things', key: { partition: 'id' }, ttl: 'n', acknowledge: { 'azure-portability': { ttl: 'a job does it' } },
    entities: { Thing: { attributes: z.object({ id: z.string(), n: z.int() }) } } }`;
  const zod = JSON.stringify(join(root, 'node_modules/zod'));
  writeFileSync(join(folder, 'things.js'), `const { z } = require(${zod}); exports.things = ${design};`);
  const { stdout, status } = portability('things.js');
  expect(status).toBe(0);
  expect(stdout).toMatch(/ {2}mythings[a-z2-7]{8} \(my-things\): PartitionKey id, RowKey '-'\n/);
  expect(stdout).toContain("  tables.my-things.name: 'my-things' is not a legal name of an Azure table\n");
  expect(stdout).toContain(
    '  tables.my-things.ttl: Azure Tables never expire an entity\n    acknowledged: a job does it\n',
  );
});

test('a wrong call is exit code 2', () => {
  expect(portability('nope').status).toBe(2);
  expect(portability('--format', 'xml').stderr).toContain("--format must be one of text, json, got: 'xml'");
});
