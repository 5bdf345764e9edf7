import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systems } from '../../lib/systems';
import { goldensIn } from '../support/golden';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder for PATH that contains only Node and a shell, so that no terraform binary can be found. */
const bare = join(folder, 'bin');
mkdirSync(bare);
symlinkSync(process.execPath, join(bare, 'node'));
symlinkSync('/bin/sh', join(bare, 'sh'));

/** The CDK Terrain CLI requires Node 22, but it also runs on Node 20 with this polyfill. */
const shim = join(folder, 'shim.cjs');
writeFileSync(shim, "require('node:worker_threads').markAsUncloneable ??= () => {};");

const run = (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
  spawnSync(process.execPath, args, {
    cwd,
    encoding: 'utf8',
    env: { PATH: bare, HOME: folder, NO_COLOR: '1', CHECKPOINT_DISABLE: '1', ...env },
  });
const app = join(root, 'dist/bin/azure.js');

/** Compares the output with the golden files, which were written on a different machine. */
function expectStacks(output: string, environment: string): void {
  const names = Object.keys(systems).map((system) => `${system}-${environment}`);
  expect(readdirSync(join(output, 'stacks')).sort()).toEqual(names.sort());
  const reviewed = names.filter((name) => goldensIn('azure').includes(name));
  expect(reviewed).toHaveLength(environment === 'prod' ? names.length : 1);
  for (const name of reviewed) {
    const golden = readFileSync(join(root, 'test/golden/azure', `${name}.json`), 'utf8');
    expect(readFileSync(join(output, 'stacks', name, 'cdk.tf.json'), 'utf8').trim()).toBe(golden.trim());
  }
}

test('the app writes all systems without CDK Terrain, and the files are byte-for-byte identical on every machine', () => {
  const cwd = mkdtempSync(join(folder, 'alone-'));
  const { status, stdout, stderr } = run(cwd, [app, '-c', 'environment=prod']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expectStacks(join(cwd, 'cdktf.out'), 'prod');
  expect(stdout).toMatch(
    /^blog-prod: 7 tables in blogprodpya5fd3p; 'npx tablewright portability blog' lists \d+ notes$/m,
  );
  expect(stdout.trimEnd().split('\n')).toHaveLength(Object.keys(systems).length);
});

test("the Azure app uses the 'dev' environment by default", () => {
  const cwd = mkdtempSync(join(folder, 'dev-'));
  expect(run(cwd, [app]).status).toBe(0);
  expectStacks(join(cwd, 'cdktf.out'), 'dev');
});

test('`cdktn synth` writes the golden files, without a terraform binary', () => {
  const output = join(folder, 'cdktn.out');
  const cdktn = [join(root, 'node_modules/.bin/cdktn'), 'synth', '--output', output];
  const { status, stdout, stderr } = run(root, [...cdktn, '--app', `node ${app}`], {
    CDKTF_CONTEXT_JSON: '{"environment":"staging"}',
    NODE_OPTIONS: `--require ${shim}`,
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stdout).toContain('Generated Terraform code for the stacks');
  expectStacks(output, 'staging');
}, 120_000);

test('the settings of the Azure app apply to every stack', () => {
  const cwd = mkdtempSync(join(folder, 'told-'));
  const subscription = '11111111-2222-3333-4444-555555555555';
  const told = ['environment=prod', 'location=brazilsouth', `subscription=${subscription}`, 'resourceGroup=acme'];
  expect(run(cwd, [app, ...told.flatMap((one) => ['-c', one])]).status).toBe(0);
  for (const name of readdirSync(join(cwd, 'cdktf.out/stacks'))) {
    const json = JSON.parse(readFileSync(join(cwd, 'cdktf.out/stacks', name, 'cdk.tf.json'), 'utf8'));
    expect(json.provider.azurerm[0].subscription_id).toBe(subscription);
    expect(json.resource.azurerm_storage_account.Account).toMatchObject({
      location: 'brazilsouth',
      resource_group_name: 'acme',
    });
    expect(readFileSync(join(root, 'test/golden/azure', `${name}.json`), 'utf8')).not.toContain(
      json.resource.azurerm_storage_account.Account.name,
    );
  }
});

test('the app rejects an unknown environment with one error that lists the known environments, and writes no files', () => {
  const cwd = mkdtempSync(join(folder, 'unknown-'));
  expect(run(cwd, [app, '-c', 'environment=qa'])).toMatchObject({
    status: 1,
    stdout: '',
    stderr: "environment must be one of dev, economy, staging, prod, got: 'qa'\n",
  });
  expect(existsSync(join(cwd, 'cdktf.out'))).toBe(false);
});

test('the app leaves all stacks unchanged and does not report success if the disk is full', () => {
  const cwd = mkdtempSync(join(folder, 'full-'));
  const limited = (args: readonly string[]) =>
    spawnSync('sh', ['-c', 'ulimit -f 8; exec "$0" "$@"', process.execPath, app, ...args], { cwd, encoding: 'utf8' });
  const refusal = {
    ...{ status: 1, stdout: '' },
    stderr: "'cdktf.out' cannot be written: the file exceeds the size limit\n",
  };
  expect(limited([])).toMatchObject(refusal);
  expect(readdirSync(cwd)).toEqual([]);
  expect(run(cwd, [app]).status).toBe(0);
  const written = () =>
    readdirSync(join(cwd, 'cdktf.out'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.json'))
      .map((name) => [name, readFileSync(join(cwd, 'cdktf.out', name), 'utf8')]);
  const before = written();
  expect(limited(['-c', 'location=brazilsouth'])).toMatchObject(refusal);
  expect(written()).toEqual(before);
  expect(readdirSync(join(cwd, 'cdktf.out')).sort()).toEqual(['manifest.json', 'stacks']);
});

test('the npm script and the CDK Terrain configuration run the Azure app', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { app: command, output } = JSON.parse(readFileSync(join(root, 'cdktf.json'), 'utf8'));
  expect(scripts['synth:azure']).toBe(command);
  expect([command, output]).toEqual(['npm run --silent build && node dist/bin/azure.js', 'cdktf.out']);
});
