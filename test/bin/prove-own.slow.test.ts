import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tablewrightIn } from '../support/command';
import { ROOT, tsc } from '../support/compile';
import { codeOf } from '../support/documents';

// A project as the proof guide describes it, with its compiled code and its packages.
const folder = mkdtempSync(join(tmpdir(), 'tablewright-own-'));
const PACKAGES = ['zod', 'aws-cdk-lib', 'constructs', '@aws-sdk', '@types'];

beforeAll(async () => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/tablewright'));
  for (const name of PACKAGES) symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  for (const [file, code] of codeOf('docs/guides/proof.md')) writeFileSync(join(folder, file), code);
  const options = ['--ignoreConfig', '--strict', '--skipLibCheck', '--target', 'ES2023', '--module', 'node16'];
  const files = ['cases.ts', 'shop.test.ts', 'handlers.test.ts'].map((file) => join(folder, file));
  expect(tsc(...options, '--types', 'jest', '--outDir', join(folder, 'dist'), ...files)).toBe('');
});
afterAll(() => rmSync(folder, { recursive: true }));

async function prove(...args: readonly string[]) {
  const { status: code, stdout, stderr } = await tablewrightIn(folder, ['prove', ...args]);
  return { code, stdout, stderr };
}

/** Writes a module next to the compiled modules. */
function moduleOf(file: string, text: string): string {
  writeFileSync(join(folder, 'dist', file), text);
  return join('dist', file);
}

/** Runs a user's app, which synthesizes to a folder, and returns the folder's name. */
function synthesized(name: string, construct: string): string {
  const app = moduleOf(
    `${name}.js`,
    `const { App, Stack } = require('aws-cdk-lib/core');
    const { DesignedTable, SystemStack } = require('tablewright/aws');
    const { shop } = require('./shop');
    const app = new App({ outdir: ${JSON.stringify(join(folder, name))} });
    ${construct}
    app.synth();`,
  );
  const { status, stderr } = spawnSync(process.execPath, [app], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, CDK_VALIDATION: 'false' },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return name;
}

const ALL = '5 patterns, 1 procedure, 2 entities: all proved';

