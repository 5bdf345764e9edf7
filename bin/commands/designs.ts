import type { SystemDesign } from '../../lib/design/system';
import type { TableDesign } from '../../lib/design/table';
import { systems } from '../../lib/systems';
import { FileError } from './command';
import { exportsOf } from './modules';

export type Design = TableDesign | SystemDesign;

/** The designs that were named: systems that come with the library, or modules of the user's own. All systems by default. */
export function designsNamed(names: readonly string[]): readonly Design[] {
  return sourcesNamed(names).flatMap(({ designs }) => designs);
}

/** Designs, and the file they are from, as it was named; the library's own systems are from none. */
export interface Source {
  readonly file?: string;
  readonly designs: readonly Design[];
}

export function sourcesNamed(names: readonly string[]): readonly Source[] {
  if (names.length === 0) return [{ designs: Object.values(systems) }];
  return names.map((name) =>
    Object.hasOwn(systems, name)
      ? { designs: [systems[name] as SystemDesign] }
      : { file: name, designs: designsIn(name) },
  );
}

function designsIn(name: string): readonly Design[] {
  const exported = exportsOf(name, 'designs');
  const designs = [...new Set(exported.flatMap((value) => (looksLikeDesign(value) ? [value] : within(value))))];
  if (designs.length === 0) {
    throw new FileError(`'${name}' must export what defineTable or defineSystem returns; it exports no design`);
  }
  // A table that is in an exported system is looked at there, where its tenant is known.
  const grouped = new Set(designs.flatMap((design) => (isSystem(design) ? Object.values(design.tables) : [])));
  return designs.filter((design) => isSystem(design) || !grouped.has(design));
}

/** The designs in an exported list or object, one level down. */
function within(value: unknown): readonly Design[] {
  return typeof value === 'object' && value !== null ? Object.values(value).filter(looksLikeDesign) : [];
}

/** Whether something is meant to be a design, so that it is checked as one, and told what it lacks. */
function looksLikeDesign(value: unknown): value is Design {
  if (typeof value !== 'object' || value === null || !('name' in value)) return false;
  return isSystem(value) || 'entities' in value || 'key' in value;
}

/** Whether something that a module exports is what `defineSystem` returns. */
export function isSystem(value: unknown): value is SystemDesign {
  return typeof value === 'object' && value !== null && 'name' in value && isRecord((value as SystemDesign).tables);
}

function isRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
