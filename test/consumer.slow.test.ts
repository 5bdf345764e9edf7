import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import entries from '../entries.json';
import { systems } from '../lib/systems';
import { pack } from './support/pack';
import { expectSuccess, Project } from './support/project';
import { expectNoConflict, readmeInstalls } from './support/readme';
import { run } from './support/run';

// Sets up empty projects the way a user does, with the tarball and zod, the only peer dependency that everybody needs.
// Each project installs only the packages of its own cloud.
const folder = mkdtempSync(join(tmpdir(), 'tablewright-consumer-'));
const aws = new Project(join(folder, 'aws'));
const azure = new Project(join(folder, 'azure'));
const installed = join(aws.folder, 'node_modules/tablewright');

const names = Object.keys(entries).map((entry) => entry.replace('.', 'tablewright'));
const needsOf = (name: string) => {
  const entry: object = entries[name.replace('tablewright', '.') as keyof typeof entries];
  return 'needs' in entry ? (entry.needs as readonly string[]) : [];
};

beforeAll(async () => {
  const tarball = await pack();
  // vitest 5 requires the types of Node 22 or later.
  const runners = ['@types/jest', '@jest/globals', 'vitest@5.1.0', '@types/node@22.20.5'];
  aws.install(tarball, 'zod', 'typescript', ...runners);
  azure.install(tarball, 'zod', 'typescript', '@types/node@22.20.5', 'cdktn', 'constructs');
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what is installed', () => {
  test('the installed package has compiled code, types, documents with their pictures, skills and examples, but no sources, tests or source maps', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) =>
      statSync(join(installed, file)).isFile(),
    );
    const compiled =
      /^dist\/(bin|lib|constructs)\/[a-z0-9/-]+(\.js|\.css|\.d\.ts)$|^dist\/esm\/(lib|shared)\/[a-zA-Z0-9/-]+\.mjs$|^docs\/[a-zA-Z/-]+\.(md|svg|png|schema\.json)$|^(examples|skills)\/[\w./-]+$/;
    expect(files.filter((file) => !compiled.test(file)).sort()).toEqual([
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'SECURITY.md',
      'llms.txt',
      'package.json',
    ]);
  });

  test('the installed package includes the command', () => {
    const { code, output } = run(aws.folder, 'npx', '--no-install', 'tablewright', 'help');
    expect(output).toContain('  tables ');
    expect(code).toBe(0);
  });
});

