import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedIn } from './support/installed';

const base = mkdtempSync(join(tmpdir(), 'tablewright-examples-'));
const apps = ['lambda-api', 'multi-tenant', 'streams'] as const;
let modules: string;

beforeAll(async () => {
  modules = await installedIn(base);
  addSts(join(modules, '@aws-sdk'));
  for (const app of apps) {
    cpSync(join(modules, 'tablewright/examples', app), join(base, app), { recursive: true });
    // CDK looks for a lock file to find the root of the project.
    writeFileSync(join(base, app, 'package-lock.json'), '{}');
  }
}, 300_000);

afterAll(() => rmSync(base, { recursive: true, force: true }));

/**
 * Adds the SDK's STS client, which this repository does not install. The SDK contains the same client under a different
 * name.
 */
function addSts(scope: string): void {
  const inside = '@aws-sdk/nested-clients/sts';
  rmSync(scope);
  mkdirSync(join(scope, 'client-sts'), { recursive: true });
  const repository = join(__dirname, '../node_modules/@aws-sdk');
  for (const name of readdirSync(repository)) symlinkSync(join(repository, name), join(scope, name));
  const write = (file: string, text: string) => writeFileSync(join(scope, 'client-sts', file), text);
  write('package.json', '{ "name": "@aws-sdk/client-sts" }');
  write('index.js', `module.exports = require('${inside}');`);
  write('index.d.ts', `export * from '${inside}';`);
}

async function npm(app: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, CDK_VALIDATION: 'false', NODE_NO_WARNINGS: '1' };
  try {
    return (await promisify(execFile)('npm', args, { cwd: join(base, app), env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`npm ${args.join(' ')} of ${app} failed:\n${stdout}${stderr}`);
  }
}

/** Returns the synthesized template of a stack, without whitespace. */
const templateOf = (app: string, stack: string) =>
  readFileSync(join(base, app, 'cdk.out', `${stack}.template.json`), 'utf8').replace(/\s+/g, '');

/** Returns every package that an app depends on, with its version. */
function wantedBy(folder: string): Readonly<Record<string, string>> {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
}

test.each(apps)('%s depends on the package versions that `init` writes', (app) => {
  const wanted = wantedBy(join(base, app));
  const started = wantedBy(join(modules, 'tablewright/examples/start/aws/typescript'));
  expect(wanted).toMatchObject(started);
});

test('every app compiles, passes the check without a warning, and passes its own tests on local tables', async () => {
  const outputs = await Promise.all(apps.map((app) => npm(app, 'test')));
  for (const output of outputs) {
    expect(output).toContain('1 design checked: 0 errors, 0 warnings');
    expect(output).toMatch(/^# pass [1-9]/m);
    expect(output).toMatch(/^# fail 0$/m);
  }
});

test('every app synthesizes, and grants permissions only for its own patterns', async () => {
  await Promise.all(apps.map((app) => npm(app, 'run', 'synth')));
  const api = templateOf('lambda-api', 'api-dev');
  expect(api).toContain('"dynamodb:LeadingKeys":["LIST#*"]');
  expect(api).not.toMatch(/dynamodb:(\*|Scan|BatchGetItem|DeleteItem)/);
  const tenants = templateOf('multi-tenant', 'app-dev');
  expect(tenants).toMatch(/"dynamodb:LeadingKeys":\["TENANT#\$\{aws:PrincipalTag\/tenantId\}"\]/);
  expect(tenants).not.toContain('TENANT#*');
  const streams = templateOf('streams', 'sales-dev');
  expect(streams).toContain('ORDER#');
  expect(streams).toContain('"ReportBatchItemFailures"');
});
