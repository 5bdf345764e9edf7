import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { App } from 'aws-cdk-lib/core';
import { SystemStack } from '../../constructs/aws';
import { booking, transporte } from '../../lib/systems';
import { tablewrightIn } from '../support/command';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));

beforeAll(async () => {
  const app = new App({ outdir: join(folder, 'cdk.out') });
  new SystemStack(app, 'booking-prod', { design: booking });
  new SystemStack(app, 'transporte-prod', { design: transporte });
  app.synth();
});
afterAll(() => rmSync(folder, { recursive: true }));

const tablewright = (...args: readonly string[]) => tablewrightIn(folder, args);

describe('tables', () => {
  test('`tables` lists the synthesized tables, with their keys, indexes and settings', async () => {
    const { stdout, status } = await tablewright('tables');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^booking-prod$/m);
    expect(stdout).toMatch(
      /booking-prod-ConversationState +PK, SK +on-demand · 35 days of recovery · customer-managed key · protected · TTL on ttl/,
    );
    expect(stdout).toMatch(/GSI1 +GSI1PK, GSI1SK +entityType, estado, nombre, updatedAt/);
    expect(stdout.trimEnd()).toMatch(/2 stacks, 8 tables, 7 global secondary indexes$/);
  });

  test('`tables --json` prints JSON', async () => {
    const { stacks } = JSON.parse((await tablewright('tables', 'cdk.out', '--json')).stdout).result;
    expect(stacks.map(({ name, tables }: { name: string; tables: unknown[] }) => [name, tables.length])).toEqual([
      ['booking-prod', 7],
      ['transporte-prod', 1],
    ]);
  });

  test('`tables` refuses a folder that `cdk synth` did not write, and suggests the command to run', async () => {
    expect(await tablewright('tables', 'nowhere')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("'nowhere' must be a folder that 'cdk synth' wrote; run 'npx cdk synth' first"),
    });
  });
});

test.each([
  [['chekc'], "'chekc' is not a command; did you mean check?", 'npx tablewright --help lists the commands'],
  [['tables', '--nope'], "'--nope' is not an option of this command; there are --json", 'tablewright tables [folder]'],
])('exits with 2 and prints the usage for the invalid arguments %p', async (args, message, usage) => {
  const { status, stderr } = await tablewright(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).toContain(usage);
});

describe('unusable files as arguments', () => {
  const files = {
    'cut-off.json': '{"a": ',
    'other.json': '[1, 2]',
    'cut-off.js': 'module.exports = {',
    'damaged/manifest.json': '{"artifacts": 1}',
    'damaged/stacks/blog-dev/cdk.tf.json': '{"resource": ',
    'design.js': `const { z } = require(${JSON.stringify(join(root, 'node_modules/zod'))});
      const attributes = z.object({ id: z.string() });
      exports.notes = { name: 'notes', key: { partition: 'PK' }, entities: { Note: { attributes, keys: { PK: 'NOTE#<id>' } } } };`,
  };
  beforeAll(async () => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  });

  test.each([
    ...['cut-off.json', 'other.json', 'nope.json'].flatMap((file) => [
      ['costs', '--demo', 'blog', '--prices', file],
      ['diff', './design.js', '--lock', file],
      ['diff', './design.js', '--answers', file],
      ['record', './design.js', '--answers', file],
      ['record', './design.js', '--plan', file, '--step', 'expand-1'],
      ['plan', './design.js', '--lock', file],
      ['migrate', 'status', './design.js', '--lock', file],
      ['prove', './design.js', '--plan', file],
      ['explore', './design.js', '--static', 'site', '--proof', file],
    ]),
    ...['check', 'iam', 'portability', 'prove', 'draw', 'costs', 'diff', 'plan', 'record'].map((verb) => [
      verb,
      './cut-off.js',
    ]),
    ...['damaged', 'nowhere'].flatMap((assembly) => [
      ['tables', assembly],
      ['costs', '--assembly', assembly],
      ['prove', '--demo', 'blog', '--assembly', assembly],
      ['record', './design.js', '--assembly', assembly],
      ['diff', './design.js', '--against', assembly],
    ]),
    ['costs', '--terraform', 'damaged'],
    ['backup', 'import', 'nope.jsonl', '--azure-endpoint', 'UseDevelopmentStorage=true'],
  ])('refuses the unusable file in the arguments: %s %s %s %s %s', async (...args) => {
    const { status, stdout, stderr } = await tablewright(...args.filter((one) => one !== undefined));
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^tablewright: /),
    });
  });
});