describe('the documented system', () => {
  test('`prove` proves the documented system on a template that is derived from its design', async () => {
    const { code, stdout, stderr } = await prove('dist/cases.js');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(ALL);
    expect(stdout).toMatch(/^shop\n(?: {2}ok {3}.*\n){8}5 patterns/m);
    expect(stdout).toMatch(/ok {3}ordersOfCustomer +query table +1 request +3 items/);
    expect(stdout).toMatch(/ok {3}checkOut +procedure +2 requests/);
  });

  test('`prove` proves the documented system even if no construct library is installed', () => {
    const missing = moduleOf(
      'missing.js',
      `const Module = require('node:module');
      const resolve = Module._resolveFilename;
      Module._resolveFilename = (name, ...rest) => {
        if (/^(aws-cdk-lib|constructs|cdktn)(\\/|$)/.test(name)) throw new Error('not installed: ' + name);
        return resolve.call(Module, name, ...rest);
      };`,
    );
    const args = ['--require', join(folder, missing), join(ROOT, 'dist/bin/tablewright.js'), 'prove', 'dist/cases.js'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(ALL);
  });

  test('the documented proof and handler tests pass unchanged, each on a separate engine', async () => {
    // The files are already compiled, so they need no transform.
    const config = JSON.stringify({ rootDir: join(folder, 'dist'), transform: {} });
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', config, '--runInBand'],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, CDK_VALIDATION: 'false' } },
    );
    expect(stderr).toContain('Tests:       2 passed, 2 total');
    expect(status).toBe(0);
  }, 60_000);

  test("`prove` proves the documented system on a stack's template, whether or not the stack names the table", async () => {
    const named = synthesized('named', "new SystemStack(app, 'Shop', { design: shop, environment: 'prod' });");
    const { code, stdout } = await prove('dist/cases.js', '--assembly', named);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(ALL) });
    expect(stdout).toContain('\ntables of shop: stack Shop (named)\n');
    const unnamed = synthesized(
      'unnamed',
      "new DesignedTable(new Stack(app, 'Shop'), 'Mine', { design: shop.tables.orders });",
    );
    expect(await prove('dist/cases.js', '--assembly', unnamed)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(ALL),
    });
  });

  test("`prove` uses the given environment, stack or table, and the environment 'dev' by default", async () => {
    const several = synthesized(
      'several',
      `for (const environment of ['dev', 'prod']) new SystemStack(app, 'Shop-' + environment, { design: shop, environment });
      new DesignedTable(new Stack(app, 'Archive'), 'Old', { design: shop.tables.orders, tableName: 'old' });`,
    );
    const args = ['dist/cases.js', '--assembly', several];
    const on = (stack: string) => ({
      code: 0,
      stdout: expect.stringContaining(`\ntables of shop: stack ${stack} (several)\n`),
    });
    expect(await prove(...args)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\ntables of shop: stack Shop-dev (several); for prod, add --environment prod\n'),
    });
    expect(await prove(...args, '--environment', 'prod')).toMatchObject(on('Shop-prod'));
    expect(await prove(...args, '--environment', 'prd')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--environment: 'several' has no table of 'shop' for 'prd'; did you mean prod?"),
    });
    expect(await prove('dist/cases.js', '--environment', 'prod')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--environment needs --assembly'),
    });
    expect(await prove(...args, '--stack', 'Shop-prod')).toMatchObject(on('Shop-prod'));
    expect(await prove(...args, '--table', 'orders=old')).toMatchObject({ code: 0 });
    const config = join(folder, 'tablewright.config.js');
    const named = { designs: 'dist/shop.js', cases: 'dist/cases.js', assembly: 'several', environment: 'prod' };
    writeFileSync(config, `module.exports = ${JSON.stringify(named)};`);
    const bare = await prove();
    rmSync(config);
    expect(bare).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`\ntables of shop: stack Shop-prod (${join(folder, 'several')})\n`),
    });
  });

  test('`prove` fails on a template without the sort key, even though the design is right', async () => {
    const assembly = synthesized('broken', "new SystemStack(app, 'Shop', { design: shop, environment: 'dev' });");
    const file = join(folder, assembly, 'Shop.template.json');
    const broken = readFileSync(file, 'utf8').replace(/,\s*\{\s*"AttributeName": "SK",\s*"KeyType": "RANGE"\s*\}/, '');
    writeFileSync(file, broken.replace(/,\s*\{\s*"AttributeName": "SK",\s*"AttributeType": "S"\s*\}/, ''));
    const { code, stdout } = await prove('dist/cases.js', '--assembly', assembly);
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL ordersOfCustomer/);
    expect(stdout).toMatch(/6 FAILED/);
  });
});

test("`prove` shows how an outdated assembly's tables differ from the design if the proof fails", async () => {
  const index = { byTotal: { partition: 'total' } };
  const old = moduleOf(
    'newer.js',
    `const { shopCases } = require('./cases');
    const { shop } = require('./shop');
    const { orders } = shop.tables;
    const patterns = { ...orders.patterns, ofTotal: { op: 'query', index: 'byTotal', where: { total: '<total>' }, returns: ['Order'] } };
    const system = { ...shop, tables: { orders: { ...orders, indexes: ${JSON.stringify(index)}, patterns } } };
    const { orders: of } = shopCases.tables;
    const ofTotal = { values: { total: 10 }, returns: ['third', 'second', 'first', 'ofBob'] };
    const tables = { orders: { ...of, patterns: { ...of.patterns, ofTotal } } };
    exports.cases = { ...shopCases, system, tables };`,
  );
  const { code, stderr, stdout } = await prove(old, '--assembly', 'named');
  expect({ code, failed: /FAIL ofTotal/.test(stdout) }).toEqual({ code: 1, failed: true });
  expect(stderr).toBe(
    [
      "shop: the tables in stack Shop (named) differ from the design; if the design has changed since, run 'npx cdk synth' again",
      '  orders.indexes.byTotal: expected an index with key total (number), got no such index\n',
    ].join('\n'),
  );
});

