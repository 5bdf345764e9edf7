import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tablewrightIn } from '../support/command';

const root = join(__dirname, '../..');
// The folder is inside node_modules, so that a user's module can resolve zod.
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a project folder with the given files. Returns a function that runs `tablewright` in that folder. */
function project(files: Readonly<Record<string, string>>, at = '.', run: typeof startedIn = tablewrightIn) {
  const folder = mkdtempSync(join(cache, 'tablewright-config-'));
  folders.push(folder);
  for (const [name, text] of Object.entries({ 'package.json': '{}', ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return async (...args: string[]) => {
    const { status, stdout, stderr } = await run(join(folder, at), args);
    return { status, stdout, stderr: stderr.replaceAll(folder, '.') };
  };
}

/** Runs the command in a separate process, because Node's flags decide how a module is loaded. */
async function startedIn(
  cwd: string,
  args: readonly string[],
): Promise<Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>> {
  return spawnSync(process.execPath, [join(root, 'dist/bin/tablewright.js'), ...args], { cwd, encoding: 'utf8' });
}

const LANGUAGE = JSON.stringify(join(root, 'dist/lib/index.js'));
const PROOF = JSON.stringify(join(root, 'dist/lib/proof/index.js'));

/** TypeScript as users write it: types, an enum, and an import without a file extension. */
const DESIGN = `
import { defineSystem, defineTable } from ${LANGUAGE};
import { z } from 'zod';
import { Kind, type Names } from './kinds';

const names: Names = { partition: 'PK', sort: 'SK' };
export const notes = defineTable({
  name: 'notes',
  key: names,
  typeAttribute: 'type',
  entities: {
    Note: {
      attributes: z.object({ noteId: z.string(), kind: z.enum(Kind) }),
      keys: { PK: 'NOTE#<noteId>', SK: 'NOTE' },
    },
  },
  patterns: {
    getNote: { op: 'get', where: { PK: 'NOTE#<noteId>', SK: 'NOTE' }, returns: ['Note'] },
    writeNote: { op: 'put', entity: 'Note' },
  },
} as const);
export const system = defineSystem({ name: 'jotter', cloud: 'aws', tables: { notes } });
`;
const KINDS = `
export enum Kind { Short = 'short', Long = 'long' }
export interface Names { readonly partition: string; readonly sort: string }
`;
const CASES = `
import { defineCases } from ${PROOF};
import { system } from './designs';
import { Kind } from './kinds';

export const cases = defineCases(system, {
  tables: {
    notes: {
      items: { first: ['Note', { noteId: 'n1', kind: Kind.Short }] },
      written: { second: ['Note', { noteId: 'n2', kind: Kind.Long }] },
      stored: { first: { PK: 'NOTE#n1', SK: 'NOTE' } },
      patterns: {
        getNote: { values: { noteId: 'n1' }, returns: ['first'] },
        writeNote: {
          values: { noteId: 'n2', kind: Kind.Long },
          shows: [{ pattern: 'getNote', values: { noteId: 'n2' }, returns: ['second'] }],
          refuses: [{ why: 'it is there', values: { noteId: 'n1', kind: Kind.Long }, error: 'ConditionalCheckFailedException' }],
        },
      },
    },
  },
});
`;
const CONFIG = `
import { defineConfig } from ${LANGUAGE};
export default defineConfig({ designs: './src/designs.ts', cases: ['./src/cases.ts'], environment: 'staging' });
`;
const files = { 'src/designs.ts': DESIGN, 'src/kinds.ts': KINDS, 'src/cases.ts': CASES };

describe('a configuration', () => {
  const tablewright = project({ ...files, 'tablewright.config.ts': CONFIG });

  test('`check` uses the designs from the configuration', async () => {
    expect(await tablewright('check')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^jotter: 0 errors, 0 warnings.*\n1 design checked/),
      stderr: '',
    });
  });

  test("`check` accepts a configured design's name, and suggests the right name for a misspelled one", async () => {
    expect((await tablewright('check', 'jotter')).stdout).toMatch(/^jotter: /);
    expect((await tablewright('check', 'joter')).stderr).toContain(
      "'joter' is neither a design nor a file; did you mean jotter?",
    );
    expect((await tablewright('check', 'elsewhere')).stderr).toContain(
      "'elsewhere' is neither a design nor a file; there are jotter\n",
    );
  });

  test('`prove` uses the cases from the configuration', async () => {
    const { status, stdout, stderr } = await tablewright('prove');
    expect({ status, stderr, failed: stdout.match(/^.*FAIL.*$/gm) }).toEqual({ status: 0, stderr: '', failed: null });
    expect(stdout).toMatch(/ok {3}getNote/);
    expect(stdout).toMatch(/ok {3}writeNote/);
  });

  test('`iam` uses the designs and the environment from the configuration, for one pattern or for all patterns', async () => {
    const one = await tablewright('iam', 'getNote', '--format', 'text');
    expect(one).toMatchObject({ status: 0, stderr: '' });
    expect(one.stdout).toMatch(/getNote +GetItem +jotter-staging-notes/);
    expect(one.stdout).not.toContain('writeNote');
    expect((await tablewright('iam', '--format', 'text')).stdout).toContain('writeNote');
    expect((await tablewright('iam', 'getNot', '--format', 'text')).stderr).toContain(
      "'getNot' is not a pattern or procedure; did you mean getNote?",
    );
    expect((await tablewright('iam', 'shipParcel')).stderr).toMatch(
      /'shipParcel' is not a pattern or procedure; there are \w+, \w+/,
    );
    expect((await tablewright('iam', './gone.ts')).stderr).toContain("there is no file './gone.ts'");
  });

  test.each([
    ['draw', /<svg|```mermaid/],
    ['record', /jotter/],
  ])('`%s` uses the designs from the configuration', async (verb, said) => {
    const { status, stdout, stderr } = await tablewright(verb);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(said);
  });

  test('`--demo` ignores the configuration and shows the bundled systems', async () => {
    expect((await tablewright('check', '--demo', 'blog')).stdout).toMatch(/^blog: /);
  });

  test('a configuration may name a missing file if the command does not need that file', async () => {
    const config = `module.exports = { designs: './src/designs.ts', cases: './src/later.ts' };`;
    const early = project({ ...files, 'tablewright.config.cjs': config });
    for (const verb of ['check', 'iam', 'portability', 'record', 'diff']) {
      expect(await early(verb)).toMatchObject({ status: 0, stderr: '' });
    }
    expect(await early('prove')).toMatchObject({
      status: 2,
      stderr:
        "tablewright: ./tablewright.config.cjs: cases: there is no file './src/later.ts'; 'npx tablewright cases' writes it\n",
    });
    const bare = project({ ...files, 'tablewright.config.cjs': `module.exports = { designs: './nope.ts' };` });
    expect(await bare('iam', './src/designs.ts')).toMatchObject({ status: 0, stderr: '' });
    expect((await bare('tables', 'nowhere')).stderr).toContain("'nowhere' must be a folder that 'cdk synth' wrote");
    expect(await bare('check')).toMatchObject({
      status: 2,
      stderr: "tablewright: ./tablewright.config.cjs: designs: there is no file './nope.ts'\n",
    });
  });

  test('a command in a subfolder finds the configuration of the package', async () => {
    const inside = project({ ...files, 'tablewright.config.ts': CONFIG, 'src/deep/x.txt': '' }, 'src/deep');
    expect((await inside('check')).stdout).toMatch(/^jotter: /);
  });
});

test('`check`, `prove`, `iam` and `portability` show which configuration to write if there is neither a design nor a configuration', async () => {
  const tablewright = project({});
  for (const verb of ['check', 'prove', 'iam', 'portability']) {
    const { status, stdout, stderr } = await tablewright(verb);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('write tablewright.config.ts:');
    expect(stderr).toContain('--demo uses the bundled systems instead');
  }
});

test.each(['cases', 'record', 'sweep'])(
  'without a configuration, `%s` does not mention --demo, which it does not accept',
  async (verb) => {
    const { status, stderr } = await project({})(verb);
    expect(status).toBe(2);
    expect(stderr).toContain('write tablewright.config.ts:');
    expect(stderr).not.toContain('--demo');
  },
);

test('refuses a folder, and suggests the file of the design in it', async () => {
  const others = { 'src/app.ts': '', 'src/design.test.ts': '' };
  const asked = async (tablewright: ReturnType<typeof project>, name: string) =>
    (await tablewright('check', name)).stderr;
  const told = `is a folder; pass a file in it, such as ${join('src', 'designs.ts')}`;
  expect(await asked(project({ ...files, ...others }), 'src')).toContain(`'src' ${told}`);
  // A package.json that names no file does not make a folder a module.
  expect(await asked(project({ ...files, ...others, 'src/package.json': '{}' }), './src/')).toContain(
    `'./src/' ${told}`,
  );
});

test('without a configuration, `iam` explains how to name the file of a pattern', async () => {
  const tablewright = project(files);
  const { status, stderr } = await tablewright('iam', 'getNote', 'writeNote');
  expect(status).toBe(2);
  expect(stderr).toContain(
    "'getNote' is neither a design nor a file; if it is a pattern, name the file first: npx tablewright iam design.ts getNote writeNote\nthis folder has no tablewright.config.ts;",
  );
  expect((await tablewright('iam', 'getNote', 'src/designs.ts')).stderr).toContain(
    'name the file first: npx tablewright iam src/designs.ts getNote\n',
  );
  expect(await tablewright('iam', 'src/designs.ts', 'getNote')).toMatchObject({ status: 0, stderr: '' });
});

test('`iam` notes an environment that nobody has declared, but still prints the policy', async () => {
  const tablewright = project({ ...files, 'tablewright.config.ts': CONFIG.replace("'staging'", "'qa'") });
  const { status, stdout, stderr } = await tablewright('iam', 'getNote', '--environment', 'stage');
  expect(status).toBe(0);
  expect(stdout).toContain('jotter-stage-notes');
  expect(stderr).toBe(
    "--environment: 'stage' is none of dev, economy, staging, prod, qa, so the policy assumes an environment of your own with the settings of prod\n",
  );
  for (const known of ['dev', 'qa'])
    expect(await tablewright('iam', 'getNote', '--environment', known)).toMatchObject({ status: 0, stderr: '' });
});

describe('a configuration loads designs in any module format', () => {
  const table = (head: string, tail: string) => `${head}
const things = {
  name: 'things', key: { partition: 'PK', sort: 'SK' },
  entities: { Thing: { attributes: z.object({ id: z.string() }), keys: { PK: 'THING#<id>', SK: 'THING' } } },
};
${tail}`;
  const esm = table("import { z } from 'zod';", 'export { things };');
  const cjs = table("const { z } = require('zod');", 'module.exports = { things };');
  test.each([
    ['things.ts', esm, '{}'],
    ['things.ts', esm, '{ "type": "commonjs" }'],
    ['things.ts', esm, '{ "type": "module" }'],
    ['things.mts', esm, '{}'],
    ['things.cts', cjs, '{}'],
    ['things.js', cjs, '{}'],
    ['things.js', esm, '{}'],
    ['things.js', esm, '{ "type": "module" }'],
    ['things.cjs', cjs, '{ "type": "module" }'],
    ['things.mjs', esm, '{}'],
    ['things.mjs', `await Promise.resolve();\n${esm}`, '{}'],
  ])('loads a design from the file %s', async (name, text, manifest) => {
    const tablewright = project({ [name]: text, 'package.json': manifest }, '.', startedIn);
    expect(await tablewright('check', name)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('things: 0 errors'),
      stderr: '',
    });
  });
});

describe('a configuration in other places and formats', () => {
  test('a configuration may be a field of package.json', async () => {
    const manifest = JSON.stringify({ tablewright: { designs: ['src/designs.ts'] } });
    expect((await project({ ...files, 'package.json': manifest })('check')).stdout).toMatch(/^jotter: /);
  });

  test.each(['cjs', 'mjs'])('a configuration file may have the extension .%s', async (ending) => {
    const text = `${ending === 'cjs' ? 'module.exports =' : 'export default'} { designs: 'src/designs.ts' };`;
    expect((await project({ ...files, [`tablewright.config.${ending}`]: text })('check')).stdout).toMatch(/^jotter: /);
  });
});

describe('invalid configurations', () => {
  test.each([
    ['export default {};', "'designs' is missing; name the files that export your designs: designs: './design.ts'"],
    ["export default { design: './x.ts' };", "'design' is not a field of the configuration; did you mean designs?"],
    ["export default { designs: './gone.ts' };", "designs: there is no file './gone.ts'"],
    ['export default { designs: [] };', "'designs' must be the path of a file, or a list of paths, got: []"],
    ['export default { designs: 7 };', "'designs' must be the path of a file, or a list of paths, got: 7"],
    ["export default { designs: './src/designs.ts', environment: 1 };", "'environment' must be a string, got: 1"],
    ['export default [];', 'its default export must be the result of defineConfig, got: []'],
    ["throw new Error('oops');", 'cannot be loaded: oops (line 1)'],
  ])('refuses the configuration %j, and names the file and the problem', async (text, message) => {
    const { status, stdout, stderr } = await project({ ...files, 'tablewright.config.ts': text })('check');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain('tablewright.config.ts');
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('Usage:');
  });

  test('refuses two configurations in one folder', async () => {
    const both = { 'tablewright.config.ts': CONFIG, 'tablewright.config.js': CONFIG };
    expect((await project({ ...files, ...both })('check')).stderr).toContain(
      'contains both tablewright.config.ts and tablewright.config.js',
    );
  });

  test('`prove` refuses a configuration without cases', async () => {
    const config = "export default { designs: './src/designs.ts' };";
    expect((await project({ ...files, 'tablewright.config.ts': config })('prove')).stderr).toContain(
      `the configuration has no cases to prove; add the field "cases: './cases.ts'"`,
    );
  });
});