test.each([
  [['-h'], /^Tablewright derives /],
  [['help', 'tables'], /^Usage:\n {2}tablewright tables /],
  [['tables', '-h'], /^Usage:\n {2}tablewright tables /],
  [['-v'], /^\d+\.\d+\.\d+\n$/],
])('the arguments %j print help or the version', async (args, text) => {
  expect(await tablewright(...args)).toMatchObject({ status: 0, stdout: expect.stringMatching(text) });
});

test('`help` says what Tablewright is, and prints all commands in groups to standard output', async () => {
  const { status, stdout } = await tablewright('help');
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe('Tablewright derives tables, IAM, requests and tests from one typed design.');
  expect(lines.filter((line) => /^\w.*:$/.test(line))).toEqual([
    'build a design:',
    'deploy it:',
    'change it:',
    'other:',
  ]);
  expect(lines.length).toBeLessThan(32);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

describe("a user's own module", () => {
  const broken = mkdtempSync(join(folder, 'broken-'));
  const check = (name: string, text: string) => {
    writeFileSync(join(broken, name), text);
    return spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), 'check', `./${name}`], {
      cwd: broken,
      encoding: 'utf8',
      timeout: 60_000,
    });
  };
  const unfinished = 'the command ended too early';

  test.each([
    ['that waits forever', 'hang.mjs', 'await new Promise(() => {}); export default {};', 1, unfinished],
    ['that exits the process', 'exit.js', 'process.exit(0);', 1, unfinished],
    [
      'that throws a value that cannot be shown',
      'odd.js',
      'throw { toString() { throw 1; } };',
      2,
      'the thrown value cannot be shown',
    ],
    [
      'whose exports throw',
      'getter.js',
      'module.exports = { get a() { throw new Error("no"); } };',
      2,
      "the exports of './getter.js' cannot be read: no (line 1)",
    ],
    [
      'that is a proxy',
      'proxy.js',
      'module.exports = new Proxy({}, { get() { throw new Error("no"); }, ownKeys() { throw new Error("no keys"); } });',
      2,
      'no keys',
    ],
  ])('`check` rejects a module %s', async (_, name, text, status, message) => {
    expect(check(name, text)).toMatchObject({
      status,
      stdout: '',
      stderr: expect.stringMatching(new RegExp(`^tablewright: .*${message.replace(/[()]/g, '.')}.*\n$`)),
    });
  });

  test("a user's module with an open handle does not keep the command running", async () => {
    const text = 'setInterval(() => {}, 1000); module.exports = { name: "x", tables: {}, cloud: "aws" };';
    expect(check('open.js', text)).toMatchObject({
      status: 0,
      signal: null,
      stdout: expect.stringMatching(/1 design checked: /),
    });
  });

  test.each(['iam', 'portability', 'record', 'diff', 'costs'])(
    '%s refuses a module with an unfinished design, and reports what is wrong with the design',
    async (verb) => {
      writeFileSync(join(broken, 'half.js'), 'module.exports = { name: "x", cloud: "aws", tables: { a: null } };');
      expect(await tablewright(verb, join(broken, 'half.js'))).toMatchObject({
        status: 1,
        stderr: expect.stringMatching(
          /^tablewright: system design 'x' has 1 problem\n {2}tables.a: must be a table, got: null/,
        ),
      });
    },
  );
});

describe('a command that cannot write its output', () => {
  const at = (shell: string, args: readonly string[], env = {}) =>
    spawnSync('sh', ['-c', `${shell}`, process.execPath, join(root, 'dist/bin/tablewright.js'), ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });

  test('an error that cannot be printed still sets the exit code', async () => {
    expect(at('exec "$0" "$@" 2>/dev/full', ['tables', 'nowhere']).status).toBe(2);
    expect(at('exec "$0" "$@" >/dev/full 2>/dev/full', ['tables']).status).toBe(1);
  });

  test('an error about a file gives the reason, not the system call', async () => {
    const own = mkdtempSync(join(folder, 'temporary-'));
    expect(at('ulimit -f 8; exec "$0" "$@"', ['costs', '--demo', 'booking'], { TMPDIR: own })).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^tablewright: '.*temporary-.*' cannot be written: the file exceeds the size limit\n$/,
      ),
    });
    expect(at('exec "$0" "$@"', ['costs', '--demo', 'blog'], { TMPDIR: join(folder, 'nowhere') })).toMatchObject({
      status: 2,
      stderr: `tablewright: '${join(folder, 'nowhere')}' cannot be written: its folder does not exist; create the folder first\n`,
    });
    mkdirSync(join(folder, 'taken.json'));
    expect(at('exec "$0" "$@"', ['record', 'booking', '--lock', 'taken.json'])).toMatchObject({
      status: 2,
      stderr: "tablewright: 'taken.json' cannot be read: it is a folder; pass the path of a file\n",
    });
  });
});