describe('wrong cases', () => {
  /** Writes a module with the guide's cases, after the given change to the cases of its table. */
  const casesWith = (change: string) =>
    moduleOf(
      'changed.js',
      `const { shopCases } = require('./cases');
      const { orders } = shopCases.tables;
      exports.changed = { ...shopCases, tables: { orders: { ...orders, ${change} } } };`,
    );

  test.each([
    [
      'an expected item that the read does not return',
      "patterns: { ...orders.patterns, basketOfCustomer: { values: { customer: 'bob' }, returns: ['basket'] } }",
      'expected [basket], got []',
    ],
    [
      'a pattern without a case',
      'patterns: { ...orders.patterns, placeOrder: undefined }',
      "'placeOrder' has no case; 'npx tablewright cases' drafts it, or says why you have to write it yourself",
    ],
    [
      'an unknown item name',
      "patterns: { ...orders.patterns, basketOfCustomer: { values: { customer: 'ana' }, returns: ['basekt'] } }",
      "the case expects 'basekt', but there is no item with this name; did you mean basket?",
    ],
    [
      'an unknown entity',
      "items: { ...orders.items, other: ['Remark', {}] }",
      "Error: item 'other': 'Remark' is not an entity of 'orders'; its entities are Order, Basket",
    ],
    [
      'an item that does not match its entity',
      "items: { ...orders.items, other: ['Order', { customer: 'eva' }] }",
      "ItemError: item 'other': Order: at: ",
    ],
    [
      'two items with the same key',
      'items: { ...orders.items, other: orders.items.first }',
      "': another item has the same key",
    ],
  ])('`prove` fails and gives the reason if the cases contain %s', async (_, change, message) => {
    const { code, stdout, stderr } = await prove(casesWith(change));
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toContain(message);
  });

  test('`prove` fails if a system is exported without cases', async () => {
    const file = moduleOf(
      'bare.js',
      "const { shopCases } = require('./cases'); module.exports = { shopCases, other: { ...shopCases.system, name: 'other' } };",
    );
    const { code, stdout } = await prove(file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^other\n/m);
    expect(stdout).toContain("'placeOrder' has no case");
  });
});

describe('wrong arguments of `prove`', () => {
  test.each<[string[], string]>([
    [
      ['dist/shop.js'],
      "'dist/shop.js' must export the result of defineCases; it exports the system 'shop' without cases",
    ],
    [['dist/nothing.js'], "'dist/nothing.js' must export the result of defineCases; it exports no cases"],
    [['nope.js'], "there is no file 'nope.js'"],
    [[], 'pass a file that exports cases, or write tablewright.config.ts:'],
    [['dist/cases.js', '--stack', 'Shop'], '--stack and --table need --assembly'],
    [
      ['dist/cases.js', '--assembly', 'named', '--stack', 'X'],
      "--stack: there is no stack 'X' in 'named'; choose from Shop",
    ],
    [
      ['dist/cases.js', '--assembly', 'named', '--table', 'orders'],
      "--table must be a table of the design and the table's name or logical id",
    ],
    [
      ['dist/cases.js', '--assembly', 'named', '--table', 'oders=old'],
      "--table: there is no table 'oders'; did you mean orders?",
    ],
  ])('`prove` refuses the arguments %p', async (args, message) => {
    moduleOf('nothing.js', 'exports.answer = 42;');
    const { code, stderr } = await prove(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  test('`prove` refuses a folder that `cdk synth` did not write, and explains what to do', async () => {
    const { code, stderr } = await prove('dist/cases.js', '--assembly', 'nowhere');
    expect(stderr).toBe(
      "tablewright: 'nowhere' must be a folder that 'cdk synth' wrote; run 'npx cdk synth' first, or pass its output folder\n",
    );
    expect(code).toBe(2);
  });
});
