import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { systems } from '../lib/systems';
import { packages as locked } from '../package-lock.json';
import { pack } from './support/pack';
import { type Run, run } from './support/run';

// As a user: an empty project, the tarball, its peers, and the type packages of three test runners.
const fixtures = join(__dirname, 'fixtures/consumer');
const folder = mkdtempSync(join(tmpdir(), 'tablewright-consumer-'));
const project = join(folder, 'project');
const installed = join(project, 'node_modules/tablewright');

beforeAll(() => {
  cpSync(fixtures, project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const peers = ['aws-cdk-lib', 'constructs', 'zod', 'typescript', '@types/jest', '@jest/globals'];
  // vitest 5 asks for the types of Node 22 or later.
  install(pack(folder), ...peers.map(asLocked), 'vitest@5.1.0', '@types/node@22.20.5');
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what is installed', () => {
  test('is compiled code, its types and the documents: no sources, tests or source maps', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
      statSync(join(installed, file)).isFile(),
    );
    const compiled = /^dist\/(bin|lib|constructs)\/[a-z0-9/-]+(\.js|\.d\.ts)$|^docs\/[a-z-]+\.md$/;
    expect(files.filter((file) => !compiled.test(file)).sort()).toEqual([
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'package.json',
    ]);
  });

  test('has no cdktn, of which an app for AWS has no need', () => {
    expect(existsSync(join(project, 'node_modules/cdktn'))).toBe(false);
  });

  test('has the command', () => {
    const { code, output } = run(project, 'npx', '--no-install', 'tablewright', 'help');
    expect(output).toContain('tablewright tables');
    expect(code).toBe(0);
  });

  test("'tablewright/aws' loads neither zod, nor all of aws-cdk-lib, nor alarms and backups, which would cost every synth", () => {
    const script = "Object.values(require('tablewright/aws')); console.log(JSON.stringify(Object.keys(require.cache)))";
    const { output } = run(project, process.execPath, '-e', script);
    const loaded = (JSON.parse(output) as string[]).map((file) => relative(join(project, 'node_modules'), file));
    expect(loaded).toContain('aws-cdk-lib/aws-dynamodb/index.js');
    expect(loaded).toContain('tablewright/dist/constructs/aws/index.js');
    expect(loaded.filter((file) => file.startsWith('zod/') || file === 'aws-cdk-lib/index.js')).toEqual([]);
    expect(loaded.filter((file) => file.startsWith('tablewright/dist/constructs/aws/operations/'))).toEqual([]);
  });
});

describe.each([
  { module: 'commonjs', files: ['stack.ts'], compiled: ['stack.js'] },
  { module: 'nodenext', files: ['stack.ts', 'stack.mts'], compiled: ['stack.js', 'stack.mjs'] },
])('under module: $module', ({ module, files, compiled }) => {
  const out = join(project, 'out', module);

  test('a stack type-checks', () => {
    for (const file of files) cpSync(join(fixtures, 'stack.ts'), join(project, file));
    expectSuccess(tsc(module, 'node', ...files, '--outDir', out));
  }, 120_000);

  test.each(compiled)(
    '%s synthesizes and provisions its designs',
    (file) => {
      const { output } = run(project, process.execPath, join(out, file));
      expect(JSON.parse(output)).toEqual({ index: 'byCategory', name: true, stacks: 6, found: [], other: true });
    },
    120_000,
  );

  test('cases of a system of their own type-check', () => {
    for (const file of files) cpSync(join(fixtures, 'proof.ts'), join(project, file.replace('stack', 'proof')));
    expectSuccess(tsc(module, 'node', ...files.map((file) => file.replace('stack', 'proof')), '--outDir', out));
  }, 120_000);

  test("a mistake is an error at its place in the user's file", () => {
    const { code, output } = tsc(module, 'node', 'wrong.ts', '--noEmit');
    expect(output).toMatch(/^wrong\.ts\(12,\d+\): error TS/);
    expect(output).toContain("'byAuthor'");
    expect(code).not.toBe(0);
  }, 120_000);

  test('the matcher type-checks with @types/jest', () => {
    expectSuccess(tsc(module, 'node,jest', ...matcherTests(''), '--noEmit'));
  }, 120_000);

  test('the matcher type-checks with @jest/globals and with vitest, which declare `expect` each in its own way', () => {
    const tests = ['@jest/globals', 'vitest'].flatMap((runner) => matcherTests(runner));
    expectSuccess(tsc(module, 'node', ...tests, '--noEmit'));
  }, 120_000);

  /** The test of the fixture for a runner whose `expect` is imported, or else global. */
  function matcherTests(runner: string): readonly string[] {
    const head = runner === '' ? '' : `import { expect, test } from '${runner}';\n`;
    const name = `matcher-${runner.replace(/\W/g, '')}`;
    return files.map((file) => {
      const own = file.replace('stack', name);
      writeFileSync(join(project, own), head + readFileSync(join(fixtures, 'matcher.ts'), 'utf8'));
      return own;
    });
  }
});

