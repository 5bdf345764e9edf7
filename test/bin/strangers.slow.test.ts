import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { tablewrightIn } from '../support/command';

const repository = join(__dirname, '../..');
const LANGUAGE = JSON.stringify(join(repository, 'dist/lib/index.js'));
const root = mkdtempSync(join(realpathSync(tmpdir()), 'tablewright-'));
afterAll(() => rmSync(root, { recursive: true }));
let made = 0;

/** Creates a folder with the given files. The returned `run` runs `tablewright` in that folder. */
function folderWith(files: Readonly<Record<string, string>>) {
  const folder = join(root, String(made++));
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const run = (args: readonly string[], { at = '.', env = {} }: { at?: string; env?: NodeJS.ProcessEnv } = {}) => {
    const { XDG_CACHE_HOME: _, ...rest } = process.env;
    return tablewrightIn(join(folder, at), args, { ...rest, HOME: home, ...env });
  };
  return { folder, home, run };
}

const design = (name = 'pad', key = '<id>', attributes = 'id: zod.z.string()') => `
const { defineSystem, defineTable } = require(${LANGUAGE});
const zod = require(${JSON.stringify(join(repository, 'node_modules/zod'))});
const notes = defineTable({
  name: 'notes',
  key: { partition: 'PK', sort: 'SK' },
  entities: { Note: { attributes: zod.z.object({ ${attributes} }), keys: { PK: 'NOTE#${key}', SK: 'NOTE' } } },
  patterns: { note: { op: 'get', where: { PK: 'NOTE#${key}', SK: 'NOTE' }, returns: ['Note'] } },
});
exports.system = defineSystem({ name: ${JSON.stringify(name)}, cloud: 'aws', tables: { notes } });
`;
const EVIL = `require('node:fs').writeFileSync(require('node:path').join(__dirname, 'ran'), ''); module.exports = { designs: './designs.js' };`;

describe('the search for a configuration', () => {
  test('the search for a configuration ignores parent folders outside any package, repository or home folder', async () => {
    const { folder, run } = folderWith({ 'tablewright.config.js': EVIL, 'designs.js': design(), 'a/b/x': '' });
    expect(await run(['check'], { at: 'a/b' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('pass a file that exports designs'),
    });
    expect(existsSync(join(folder, 'ran'))).toBe(false);
  });

  test.each(['package.json', '.git/config'])(
    'the search for a configuration stops at a folder that contains %s',
    async (mark) => {
      const text = mark === 'package.json' ? '{}' : '';
      const { folder, run } = folderWith({
        'tablewright.config.js': EVIL,
        'designs.js': design(),
        [`a/${mark}`]: text,
        'a/b/x': '',
      });
      expect((await run(['check'], { at: 'a/b' })).status).toBe(2);
      expect(existsSync(join(folder, 'ran'))).toBe(false);
      const own = folderWith({
        'a/tablewright.config.js': EVIL,
        'a/designs.js': design(),
        [`a/${mark}`]: text,
        'a/b/x': '',
      });
      expect(await own.run(['check'], { at: 'a/b' })).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('pad: '),
      });
    },
  );

  test.each(['tablewright.config.js', 'designs.js'])(
    '`check` does not run the file %s if it is world-writable',
    async (open) => {
      const { folder, run } = folderWith({
        'package.json': '{}',
        'tablewright.config.js': EVIL,
        'designs.js': design(),
      });
      chmodSync(join(folder, open), 0o666);
      expect(await run(['check'])).toMatchObject({
        status: 2,
        stderr: expect.stringMatching(/was found but not run: it can be written by any user.*chmod o-w/),
      });
      expect(existsSync(join(folder, 'ran'))).toBe(open === 'designs.js');
      expect((await run(['check', './designs.js'])).status).toBe(0);
    },
  );

  test('`check` refuses a configuration in a world-writable package.json', async () => {
    const { folder, run } = folderWith({
      'package.json': '{"tablewright":{"designs":"./designs.js"}}',
      'designs.js': design(),
    });
    expect((await run(['check'])).status).toBe(0);
    chmodSync(join(folder, 'package.json'), 0o666);
    expect((await run(['check'])).status).toBe(2);
  });
});

