import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { systems } from '../../lib/systems';
import { UsageError } from './command';

/** What a module of the user's own exports, and the module as a whole; `what` says what is looked for in it. */
export function exportsOf(name: string, what: string): readonly unknown[] {
  const file = resolve(name);
  if (!existsSync(file)) {
    const known = Object.keys(systems).join(', ');
    throw new UsageError(`'${name}' must be a system (${known}) or a file that exports ${what}; there is neither`);
  }
  const loaded = load(file);
  return [...new Set([loaded, ...Object.values(Object(loaded))])];
}

function load(file: string): unknown {
  try {
    return require(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : error;
    const advice = /\.[cm]?ts$/.test(file) ? '; compile it first, and name the JavaScript file' : '';
    throw new UsageError(`'${file}' cannot be loaded: ${reason}${advice}`);
  }
}