describe('the proof of a system of their own', () => {
  const prove = (file: string) => run(project, 'npx', '--no-install', 'tablewright', 'prove', file);
  const sdk = ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'];

  test('runs on the engine that was installed with the package, from CommonJS and from ESM', () => {
    install(...sdk.map(asLocked));
    for (const file of ['out/commonjs/proof.js', 'out/nodenext/proof.mjs']) {
      const { code, output } = prove(file);
      expect(output).toContain('1 pattern, 0 procedures, 1 entity and 0 documented items: all proved');
      expect(code).toBe(0);
    }
  }, 600_000);
});

/** Without skipLibCheck: the declarations that were installed must be right, too. */
function tsc(module: string, types: string, ...args: readonly string[]): Run {
  const strict = ['--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--types', types, '--module', module];
  return run(project, join(project, 'node_modules/.bin/tsc'), ...strict, ...args);
}

function install(...packages: readonly string[]): void {
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  expectSuccess(run(project, 'npm', 'install', ...flags, ...packages));
}

function asLocked(name: string): string {
  const version = (locked as Record<string, { version?: string }>)[`node_modules/${name}`]?.version;
  return `${name}@${version}`;
}

function expectSuccess({ code, output }: Run): void {
  expect(code === 0 ? '' : output).toBe('');
}

// Last, since all of the above must do without it.
describe('with cdktn installed beside it', () => {
  beforeAll(() => {
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
    expectSuccess(run(project, 'npm', 'install', ...flags, asLocked('cdktn')));
  }, 600_000);

  test.each(['commonjs', 'nodenext'])(
    'an app for Azure type-checks under module: %s, and writes its stacks',
    (module) => {
      const out = join(project, 'out/azure', module);
      expectSuccess(tsc(module, 'node', 'azure.ts', '--outDir', out));
      const { output } = run(project, process.execPath, join(out, 'azure.js'));
      expect(JSON.parse(output)).toEqual({
        keys: { PartitionKey: 'POST!1', RowKey: 'POST!1' },
        stacks: 1 + Object.keys(systems).length,
        lines: true,
        account: expect.stringMatching(/^blogqa[a-z2-7]{8}$/),
      });
      expect(readdirSync(join(project, 'cdktf.out/stacks')).sort()).toEqual(['data', ...Object.keys(systems)].sort());
    },
    120_000,
  );

  test.each([
    ['tablewright/aws', 'cdktn/'],
    ['tablewright/azure', 'aws-cdk-lib/'],
    ['tablewright', 'cdktn/'],
  ])("'%s' loads nothing of %s", (entry, other) => {
    const script = `Object.values(require('${entry}')); console.log(JSON.stringify(Object.keys(require.cache)))`;
    const { output } = run(project, process.execPath, '-e', script);
    const loaded = (JSON.parse(output) as string[]).map((file) => relative(join(project, 'node_modules'), file));
    expect(loaded.filter((file) => file.startsWith(other))).toEqual([]);
    expect(loaded.length).toBeGreaterThan(5);
  });
});
