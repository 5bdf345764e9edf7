import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { azuriteEngine } from '../../lib/azure-tables/engine/azurite';
import type { Database } from '../../lib/dynamodb/engine/database';
import { embeddedEngine } from '../../lib/dynamodb/engine/embedded';
import type { Proof } from '../../lib/proof/prove';
import { blog as blogDesign, controlePgm, systems } from '../../lib/systems';
import { stackOf } from '../support/azurite';
import { tablewrightIn } from '../support/command';
import { shareCredentials } from '../support/credentials';
import { expectGroupsGone, until } from '../support/processes';
import { left, watched } from '../support/watched';

const command = join(__dirname, '../../dist/bin/tablewright.js');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
const children: ChildProcess[] = [];
const synthesized = join(folder, 'cdktf.out/stacks/controle-pgm-dev');
beforeAll(() => {
  mkdirSync(synthesized, { recursive: true });
  writeFileSync(join(synthesized, 'cdk.tf.json'), JSON.stringify(stackOf(...Object.keys(controlePgm.tables))));
});
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

jest.setTimeout(120_000);

/** Runs `prove` without a terminal, as CI does, and records the processes that it starts. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const pidFile = join(folder, `pids-${children.length}`);
  const hook = join(folder, 'hook.cjs');
  writeFileSync(
    hook,
    `const processes = require('node:child_process');
    const { spawn } = processes;
    processes.spawn = (...args) => {
      const child = spawn(...args);
      require('node:fs').appendFileSync(process.env.PID_FILE, child.pid + '\\n');
      return child;
    };`,
  );
  const child = spawn(process.execPath, ['--require', hook, command, 'prove', ...args], {
    cwd: folder,
    env: { ...process.env, PID_FILE: pidFile, ...env },
  });
  children.push(child);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => {
    stdout += text;
  });
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
  const pids = () => (existsSync(pidFile) ? readFileSync(pidFile, 'utf8').trim().split('\n').map(Number) : []);
  return { child, ended, pids, stdout: () => stdout };
}

const run = (...args: readonly string[]) => start(args).ended;

/** One system for each engine, so that a kill interrupts both engines. */
const BOTH = ['blog', 'controle-pgm'];

/** A run of `prove blog` without a terminal, which several tests share. */
let unwatched: ReturnType<typeof run> | undefined;
const blog = () => {
  unwatched ??= run('blog');
  return unwatched;
};

const namesIn = (name: string) => {
  const { tables = {}, procedures = {} } = systems[name] ?? {};
  return [...Object.values(tables).flatMap(({ patterns = {} }) => Object.keys(patterns)), ...Object.keys(procedures)];
};

