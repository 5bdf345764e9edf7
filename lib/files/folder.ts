import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { removeWithProcess, temporaryFolder } from '../engine/keeper';
import { fileProblem, isFull } from './problem';

/**
 * Calls `work` with a temporary folder, which is removed afterwards. Throws a FileProblem if the disk is full.
 */
export async function inTemporaryFolder<T>(work: (folder: string) => T | Promise<T>): Promise<T> {
  const { path, remove } = await within(tmpdir(), temporaryFolder);
  try {
    return await within(path, () => work(path));
  } finally {
    remove();
  }
}

/**
 * Writes files to a folder without leaving partly written ones: `make` writes them to a temporary folder, and they are
 * moved to the target folder once all of them are on the disk. Keeps other files in the folder.
 */
export async function writeFolder<T>(folder: string, make: (aside: string) => T | Promise<T>): Promise<T> {
  const wasThere = existsSync(folder);
  // The temporary folder is inside the target folder, because a rename is atomic only within one file system.
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
    // The folder contains other files and must be kept, or it does not exist.
  }
}

/** Turns a disk error about a folder, or about a file in it, into a FileProblem. Rethrows any other error unchanged. */
async function within<T>(folder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { path } = (error ?? {}) as { readonly path?: unknown };
    const isInside = typeof path === 'string' && !relative(folder, path).startsWith('..');
    throw isInside || isFull(error) ? fileProblem(error, folder, 'written') : error;
  }
}
