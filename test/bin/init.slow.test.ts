import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installedIn } from '../support/installed';
import { expectSuccess } from '../support/project';
import { type Run, run } from '../support/run';

const base = mkdtempSync(join(tmpdir(), 'init-'));

let modules: string;
beforeAll(async () => {
  modules = await installedIn(base);
}, 300_000);

const tablewright = (folder: string, ...args: readonly string[]): Run =>
  run(folder, process.execPath, join(modules, 'tablewright/dist/bin/tablewright.js'), ...args);
const folderOf = (name: string) => {
  const folder = join(base, name);
  mkdirSync(folder);
  return folder;
};
const read = (folder: string, file: string) => readFileSync(join(folder, file), 'utf8');
const bin = (folder: string, name: string, ...args: readonly string[]) =>
  run(folder, join(modules, '.bin', name), ...args);

describe.each([
  ['aws', 'cdk.out/shop-prod.template.json'],
  ['azure', 'cdktf.out/stacks/register-prod/cdk.tf.json'],
])('an app for %s in an empty folder', (cloud, synthesized) => {
  test('a new app compiles, passes `check`, `prove` and its own test, and synthesizes', () => {
    const folder = folderOf(cloud);
    const { code, output } = tablewright(folder, 'init', '--cloud', cloud);
    expect(code).toBe(0);
    expect(output).toMatch(`writing an app for ${cloud === 'aws' ? 'DynamoDB' : 'Azure Tables'} to .\n`);
    expectSuccess(bin(folder, 'tsc'));
    expect(tablewright(folder, 'check')).toMatchObject({
      code: 0,
      output: expect.stringContaining('0 errors, 0 warnings'),
    });
    expect(tablewright(folder, 'prove')).toMatchObject({ code: 0, output: expect.stringContaining('all proved') });
    expect(bin(folder, 'jiti', 'design.test.ts')).toMatchObject({
      code: 0,
      output: expect.stringContaining('# pass 1'),
    });
    // `cdk synth` starts the app with this command.
    expectSuccess(run(folder, 'env', 'CDK_OUTDIR=cdk.out', join(modules, '.bin/jiti'), 'app.ts'));
    expect(existsSync(join(folder, synthesized))).toBe(true);
  });
});

