import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { systems } from '../../lib/systems';
import { UsageError } from './command';
import { exportsOf } from './modules';

export type Design = TableDesign | SystemDesign;

/** The designs that were named: systems that come with the library, or modules of the user's own. All systems by default. */
export function designsNamed(names: readonly string[]): readonly Design[] {
  if (names.length === 0) return Object.values(systems);
  return names.flatMap((name) => (Object.hasOwn(systems, name) ? [systems[name] as SystemDesign] : designsIn(name)));
}

function designsIn(name: string): readonly Design[] {
  const designs = exportsOf(name, 'designs').filter(isDesign);
  if (designs.length === 0) {
    throw new UsageError(`'${name}' must export what defineTable or defineSystem returns; it exports no design`);
  }
  // A table that is in an exported system is looked at there, where its tenant is known.
  const grouped = new Set(designs.flatMap((design) => (isSystem(design) ? Object.values(design.tables) : [])));
  return designs.filter((design) => isSystem(design) || !grouped.has(design));
}

function isDesign(value: unknown): value is Design {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false;
  return isSystem(value) || ('entities' in value && 'key' in value);
}

/** Whether something that a module exports is what `defineSystem` returns. */
export function isSystem(value: unknown): value is SystemDesign {
  return typeof value === 'object' && value !== null && 'name' in value && 'tables' in value && 'cloud' in value;
}
