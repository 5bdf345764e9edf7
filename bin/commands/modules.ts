import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systems } from '../../lib/systems';
import { FileError, UsageError } from './command';

/** What a module of the user's own exports, and the module as a whole; `what` says what is looked for in it. */
export function exportsOf(name: string, what: string): readonly unknown[] {
  const file = resolve(name);
  if (!existsSync(file)) {
    const known = Object.keys(systems).join(', ');
    throw new UsageError(`'${name}' must be a system (${known}) or a file that exports ${what}; there is neither`);
  }
  const loaded = load(name, file);
  return [...new Set([loaded, ...Object.values(Object(loaded))])];
}

function load(name: string, file: string): unknown {
  if (isFolderOfFiles(file)) throw new UsageError(`'${name}' is a folder; name a file in it${exampleIn(name, file)}`);
  try {
    return require(file);
  } catch (error) {
    const advice = /\.[cm]?ts$/.test(file) ? '; compile it first, and name the JavaScript file' : '';
    throw new FileError(`'${file}' cannot be loaded: ${reasonOf(error, file)}${advice}`);
  }
}

/** A folder that is no module: it has no index and no package of its own. */
function isFolderOfFiles(file: string): boolean {
  return statSync(file).isDirectory() && !['index.js', 'package.json'].some((main) => existsSync(join(file, main)));
}

function exampleIn(name: string, file: string): string {
  const script = readdirSync(file).find((one) => /\.c?js$/.test(one));
  return script === undefined ? '' : `, such as ${join(name, script)}`;
}

/** The message, and the line where it arose in the user's own files, which is at the top of the stack. */
function reasonOf(error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message.split('\n')[0] as string;
  // Before the stack of a syntax error stands its place, as file:line.
  const [first = ''] = (error.stack ?? '').split('\n');
  const syntax = /^(.+):(\d+)$/.exec(first);
  if (syntax !== null) return `${message} (${syntax[1] === file ? 'line ' : `${syntax[1]}:`}${syntax[2]})`;
  const own = (error.stack ?? '').split('\n').find((line) => line.includes(`${file}:`));
  const line = own === undefined ? undefined : /:(\d+):\d+\)?$/.exec(own)?.[1];
  return line === undefined ? message : `${message} (line ${line})`;
}
