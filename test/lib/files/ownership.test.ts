import {
  chmodSync,
  chownSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertOwn, closeFiles, privateFolder } from '../../../lib/files/ownership';

const OTHER = 54_321;
const root = mkdtempSync(join(realpathSync(tmpdir()), 'tablewright-'));
let folder = '';
let file = '';
let made = 0;
beforeEach(() => {
  folder = join(root, String(made++));
  mkdirSync(folder, { mode: 0o755 });
  file = join(folder, 'tablewright.config.js');
  writeFileSync(file, '');
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => rmSync(root, { recursive: true }));

/**
 * Changes the owner of a path to another user. Only root can change the owner, so without root the test pretends to be
 * another user.
 */
function giveAway(path: string): void {
  if (process.getuid?.() === 0) (lstatSync(path).isSymbolicLink() ? lchownSync : chownSync)(path, OTHER, OTHER);
  else jest.spyOn(process, 'getuid').mockReturnValue(OTHER);
}

const refused = () =>
  expect(() => assertOwn(file, 'name it')).toThrow(/was found but not run: .*; if it is yours, run ch.*, or name it$/);

describe('a configuration file', () => {
  test('accepts a file that only its owner can write', () => {
    expect(() => assertOwn(file, 'name it')).not.toThrow();
  });

  test('refuses a file that another user owns, and names that user', () => {
    giveAway(file);
    refused();
    expect(() => assertOwn(file, 'name it')).toThrow(/belongs to user \d+, and you are user \d+/);
  });

  test('refuses a file that any user can write', () => {
    chmodSync(file, 0o666);
    refused();
  });

  test.each([0, 1])('refuses a file in a folder of another user (%i levels above the folder of the file)', (up) => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    file = join(inner, 'config.js');
    writeFileSync(file, '');
    giveAway(up === 0 ? inner : folder);
    refused();
  });

  test('refuses a file in a folder that any user can write, unless its sticky bit is set', () => {
    chmodSync(folder, 0o777);
    refused();
    chmodSync(folder, 0o1777);
    expect(() => assertOwn(file, 'name it')).not.toThrow();
  });

  test('refuses a symbolic link to a file that any user can write', () => {
    const target = join(folder, 'elsewhere.js');
    writeFileSync(target, '');
    rmSync(file);
    symlinkSync(target, file);
    expect(() => assertOwn(file, 'name it')).not.toThrow();
    chmodSync(target, 0o666);
    refused();
  });

  test('refuses a symbolic link that another user created', () => {
    const target = join(folder, 'elsewhere.js');
    writeFileSync(target, '');
    rmSync(file);
    symlinkSync(target, file);
    giveAway(file);
    refused();
  });
});

describe('a private folder', () => {
  const cache = () => join(folder, 'cache', 'compiled');

  test('creates a private folder that only its user can access', () => {
    expect(privateFolder(cache())).toBe(cache());
    expect(lstatSync(cache()).mode & 0o777).toBe(0o700);
    expect(privateFolder(cache())).toBe(cache());
  });

  test.each([0o770, 0o777, 0o720, 0o702])('does not use a folder with mode %o', (mode) => {
    privateFolder(cache());
    chmodSync(cache(), mode);
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('does not use a folder if it or a parent folder belongs to another user', () => {
    privateFolder(cache());
    giveAway(join(folder, 'cache'));
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('does not use a folder that another user created first', () => {
    mkdirSync(cache(), { recursive: true, mode: 0o755 });
    giveAway(cache());
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('does not use a folder if other users can replace a parent folder', () => {
    privateFolder(cache());
    chmodSync(join(folder, 'cache'), 0o775);
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('does not use a symbolic link as a private folder', () => {
    mkdirSync(join(folder, 'cache'), { mode: 0o700 });
    mkdirSync(join(folder, 'other'), { mode: 0o700 });
    symlinkSync(join(folder, 'other'), cache());
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('does not use a folder that contains a symbolic link or a file of another user', () => {
    privateFolder(cache());
    symlinkSync(file, join(cache(), 'a.cjs'));
    expect(privateFolder(cache())).toBeUndefined();
    rmSync(join(cache(), 'a.cjs'));
    writeFileSync(join(cache(), 'b.cjs'), '');
    expect(privateFolder(cache())).toBe(cache());
    giveAway(join(cache(), 'b.cjs'));
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('removes files from a private folder if other users could write to them, unless closeFiles has restricted them', () => {
    privateFolder(cache());
    for (const name of ['open.cjs', 'closed.cjs']) writeFileSync(join(cache(), name), '');
    for (const name of readdirSync(cache())) chmodSync(join(cache(), name), 0o664);
    chmodSync(join(cache(), 'closed.cjs'), 0o600);
    privateFolder(cache());
    expect(readdirSync(cache())).toEqual(['closed.cjs']);
    writeFileSync(join(cache(), 'new.cjs'), '');
    chmodSync(join(cache(), 'new.cjs'), 0o666);
    closeFiles(cache());
    privateFolder(cache());
    expect(readdirSync(cache())).toEqual(['closed.cjs', 'new.cjs']);
  });

  test('does not use a folder that cannot be created', () => {
    expect(privateFolder(join(file, 'cache'))).toBeUndefined();
  });
});
