import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { systems } from '../../lib/systems';
import { UsageError } from './command';

export type Design = TableDesign | SystemDesign;

/** The designs that were named: systems that come with the library, or modules of the user's own. All systems by default. */
export function designsNamed(names: readonly string[]): readonly Design[] {
  if (names.length === 0) return Object.values(systems);
  return names.flatMap((name) => (Object.hasOwn(systems, name) ? [systems[name] as SystemDesign] : designsIn(name)));
}

function designsIn(name: string): readonly Design[] {
  const file = resolve(name);
  if (!existsSync(file)) {
    const known = Object.keys(systems).join(', ');
    throw new UsageError(`'${name}' must be a system (${known}) or a file that exports designs; there is neither`);
  }
  const loaded = load(file);
  const designs = [loaded, ...Object.values(Object(loaded))].filter(isDesign);
  if (designs.length === 0) {
    throw new UsageError(`'${name}' must export what defineTable or defineSystem returns; it exports no design`);
  }
  // A table that is in an exported system is looked at there, where its tenant is known.
  const grouped = new Set(designs.flatMap((design) => ('tables' in design ? Object.values(design.tables) : [])));
  return [...new Set(designs)].filter((design) => 'tables' in design || !grouped.has(design));
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

function isDesign(value: unknown): value is Design {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false;
  return ('tables' in value && 'cloud' in value) || ('entities' in value && 'key' in value);
}