test('`init` adds missing files to an existing CDK app and changes no existing file', () => {
  const folder = folderOf('existing');
  const own = { name: 'mine', scripts: { test: 'jest' }, dependencies: { zod: '4.1.0' } };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(own, null, 4)}\n`);
  writeFileSync(join(folder, 'cdk.json'), '{ "app": "node mine.js" }');
  writeFileSync(join(folder, 'AGENTS.md'), 'Mine.');
  const { code, output } = tablewright(folder, 'init', '--workflow', 'no');
  expect(code).toBe(0);
  expect(output).toContain('adding missing files for DynamoDB to .\n');
  expect(output).toContain('AGENTS.md: kept unchanged');
  expect(output).toContain("add this to your app: new SystemStack(app, 'shop-dev'");
  expect(read(folder, 'AGENTS.md')).toBe('Mine.');
  expect(['app.ts', 'tsconfig.json', '.github', 'design.ts'].filter((file) => existsSync(join(folder, file)))).toEqual([
    'design.ts',
  ]);
  const manifest = read(folder, 'package.json');
  expect(manifest).toMatch(/^ {4}"name"/m);
  expect(JSON.parse(manifest)).toMatchObject({
    name: 'mine',
    scripts: { test: 'jest', dev: 'tablewright dev' },
    dependencies: { zod: '4.1.0', tablewright: expect.any(String) },
    devDependencies: { 'aws-cdk': '^2.1147.0' },
  });
  expect(tablewright(folder, 'init', '--workflow', 'no').output).toContain('package.json: kept unchanged');
  // The design may be the user's own by now.
  expect(tablewright(folder, 'init').output).toContain(
    "add this to your app: new SystemStack(app, '<system>-dev', { design: <system>, environment: 'dev' }), from tablewright/aws",
  );
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/mine.ts'), "import { SystemStack } from 'tablewright/aws';");
  expect(tablewright(folder, 'init').output).not.toContain('add this to your app');
});

test('`init` aligns the next steps, and quotes a folder whose name has a space', () => {
  const { output } = tablewright(base, 'init', 'My App');
  const [, steps = ''] = output.split('next:\n');
  expect(steps.split('\n').slice(0, 4)).toEqual([
    '  cd "My App" && npm install  downloads CDK, the AWS SDK and a local engine',
    '  npm test                    checks the design, proves its patterns, and runs the tests',
    '  npm run dev                 runs the tables on this machine, for your app',
    '  npm run synth               writes the template to deploy',
  ]);
});

test('`init` lists the engine as an optional dependency, because npm fails on a required package for another platform', () => {
  const folder = folderOf('platforms');
  expectSuccess(tablewright(folder, 'init'));
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read(folder, 'package.json'));
  const { os, cpu } = JSON.parse(read(modules, '@dynoxide/linux-x64/package.json'));
  expect([os, cpu]).toEqual([['linux'], ['x64']]);
  expect(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name.includes('dynoxide'))).toEqual([]);
  expect(Object.keys(optionalDependencies)).toEqual(['@dynoxide/linux-x64']);
});

test('`init` sets every feature flag that CDK recommends, so that `cdk synth` does not warn about missing flags', () => {
  const folder = folderOf('flags');
  expectSuccess(tablewright(folder, 'init'));
  const recommended = JSON.parse(read(modules, 'aws-cdk-lib/recommended-feature-flags.json'));
  expect(JSON.parse(read(folder, 'cdk.json')).context).toMatchObject(recommended);
});

test("`init` writes no sample next to a user's own design", () => {
  const folder = folderOf('designed');
  writeFileSync(join(folder, 'design.ts'), 'export const mine = 1;');
  expectSuccess(tablewright(folder, 'init', '--agents', 'no'));
  expect(read(folder, 'design.ts')).toBe('export const mine = 1;');
  expect(existsSync(join(folder, 'cases.ts'))).toBe(false);
});

test.each([
  [['--cloud', 'gcp'], "--cloud must be one of aws, azure, got: 'gcp'"],
  [['--name', 'Not A Name'], "--name must be a package name, such as 'shop', got: 'Not A Name'"],
  [['a', 'b'], 'init takes one folder, got: a b'],
])('refuses the arguments %j and writes no files', (args, message) => {
  const folder = folderOf(`wrong-${args.join('').replace(/\W/g, '')}`);
  expect(tablewright(folder, 'init', ...args)).toMatchObject({ code: 2, output: expect.stringContaining(message) });
  expect(readdirSync(folder)).toEqual([]);
});

test('`init` refuses to create an app inside another, and explains how to add to the outer app or start a separate one', () => {
  const folder = folderOf('shop');
  expectSuccess(tablewright(folder, 'init'));
  const before = readdirSync(folder);
  const refusal = (path: string, add: string) =>
    `the parent folder of '${path}' already contains an app (${join(add, 'tablewright.config.ts')}); 'npx tablewright init${add && ` ${add}`}' adds the app's missing files`;
  expect(tablewright(folder, 'init', 'shop')).toMatchObject({
    code: 2,
    output: expect.stringContaining(refusal('shop', '')),
  });
  expect(tablewright(base, 'init', 'shop/deep')).toMatchObject({
    code: 2,
    output: expect.stringContaining(refusal('shop/deep', 'shop')),
  });
  expect(readdirSync(folder)).toEqual(before);
  // A user who names an existing folder wants a new app in it, as in a monorepo.
  mkdirSync(join(folder, 'own'));
  expectSuccess(tablewright(folder, 'init', 'own'));
});

test('refuses a damaged package.json before it writes anything', () => {
  const folder = folderOf('damaged');
  writeFileSync(join(folder, 'package.json'), '{');
  expect(tablewright(folder, 'init').code).toBe(2);
  expect(readdirSync(folder)).toEqual(['package.json']);
});

test('the templates also work with `cdk init` and `npm create`', () => {
  for (const cloud of ['aws', 'azure'])
    expect(readdirSync(join(modules, 'tablewright/examples/start', cloud))).toEqual(['typescript']);
  const folder = folderOf('created');
  expectSuccess(
    run(folder, process.execPath, join(modules, 'tablewright/examples/create-tablewright/index.js'), 'app'),
  );
  expect(existsSync(join(folder, 'app/design.ts'))).toBe(true);
});
