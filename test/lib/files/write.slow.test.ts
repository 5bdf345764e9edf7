import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceWhole, writeWhole } from '../../../lib/files/write';
import { expectGroupsGone, until } from '../../support/processes';
import { scripts } from '../../support/script';

const run = scripts();
const root = join(__dirname, '../../..');
const all = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(all, { recursive: true }));

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(all, 'folder-'));
  file = join(folder, 'export.jsonl');
});

/** Matches a FileProblem of the given kind whose message contains `message`. */
const problem = (kind: string, message: string) =>
  expect.objectContaining({ name: 'FileProblem', kind, message: expect.stringContaining(message) });

test('gives a file its final name only when it is complete, and makes it readable only by its owner', async () => {
  const made = await writeWhole(file, async (append) => {
    await append('é😀\n');
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^export\.jsonl\.[0-9a-f]{16}\.partial$/)]);
    await append('');
    await append('x'.repeat(1_000_000));
    return 7;
  });
  expect(made).toBe(7);
  expect(readFileSync(file, 'utf8')).toBe(`é😀\n${'x'.repeat(1_000_000)}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['export.jsonl']);
});

describe('a file that cannot be written completely', () => {
  /** Writes chunks of the given sizes under a file size limit. The limit silently truncates the last write. */
  const limited = (...sizes: readonly number[]) => {
    const script = `require('./dist/lib/files/write.js').writeWhole(${JSON.stringify(file)}, async (append) => {
      for (const size of [${sizes}]) await append('x'.repeat(size));
    }).then(() => console.log('written'), ({ kind, message }) => console.log(kind, message));`;
    const { stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -f 64; exec "$0" -e "$1"', process.execPath, script], {
      cwd: root,
      encoding: 'utf8',
    });
    return { said: stdout.trim(), stderr };
  };
  // Returns the file size limit in bytes. The unit of `ulimit -f` is 512 or 1024 bytes, depending on the shell.
  const room = () => {
    const isLarge = limited(64 * 512 + 1).said === 'written';
    rmSync(file, { force: true });
    return 64 * (isLarge ? 1024 : 512);
  };

  test('reports and removes an incomplete file, wherever the write stops', () => {
    const most = room();
    for (const sizes of [[most + 1], [most - 10, 100], [100, most, 100], [most, 1], [1, most + 100_000]]) {
      expect(limited(...sizes)).toEqual({
        said: `unwritten '${file}' cannot be written: the file exceeds the size limit`,
        stderr: '',
      });
      expect(readdirSync(folder)).toEqual([]);
    }
    expect(limited(most - 10, 10)).toEqual({ said: 'written', stderr: '' });
    expect(statSync(file).size).toBe(most);
  });

  test('reports a file whose stored data differs from what was written', async () => {
    const damaging = writeWhole(file, async (append) => {
      await append('all is well');
      writeFileSync(join(folder, readdirSync(folder)[0] as string), 'all is ill!');
    });
    await expect(damaging).rejects.toEqual(problem('unwritten', 'differs from the written data'));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('removes the file after any error, and rethrows the error unchanged', async () => {
    const failing = writeWhole(file, async (append) => {
      await append('x');
      throw Object.assign(new Error('the connection is lost'), { code: 'ECONNRESET' });
    });
    await expect(failing).rejects.toThrow('the connection is lost');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('removes an incomplete file when the process is killed', async () => {
    const { script, ended, pids } = run(
      `await writeWhole(${JSON.stringify(file)}, async (append) => { await append('x'); await new Promise((r) => setTimeout(r, 60_000)); });`,
    );
    await until(() => readdirSync(folder).length > 0);
    expect(readdirSync(folder)).toEqual([expect.stringContaining('.partial')]);
    script.kill('SIGKILL');
    await ended;
    await expectGroupsGone(pids());
    expect(readdirSync(folder)).toEqual([]);
  });
});

const never = () => Promise.reject(new Error('it was begun'));

describe('unusable paths', () => {
  test.each<[string, () => string, string]>([
    ['an existing file', () => 'taken', "taken' already exists; choose another name, or remove the existing file"],
    ['a folder', () => 'sub', "sub' is a folder; pass the path of a file in it"],
    [
      'a missing folder',
      () => 'nowhere/x',
      "nowhere/x' cannot be written: its folder does not exist; create the folder",
    ],
    ['a file in a file', () => 'taken/x', "taken/x' cannot be written: a part of its path is a file, not a folder"],
    ['a name that is too long', () => 'x'.repeat(300), 'the file name is too long'],
    ['an invalid name', () => 'a\0b', 'the name is not a valid file name'],
  ])('%s', async (_, name, message) => {
    writeFileSync(join(folder, 'taken'), 'precious');
    mkdirSync(join(folder, 'sub'));
    await expect(writeWhole(join(folder, name()), never)).rejects.toEqual(problem('unusable', message));
    expect(readdirSync(folder)).toEqual(['sub', 'taken']);
    expect(readFileSync(join(folder, 'taken'), 'utf8')).toBe('precious');
  });

  test('keeps a file that another process created first', async () => {
    const slower = writeWhole(file, async (append) => {
      await append('mine');
      writeFileSync(file, 'precious');
    });
    await expect(slower).rejects.toEqual(problem('unusable', 'already exists'));
    expect(readFileSync(file, 'utf8')).toBe('precious');
    expect(readdirSync(folder)).toEqual(['export.jsonl']);
  });
});

test('replaces a file only when the new file is complete', async () => {
  const file = join(folder, 'new', 'lock.json');
  await replaceWhole(file, (append) => append('first'));
  await replaceWhole(file, (append) => append('second'));
  const failing = replaceWhole(file, async (append) => {
    await append('third');
    throw new Error('the connection is lost');
  });
  await expect(failing).rejects.toThrow('the connection is lost');
  expect(readFileSync(file, 'utf8')).toBe('second');
  expect(readdirSync(join(folder, 'new'))).toEqual(['lock.json']);
  await expect(replaceWhole(join(folder, 'new'), never)).rejects.toEqual(problem('unusable', 'is a folder'));
});
