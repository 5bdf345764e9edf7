import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, type Stats, writeSync } from 'node:fs';
import { chmod, type FileHandle, link, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeWithProcess } from '../engine/keeper';
import { FileProblem, fileProblem } from './problem';
import { kindOf } from './read';

/** Appends text to a file. The promise resolves once the text has been written. */
export type Append = (text: string) => Promise<void>;

/**
 * Writes a file that gets its final name only after every byte has been written, synchronized to the disk and verified.
 * Never overwrites a file. Only the owner can read the new file. A failed or killed write leaves no file behind.
 */
export async function writeWhole<T>(file: string, make: (append: Append) => Promise<T>): Promise<T> {
  await assertFree(file);
  return writeAside(file, make, place);
}

/** Like `writeWhole`, but replaces an existing file once the new file is complete, and creates a missing folder. */
export async function replaceWhole<T>(file: string, make: (append: Append) => Promise<T>): Promise<T> {
  await explained(file, mkdir(dirname(file), { recursive: true }));
  const there = await statOf(file);
  if (there?.isDirectory()) throw isFolder(file);
  if (there !== undefined && !there.isFile())
    throw new FileProblem(
      file,
      'unusable',
      `'${file}' is ${kindOf(there)}, which must not be replaced; choose another path`,
    );
  return writeAside(file, make, takePlace);
}

async function writeAside<T>(
  file: string,
  make: (append: Append) => Promise<T>,
  name: (temporary: string, file: string) => Promise<void>,
): Promise<T> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}.partial`;
  const remove = removeWithProcess(temporary);
  try {
    const hash = createHash('sha256');
    const handle = await explained(file, open(temporary, 'wx', 0o600));
    let made: T;
    try {
      made = await make(async (text) => {
        const bytes = Buffer.from(text);
        hash.update(bytes);
        await explained(file, writeAll(handle, bytes));
      });
      await explained(file, handle.sync());
    } catch (error) {
      await handle.close().catch(() => undefined);
      throw error;
    }
    // A network disk might not report that it is full until the file is closed.
    await explained(file, handle.close());
    if ((await explained(file, hashOf(temporary))) !== hash.digest('hex')) {
      throw new FileProblem(
        file,
        'unwritten',
        `'${file}' differs from the written data: the disk may be failing; the file was removed`,
      );
    }
    await name(temporary, file);
    await syncFolder(dirname(file));
    return made;
  } finally {
    remove();
  }
}

async function assertFree(file: string): Promise<void> {
  const there = await statOf(file);
  if (there?.isDirectory()) throw isFolder(file);
  if (there !== undefined) throw taken(file);
}

function statOf(file: string): Promise<Stats | undefined> {
  return stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw fileProblem(error, file, 'written');
    return undefined;
  });
}

function isFolder(file: string): FileProblem {
  return new FileProblem(file, 'unusable', `'${file}' is a folder; pass the path of a file in it`);
}

function taken(file: string): FileProblem {
  return new FileProblem(
    file,
    'unusable',
    `'${file}' already exists; choose another name, or remove the existing file`,
  );
}

/**
 * Writes all bytes, in as many writes as it takes. A single write may accept only part of the bytes, for example on a
 * disk that is almost full; the next write then fails.
 */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    done += taking(bytesWritten);
  }
}

/** Writes all bytes to an open descriptor, such as standard output redirected to a file. */
export function writeAllSync(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let done = 0; done < bytes.length; ) done += taking(writeSync(descriptor, bytes, done, bytes.length - done));
}

function taking(bytesWritten: number): number {
  if (bytesWritten > 0) return bytesWritten;
  throw Object.assign(new Error('nothing was written'), { code: 'ENOSPC' });
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/**
 * Gives the file its final name with a hard link, because linking fails if the name is taken, whereas renaming would
 * overwrite the other file. Falls back to renaming on a disk without hard links.
 */
async function place(temporary: string, file: string): Promise<void> {
  try {
    await link(temporary, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(file);
    await assertFree(file);
    await takePlace(temporary, file);
  }
}

function takePlace(temporary: string, file: string): Promise<void> {
  return explained(file, rename(temporary, file));
}

/**
 * Synchronizes a folder, so that a new name in it survives a crash; does nothing on systems that cannot synchronize
 * folders.
 */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function explained<T>(file: string, write: Promise<T>): Promise<T> {
  return write.catch((error) => {
    throw fileProblem(error, file, 'written');
  });
}

/** Writes or replaces a file that every user may read, such as a page or a picture. */
export async function replacePublic(file: string, text: string): Promise<void> {
  await replaceWhole(file, (append) => append(text));
  await explained(file, chmod(file, 0o644));
}
