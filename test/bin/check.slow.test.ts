import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { check } from '../../bin/commands/check';
import { likesColours } from '../../bin/commands/command';
import { portability } from '../../lib/azure-tables/equivalents/portability';
import { review } from '../../lib/check';
import type { SystemDesign } from '../../lib/design/system';
import { systems } from '../../lib/systems';
import { tablewrightIn } from '../support/command';
import { terminalOf } from '../support/terminal';

const root = join(__dirname, '../..');
// The folder is inside node_modules, so that a user's module can resolve zod.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'tablewright-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const tablewright = (...args: readonly string[]) => tablewrightIn(folder, args);

/** Runs `check` on a module with the given source, and returns the result. */
function checked(text: string, ...args: string[]) {
  writeFileSync(join(folder, 'designs.js'), text);
  return tablewright('check', 'designs.js', ...args);
}

/** Returns a module with these exports. Its function `table` returns a design with one entity and this sort key. */
const moduleOf = (exports: string) => `
const { z } = require('zod');
const table = (name, SK, rest = {}) => ({
  name, key: { partition: 'PK', sort: 'SK' },
  entities: { Thing: {
    attributes: z.object({ id: z.string(), tenantId: z.string(), n: z.int().min(0).max(99) }),
    keys: { PK: 'THING#<id>', SK } } },
  ...rest,
});
${exports}`;

const sound = moduleOf("exports.things = table('things', 'THING#<id>');");
const faulty = moduleOf(`
exports.things = table('things', 'THING#<n>#<id>', { ttl: 'SK' });
exports.notes = table('notes', 'NOTE#<id>');
exports.meant = table('meant', 'THING#<n>#<id>', { acknowledge: { 'unpadded-number': { 'entities.Thing.keys': 'no order' } } });
`);
const unpadded = "'THING#<n>#<id>': the number <n> sorts as text, so 10 comes before 9";
const padded = "pad the number: SK: 'THING#<n:2>#<id>'";

describe('the bundled systems', () => {
  test('all bundled systems pass the check', async () => {
    const { stdout, stderr, status } = await tablewright('check', '--demo');
    const lines = stdout
      .replaceAll(/^ {2}note .*\n.*\n/gm, '')
      .replaceAll(/\d+ notes?( \(--notes shows them\))?, /g, '')
      .trimEnd()
      .split('\n');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(lines.slice(0, -1).map((line) => line.replace(/\d+ acknowledged/, 'n acknowledged'))).toEqual(
      Object.keys(systems).map((name) => `${name}: 0 errors, 0 warnings, n acknowledged`),
    );
    const acknowledged = Object.values(systems).flatMap((system) => review(system).acknowledged);
    expect(lines.at(-1)).toBe(
      `${Object.keys(systems).length} designs checked: 0 errors, 0 warnings, ${acknowledged.length} acknowledged`,
    );
  });

  test('`check` accepts the names of one or more bundled systems', async () => {
    expect((await tablewright('check', 'blog')).stdout).toMatch(/^blog: 0 errors.*\n1 design checked: 0 errors/);
    expect((await tablewright('check', 'booking', 'blog')).stdout).toMatch(
      /^booking: .*\n(?: .*\n)*blog: .*\n(?: .*\n)*2 designs checked: /,
    );
  });

  test('`check --portability azure` lists what costs more on Azure, one line per cause, and still exits with 0', async () => {
    const { stdout, status } = await tablewright('check', 'blog', '--portability', 'azure');
    expect(status).toBe(0);
    expect(stdout).toContain(
      '  on Azure tables.blog.patterns.bookmarksByDate and 6 more: descending order needs a mirrored table, which costs extra writes and is eventually consistent like an index\n' +
        '    read in ascending order where possible\n',
    );
    expect(stdout.match(/^ {2}on Azure .*?: (?=[a-zA-Z ]{9})/gm)?.length).toBeLessThan(13);
    expect(stdout).toMatch(/^blog: 0 errors, 0 warnings/);
    const { result } = JSON.parse((await tablewright('check', 'blog', '--portability', 'azure', '--json')).stdout);
    expect(result.designs[0].onAzure).toEqual(portability(systems.blog as SystemDesign).lines);
    expect((await tablewright('check', 'blog')).stdout).not.toContain('Azure');
  });
});