describe('prove', () => {
  test('`prove` runs every pattern and procedure of all systems, and ends with a summary', async () => {
    const { ended, pids } = start(['--demo']);
    const { code, stdout, stderr } = await ended;
    expect({ code, stderr, failed: stdout.split('\n').filter((line) => line.includes('FAIL')) }).toEqual({
      code: 0,
      stderr: '',
      failed: [],
    });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('engine: embedded (dynoxide) and embedded (azurite)');
    expect(lines.slice(1, 6)).toEqual([
      ...['trimobe', 'blog', 'booking', 'transporte'].map(
        (system) => `tables of ${system}: the design (no --assembly given)`,
      ),
      'tables of controle-pgm: stack controle-pgm-dev (cdktf.out/stacks/controle-pgm-dev/cdk.tf.json)',
    ]);
    for (const system of Object.keys(systems)) {
      expect(lines).toContain(system);
      const of = lines.slice(lines.indexOf(system));
      for (const name of namesIn(system)) expect(of).toContainEqual(expect.stringMatching(`^  ok   ${name} `));
    }
    expect(lines.at(-1)).toMatch(
      /^\d+ patterns, \d+ procedures, \d+ entities, \d+ documented items: all proved \(\d+ requests, [\d.]+ capacity units\)$/,
    );
    const [patterns, procedures] = (lines.at(-1) ?? '').match(/\d+/g)?.map(Number) ?? [];
    expect((patterns ?? 0) + (procedures ?? 0)).toBe(Object.keys(systems).flatMap(namesIn).length);
    await expectGroupsGone(pids());
  });

  test('without a terminal, `prove` writes plain lines: no colors, no progress line', async () => {
    const { stdout } = await blog();
    expect(stripVTControlCharacters(stdout)).toBe(stdout);
    expect(stdout).not.toContain('\r');
    expect(stdout).toMatch(/^ {2}ok {3}latestPosts {20}query GSI3 {4}2 requests {2}\d+ items {4}1 unit$/m);
  });

  test('`prove --json` prints only JSON to standard output, and proves the given systems in the given order', async () => {
    const { code, stdout } = await run('transporte', 'blog', '--json');
    expect(code).toBe(0);
    const report = JSON.parse(stdout).result;
    expect([...new Set(report.proofs.map(({ system }: Proof) => system))]).toEqual(['transporte', 'blog']);
    expect(report).toMatchObject({
      engine: 'embedded (dynoxide)',
      tables: { blog: 'the design (no --assembly given)' },
      failed: 0,
    });
    expect(report.patterns + report.procedures).toBe(namesIn('transporte').length + namesIn('blog').length);
    const patterns = report.proofs.filter(
      ({ kind, system }: Proof) => !['entity', 'document'].includes(kind) && system === 'blog',
    );
    expect(patterns.map(({ name }: Proof) => name)).toEqual(namesIn('blog'));
    expect(patterns[0]).toEqual({
      system: 'blog',
      name: 'getUser',
      kind: 'read',
      operation: 'get',
      requests: 1,
      items: 1,
      capacity: 0.5,
    });
  });

  test.each([
    [
      ['nope'],
      "'nope' is neither a system nor a file that exports cases, and this folder has no tablewright.config.ts",
    ],
    [['--on', 'gcp'], "--on must be one of azure, got: 'gcp'"],
    [['--demo', '--endpoint', 'localhost:8000'], '--endpoint must be a URL such as http://localhost:8000, or aws'],
  ])('`prove` exits with 2 for the invalid arguments %p', async (args, message) => {
    const { status, stderr } = await tablewrightIn(folder, ['prove', ...args]);
    expect(status).toBe(2);
    expect(stderr).toContain(`tablewright: ${message}`);
  });
});

