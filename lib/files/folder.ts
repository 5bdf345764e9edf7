import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { removeWithProcess, temporaryFolder } from '../engine/keeper';
import { fileProblem, isFull } from './problem';

/** Does something in a folder of its own, which goes with it; a disk that is full is told as what it is. */
export async function inTemporaryFolder<T>(doing: (folder: string) => T | Promise<T>): Promise<T> {
  const { path, remove } = await within(tmpdir(), temporaryFolder);
  try {
    return await within(path, () => doing(path));
  } finally {
    remove();
  }
}

/**
 * Writes files into a folder, all or none: they are made in a folder of their own, brought to the disk, and only then moved to
 * their places. What else is there stays.
 */
export async function writeFolder<T>(folder: string, make: (aside: string) => T | Promise<T>): Promise<T> {
  const wasThere = existsSync(folder);
  // Inside of it, since a new name is all or nothing only on one disk.
  const aside = join(folder, `.${randomBytes(8).toString('hex')}.partial`);
  const remove = removeWithProcess(aside);
  try {
    return await within(folder, async () => {
      mkdirSync(aside, { recursive: true });
      const made = await make(aside);
      const files = filesIn(aside);
      for (const file of files) await synchronize(file);
      const places = files.map((file) => join(folder, relative(aside, file)));
      for (const place of places) mkdirSync(dirname(place), { recursive: true });
      for (const [i, file] of files.entries()) renameSync(file, places[i] as string);
      return made;
    });
  } catch (error) {
    remove();
    if (!wasThere) removeEmpty(folder);
    throw error;
  } finally {
    remove();
  }
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

async function synchronize(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Somebody else has put something there, or it was never made.
  }
}

/** Whatever the disk says of a folder or of what is in it becomes a sentence; all else stays as it is. */
async function within<T>(folder: string, doing: () => T | Promise<T>): Promise<T> {
  try {
    return await doing();
  } catch (error) {
    const { path } = (error ?? {}) as { readonly path?: unknown };
    const isInside = typeof path === 'string' && !relative(folder, path).startsWith('..');
    throw isInside || isFull(error) ? fileProblem(error, folder, 'written') : error;
  }
}