describe('compiled TypeScript', () => {
  // An enum needs the compiler, because Node can only strip types.
  const files = {
    'package.json': '{}',
    'designs.ts': `enum Kind { A = 'a' }\nvoid Kind.A;${design().replaceAll('exports.', 'module.exports.')}`,
  };

  test('compiled TypeScript is cached in the home folder, where only its owner can read it, and never in a shared folder', async () => {
    const { home, folder, run } = folderWith(files);
    const shared = join(folder, 'tmp');
    mkdirSync(shared);
    expect(await run(['check', './designs.ts'], { env: { TMPDIR: shared } })).toMatchObject({ status: 0 });
    expect(existsSync(join(shared, 'jiti'))).toBe(false);
    const cached = readdirSync(join(home, '.cache/tablewright/compiled'));
    expect(cached.filter((name) => name.includes('designs'))).toHaveLength(1);
    expect(statSync(join(home, '.cache/tablewright/compiled')).mode & 0o077).toBe(0);
  });

  test('compiled TypeScript is not run from a cache that other users can write', async () => {
    const { home, run } = folderWith(files);
    await run(['check', './designs.ts']);
    const cache = join(home, '.cache/tablewright/compiled');
    const name = readdirSync(cache).find((cached) => cached.includes('designs')) as string;
    const file = join(cache, name);
    const text = readFileSync(file, 'utf8');
    // The compiler uses a cached file whose last line matches the source, so it accepts this planted file.
    const planted = `throw new Error('planted');${text}`;
    writeFileSync(file, planted);
    expect((await run(['check', './designs.ts'])).stderr).toContain('planted');
    chmodSync(cache, 0o777);
    expect(await run(['check', './designs.ts'])).toMatchObject({ status: 0 });
  });
});

describe('a path that is not a regular file', () => {
  const files = {
    'package.json': '{}',
    'tablewright.config.js': "module.exports = { designs: './designs.js' };",
    'designs.js': design(),
  };
  const fifo = (path: string) => {
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
  };

  test.each([
    ['tablewright/pad.prod.lock.json', ['diff']],
    ['tablewright/pad.prod.lock.json', ['record']],
    ['plan.json', ['record', '--plan', 'plan.json', '--step', 'x']],
    ['answers.json', ['record', '--answers', 'answers.json']],
    ['tablewright.config.js', ['check']],
    ['designs.js', ['check']],
    ['designs.js', ['check', './designs.js']],
    ['package.json', ['check', 'pad']],
    [
      'backup.jsonl',
      [
        'backup',
        'import',
        'backup.jsonl',
        '--because',
        'the test asks for it',
        '--azure-endpoint',
        'UseDevelopmentStorage=true',
      ],
    ],
  ])('refuses the FIFO %s at once in the command %j', async (name, args) => {
    const { folder, run } = folderWith({ ...files, 'tablewright/x': '' });
    if (name === 'package.json') rmSync(join(folder, 'tablewright.config.js'));
    fifo(join(folder, name));
    const { status, stderr } = await run(args);
    expect(stderr).toMatch(/FIFO|no Azure Tables service responds/);
    expect([1, 2]).toContain(status);
  });

  test('refuses a device or a folder where a file is expected', async () => {
    const { run } = folderWith({ ...files, 'folder/x': '' });
    expect(await run(['diff', '--lock', '/dev/zero'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('it is a device'),
    });
    expect(await run(['diff', '--lock', 'folder'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('it is a folder'),
    });
    expect(await run(['draw', '--picture', 'map', '--output', '/dev/null'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('is a device, which must not be replaced'),
    });
  });
});

describe('names that contain a path', () => {
  test.each(['../../../x', '/x', 'a/b', '..', 'a\\b', 'C:x', 'a\u0000b'])(
    '`record` writes no lock outside the project for a system named %j',
    async (name) => {
      const { folder, run } = folderWith({ 'project/package.json': '{}', 'project/designs.js': design(name) });
      const { status, stderr } = await run(['record', './designs.js'], { at: 'project' });
      expect([1, 2]).toContain(status);
      expect(stderr).not.toBe('');
      expect(readdirSync(folder).sort()).toEqual(['home', 'project']);
      expect(readdirSync(join(folder, 'project')).sort()).toEqual(['designs.js', 'package.json']);
    },
  );

  test.each([
    ['record', './designs.js', '--environment', '../../../x'],
    ['record', './designs.js', '--environment', '/x'],
    ['plan', './designs.js', '--environment', '../../x'],
    ['diff', './designs.js', '--environment', '../../x'],
    ['explore', './designs.js', '--environment', '../../x', '--static', 'site'],
  ])('refuses a path as an environment name: %s %s %s %s', async (...args) => {
    const { folder, run } = folderWith({ 'project/package.json': '{}', 'project/designs.js': design() });
    expect(await run(args, { at: 'project' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be part of a file name'),
    });
    expect(readdirSync(join(folder, 'project')).sort()).toEqual(['designs.js', 'package.json']);
  });
});

test('`draw`, `to` and `explore` refuse a key with 5,000 parts and give the reason', async () => {
  const parts = Array.from({ length: 5000 }, (_, i) => `a${i}`);
  const attributes = parts.map((part) => `${part}: zod.z.string()`).join(', ');
  const { run } = folderWith({ 'designs.js': design('pad', parts.map((part) => `<${part}>`).join('#'), attributes) });
  for (const args of [
    ['draw', './designs.js', '--picture', 'map'],
    ['to', 'markdown', './designs.js'],
    ['explore', './designs.js', '--static', 'site'],
  ])
    expect(await run(args)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('has 5000 parts, but at most 250 can be shown'),
    });
});
