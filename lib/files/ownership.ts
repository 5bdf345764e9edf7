import { chmodSync, lstatSync, mkdirSync, readdirSync, realpathSync, rmSync, type Stats } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { FileProblem } from './problem';

/** The mode bits for "writable by everyone", "writable by the group" and "sticky". */
const [BY_ANYONE, BY_GROUP, STICKY] = [0o002, 0o020, 0o1000];

/**
 * Returns the current user's id, or undefined on Windows, which has no user ids and protects folders in the user's
 * profile by default.
 */
function user(): number | undefined {
  return process.getuid?.();
}

/**
 * Throws a FileProblem if a file belongs to anyone other than this user and root, or if every user can write to it.
 * Also checks the links in its path and all parent folders, because a user who can write to a folder can replace its
 * files.
 * @param instead the end of the message: advice for users who want to run the file anyway
 */
export function assertOwn(file: string, instead: string): void {
  const own = user();
  if (own === undefined) return;
  for (const path of [...new Set([...withParents(resolve(file)), ...withParents(realpathSync(file))])]) {
    const stats = lstatSync(path);
    const problem = problemOf(stats, own);
    if (problem === undefined) continue;
    const what = stats.isDirectory() ? `the folder '${path}' ${problem.what}` : `it ${problem.what}`;
    const fix = problem.fix.replace('<path>', `'${path}'`);
    throw new FileProblem(
      file,
      'unusable',
      `'${file}' was found but not run: ${what}, so it may be another user's code; ${fix}, or ${instead}`,
    );
  }
}

function withParents(path: string): readonly string[] {
  return path === dirname(path) ? [path] : [...withParents(dirname(path)), path];
}

function problemOf(stats: Stats, own: number): { readonly what: string; readonly fix: string } | undefined {
  if (stats.uid !== own && stats.uid !== 0)
    return {
      what: `belongs to user ${stats.uid}, and you are user ${own}`,
      fix: `if it is yours, run chown ${own} <path>`,
    };
  // The mode of a symbolic link has no effect. In a sticky folder such as /tmp, users cannot replace each other's
  // files.
  const isOpen = (stats.mode & BY_ANYONE) !== 0 && !stats.isSymbolicLink();
  if (!isOpen || (stats.isDirectory() && (stats.mode & STICKY) !== 0)) return undefined;
  return { what: 'can be written by any user', fix: 'if it is yours, run chmod o-w <path>' };
}

/**
 * Creates a folder for files that only this user may write, such as compiled code, and returns its path. Returns
 * undefined if another user could have written to the folder or to one of its parents, or owns one of its files.
 * Removes files that other users can write to.
 */
export function privateFolder(folder: string): string | undefined {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const own = user();
    if (own === undefined) return folder;
    // A path with a symbolic link is refused, because the link could later point to a different folder.
    if (realpathSync(folder) !== folder) return undefined;
    const isOpen = ({ mode }: Stats) => (mode & (BY_ANYONE | BY_GROUP)) !== 0;
    const above = withParents(dirname(folder)).map((path) => lstatSync(path));
    if (above.some((stats) => ![own, 0].includes(stats.uid) || (isOpen(stats) && (stats.mode & STICKY) === 0)))
      return undefined;
    const itself = lstatSync(folder);
    if (itself.uid !== own || isOpen(itself)) return undefined;
    for (const name of readdirSync(folder)) {
      const stats = lstatSync(join(folder, name));
      if (stats.uid !== own || !stats.isFile()) return undefined;
      if (isOpen(stats)) rmSync(join(folder, name));
    }
    return folder;
  } catch {
    // The folder cannot be created or read, for example because there is no home folder or the disk is read-only.
    return undefined;
  }
}

/**
 * Makes the files in a private folder accessible only to their owner. If the umask is lax, they may have been created
 * with wider permissions.
 */
export function closeFiles(folder: string): void {
  for (const name of user() === undefined ? [] : readdirSync(folder)) {
    const file = join(folder, name);
    // Another run by the same user may have removed the file in the meantime.
    if (lstatSync(file, { throwIfNoEntry: false })?.isFile()) chmodSync(file, 0o600);
  }
}