describe('an endpoint', () => {
  const advice =
    'start an engine, such as DynamoDB Local, at this address, or omit --endpoint to use the embedded engine';

  test('`prove` exits with 1 if no engine listens at the endpoint, and reports the address and what to do', async () => {
    expect(await run('blog', '--endpoint', 'http://127.0.0.1:1')).toEqual({
      code: 1,
      stdout: '',
      stderr: `tablewright: no DynamoDB responds at http://127.0.0.1:1 (connect ECONNREFUSED 127.0.0.1:1); ${advice}\n`,
    });
  });

  test('`prove` exits with 1 within seconds if the endpoint never responds', async () => {
    const silent: Server = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const result = await run('blog', '--endpoint', `http://127.0.0.1:${port}`);
    silent.close();
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: `tablewright: no DynamoDB responds at http://127.0.0.1:${port} (no response within 5 seconds); ${advice}\n`,
    });
  });

  test('`prove` exits with 1 for an AWS endpoint without credentials', async () => {
    const nowhere = { HOME: folder, AWS_REGION: '', AWS_ACCESS_KEY_ID: '', AWS_PROFILE: '' };
    const { code, stderr } = await start(['blog', '--endpoint', 'aws'], nowhere).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^tablewright: no AWS region is set; set AWS_REGION, .*; sign in and choose a region, or omit/,
    );
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  describe('an endpoint that works', () => {
    const tables = async ({ endpoint = '', credentials }: Database) => {
      const client = new DynamoDBClient({ endpoint, region: 'local', ...(credentials && { credentials }) });
      const { TableNames } = await client.send(new ListTablesCommand());
      client.destroy();
      return TableNames;
    };

    test('`prove` leaves the tables at an endpoint unchanged, whatever is deployed there', async () => {
      const engine = await embeddedEngine();
      shareCredentials(engine);
      const deployed = {
        Type: 'AWS::DynamoDB::Table',
        Properties: {
          TableName: 'blog-dev-blog',
          AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' as const }],
          KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' as const }],
          BillingMode: 'PAY_PER_REQUEST',
        },
      };
      await engine.provision({ Resources: { deployed } });
      const { code, stdout } = await run('blog', '--endpoint', engine.endpoint ?? '');
      expect(code).toBe(0);
      expect(stdout).toContain(`engine: ${engine.endpoint}`);
      expect(await tables(engine)).toEqual(['blog-dev-blog']);
      await engine.stop();
    });

    test.each([
      ['Ctrl+C', 'SIGINT', 130],
      ['a SIGTERM', 'SIGTERM', 143],
      ['a SIGHUP from its closing terminal', 'SIGHUP', 129],
    ] as const)('`prove` leaves no table behind after %s', async (_, signal, code) => {
      const engine = await embeddedEngine();
      shareCredentials(engine);
      const { child, ended, stdout } = start([...BOTH, '--endpoint', engine.endpoint ?? '']);
      await until(() => stdout().includes('ok   getUser'));
      expect(await tables(engine)).not.toEqual([]);
      child.kill(signal);
      expect(await ended).toMatchObject({ code, stdout: expect.not.stringContaining('all proved'), stderr: '' });
      expect(await tables(engine)).toEqual([]);
      await engine.stop();
    });
  });
});

describe('Azure Tables', () => {
  test('`prove` proves an Azure system on its synthesized tables, and starts only the Azure engine', async () => {
    const { code, stdout, stderr } = await run('controle-pgm');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^engine: embedded \(azurite\)\ntables of controle-pgm: stack controle-pgm-dev .*\ncontrole-pgm\n/,
    );
    expect(stdout).toMatch(
      /\n\d+ patterns, \d+ procedures, 5 entities, 5 documented items: all proved \(\d+ requests, 0 capacity units\)\n$/,
    );
  });

  test('`prove` fails for an Azure system if one of its tables was not synthesized', async () => {
    const terraform = mkdtempSync(join(folder, 'terraform-'));
    mkdirSync(join(terraform, 'stacks/controle-pgm-dev'), { recursive: true });
    const tables = Object.keys(controlePgm.tables).filter((table) => table !== 'Sequences');
    writeFileSync(join(terraform, 'stacks/controle-pgm-dev/cdk.tf.json'), JSON.stringify(stackOf(...tables)));
    const { code, stdout } = await run('controle-pgm', '--terraform', terraform);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /FAIL userById .*\n.*the tables cannot be created and filled: .*the account has no table Sequences/,
    );
  });

  test('`prove` exits with 2 if the Azure tables were not synthesized, and shows the command to run', async () => {
    expect(await run('controle-pgm', '--terraform', 'nowhere')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        "tablewright: there is no stack in 'nowhere'; run your app first (with 'node dist/app.js' or 'npx cdktn synth'; in a clone, with 'npm run synth:azure'), or use --terraform to pass its output folder or the folder of a stack\n",
    });
  });

  test('`prove` proves the Azure tables of another environment, in a folder of any name', async () => {
    const terraform = mkdtempSync(join(folder, 'terraform-'));
    mkdirSync(join(terraform, 'stacks/controle-pgm-prod'), { recursive: true });
    const stack = join(terraform, 'stacks/controle-pgm-prod/cdk.tf.json');
    writeFileSync(stack, JSON.stringify(stackOf(...Object.keys(controlePgm.tables))));
    const { code, stdout } = await run('controle-pgm', '--terraform', terraform, '--stack', 'controle-pgm-prod');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('all proved') });
    expect(stdout).toContain(`\ntables of controle-pgm: stack controle-pgm-prod (${stack})`);
  });

  test('`prove` leaves an Azure Tables endpoint unchanged, and reports an existing table as an error', async () => {
    const engine = await azuriteEngine();
    await engine.provision(stackOf('Users'));
    const { code, stdout } = await run('controle-pgm', '--azure-endpoint', engine.endpoint);
    expect(code).toBe(1);
    expect(stdout).toContain(`engine: ${engine.endpoint}`);
    expect(stdout).toContain(`these tables already exist at ${engine.endpoint}: 'Users'`);
    expect(await engine.tables()).toEqual(['Users']);
    await engine.stop();
  });

  test.each([
    [
      'http://127.0.0.1:1/devstoreaccount1',
      /^tablewright: no Azure Tables service responds at http:\/\/127\.0\.0\.1:1\/devstoreaccount1 \(.+\); omit/,
    ],
    [
      'nowhere',
      /^tablewright: --azure-endpoint: an endpoint must be a connection string \(.*\) or an address such as .*; omit/,
    ],
  ])('`prove` reports that it cannot reach Azure Tables at %s, and explains what to do', async (endpoint, message) => {
    const { code, stdout, stderr } = await run('controle-pgm', '--azure-endpoint', endpoint);
    const expected = endpoint === 'nowhere' ? 2 : 1;
    expect({ code, stdout, stderr }).toEqual({ code: expected, stdout: '', stderr: expect.stringMatching(message) });
  });
});