describe("a user's own module", () => {
  test("`check` exits with 0 for a user's own module without findings", async () => {
    expect(await checked(sound)).toMatchObject({
      status: 0,
      stdout: 'things: 0 errors, 0 warnings\n1 design checked: 0 errors, 0 warnings\n',
      stderr: '',
    });
  });

  test("`check` exits with 1 if a user's own module has an error, and groups the findings by design", async () => {
    expect(await checked(faulty)).toMatchObject({
      status: 1,
      stdout: [
        'things: 1 error, 1 warning',
        "  error ttl: the TTL attribute 'SK' is a key attribute",
        '    fix: store the expiry in a separate attribute   [limits]',
        `  warning entities.Thing.keys.SK: ${unpadded}`,
        `    fix: ${padded}   [unpadded-number]`,
        'notes: 0 errors, 0 warnings',
        'meant: 0 errors, 0 warnings, 1 acknowledged',
        '3 designs checked: 1 error, 1 warning, 1 acknowledged',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test("`check` exits with 0 if the only findings in a user's own module are warnings", async () => {
    const { status, stdout } = await checked(moduleOf("exports.things = table('things', 'THING#<n>#<id>');"));
    expect(status).toBe(0);
    expect(stdout).toMatch(/1 design checked: 0 errors, 1 warning\n$/);
  });

  test("a user's own module may export more than designs, and `check` checks a design once even if it is exported twice or is also part of a system", async () => {
    const { stdout, status } = await checked(
      moduleOf(`
        const orders = table('orders', 'ORDER#<id>');
        exports.orders = orders;
        exports.again = orders;
        exports.shop = { name: 'shop', cloud: 'aws', tenant: 'tenantId', tables: { orders } };
        exports.carts = table('carts', 'CART#<id>');
        exports.helper = () => orders;
        exports.version = '1';
        exports.nothing = null;`),
    );
    expect(status).toBe(0);
    expect(stdout.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
      'shop: 0 errors, 1 warning',
      'carts: 0 errors, 0 warnings',
      '2 designs checked: 0 errors, 1 warning',
      '',
    ]);
    expect(stdout).toContain('warning tables.orders.entities.Thing.keys.PK: the partition key of Thing is');
  });

  test("a user's own module may export designs in a list or an object", async () => {
    const { stdout } = await checked(
      moduleOf("exports.all = { a: table('one', 'ONE#<id>') };\nexports.list = [table('two', 'TWO#<id>')];"),
    );
    expect(stdout).toMatch(/^one: 0 errors.*\ntwo: 0 errors.*\n2 designs checked/);
  });

  test("`check` reports what an unfinished design lacks, and still checks the module's other designs", async () => {
    const { stdout, stderr, status } = await checked(
      moduleOf(
        "exports.half = { name: 'half', key: { partition: 'PK' } };\nexports.things = table('things', 'T#<id>');",
      ),
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toMatch(
      /^half: 1 error.*\n {2}error entities: this required field of a table is missing.*\n.*\nthings: 0 errors/,
    );
  });

  test("a user's own module may export a single design as `module.exports`", async () => {
    expect((await checked(moduleOf("module.exports = table('things', 'THING#<id>');"))).stdout).toMatch(
      /^things: 0 errors/,
    );
  });

  test("`check` accepts a bundled system's name together with a user's own module", async () => {
    writeFileSync(join(folder, 'designs.js'), faulty);
    const { stdout, status } = await tablewright('check', 'blog', './designs.js');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^blog: .*\nthings: /);
    expect(stdout).toMatch(/4 designs checked/);
  });
});

describe('unusable modules', () => {
  const refused = async (file: string, text: string) => {
    writeFileSync(join(folder, file), text);
    const { status, stdout, stderr } = await tablewright('check', file);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toContain('Usage:');
    return stderr;
  };

  test.each(['exports.things = { name: "things" };', 'module.exports = null;', 'module.exports = "things";', ''])(
    '`check` exits with 2 if a module exports no design: %j',
    async (text) => {
      expect(await refused('none.js', text)).toContain(
        "tablewright: 'none.js' must export the result of defineTable or defineSystem, but exports no design\n",
      );
    },
  );

  test.each([
    ['const b = 1;\nconst a = ;', "Unexpected token ';' (line 2)"],
    ["require('not-installed');", "Cannot find module 'not-installed' (line 1)"],
    ["\nthrow new Error('no database');", 'no database (line 2)'],
    ["throw 'no error';", 'no error'],
  ])('`check` exits with 2 if a module cannot be loaded: %j', async (text, reason) => {
    expect(await refused('broken.js', text)).toContain(
      `tablewright: '${join(folder, 'broken.js')}' cannot be loaded: ${reason}\n`,
    );
  });

  test('`check` exits with 2 if a TypeScript module does not parse or throws', async () => {
    expect(await refused('broken.ts', 'export const a: number = ;\n')).toMatch(/broken\.ts' cannot be loaded: .*\n$/);
    expect(await refused('throws.ts', "\nthrow new Error('no database' as string);\n")).toContain(
      'no database (line 2)',
    );
  });
});

describe('--json', () => {
  test('prints findings with their files, including acknowledged findings', async () => {
    const { stdout, status } = await checked(faulty, '--json');
    const about = { design: 'things', file: expect.stringMatching(/js$/) };
    const warning = { code: 'unpadded-number', path: 'entities.Thing.keys.SK' };
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      schemaVersion: 1,
      command: 'check',
      ok: false,
      exitCode: 1,
      findings: [
        {
          code: 'limits',
          cause: 'ttl-is-key',
          severity: 'error',
          ...about,
          path: 'ttl',
          message: "the TTL attribute 'SK' is a key attribute",
          fix: 'store the expiry in a separate attribute',
        },
        { ...warning, cause: 'in-key', severity: 'warning', ...about, message: unpadded, fix: padded },
      ],
      result: {
        designs: [
          { design: 'things', findings: 2, acknowledged: [] },
          { design: 'notes', findings: 0, acknowledged: [] },
          { design: 'meant', findings: 0, acknowledged: [{ ...warning, reason: 'no order' }] },
        ],
      },
    });
  });

  test('prints only JSON for a design without findings', async () => {
    const { stdout, status } = await tablewright('check', '--demo', '--json');
    expect(status).toBe(0);
    const { ok, findings, result } = JSON.parse(stdout);
    expect({ ok, findings }).toEqual({ ok: true, findings: [] });
    expect(result.designs.map(({ design }: { design: string }) => design)).toEqual(Object.keys(systems));
  });
});

describe('--load', () => {
  const text = `const { z } = require('zod');
exports.things = { name: 'things', key: { partition: 'PK', sort: 'SK' }, entities: { Thing: {
  attributes: z.object({ id: z.string() }),
  keys: { PK: 'THINGS', SK: '<id>' } } }, patterns: { write: { op: 'put', entity: 'Thing' } } };`;
  const hot = /warning entities\.Thing\.keys\.PK: one partition of 'THINGS' must serve 2500 write units a second/;
  const config = join(folder, 'tablewright.config.js');
  afterEach(() => rmSync(config, { force: true }));

  test('`check --load` uses the load from the given file to decide whether a partition is hot', async () => {
    const load = join(folder, 'load.json');
    writeFileSync(load, JSON.stringify({ write: { perSecond: 2500 } }));
    expect((await checked(text)).stdout).toMatch(/^things: 0 errors, 0 warnings, 1 note /);
    expect((await checked(text, '--load', load)).stdout).toMatch(hot);
    writeFileSync(load, JSON.stringify({ wriet: { perSecond: 2500 } }));
    expect(await checked(text, '--load', load)).toMatchObject({
      status: 2,
      stderr: `tablewright: ${load}: load.wriet is not a pattern; did you mean write?\n`,
    });
  });

  test('`check` uses the configured load to decide whether a partition is hot, even if a design is given on the command line', async () => {
    writeFileSync(join(folder, 'designs.js'), text);
    writeFileSync(config, "module.exports = { designs: './designs.js', load: { write: { perSecond: 2500 } } };");
    for (const names of [[], ['things']]) expect((await tablewright('check', ...names)).stdout).toMatch(hot);
  });
});

describe('--format github', () => {
  test('`check --format github` annotates the exact field that caused a finding', async () => {
    const text = `const { z } = require('zod');
exports.things = { name: 'things', key: { partition: 'PK' }, entities: { Thing: {
  attributes: z.object({ id: z.string() }),
  keys: { PK: 'THINGS' } } } };`;
    expect((await checked(text, '--notes', '--format', 'github')).stdout).toContain(
      'file=designs.js,line=4,col=11,title=',
    );
  });

  test('`check --format github` writes one annotation per finding, and escapes line breaks', async () => {
    const text = moduleOf("exports.odd = table('100%\\r\\nodd', 'THING#<n>#<id>');");
    expect(await checked(text, '--format', 'github')).toMatchObject({
      status: 1,
      stdout: [
        "::error file=designs.js,line=1,col=1,title=limits::100%25%0D%0Aodd: name: '100%25%0D%0Aodd' is not a legal table name%0Afix: use 3 to 255 characters from a-z, A-Z, 0-9, _ . -",
        `::warning file=designs.js,line=1,col=1,title=unpadded-number::100%25%0D%0Aodd: entities.Thing.keys.SK: ${unpadded}%0Afix: ${padded}`,
        '::notice title=tablewright::1 design checked: 1 error, 1 warning',
        '',
      ].join('\n'),
    });
  });

  test('`check --format github` reports the number of checked designs if there are no findings', async () => {
    expect(await checked(sound, '--format', 'github')).toMatchObject({
      status: 0,
      stdout: '::notice title=tablewright::1 design checked: 0 errors, 0 warnings\n',
      stderr: '',
    });
    // A bundled system has no user file to annotate.
    expect((await tablewright('check', 'blog', '--portability', 'azure', '--format', 'github')).stdout).toMatch(
      /^::notice title=portability::blog: /m,
    );
  });
});

test.each([
  [
    [],
    "this folder has no tablewright.config.ts; change to the folder of your app, start an app with 'npx tablewright init', pass a file that exports designs, or write tablewright.config.ts:\n\n  export default { designs: './design.ts'",
  ],
  [['nowhere.js'], "there is no file 'nowhere.js'\n"],
  [['./nowhere'], "there is no file './nowhere'\n"],
  [
    ['orders'],
    "'orders' is neither a design nor a file, and this folder has no tablewright.config.ts; change to the folder of your app",
  ],
  [['blog', 'blgo'], "'blgo' is neither a design nor a file; did you mean blog?"],
  [['--demo', 'blgo'], "--demo: 'blgo' is not a bundled system; did you mean blog?"],
  [['--format', 'xml'], "--format must be one of text, github, got: 'xml'"],
  [['--portability', 'gcp'], "--portability must be one of azure, got: 'gcp'"],
  [['--portability'], '--portability needs a value; write --portability <value>'],
  [['--formt', 'json'], "'--formt' is not an option of this command; did you mean --format?"],
  [['--demo=yes'], "--demo takes no value, got: 'yes'"],
])('exits with 2 and prints the usage for the invalid arguments %j', async (args, message) => {
  const { status, stdout, stderr } = await tablewright('check', ...args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr).toContain(
    'tablewright check [design or file …] [--demo] [--notes] [--load load.json]\n          [--portability azure] [--format ',
  );
  expect(stderr).toContain('npx tablewright check --help explains the options');
});

test('`check --help` prints the usage, and `check --version` prints the version', async () => {
  expect(await tablewright('check', '--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      /^Usage:\n {2}tablewright check \[design or file …\].*\n(?:.*\n)*\nOptions:\n {2}--demo +use the bundled/,
    ),
    stderr: '',
  });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const args of [['--version'], ['check', '--version']]) {
    expect(await tablewright(...args)).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  }
});

describe('colors', () => {
  const ESCAPE = '\u001b[';

  /** Runs `check` on a faulty module in this process, and returns the output. */
  async function printed(isTTY: boolean): Promise<string> {
    writeFileSync(join(folder, 'faulty.js'), faulty);
    const { terminal, output } = terminalOf({ isTTY });
    await check.run([join(folder, 'faulty.js')], terminal);
    return output();
  }

  test('colors mark errors and warnings, and do not change the text', async () => {
    const coloured = await printed(true);
    expect(coloured).toContain(`  ${ESCAPE}31merror${ESCAPE}39m ttl: `);
    expect(coloured).toContain(`  ${ESCAPE}33mwarning${ESCAPE}39m entities.Thing.keys.SK: `);
    expect(stripVTControlCharacters(coloured)).toBe(await printed(false));
  });

  test('pipes and files receive output without colors', async () => {
    expect((await checked(faulty)).stdout).not.toContain(ESCAPE);
  });

  test.each([
    [true, {}, true],
    [true, { NO_COLOR: '', TERM: 'xterm' }, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('`likesColours(%j, %j)` returns %j', (isTerminal, env, expected) => {
    expect(likesColours(isTerminal, env)).toBe(expected);
  });
});