describe('with zod alone', () => {
  test('installing only zod adds no package of either cloud', () => {
    const peers = ['aws-cdk-lib', 'constructs', 'cdktn', '@aws-sdk', '@azure'];
    expect(peers.filter((name) => existsSync(join(aws.folder, 'node_modules', name)))).toEqual([]);
  });

  test.each(names.filter((name) => needsOf(name).length > 0))("'%s' says in one sentence what to install", (name) => {
    const packages = needsOf(name).map((module) => module.replace(/^(@[^/]+\/[^/]+|[^/]+).*/, '$1'));
    const { code, output } = aws.node('-e', `require('${name}')`);
    const install = packages.join(' ').replace('constructs', 'constructs@10.7');
    expect(output).toContain(`Error: ${name} needs ${packages.join(' and ')}: npm install ${install} (`);
    expect(output).not.toContain('Require stack');
    expect(code).not.toBe(0);
  });

  test('every entry that needs no cloud package loads from CommonJS and from ESM', () => {
    const others = names.filter((name) => needsOf(name).length === 0);
    expect(others).toHaveLength(names.length - 5);
    expectSuccess(aws.node('-e', others.map((name) => `Object.values(require('${name}'))`).join(';')));
    const imports = others.map((name, i) => `import * as entry${i} from '${name}'; Object.values(entry${i})`);
    expectSuccess(aws.node('--input-type=module', '-e', imports.join(';')));
  });

  test.each(['commonjs', 'nodenext'])(
    'the types of all entries except the CDK entries compile under module: %s, and a zod/mini design can build requests',
    (module) => {
      const others = names.filter((name) => needsOf(name).length === 0 && name !== 'tablewright/testing');
      const lines = others.map(
        (name, i) => `import * as entry${i} from '${name}';\nexport type E${i} = typeof entry${i};`,
      );
      writeFileSync(join(aws.folder, 'entries.ts'), lines.join('\n'));
      const out = join(aws.folder, 'out', module);
      // One compiler run checks both files, because the compiler spends most of its time on the package's types.
      expectSuccess(aws.tsc(module, 'node', 'entries.ts', 'mini.ts', '--outDir', out));
      expect(JSON.parse(aws.node(join(out, 'mini.js')).output)).toEqual({
        findings: [],
        Key: { PK: 'POST#1' },
        Item: { PK: 'POST#1', postId: '1', likes: 0 },
        read: { postId: '1', likes: 0 },
        refused: expect.stringMatching(/^Post: likes: .*number/),
      });
    },
    120_000,
  );

  test.each([
    ['embeddedEngine()', '--save-optional @dynoxide/linux-x64@^1.2.1'],
    ["dynamoDbEngine({ endpoint: 'http://localhost:1' })", '--save-dev @aws-sdk/client-dynamodb @aws-sdk/lib-dynamodb'],
    ['azuriteEngine()', '--save-dev azurite@3.35'],
    ["azureEngine({ endpoint: 'UseDevelopmentStorage=true' })", '--save-dev @azure/data-tables'],
  ])('%s says in one sentence what to install', (engine, packages) => {
    const script = `(async () => require('tablewright/proof').${engine})().catch(({ message }) => console.log(message))`;
    const { output } = aws.node('-e', script);
    expect(output).toContain(`npm install ${packages}`);
    expect(output.split('\n')).toHaveLength(1);
  });

  test('a command that must synthesize says in one sentence which package to install', () => {
    const { code, output } = aws.tablewright('costs', 'blog');
    expect(output).toMatch(
      /^tablewright: tablewright\/aws needs aws-cdk-lib and constructs: npm install aws-cdk-lib constructs@10\.7 \(/,
    );
    expect(output.split('\n')).toHaveLength(1);
    expect(code).toBe(1);
  });
});

describe('with aws-cdk-lib', () => {
  beforeAll(
    () => aws.install('aws-cdk-lib', 'constructs', '@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'),
    600_000,
  );

  test("'tablewright/aws' does not load zod, alarms, backups or the whole of aws-cdk-lib, because that would slow down every synth", () => {
    const script = "Object.values(require('tablewright/aws')); console.log(JSON.stringify(Object.keys(require.cache)))";
    const { output } = aws.node('-e', script);
    const loaded = (JSON.parse(output) as string[]).map((file) => relative(join(aws.folder, 'node_modules'), file));
    expect(loaded).toContain('aws-cdk-lib/aws-dynamodb/index.js');
    expect(loaded).toContain('tablewright/dist/constructs/aws/index.js');
    expect(loaded.filter((file) => file.startsWith('zod/') || file === 'aws-cdk-lib/index.js')).toEqual([]);
    expect(loaded.filter((file) => file.startsWith('tablewright/dist/constructs/aws/operations/'))).toEqual([]);
  });

  describe.each([
    { module: 'commonjs', files: ['stack.ts'], compiled: ['stack.js'] },
    { module: 'nodenext', files: ['stack.ts', 'stack.mts'], compiled: ['stack.mjs'] },
  ])('under module: $module', ({ module, files, compiled }) => {
    const out = join(aws.folder, 'out', module);
    /**
     * Returns the files to compile for the given file: the file itself and, under nodenext, a new copy of it as an ES
     * module.
     */
    const copies = (name: string) =>
      files.map((file) => {
        const copy = file.replace('stack', name);
        if (copy.endsWith('.mts')) cpSync(join(aws.folder, `${name}.ts`), join(aws.folder, copy));
        return copy;
      });

    /**
     * The errors in all files. A single compiler run checks all files, because the compiler spends most of its time on
     * aws-cdk-lib.
     */
    let errors: readonly string[];
    beforeAll(() => {
      const imported = ['@jest/globals', 'vitest'].flatMap((runner) => matcherTests(runner));
      const all = [...copies('stack'), ...copies('proof'), ...imported, 'wrong.ts'];
      // Only the nodenext run also checks the package's declarations, in both module formats.
      const compile = module === 'nodenext' ? aws.tsc : aws.tscAlone;
      errors = compile
        .call(aws, module, 'node', ...all, '--outDir', out)
        .output.split('\n')
        .filter((line) => /: error /.test(line));
    }, 120_000);

    test("a stack, a user's own cases, and the matcher under @jest/globals and vitest pass the type check", () => {
      expect(errors.filter((line) => !line.startsWith('wrong.ts'))).toEqual([]);
    });

    test("the compiler reports a mistake in a design on the right line of the user's file", () => {
      expect([...new Set(errors.map((line) => line.replace(/,.*/, '')))]).toEqual(['wrong.ts(12']);
      expect(errors.join()).toContain("'byAuthor'");
    });

    test.each(compiled)(
      '%s synthesizes and provisions its designs',
      (file) => {
        const { output } = aws.node(join(out, file));
        expect(JSON.parse(output)).toEqual({ index: 'byCategory', name: true, stacks: 6, found: [], other: true });
      },
      120_000,
    );

    test('the matcher passes the type check with @types/jest', () => {
      expectSuccess(aws.tscAlone(module, 'node,jest', ...matcherTests(''), '--noEmit'));
    }, 120_000);

    /**
     * Writes the matcher fixture for a test runner, or for the global `expect` if `runner` is empty, and returns the
     * files to compile.
     */
    function matcherTests(runner: string): readonly string[] {
      const head = runner === '' ? '' : `import { expect, test } from '${runner}';\n`;
      const name = `matcher-${runner.replace(/\W/g, '')}`;
      writeFileSync(join(aws.folder, `${name}.ts`), head + readFileSync(join(aws.folder, 'matcher.ts'), 'utf8'));
      return copies(name);
    }
  });

  test('the package installs no engine binary; a user has to install one explicitly', () => {
    expect(existsSync(join(aws.folder, 'node_modules/@dynoxide'))).toBe(false);
    const { code, output } = aws.tablewright('prove', 'out/commonjs/proof.js');
    expect(output).toContain('npm install --save-optional @dynoxide/linux-x64@^1.2.1 (also install @aws-sdk');
    expect(code).toBe(1);
  });

  test("the proof of a user's own system runs on the engine that the error message recommends", () => {
    aws.install('@dynoxide/linux-x64@1.2.1');
    for (const file of ['out/commonjs/proof.js', 'out/nodenext/proof.mjs']) {
      const { code, output } = aws.tablewright('prove', file);
      expect(output).toContain('1 pattern, 1 entity: all proved');
      expect(code).toBe(0);
    }
  }, 600_000);

  test('an app for AWS does not install cdktn', () => {
    expect(existsSync(join(aws.folder, 'node_modules/cdktn'))).toBe(false);
  });
});

test("the README's commands install the packages for AWS, then for Azure, without version warnings", async () => {
  const [both, onAws, onAzure] = readmeInstalls();
  await expectNoConflict(mkdtempSync(join(folder, 'readme-')), [both, onAws, onAzure]);
});

describe('with cdktn', () => {
  test.each(['commonjs', 'nodenext'])(
    'an app for Azure type-checks and writes its stacks under module: %s',
    (module) => {
      const out = join(azure.folder, 'out', module);
      const compile = module === 'commonjs' ? azure.tsc : azure.tscAlone;
      expectSuccess(compile.call(azure, module, 'node', 'azure.ts', '--outDir', out));
      const { output } = azure.node(join(out, 'azure.js'));
      expect(JSON.parse(output)).toEqual({
        keys: { PartitionKey: 'POST!1', RowKey: 'POST!1' },
        stacks: 1 + Object.keys(systems).length,
        lines: true,
        account: expect.stringMatching(/^blogqa[a-z2-7]{8}$/),
      });
      const stacks = readdirSync(join(azure.folder, 'cdktf.out/stacks')).sort();
      expect(stacks).toEqual(['data', ...Object.keys(systems)].sort());
    },
    120_000,
  );

  test('an app for Azure does not install aws-cdk-lib', () => {
    expect(existsSync(join(azure.folder, 'node_modules/aws-cdk-lib'))).toBe(false);
  });
});