test('`prove` leaves no engine and no folder behind, regardless of when it is killed', async () => {
  for (const moment of ['a folder', 'an engine', 'ok   getUser']) {
    const temporary = mkdtempSync(join(folder, 'temporary-'));
    const { child, ended, pids, stdout } = start(BOTH, { TMPDIR: temporary });
    await until(() =>
      moment === 'a folder'
        ? readdirSync(temporary).length > 0
        : moment === 'an engine'
          ? // The first process removes the temporary folder; the next one is an engine.
            pids().length > 1
          : stdout().includes(moment),
    );
    child.kill('SIGKILL');
    expect(await ended).toMatchObject({ code: null, stdout: expect.not.stringContaining('all proved') });
    await expectGroupsGone(pids());
    expect(readdirSync(temporary)).toEqual([]);
  }
});

test('Ctrl+C stops the embedded engines, and `prove` exits with 130', async () => {
  const { child, ended, pids, stdout } = start(BOTH);
  await until(() => stdout().includes('ok   getUser'));
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stdout: expect.not.stringContaining('all proved'), stderr: '' });
  await expectGroupsGone(pids());
});

describe('in a terminal', () => {
  test('`prove` uses colors in a terminal, and shows its progress in one line, which it clears at the end', async () => {
    const { code, shown } = watched(command, 'blog', 100);
    expect(code).toBe(0);
    expect(shown).toContain('\r\u001b[2K  starting the engine');
    expect(shown).toContain('\r\u001b[2K  finding the tables of blog');
    const count = Object.keys(blogDesign.tables.blog.patterns).length;
    expect(shown).toContain(`\r\u001b[2K  1 of ${count}: blog getUser`);
    expect(shown).toContain(`\r\u001b[2K  ${count} of ${count}: blog unlikePost`);
    expect(shown).toContain('\u001b[32mok  \u001b[39m getUser');
    expect(left(shown)).toBe((await blog()).stdout);
  });

  test('`prove` omits colors if NO_COLOR is set, and shortens its progress line to fit a narrow terminal', () => {
    const { code, shown } = watched(command, 'transporte', 20, { NO_COLOR: '1' });
    expect(code).toBe(0);
    expect(shown).toContain(`\r\u001b[2K  1 of ${namesIn('transporte').length}: transpor\r\u001b[2K`);
    expect(shown.replaceAll('\u001b[2K', '')).not.toContain('\u001b');
  });
});
