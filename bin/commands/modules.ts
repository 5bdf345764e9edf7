import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { assertOwn, closeFiles, privateFolder } from '../../lib/files/ownership';
import { assertRegular } from '../../lib/files/read';
import { FileError, UsageError } from './command';
import { thrown } from './standard';

/** Loads a user's module, and passes the module object and all exports to `read`. */
export async function readingOf<T>(name: string, read: (exported: readonly unknown[]) => T): Promise<T> {
  const file = resolve(name);
  if (isFolderOfFiles(file)) throw new UsageError(`'${name}' is a folder; pass a file in it${exampleIn(name, file)}`);
  const { loaded } = await loadModule(file);
  try {
    return read([...new Set([loaded, ...Object.values(Object(loaded))])]);
  } catch (error) {
    // A getter or a proxy in the user's code may throw.
    throw new FileError(`the exports of '${name}' cannot be read: ${reasonOf(error, file)}`);
  }
}

/**
 * Refuses a file that another user may have planted where the command looks for files. Not called for a path such as
 * `./design.ts` on the command line, because the user chose that file.
 */
export function assertTrusted(file: string): void {
  assertOwn(file, 'pass the files on the command line: npx tablewright check ./design.ts');
}

/**
 * Loads a TypeScript or JavaScript module, in CommonJS or ES format. Wraps the exports in an object, because a promise
 * that resolves to a module calls the module's export named `then`, if there is one.
 */
export async function loadModule(file: string): Promise<{ readonly loaded: unknown }> {
  // Reading a FIFO would block until another process writes to it.
  if (!statSync(file).isDirectory()) assertRegular(file);
  let first: unknown;
  try {
    if (!isAfresh) return { loaded: require(file) };
  } catch (error) {
    if (!isTypeScript(file) && !isForOtherLoader(error)) throw unloadable(file, error);
    first = error;
  }
  const { createJiti } = require('jiti') as typeof import('jiti');
  // By default, jiti runs cached code from a folder that all users of the machine can write to.
  const fsCache = privateFolder(cacheFolder()) ?? false;
  const jiti = createJiti(__filename, { interopDefault: false, fsCache });
  try {
    if (isAfresh) return await loadedAfresh(jiti, file);
    // `jiti(file)` reuses modules that are already loaded, such as the user's zod; `jiti.import(file)` does not.
    return { loaded: isAsynchronous(first) ? await jiti.import(file) : jiti(file) };
  } catch (error) {
    // If neither loader can parse the JavaScript, Node's error is more helpful than jiti's.
    throw unloadable(file, isTypeScript(file) || !(first instanceof SyntaxError) ? error : first);
  } finally {
    if (fsCache !== false) closeFiles(fsCache);
  }
}

/** Whether `loadModule` must see the files on disk, even if this process has already loaded them. */
let isAfresh = false;

/**
 * Runs a function that loads the user's modules as they are on disk now. Node's `require` cannot load an ES module
 * twice, because Node keeps ES modules in a cache that cannot be cleared. So jiti loads all of them: it keeps modules
 * only in `require.cache`, where they can be deleted.
 */
export async function afresh<T>(load: () => Promise<T>): Promise<T> {
  for (const file of Object.keys(require.cache)) if (isUsers(file)) delete require.cache[file];
  isAfresh = true;
  try {
    return await load();
  } finally {
    isAfresh = false;
  }
}

async function loadedAfresh(
  jiti: ReturnType<typeof import('jiti').createJiti>,
  file: string,
): Promise<{ readonly loaded: unknown }> {
  const native = require.extensions['.js'] as NodeJS.RequireExtensions['.js'];
  // jiti first passes a CommonJS file to Node, which would load the ES modules that the file imports. If Node refuses
  // the file, jiti loads it.
  require.extensions['.js'] = (module, name) => {
    if (isUsers(name)) throw new Error(`only jiti loads '${name}'`);
    native(module, name);
  };
  try {
    return { loaded: jiti(file) };
  } catch (error) {
    if (!isAsynchronous(error)) throw error;
  } finally {
    require.extensions['.js'] = native;
  }
  // `jiti.import` would let Node load JavaScript.
  const options = { filename: file, async: true, forceTranspile: true };
  return { loaded: await jiti.evalModule(readFileSync(file, 'utf8'), options) };
}

/** The folder with this program's code. */
const OWN = resolve(__dirname, '../..') + sep;

/** Whether a file belongs to the user, and not to this program or an installed package. */
function isUsers(file: string): boolean {
  return !file.startsWith(OWN) && !/[\\/]node_modules[\\/]/.test(file);
}

/** The folder for compiled TypeScript, in the user's own cache folder. */
function cacheFolder({ XDG_CACHE_HOME = '', LOCALAPPDATA = '' } = process.env): string {
  const own = [XDG_CACHE_HOME, LOCALAPPDATA].find(isAbsolute);
  return join(own ?? join(homedir(), '.cache'), 'tablewright', 'compiled');
}

function isTypeScript(file: string): boolean {
  return /\.[cm]?tsx?$/.test(file);
}

/** Whether another loader may be able to read a file that Node's `require` could not read. */
function isForOtherLoader(error: unknown): boolean {
  const code = codeOf(error);
  return (
    error instanceof SyntaxError ||
    ['ERR_REQUIRE_ESM', 'ERR_UNKNOWN_FILE_EXTENSION'].includes(code) ||
    isAsynchronous(error)
  );
}

/** A module with a top-level `await` can only be loaded with `import`. */
function isAsynchronous(error: unknown): boolean {
  return (
    codeOf(error) === 'ERR_REQUIRE_ASYNC_MODULE' || (error instanceof SyntaxError && /\bawait\b/.test(error.message))
  );
}

/** Looks only at Errors, because reading a property of any other thrown value might throw. */
function codeOf(error: unknown): string {
  return error instanceof Error ? String((error as NodeJS.ErrnoException).code) : '';
}

function unloadable(file: string, error: unknown): FileError {
  return new FileError(`'${file}' cannot be loaded: ${reasonOf(error, file)}`);
}

/** Whether a path is a folder that is not a module, because it has no index.js, and its package.json names no file. */
function isFolderOfFiles(file: string): boolean {
  if (!statSync(file).isDirectory()) return false;
  try {
    require.resolve(file);
    return false;
  } catch {
    return true;
  }
}

function exampleIn(name: string, file: string): string {
  const scripts = readdirSync(file).filter((entry) => /^[^.]+\.[cm]?[jt]s$/.test(entry));
  const script = scripts.find((entry) => /^designs?\./.test(entry)) ?? scripts[0];
  return script === undefined ? '' : `, such as ${join(name, script)}`;
}

/** Returns an error's message. If the stack mentions the user's file, the line number in that file is appended. */
function reasonOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return thrown(error);
  const message = (thrown(error).split('\n')[0] as string).replace(/^ParseError: /, '').trimEnd();
  // A syntax error's stack begins with its position, as file:line.
  const [first = ''] = (error.stack ?? '').split('\n');
  const syntax = /^(.+):(\d+)$/.exec(first);
  if (syntax !== null) return `${message} (${syntax[1] === file ? 'line ' : `${syntax[1]}:`}${syntax[2]})`;
  const own = (error.stack ?? '').split('\n').find((line) => line.includes(`${file}:`));
  const line = own === undefined ? undefined : /:(\d+):\d+\)?$/.exec(own)?.[1];
  return line === undefined ? message : `${message} (line ${line})`;
}
