import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, type Stats, writeSync } from 'node:fs';
import { chmod, type FileHandle, link, mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { removeWithProcess } from '../engine/keeper';
import { FileProblem, fileProblem } from './problem';

/** Adds to a file; what it was given is in the file when it is done. */
export type Append = (text: string) => Promise<void>;

/**
 * Writes a file that has its name only when it is whole: every byte is written, brought to the disk and read back before. One
 * that is there is not written over. Only its owner can read it. Nothing is left of one that fails, or whose process is killed.
 */
export async function writeWhole<T>(file: string, make: (append: Append) => Promise<T>): Promise<T> {
  await assertFree(file);
  return writeAside(file, make, place);
}

/** The same in the place of a file that may be there, which stays until then; the folder is made, where there is none. */
export async function replaceWhole<T>(file: string, make: (append: Append) => Promise<T>): Promise<T> {
  await of(file, mkdir(dirname(file), { recursive: true }));
  if ((await statOf(file))?.isDirectory()) throw isFolder(file);
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
    const handle = await of(file, open(temporary, 'wx', 0o600));
    let made: T;
    try {
      made = await make(async (text) => {
        const bytes = Buffer.from(text);
        hash.update(bytes);
        await of(file, writeAll(handle, bytes));
      });
      await of(file, handle.sync());
    } catch (error) {
      await handle.close().catch(() => undefined);
      throw error;
    }
    // A disk behind a network may say only now that it was full.
    await of(file, handle.close());
    if ((await of(file, hashOf(temporary))) !== hash.digest('hex')) {
      throw new FileProblem(
        file,
        'unwritten',
        `'${file}' differs from what was written: the disk may be failing; nothing was kept`,
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
  return new FileProblem(file, 'unusable', `'${file}' is a folder; name a file in it`);
}

function taken(file: string): FileProblem {
  return new FileProblem(file, 'unusable', `'${file}' exists already; name another file, or remove it`);
}

/** A write may take in less than it was given, such as on a disk that is almost full; the next one says why. */
async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done);
    done += taking(bytesWritten);
  }
}

/** The same for a descriptor that is open, such as that of the standard output where it is a file. */
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

/** A link, unlike a new name, fails where somebody else was faster; not every disk has links. */
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
  return of(file, rename(temporary, file));
}

/** A new name is on the disk only after this, where folders can be synchronized. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

function of<T>(file: string, doing: Promise<T>): Promise<T> {
  return doing.catch((error) => {
    throw fileProblem(error, file, 'written');
  });
}

/** The same for everyone to read, such as a page or a picture. */
export async function replacePublic(file: string, text: string): Promise<void> {
  await replaceWhole(file, (append) => append(text));
  await of(file, chmod(file, 0o644));
}
