import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTemporaryFolder, writeFolder } from '../../../lib/files/folder';

const all = mkdtempSync(join(tmpdir(), 'tablewright-'));
afterAll(() => rmSync(all, { recursive: true }));

let folder = '';
beforeEach(() => {
  folder = join(mkdtempSync(join(all, 'folder-')), 'out');
});

const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC', syscall: 'write' });
const contents = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => !['stacks', 'stacks/a'].includes(name))
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')]);
const write = (aside: string, text: string) => {
  mkdirSync(join(aside, 'stacks', 'a'), { recursive: true });
  writeFileSync(join(aside, 'stacks', 'a', 'x.json'), text);
  writeFileSync(join(aside, 'manifest.json'), text);
};

test("moves all files into place together, and keeps the folder's other files", async () => {
  expect(
    await writeFolder(folder, (aside) => {
      write(aside, 'first');
      expect(readdirSync(folder)).toHaveLength(1);
      return 7;
    }),
  ).toBe(7);
  writeFileSync(join(folder, 'mine'), 'precious');
  await writeFolder(folder, (aside) => write(aside, 'second'));
  expect(contents()).toEqual([
    ['manifest.json', 'second'],
    ['mine', 'precious'],
    ['stacks/a/x.json', 'second'],
  ]);
});

test('writes no files if writing one fails, and removes a folder that it created', async () => {
  const failing = (error: Error) =>
    writeFolder(folder, (aside) => {
      write(aside, 'half');
      throw error;
    });
  await expect(failing(full())).rejects.toMatchObject({
    name: 'FileProblem',
    kind: 'unwritten',
    message: `'${folder}' cannot be written: the disk is full`,
  });
  expect(readdirSync(join(folder, '..'))).toEqual([]);
  await writeFolder(folder, (aside) => write(aside, 'first'));
  await expect(failing(new TypeError('no'))).rejects.toThrow(new TypeError('no'));
  expect(contents()).toEqual([
    ['manifest.json', 'first'],
    ['stacks/a/x.json', 'first'],
  ]);
});

test('reports an error if the path of the folder is a file', async () => {
  writeFileSync(folder, 'mine');
  await expect(writeFolder(folder, () => undefined)).rejects.toMatchObject({ name: 'FileProblem', kind: 'unusable' });
  expect(readFileSync(folder, 'utf8')).toBe('mine');
});

test('removes a temporary folder after use, reports a full disk, and rethrows errors about other paths', async () => {
  let path = '';
  const using = (error?: Error) =>
    inTemporaryFolder((temporary) => {
      path = temporary;
      writeFileSync(join(path, 'x'), 'x');
      if (error !== undefined) throw error;
      return readdirSync(path);
    });
  expect(await using()).toEqual(['x']);
  expect(() => readdirSync(path)).toThrow('ENOENT');
  await expect(using(full())).rejects.toThrow(/^'.*tablewright-[0-9a-f]{16}' cannot be written: the disk is full$/);
  const other = Object.assign(new Error('there is no such module'), { code: 'ENOENT', path: '/elsewhere' });
  await expect(using(other)).rejects.toBe(other);
});
