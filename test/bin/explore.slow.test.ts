import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tablewright = (args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), ...args], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, ...env },
  });
const explore = (...args: string[]) => tablewright(['explore', ...args]);

const zod = JSON.stringify(join(root, 'node_modules/zod'));
const design = (more = '') => `const { z } = require(${zod});
  const table = { name: 'notes', key: { partition: 'PK' }, ${more}
    entities: { Note: { attributes: z.object({ id: z.string(), b: z.string(), a: z.string(), d: z.string(), c: z.string() }), keys: { PK: 'NOTE#<id>' } } },
    patterns: { note: { op: 'get', where: { PK: 'NOTE#<id>' }, returns: ['Note'] },
      move: { op: 'transaction', steps: { gone: { op: 'delete', entity: 'Note', where: { PK: 'NOTE#<id>' } }, there: { op: 'put', entity: 'Note' } } } } };
  const system = exports.system = { name: 'pad', cloud: 'aws', tables: { notes: table } };
  const values = (id) => ({ id, b: '1', a: '2', d: '3', c: '4' });
  exports.cases = { system, tables: { notes: { items: { one: ['Note', values('n1')] }, patterns: {
    note: { values: { id: 'n1' }, gives: ['one'] },
    move: { values: { id: 'n1', there: values('n2') }, shows: [] } } } } };`;
writeFileSync(join(folder, 'pad.js'), design());
writeFileSync(join(folder, 'broken.js'), design("indexes: { G: { partition: 'a' } },"));
const bytesOf = (site: string) =>
  Object.fromEntries(
    readdirSync(join(folder, site)).map((name) => [name, readFileSync(join(folder, site, name), 'utf8')]),
  );

test('`explore --static` writes an identical site every time and lists the files that it wrote', () => {
  const first = explore('./pad.js', '--static', 'a');
  expect([first.status, first.stdout]).toEqual([
    0,
    `${join('a', 'index.html')}: written\n${join('a', 'pad.html')}: written\n`,
  ]);
  expect(explore('./pad.js', '--static', 'b').status).toBe(0);
  expect(bytesOf('b')).toEqual(bytesOf('a'));
  expect(bytesOf('a')['pad.html']).toContain('new for each call');
});

test('`explore --static` overwrites only files that it wrote', () => {
  expect(explore('./pad.js', '--static', 'a').status).toBe(0);
  writeFileSync(join(folder, 'a/index.html'), '<h1>Mine</h1>');
  const { status, stderr } = explore('./pad.js', '--static', 'a');
  expect(status).toBe(2);
  expect(stderr).toContain(
    "index.html' already exists, and 'tablewright explore' did not write it; choose another folder",
  );
  expect(bytesOf('a')['index.html']).toBe('<h1>Mine</h1>');
});

test('`explore --static` writes the site but exits with 1 if no pattern could be run', () => {
  const { status, stderr, stdout } = explore('./broken.js', '--static', 'broken');
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /pad: no pattern was run: no table can be created from this design until its errors are fixed: /,
  );
  expect(stdout).toContain('pad.html: written');
});

test('`explore --proof` refuses a report that proves none of the shown systems', () => {
  const proofs = [{ system: 'other', name: 'a', kind: 'read' }];
  writeFileSync(join(folder, 'other.json'), JSON.stringify({ result: { proofs } }));
  writeFileSync(join(folder, 'empty.json'), JSON.stringify({ result: { proofs: [] } }));
  const other = explore('./pad.js', '--proof', 'other.json');
  expect([other.status, other.stderr]).toEqual([2, expect.stringContaining("'other.json' covers other, not pad")]);
  const empty = explore('./pad.js', '--proof', 'empty.json');
  expect([empty.status, empty.stderr]).toEqual([
    2,
    expect.stringContaining("'empty.json': this report contains no proof"),
  ]);
});

test('refuses an unknown environment, but accepts a custom environment that has a lock', () => {
  const { status, stderr } = explore('./pad.js', '--environment', 'prd', '--static', 'c');
  expect(status).toBe(2);
  expect(stderr).toContain("--environment: 'prd' is not an environment; did you mean prod?");
  const recorded = tablewright(['record', './pad.js', '--environment', 'qa']);
  expect(recorded.status).toBe(0);
  expect(explore('./pad.js', '--environment', 'qa', '--static', 'c').status).toBe(0);
  expect(bytesOf('c')['pad.html']).toContain('deployed in qa');
});

test('`explore --answers` applies an answers file only to a single system', () => {
  writeFileSync(join(folder, 'answers.json'), '{ "renamed": 1 }');
  const wrong = explore('./pad.js', '--environment', 'qa', '--answers', 'answers.json', '--static', 'd');
  expect([wrong.status, wrong.stderr]).toEqual([
    2,
    expect.stringContaining("'answers.json'.renamed must be an object"),
  ]);
  const many = explore('--demo', '--answers', 'answers.json');
  expect([many.status, many.stderr]).toEqual([
    2,
    expect.stringContaining('--answers applies to one system; choose one of'),
  ]);
});

test('reports in one sentence that a port is already in use', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  // The server only has to occupy the port. It cannot respond, because the call below blocks this process.
  const { status, stderr } = explore('./pad.js', '--port', String(port));
  await new Promise((resolve) => server.close(resolve));
  expect(status).toBe(2);
  expect(stderr).toContain(`port ${port} is in use; choose another with --port`);
});
