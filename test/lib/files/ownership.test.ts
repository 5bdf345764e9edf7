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

/** Makes a path belong to another user: only root can change its owner, so otherwise the test pretends to be another user. */
function giveAway(path: string): void {
  if (process.getuid?.() === 0) (lstatSync(path).isSymbolicLink() ? lchownSync : chownSync)(path, OTHER, OTHER);
  else jest.spyOn(process, 'getuid').mockReturnValue(OTHER);
}

const refused = () =>
  expect(() => assertOwn(file, 'name it')).toThrow(
    /was found but not run: .*; if it is yours, write ch.*, or name it$/,
  );

describe('a file that was found', () => {
  test('is run if only its owner can write it', () => {
    expect(() => assertOwn(file, 'name it')).not.toThrow();
  });

  test('is refused if it belongs to another user, and the error names that user', () => {
    giveAway(file);
    refused();
    expect(() => assertOwn(file, 'name it')).toThrow(/belongs to user \d+, and you are user \d+/);
  });

  test('is refused if anybody can write it', () => {
    chmodSync(file, 0o666);
    refused();
  });

  test.each([0, 1])('is refused if a folder above it, %i up, belongs to another user', (up) => {
    const inner = join(folder, 'inner');
    mkdirSync(inner);
    file = join(inner, 'config.js');
    writeFileSync(file, '');
    giveAway(up === 0 ? inner : folder);
    refused();
  });

  test('is refused in a folder that anybody can write to, unless it is sticky', () => {
    chmodSync(folder, 0o777);
    refused();
    chmodSync(folder, 0o1777);
    expect(() => assertOwn(file, 'name it')).not.toThrow();
  });

  test('is refused if it is a link to such a file', () => {
    const target = join(folder, 'elsewhere.js');
    writeFileSync(target, '');
    rmSync(file);
    symlinkSync(target, file);
    expect(() => assertOwn(file, 'name it')).not.toThrow();
    chmodSync(target, 0o666);
    refused();
  });

  test('is refused if it is a link that another user created', () => {
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

  test('is created with access for its user only', () => {
    expect(privateFolder(cache())).toBe(cache());
    expect(lstatSync(cache()).mode & 0o777).toBe(0o700);
    expect(privateFolder(cache())).toBe(cache());
  });

  test.each([0o770, 0o777, 0o720, 0o702])('is not used with mode %o', (mode) => {
    privateFolder(cache());
    chmodSync(cache(), mode);
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('is not used if it, or a folder above it, belongs to another user', () => {
    privateFolder(cache());
    giveAway(join(folder, 'cache'));
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('is not used if another user created it first', () => {
    mkdirSync(cache(), { recursive: true, mode: 0o755 });
    giveAway(cache());
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('is not used if others may replace a folder above it', () => {
    privateFolder(cache());
    chmodSync(join(folder, 'cache'), 0o775);
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('is not used if it is a link', () => {
    mkdirSync(join(folder, 'cache'), { mode: 0o700 });
    mkdirSync(join(folder, 'other'), { mode: 0o700 });
    symlinkSync(join(folder, 'other'), cache());
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('is not used with a link or a file of another user in it', () => {
    privateFolder(cache());
    symlinkSync(file, join(cache(), 'a.cjs'));
    expect(privateFolder(cache())).toBeUndefined();
    rmSync(join(cache(), 'a.cjs'));
    writeFileSync(join(cache(), 'b.cjs'), '');
    expect(privateFolder(cache())).toBe(cache());
    giveAway(join(cache(), 'b.cjs'));
    expect(privateFolder(cache())).toBeUndefined();
  });

  test('is cleared of files that others could write, except those that closeFiles has closed', () => {
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

  test('is not used if it cannot be created', () => {
    expect(privateFolder(join(file, 'cache'))).toBeUndefined();
  });
});
